/** The process that replays one side of a comparison: started by side-process.ts, ends with its parent. */
import { GpuprofError } from '../../errors.ts';
import { endWithParent } from '../../gl/host-process.ts';
import { openNotebook } from '../isolation/notebook.ts';
import type { Answer, Ask, Failure, SideWork } from './protocol.ts';
import { ReplayedSide } from './replayed-side.ts';

const answer = (message: Answer): void => void process.send?.(message);

function failure(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const known = error instanceof GpuprofError ? error : null;
  return { code: known?.code ?? null, message, hint: known?.hint, stack };
}

endWithParent();
process.on('disconnect', () => process.exit());
// They come to every process of a terminal: the parent decides what ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const isReady = openNotebook();
const side: SideWork = new ReplayedSide({ update: (progress) => answer({ progress }), stop: () => {} });

process.on('message', async ({ work, argument }: Ask) => {
  try {
    await isReady;
    answer({ done: await (side[work] as (argument: unknown) => unknown)(argument) });
  } catch (error) {
    answer({ failed: failure(error) });
  }
});
