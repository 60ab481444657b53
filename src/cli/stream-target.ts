/** Where lines of a stream go while they are written. */
import { openWhole, outputFailure } from './output.ts';

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

/** A file that is there when it is whole. Throws GpuprofError `output-failed`, also when written to. */
export function fileTarget(path: string): StreamTarget {
  const file = openWhole(path);
  return { write: file.write, ready: () => undefined, end: async () => file.commit(), abandon: file.discard };
}

/** Standard output, at its reader's pace; when the reader has gone nothing more is written. */
export function stdoutTarget(): StreamTarget {
  const { stdout } = process;
  let failure: NodeJS.ErrnoException | null | undefined;
  const written = (lines: string, done?: () => void) =>
    stdout.write(lines, (error) => {
      failure ??= error;
      done?.();
    });
  /** What was written before this has been taken, or never will be. */
  const taken = () => new Promise<void>((resolve) => written('', resolve));
  const isOpen = () => stdout.writable && !failure;
  return {
    write(lines) {
      if (isOpen()) written(lines);
    },
    ready: () => (isOpen() && stdout.writableNeedDrain ? taken() : undefined),
    async end() {
      if (isOpen()) await taken();
      if (failure && failure.code !== 'EPIPE') throw outputFailure('standard output', failure);
    },
    abandon() {},
  };
}
