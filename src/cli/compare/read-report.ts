import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { readFailure } from '../../capture/read-failure.ts';
import { GpuprofError } from '../../errors.ts';
import { shareOfMemory, tooLarge } from '../../model/memory-limit.ts';
import type { Report } from '../../model/report.ts';
import { schemaError } from '../schema-error.ts';
import { reportSchema } from './report-schema.ts';
import { parseReport, type ReportUse } from './report-text.ts';

const zipMark = Buffer.from('PK\x03\x04');

/** What a file on a side of a comparison is, by its first bytes. Throws GpuprofError `bad-input` for anything else. */
export async function kindOfSide(path: string): Promise<'capture' | 'report'> {
  let start: Buffer;
  try {
    // A pipe would wait for its writer.
    const kind = await stat(path);
    if (!kind.isFile() && !kind.isDirectory()) throw new Error('it is not a regular file');
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
      start = buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readFailure(path, error);
  }
  if (start.subarray(0, zipMark.length).equals(zipMark)) return 'capture';
  // Nothing that can be imported begins so, and what reads that need not be loaded.
  if (/^\s*\{\s*"[ -~]{16}/.test(start.toString('latin1'))) return 'report';
  const { importFormatFor } = await import('../../import/formats.ts');
  if (importFormatFor(start, path)) return 'capture';
  if (/^(\ufeff)?\s*\{/.test(start.toString())) return 'report';
  throw new GpuprofError('bad-input', `${path} is neither a capture nor a report`, {
    hint: 'a report is the JSON of gpuprof replay --json',
  });
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new GpuprofError('bad-input', `${path} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** What the file says it is, before its fields are looked at. */
function checkFormat(path: string, value: unknown): void {
  const { format, version } = value as { format?: unknown; version?: unknown };
  if (format !== 'gpuprof-report')
    throw new GpuprofError('bad-input', `${path} is no report: format must be "gpuprof-report"`, {
      hint: 'a report is the JSON of gpuprof replay --json',
    });
  if (typeof version === 'number' && version > 1)
    throw new GpuprofError(
      'unsupported-version',
      `${path} was made by a newer gpuprof (report version ${version}; this one reads version 1)`,
      { hint: 'update gpuprof' },
    );
}

/**
 * Reads a report that `gpuprof replay --json` wrote: untrusted, so every field is checked. For a comparison by a
 * metric it may lack the other times. Throws GpuprofError `bad-input`
 * or `unsupported-version`, naming the file and the place.
 */
export async function readReport(path: string, use: ReportUse = 'all'): Promise<Report> {
  let value: unknown;
  try {
    // A pipe would wait for its writer, and a device may have no end.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = await file.stat();
      if (!status.isFile() && !status.isDirectory()) throw new Error('it is not a regular file');
      const { size } = status;
      const mostBytes = shareOfMemory(1 / 16);
      if (size > mostBytes) throw tooLarge('bad-input', `${path} has`, size, mostBytes);
      value = parseReport(file.fd, use) ?? parse(path, await file.readFile('utf8'));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof GpuprofError ? error : readFailure(path, error);
  }
  checkFormat(path, value);
  const { data, error } = reportSchema.safeParse(value);
  if (error) throw schemaError(path, value, error.issues);
  return data;
}
