import { GpuprofError } from '../../errors.ts';
import { activities, word } from '../../model/position.ts';
import { explain } from '../explain.ts';
import { type Note, readNotes, readPosition } from './notebook.ts';
import { codeOfSignal, type End, supervise } from './supervise.ts';

type Loss = Extract<End, { readonly how: 'crashed' | 'hung' | 'lost' }>;

const longestCall = 300;

/** The call at a position, as `gpuprof dump` has it; nothing for what is not there to be read. */
async function callAt(file: string, frame: number, event: number): Promise<string> {
  try {
    const [{ openAnyCapture }, { formatCall }] = await Promise.all([
      import('../open-capture.ts'),
      import('../../gl/format-call.ts'),
    ]);
    const capture = await openAnyCapture(file);
    try {
      const stream = frame === 0 ? await capture.setup() : await capture.frame(frame);
      const text = formatCall(stream.call(event - 1), capture.manifest);
      return `, ${text.length > longestCall ? `${text.slice(0, longestCall)}…` : text}`;
    } finally {
      await capture.close();
    }
  } catch {
    return '';
  }
}

/** Where it was, as a part of a sentence. */
async function placeOf(position: Uint32Array, file: string | undefined): Promise<string> {
  const [activity, frame, event] = [position[word.activity], position[word.frame], position[word.event]];
  if (activities[activity] !== 'replaying') return activity === 0 ? '' : ` while ${activities[activity]}`;
  if (event === 0) return frame === 0 ? ' while setting up' : ` while frame ${frame} was made ready`;
  const call = file === undefined ? '' : await callAt(file, frame, event);
  return frame === 0 ? ` at set-up call ${event}${call}` : ` at frame ${frame}, event ${event}${call}`;
}

/** What happened; `isDriver` when it was in there. */
function happened(loss: Loss, isDriver: boolean): { readonly what: string; readonly hint: string } {
  if (loss.how === 'hung')
    return {
      what: `the replay was ended, since nothing has moved for ${loss.patienceMs / 1000} s,`,
      hint: 'raise --timeout when one call may take longer',
    };
  if (loss.how === 'lost')
    return {
      what: 'the driver lost its context, as after a reset of the GPU,',
      hint: 'replay it once more, or with another --driver',
    };
  if (loss.signal === 'SIGKILL')
    return {
      what: 'the process was ended (SIGKILL), as systems do that run out of memory',
      hint: 'see what the capture needs with gpuprof info',
    };
  return isDriver
    ? { what: `the driver crashed (${loss.signal})`, hint: 'see whether another --driver replays it' }
    : { what: `gpuprof crashed (${loss.signal})`, hint: 'please report it' };
}

/** Tells what became of the process, and writes the reports of what was measured before it. */
async function tell(loss: Loss, notebook: number, debug: boolean): Promise<number> {
  // What a spinner has hidden, and its line.
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K\u001b[?25h');
  const position = readPosition(notebook);
  const notes: Note[] = [...readNotes(notebook)];
  const replay = notes.find((note) => note.what === 'replay');
  const { what, hint } = happened(loss, position[word.activity] !== 0);
  const file = replay?.file;
  const sentence = `${what}${await placeOf(position, file)}`;
  let kept = 0;
  try {
    const { salvage } = await import('./salvage.ts');
    kept = await salvage(notes, { code: 'replay-lost', message: `${sentence}; what was measured before it is here` });
  } catch (error) {
    explain(error, debug);
  }
  const told = kept > 0 ? `${sentence}; ${kept} whole run${kept === 1 ? ' is' : 's are'} in the report` : sentence;
  const where = file === undefined ? told : `${file}: ${told}`;
  return explain(new GpuprofError('cannot-measure', where, { hint }), debug);
}

/**
 * Runs a command line in a process of its own and returns the exit code. What crashes or hangs in there is told in one
 * line that names the event, and what was measured before it is reported.
 */
export async function runIsolated(args: readonly string[], debug: boolean): Promise<number> {
  return supervise(debug ? [...args.slice(0, 1), '--debug', ...args.slice(1)] : args, (end, notebook) => {
    if (end.how === 'exited') return end.code;
    if (end.how === 'interrupted') return codeOfSignal(end.signal);
    return tell(end, notebook, debug);
  });
}
