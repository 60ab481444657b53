/** Files that are there when they are whole: written beside their place, and renamed. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { GpuprofError } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'no space is left of the quota',
  EFBIG: 'it is larger than a file may be here',
  EISDIR: 'it is a folder',
  ENXIO: 'nobody reads from it',
  EPIPE: 'nobody reads from it any more',
};

/** What the user is told when something cannot be written. */
export function outputFailure(path: string, cause: unknown): GpuprofError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  // As under /proc.
  const isUnmakable = code === 'ENOENT' && existsSync(dirname(resolve(path)));
  const reason = isUnmakable ? 'nothing can be made in its folder' : (reasons[code] ?? message);
  return new GpuprofError('output-failed', `cannot write ${path}: ${reason}`, { cause });
}

/** What is at a path, through links; undefined for nothing. */
export const existing = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** A file that is being written. All throw GpuprofError `output-failed`. */
export interface WholeFile {
  /** Open for writing until {@link commit} or {@link discard}. */
  readonly fd: number;
  write(bytes: string | Uint8Array): void;
  /** Puts the file in its place. */
  commit(): void;
  /** Leaves no trace of it; nothing once it is in its place. */
  discard(): void;
}

/** For a pipe that nobody reads, `open` would wait, and no signal be heard; it throws instead (ENXIO). */
function openSpecial(path: string): number {
  const reader = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return openSync(path, 'w');
  } finally {
    closeSync(reader);
  }
}

let tellTemporary = (_path: string): void => {};

/** Has each temporary file told of from now on, to who removes it should this process be killed. */
export function onTemporary(tell: (path: string) => void): void {
  tellTemporary = tell;
}

/** What tells processes apart that have one number: the machine, and where its containers have numbers of their own. */
function numberSpace(): string {
  const host = hostname()
    .replace(/[^\w-]/g, '')
    .slice(0, 20);
  try {
    return `${host}-${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`;
  } catch {
    return host;
  }
}

/** Names are bounded, by 255 bytes mostly; two processes, on two machines perhaps, must not meet in one. */
const temporaryName = (place: string, space: string): string =>
  join(
    dirname(place),
    `.${basename(place).slice(0, 40)}.gpuprof-${space}-${process.pid}-${Math.random().toString(36).slice(2, 12)}.tmp`,
  );

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const swept = new Set<string>();

/** Removes, once, what processes that were killed have left in a folder. */
function sweep(folder: string, space: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const [, marks, pid] = /^\..+\.gpuprof-(.*)-(\d+)-[0-9a-z]+\.tmp$/.exec(name) ?? [];
      if (marks === space && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // What cannot be looked at, or removed, stays.
  }
}

function writeAll(fd: number, bytes: string | Uint8Array): void {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  for (let at = 0; at < buffer.length; ) at += writeSync(fd, buffer, at, buffer.length - at);
}

/**
 * Opens a file beside its place, to be renamed there when it is whole, and removed when the process ends before that;
 * devices and pipes are written as they are. What was there keeps its rights, and stays until then.
 */
export function openWhole(path: string): WholeFile {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw outputFailure(path, cause);
    }
  };
  const target = attempt(() => existing(path));
  const isSpecial = target !== undefined && !target.isFile();
  const place = target && !isSpecial ? attempt(() => realpathSync(path)) : path;
  const space = numberSpace();
  const written = isSpecial ? path : temporaryName(place, space);
  if (!isSpecial) {
    sweep(dirname(place), space);
    tellTemporary(resolve(written));
  }
  const fd = attempt(() => (isSpecial ? openSpecial(path) : openSync(written, 'wx')));
  let isOpen = true;
  const close = () => {
    isOpen = false;
    process.off('exit', discard);
    closeSync(fd);
  };
  const remove = () => {
    if (!isSpecial) rmSync(written, { force: true });
  };
  const discard = () => {
    if (!isOpen) return;
    close();
    remove();
  };
  process.once('exit', discard);
  return {
    fd,
    write: (bytes) => attempt(() => writeAll(fd, bytes)),
    commit: () =>
      attempt(() => {
        try {
          close();
          if (isSpecial) return;
          if (target) chmodSync(written, target.mode);
          renameSync(written, place);
        } catch (error) {
          remove();
          throw error;
        }
      }),
    discard,
  };
}
