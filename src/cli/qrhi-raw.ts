import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import type { Writable } from 'node:stream';
import { outputFailure } from '../capture/whole-file.ts';
import { isPipe } from './output.ts';

/** What takes a stream byte for byte. Throws GpuprofError `output-failed`. */
export interface RawFile {
  readonly path: string;
  /** Returns what to wait for before writing much more, or nothing. */
  write(bytes: Buffer): Promise<void> | undefined;
  close(): void;
}

/** `stream.csv`, then `stream-2.csv`, so that no stream overwrites another's. */
function numbered(path: string, stream: number): string {
  if (stream === 1) return path;
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${stream}${extension}`;
}

/** A file in place of what was there. It is written as the stream comes, synchronously, so that nothing piles up. */
function rawFile(path: string): RawFile {
  const attempt = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw outputFailure(path, error);
    }
  };
  const file = attempt(() => openSync(path, 'w'));
  return {
    path,
    write(bytes) {
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
        return undefined;
      } catch (error) {
        closeSync(file);
        throw outputFailure(path, error);
      }
    },
    close: () => attempt(() => closeSync(file)),
  };
}

/** Where streams are kept as they came: each in a file of its own, or all in one pipe or device. */
export class RawFiles {
  readonly #path: string;
  readonly #pipe: Writable | null;
  #failure: unknown;
  #streams = 0;

  private constructor(path: string, pipe: Writable | null) {
    this.#path = path;
    this.#pipe = pipe;
    // Every stream waits for it.
    pipe?.setMaxListeners(0).on('error', (error) => {
      this.#failure = outputFailure(path, error);
    });
  }

  /** A pipe's reader is waited for. Throws GpuprofError `output-failed`. */
  static async open(path: string): Promise<RawFiles> {
    return new RawFiles(path, isPipe(path) ? await (await import('./open-pipe.ts')).openPipe(path) : null);
  }

  /** For one more stream. */
  next(): RawFile {
    if (this.#pipe) return this.#toPipe(this.#pipe);
    const isDevice = statSync(this.#path, { throwIfNoEntry: false })?.isFile() === false;
    return rawFile(isDevice ? this.#path : numbered(this.#path, ++this.#streams));
  }

  #toPipe(pipe: Writable): RawFile {
    return {
      path: this.#path,
      write: (bytes) => {
        if (this.#failure) throw this.#failure;
        if (pipe.write(bytes)) return undefined;
        return new Promise((resolve) => {
          for (const event of ['drain', 'close']) pipe.once(event, () => resolve());
        });
      },
      close() {},
    };
  }

  /** No stream comes any more. */
  close(): void {
    this.#pipe?.end();
  }
}
