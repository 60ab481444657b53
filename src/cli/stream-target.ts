/** Where lines of a stream go while they are written. */
import type { Writable } from 'node:stream';
import { openWhole, outputFailure } from '../capture/whole-file.ts';
import { isPipe } from './output.ts';

export interface StreamTarget {
  /** Never waits; what the other side has not taken is kept. */
  write(lines: string): void;
  /** What to wait for before writing much more, or nothing. */
  ready(): Promise<void> | undefined;
  /** Everything has been written. Throws GpuprofError `output-failed`. */
  end(): Promise<void>;
  /** Nothing of it shall stay. */
  abandon(): void;
}

/** A file that is there when it is whole. */
function fileTarget(path: string): StreamTarget {
  const file = openWhole(path);
  return { write: file.write, ready: () => undefined, end: async () => file.commit(), abandon: file.discard };
}

/** At the reader's pace; when the reader has gone nothing more is written. `close` ends it. */
function pacedTarget(stream: Writable, name: string, close: () => void): StreamTarget {
  let failure: NodeJS.ErrnoException | null | undefined;
  const written = (lines: string, done?: () => void) =>
    stream.write(lines, (error) => {
      failure ??= error;
      done?.();
    });
  /** What was written before this has been taken, or never will be. */
  const taken = () => new Promise<void>((resolve) => written('', resolve));
  const isOpen = () => stream.writable && !failure;
  return {
    write(lines) {
      if (isOpen()) written(lines);
    },
    ready: () => (isOpen() && stream.writableNeedDrain ? taken() : undefined),
    async end() {
      if (isOpen()) await taken();
      close();
      if (failure && failure.code !== 'EPIPE') throw outputFailure(name, failure);
    },
    abandon: close,
  };
}

/**
 * A file, a pipe once somebody reads it, or standard output for `-`. Throws GpuprofError `output-failed`, also when written
 * to.
 */
export async function openTarget(path: string): Promise<StreamTarget> {
  if (path === '-') return pacedTarget(process.stdout, 'standard output', () => {});
  if (!isPipe(path)) return fileTarget(path);
  const pipe = await (await import('./open-pipe.ts')).openPipe(path);
  return pacedTarget(pipe, path, () => pipe.end());
}
