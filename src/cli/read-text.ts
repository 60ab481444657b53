import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { readFailure } from '../capture/read-failure.ts';
import { GpuprofError } from '../errors.ts';
import { shareOfMemory, tooLarge } from '../model/memory-limit.ts';

/** Fails for what is no regular file: a device may have no end, and a pipe waits for its writer. */
function openRegular(path: string): { readonly fd: number; readonly sizeBytes: number } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const status = fstatSync(fd);
  if (status.isFile()) return { fd, sizeBytes: status.size };
  closeSync(fd);
  throw status.isDirectory() ? Object.assign(new Error(), { code: 'EISDIR' }) : new Error('it is not a regular file');
}

/** The text of a file, without a byte order mark. Throws GpuprofError `bad-input`, for one that is too large, too. */
export function readText(path: string): string {
  try {
    const { fd, sizeBytes } = openRegular(path);
    try {
      const mostBytes = shareOfMemory(1 / 16);
      if (sizeBytes > mostBytes) throw tooLarge('bad-input', `${path} has`, sizeBytes, mostBytes);
      return readFileSync(fd, 'utf8').replace(/^\ufeff/, '');
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw error instanceof GpuprofError ? error : readFailure(path, error);
  }
}
