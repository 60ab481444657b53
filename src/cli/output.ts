import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { existing, openWhole, outputFailure } from '../capture/whole-file.ts';
import { GpuprofError } from '../errors.ts';

type Chunk = string | Uint8Array;

const writeBytes = 64 * 1024;

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

/** Whether a path names a pipe, whose reader may come later. */
export function isPipe(path: string): boolean {
  try {
    return existing(path)?.isFIFO() ?? false;
  } catch {
    return false;
  }
}

/** Writes at the reader's pace; a reader that has gone ends the output quietly. */
async function writeTo(stream: Writable, name: string, chunks: Iterable<Chunk>): Promise<void> {
  for (const buffer of gathered(chunks)) {
    if (!stream.writable) return;
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      stream.write(buffer, resolve);
    });
    if (error?.code === 'EPIPE') return;
    if (error) throw outputFailure(name, error);
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

/** A pipe is opened when there is something to write. */
function pipeOutput(path: string): Output {
  let opened: Promise<Writable> | undefined;
  const close = () => void opened?.then((pipe) => pipe.end()).catch(() => {});
  return {
    async write(chunks) {
      opened ??= import('./open-pipe.ts').then(({ openPipe }) => openPipe(path));
      await writeTo(await opened, path, chunks);
    },
    commit: close,
    discard: close,
  };
}

/** Opens a file, which is there when it is whole, a pipe, or standard output when the path is `-`. */
export function openOutput(path: string): Output {
  if (path === '-')
    return {
      write: (chunks) => writeTo(process.stdout, 'standard output', chunks),
      commit: () => {},
      discard: () => {},
    };
  if (isPipe(path)) return pipeOutput(path);
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
