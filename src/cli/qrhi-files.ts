import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { readFailure } from '../capture/read-failure.ts';
import { aboutFile, GpuprofError } from '../errors.ts';
import { checkOutput } from './output.ts';
import { startProgress } from './progress.ts';
import type { QrhiOptions } from './qrhi.ts';
import { QrhiReports } from './qrhi-reports.ts';
import { openSession, type QrhiSession } from './qrhi-session.ts';

const chunkBytes = 2 ** 18;
/** A stream's name in a report. */
export const titleOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** A pipe is read by the event loop: a thread that waits for its writer would keep the process from ending. */
function openInput(path: string): NodeJS.ReadableStream {
  if (path === '-') return process.stdin;
  if (!statSync(path).isFIFO()) return createReadStream(path, { highWaterMark: chunkBytes });
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** Throws GpuprofError `bad-input` when it cannot be read to its end. */
async function readStream(path: string, session: QrhiSession): Promise<void> {
  const progress = await startProgress(`reading ${session.title}`);
  try {
    for await (const chunk of openInput(path)) session.push(chunk as Buffer);
  } catch (error) {
    throw error instanceof GpuprofError ? aboutFile(error, session.title) : readFailure(session.title, error);
  } finally {
    progress.stop();
  }
}

/** Reports a stream, also of one that cannot be read to its end what came before. */
async function reportStream(path: string, session: QrhiSession, reports: QrhiReports): Promise<void> {
  try {
    await readStream(path, session);
  } catch (error) {
    reports.fault(error);
    session.end(false);
    if (session.isStream) await reports.add(session, [`nothing more was read: ${(error as Error).message}`]);
    return;
  }
  session.end();
  await reports.add(session);
}

/** Reads streams to their ends and reports each; what is wrong with one costs no other its report. */
export async function reportFiles(paths: readonly string[], options: QrhiOptions): Promise<void> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new GpuprofError('bad-usage', 'standard input is named twice');
  const { output = '-' } = options;
  for (const path of paths) checkOutput(output, path);
  const reports = new QrhiReports(output, options);
  try {
    for (const path of paths) await reportStream(path, openSession(titleOf(path), options.top), reports);
    await reports.end();
  } finally {
    reports.discard();
  }
}
