/** What became of a process that replays, in words. */
import { memoryHint } from '../../model/memory-limit.ts';
import { activities, word } from '../../model/position.ts';

/** An end that it did not mean. */
export type Loss =
  | { readonly how: 'crashed'; readonly signal: NodeJS.Signals }
  /** Something in it ended it, which was not its own program. */
  | { readonly how: 'ended'; readonly code: number }
  /** The driver lost its context. */
  | { readonly how: 'lost' }
  /** It was ended after so long without a change of the position. */
  | { readonly how: 'hung'; readonly patienceMs: number }
  /** It was ended for the memory that it took. */
  | { readonly how: 'grown'; readonly mostMebibytes: number };

const longestCall = 300;

/** The call at a position, as `gpuprof dump` has it; nothing for what is not there to be read. */
async function callAt(file: string, frame: number, event: number): Promise<string> {
  try {
    const [{ openAnyCapture }, { formatCall }] = await Promise.all([
      import('../open-capture.ts'),
      import('../../gl/format-call.ts'),
    ]);
    const capture = await openAnyCapture(file, () => {});
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

/** Where it was, as the end of a sentence; empty when it called no driver. */
async function placeOf(position: Uint32Array, file: string | undefined): Promise<string> {
  const [activity, frame, event] = [position[word.activity], position[word.frame], position[word.event]];
  if (activities[activity] !== 'replaying') return activity === 0 ? '' : ` while ${activities[activity]}`;
  if (event === 0) return frame === 0 ? ' while setting up' : ` while frame ${frame} was made ready`;
  const call = file === undefined ? '' : await callAt(file, frame, event);
  return frame === 0 ? ` at setup call ${event}${call}` : ` at frame ${frame}, event ${event}${call}`;
}

interface Told {
  readonly what: string;
  readonly hint: string;
}

const anotherDriver = 'see whether another --driver replays it';

/** Signals by which processes end that have no memory, or are thought to take too much. */
function ofSignal(signal: NodeJS.Signals, isDriver: boolean): Told {
  const hint = 'see what the capture needs with gpuprof info';
  if (signal === 'SIGKILL')
    return { what: 'the process was ended (SIGKILL), as systems do that run out of memory', hint };
  if (signal === 'SIGABRT')
    return { what: 'the process was aborted (SIGABRT), by a driver at fault or by Node for want of memory', hint };
  return isDriver
    ? { what: `the driver crashed (${signal})`, hint: anotherDriver }
    : { what: `gpuprof crashed (${signal})`, hint: 'please report it' };
}

function happened(loss: Loss, isDriver: boolean): Told {
  switch (loss.how) {
    case 'hung':
      return {
        what: `the process was ended, since nothing has moved for ${loss.patienceMs / 1000} s`,
        hint: 'raise --timeout when one call may take longer',
      };
    case 'grown':
      return {
        what: `the process was ended, since it took more than ${loss.mostMebibytes} MiB of memory`,
        hint: memoryHint,
      };
    case 'lost':
      return {
        what: 'the driver lost its context (as after a reset of the GPU)',
        hint: 'replay it once more, or with another --driver',
      };
    case 'ended':
      return {
        what: `the driver ended the process (exit code ${loss.code}), as it does when its display goes`,
        hint: anotherDriver,
      };
    case 'crashed':
      return ofSignal(loss.signal, isDriver);
  }
}

/**
 * What happened and where, as a sentence without its end, and what to do. `doing` says what the process did where it called
 * no driver; `file` is the capture.
 */
export async function tellLoss(
  loss: Loss,
  position: Uint32Array,
  file: string | undefined,
  doing?: string,
): Promise<{ readonly sentence: string; readonly hint: string }> {
  const activity = activities[position[word.activity]];
  const { what, hint } = happened(loss, activity !== '' && activity !== 'reading the model');
  const place = await placeOf(position, file);
  return { sentence: `${what}${place === '' && doing !== undefined ? ` (${doing})` : place}`, hint };
}
