import { GpuprofError } from '../../errors.ts';
import { explain } from '../explain.ts';
import { type Note, readNotes, readPosition } from './notebook.ts';
import { codeOfSignal, supervise } from './supervise.ts';
import type { Loss } from './tell-loss.ts';

/** Tells what became of the process, and writes the reports of what was measured before it. */
async function tell(loss: Loss, notebook: number, debug: boolean): Promise<number> {
  // What a spinner has hidden, and its line.
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K\u001b[?25h');
  const notes: Note[] = [...readNotes(notebook)];
  const replay = notes.find((note) => note.what === 'replay');
  const file = (replay ?? notes.find((note) => note.what === 'input'))?.file;
  const { tellLoss } = await import('./tell-loss.ts');
  const { sentence, hint } = await tellLoss(loss, readPosition(notebook), file);
  let kept = 0;
  if (replay)
    try {
      const { writeSalvaged } = await import('./salvage.ts');
      kept = await writeSalvaged(replay, notes, `${sentence}; what was measured before it is here`);
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
  try {
    return await supervise(debug ? [...args.slice(0, 1), '--debug', ...args.slice(1)] : args, (end, notebook) => {
      if (end.how === 'exited') return end.code;
      if (end.how === 'interrupted') return codeOfSignal(end.signal);
      return tell(end, notebook, debug);
    });
  } catch (error) {
    return explain(error, debug);
  }
}
