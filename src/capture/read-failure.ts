import { GpuprofError } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

/** What the user is told when a file cannot be read. */
export function readFailure(path: string, cause: unknown): GpuprofError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return new GpuprofError('bad-input', `cannot read ${path}: ${reasons[code] ?? message}`, { cause });
}
