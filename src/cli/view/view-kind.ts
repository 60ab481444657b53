import { open, stat } from 'node:fs/promises';
import { readFailure } from '../../capture/read-failure.ts';
import { GpuprofError } from '../../errors.ts';
import { importFormatFor } from '../../import/formats.ts';

/** What `gpuprof view` can show. */
export type ViewKind = 'capture' | 'html' | 'report' | 'perfetto' | 'speedscope';

const headBytes = 4096;

/** What each begins with; a report may have been laid out anew. */
const texts: readonly (readonly [RegExp, ViewKind])[] = [
  [/^<!doctype html/i, 'html'],
  [/^(\{\s*"(displayTimeUnit|traceEvents|otherData)"\s*:|\[\s*\{.*"ph"\s*:)/s, 'perfetto'],
  [/^\{.*"format"\s*:\s*"gpuprof-report"/s, 'report'],
  [/^\{.*"\$schema"\s*:\s*"https:\/\/www\.speedscope\.app\//s, 'speedscope'],
];

/** By the file's first bytes. Throws GpuprofError `bad-input` for anything else, and for what cannot be read. */
export async function viewKind(path: string): Promise<ViewKind> {
  let head: Buffer;
  try {
    // A pipe would wait for its writer.
    const there = await stat(path);
    if (there.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!there.isFile()) throw new Error('it is not a regular file');
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      head = buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readFailure(path, error);
  }
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04')) || importFormatFor(head.subarray(0, 64), path))
    return 'capture';
  const text = head.toString().replace(/^\ufeff?\s*/, '');
  const found = texts.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  throw new GpuprofError('bad-input', `${path} is nothing that can be viewed`, {
    hint: 'captures, and what gpuprof replay writes with --html, --json, --perfetto and --speedscope, can',
  });
}
