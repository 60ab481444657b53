import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { readFailure } from '../capture/read-failure.ts';
import { GpuprofError } from '../errors.ts';
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

async function readStream(path: string, top: number): Promise<QrhiSession> {
  const session = openSession(titleOf(path), top);
  const progress = await startProgress(`reading ${session.title}`);
  try {
    for await (const chunk of openInput(path)) session.push(chunk as Buffer);
  } catch (error) {
    throw readFailure(session.title, error);
  } finally {
    progress.stop();
  }
  session.end();
  return session;
}

/** Reads streams to their ends and reports each; what is wrong with one costs no other its report. */
export async function reportFiles(paths: readonly string[], options: QrhiOptions): Promise<void> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new GpuprofError('bad-usage', 'standard input is named twice');
  const { output = '-' } = options;
  for (const path of paths) checkOutput(output, path);
  const reports = new QrhiReports(output, options);
  try {
    for (const path of paths) {
      const session = await readStream(path, options.top).catch((error) => reports.fault(error));
      if (session) await reports.add(session);
    }
    await reports.end();
  } finally {
    reports.discard();
  }
}
