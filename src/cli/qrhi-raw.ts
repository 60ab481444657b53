import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { outputFailure } from './output.ts';

/** A file that takes a stream byte for byte. */
export interface RawFile {
  readonly path: string;
  write(bytes: Buffer): void;
  close(): void;
}

/** `stream.csv`, then `stream-2.csv`, so that no connection overwrites another's; a device takes them all. */
export function rawPath(path: string, connection: number): string {
  if (connection === 1 || statSync(path, { throwIfNoEntry: false })?.isFile() === false) return path;
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${connection}${extension}`;
}

/** Opens a file for the stream, in place of what it held. Writing is synchronous, so that nothing piles up. */
export function openRaw(path: string): RawFile {
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
    write: (bytes) =>
      attempt(() => {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
      }),
    close: () => closeSync(file),
  };
}
