import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { GpuprofError } from '../errors.ts';

type Chunk = string | Uint8Array;

const writeBytes = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EISDIR: 'it is a folder',
};

/** What the user is told when something cannot be written. */
export const outputFailure = (path: string, cause: unknown): GpuprofError => {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return new GpuprofError('output-failed', `cannot write ${path}: ${reasons[code] ?? message}`, { cause });
};

/** Strings gathered into buffers worth a system call. */
function* gathered(chunks: Iterable<Chunk>): Generator<Buffer> {
  let text = '';
  for (const chunk of chunks) {
    if (typeof chunk !== 'string') yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    else text += chunk;
    if (text.length < writeBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function writeAll(file: number, chunks: Iterable<Chunk>): void {
  for (const buffer of gathered(chunks))
    for (let at = 0; at < buffer.length; ) at += writeSync(file, buffer, at, buffer.length - at);
}

const existing = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Whether two paths name one file, through links too; devices may be named as often as one likes. */
export function isSameFile(left: string, right: string): boolean {
  const [one, other] = [left, right].map((path) => {
    try {
      return existing(path);
    } catch {
      // What cannot be looked at is told of when it is opened.
      return undefined;
    }
  });
  if (one && other) return one.isFile() && one.dev === other.dev && one.ino === other.ino;
  return resolve(left) === resolve(right);
}

/**
 * Throws GpuprofError `output-failed` when a file could not be written there, and `bad-usage` when it is the command's
 * input; costs nothing and leaves nothing.
 */
export function checkOutput(path: string, input: string): void {
  if (path === '-') return;
  if (isSameFile(path, input))
    throw new GpuprofError('bad-usage', `${path} is the input, which the output would replace`, {
      hint: 'name another file',
    });
  try {
    const target = existing(path);
    if (target?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(target && !target.isFile() ? path : dirname(path), constants.W_OK);
  } catch (cause) {
    throw outputFailure(path, cause);
  }
}

/** A file that is being written. All throw GpuprofError `output-failed`. */
export interface WholeFile {
  write(chunk: Chunk): void;
  /** Puts the file in its place. */
  commit(): void;
  /** Leaves no trace of it; nothing once it is in its place. */
  discard(): void;
}

function told<A extends unknown[]>(path: string, work: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      work(...args);
    } catch (cause) {
      throw outputFailure(path, cause);
    }
  };
}

/**
 * Opens a file beside its place, to be renamed there when it is whole, and removed when the process ends before that;
 * devices and pipes are written as they are. Throws GpuprofError `output-failed`.
 */
export function openWhole(path: string): WholeFile {
  try {
    const target = existing(path);
    const isSpecial = target !== undefined && !target.isFile();
    const place = target && !isSpecial ? realpathSync(path) : path;
    const written = isSpecial ? path : join(dirname(place), `.${basename(place)}.${process.pid}.tmp`);
    const file = openSync(written, isSpecial ? 'w' : 'wx');
    let isOpen = true;
    const discard = () => {
      if (!isOpen) return;
      isOpen = false;
      process.off('exit', discard);
      closeSync(file);
      if (!isSpecial) rmSync(written, { force: true });
    };
    process.once('exit', discard);
    return {
      write: told(path, (chunk) => writeAll(file, [chunk])),
      commit: told(path, () => {
        isOpen = false;
        process.off('exit', discard);
        try {
          closeSync(file);
          if (isSpecial) return;
          if (target) chmodSync(written, target.mode);
          renameSync(written, place);
        } catch (error) {
          if (!isSpecial) rmSync(written, { force: true });
          throw error;
        }
      }),
      discard,
    };
  } catch (cause) {
    throw outputFailure(path, cause);
  }
}

/** Writes to standard output at the reader's pace; a reader that has gone (EPIPE) ends the output quietly. */
async function writeStdout(chunks: Iterable<Chunk>): Promise<void> {
  for (const buffer of gathered(chunks)) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      process.stdout.write(buffer, resolve);
    });
    if (error?.code === 'EPIPE') return;
    if (error) throw outputFailure('standard output', error);
  }
}

/** What a document is written to in parts. All throw GpuprofError `output-failed`. */
export interface Output {
  write(chunks: Iterable<Chunk>): Promise<void>;
  /** It is whole. */
  commit(): void;
  /** It will not be whole: a file leaves no trace. */
  discard(): void;
}

/** Opens a file, which is there when it is whole, or standard output when the path is `-`. */
export function openOutput(path: string): Output {
  if (path === '-') return { write: writeStdout, commit: () => {}, discard: () => {} };
  const file = openWhole(path);
  return {
    async write(chunks) {
      for (const buffer of gathered(chunks)) file.write(buffer);
    },
    commit: file.commit,
    discard: file.discard,
  };
}

/** Writes to a file, or to standard output when the path is `-`. */
export async function writeOutput(path: string, chunks: Iterable<Chunk>): Promise<void> {
  const output = openOutput(path);
  try {
    await output.write(chunks);
    output.commit();
  } catch (error) {
    output.discard();
    throw error;
  }
}
