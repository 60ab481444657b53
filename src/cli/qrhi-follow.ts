import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { readFailure } from '../capture/read-failure.ts';
import { aboutFile } from '../errors.ts';
import { interruption } from './interruption.ts';
import { liveView } from './live-view.ts';
import { checkOutput } from './output.ts';
import type { QrhiOptions } from './qrhi.ts';
import { titleOf } from './qrhi-files.ts';
import { QrhiReports } from './qrhi-reports.ts';
import { openSession, type QrhiSession } from './qrhi-session.ts';
import { say } from './say.ts';

const chunkBytes = 2 ** 18;
const waitMs = 200;
/** What is there when the end comes is read, but not what goes on and on. */
const mostReadingMs = 500;
/** After something came: a pipe holds little, and its writer waits. */
const soonMs = 10;

interface Followed {
  readonly handle: FileHandle;
  /** A pipe has no places to read from, and never becomes shorter. */
  readonly isFile: boolean;
}

/** Reads what has come since, and says whether anything had. */
async function readOn({ handle, isFile }: Followed, session: QrhiSession, isStopped: () => boolean): Promise<boolean> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let came = false; ; came = true) {
    const { bytesRead } = await handle
      .read(chunk, 0, chunk.length, isFile ? session.sizeBytes : null)
      .catch((error) => {
        // A pipe whose writer has nothing to say now.
        if (error.code === 'EAGAIN') return { bytesRead: 0 };
        throw readFailure(session.title, error);
      });
    if (bytesRead === 0) return came;
    session.push(chunk.subarray(0, bytesRead));
    if (isStopped()) return true;
  }
}

/** What has become of a file since so much was read of it: null while it is the same one, or away for a while. */
async function changeOf(path: string, { handle, isFile }: Followed, readBytes: number): Promise<string | null> {
  const [now, was] = await Promise.all([stat(path).catch(() => null), handle.stat()]);
  if (now === null) return null;
  if (now.ino !== was.ino || now.dev !== was.dev) return 'replaced';
  return isFile && now.size < readBytes ? 'cut short' : null;
}

/** Opens what is to be followed; a pipe without waiting for its writer. */
async function openFollowed(path: string): Promise<Followed> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { handle, isFile: (await handle.stat()).isFile() };
  } catch (error) {
    throw readFailure(path, error);
  }
}

/**
 * Reads a stream as its file grows until interrupted. A file that is replaced or cut short is a new stream; the report
 * has all.
 */
export async function followFile(path: string, options: QrhiOptions): Promise<void> {
  const { output = '-' } = options;
  checkOutput(output, path);
  let file = await openFollowed(path);
  let streams = 1;
  let session = openSession(titleOf(path), options.top);
  const reports = new QrhiReports(output, options);
  let stopped = false;
  /** Whether it could be read no more. */
  let isLost = false;
  const stop = interruption().over.then(() => {
    stopped = true;
  });
  const view = liveView(() => ({
    headline: `${session.title}, followed as it grows; Ctrl-C ends`,
    sizeBytes: session.sizeBytes,
    qt: options.qt,
    report: () => session.report(),
  }));

  /** Goes over to what stands at the path now. */
  async function beginAnew(change: string): Promise<void> {
    const next = await openFollowed(path).catch((error) => {
      if (error.cause.code === 'ENOENT') return null;
      throw error;
    });
    // Away again: it may come back.
    if (!next) return;
    // What was written to the old one before it was replaced.
    if (change === 'replaced') await readOn(file, session, () => stopped);
    await file.handle.close();
    file = next;
    view.stop();
    say(`${session.title} was ${change} after ${session.sizeBytes} bytes and has begun anew`);
    session.end();
    if (session.sizeBytes > 0) {
      streams++;
      await reports.add(session, [`the file was ${change} after this stream`]);
    }
    session = openSession(streams === 1 ? titleOf(path) : `${titleOf(path)} (stream ${streams})`, options.top);
  }

  try {
    try {
      while (!stopped) {
        const came = await readOn(file, session, () => stopped);
        view.start();
        const change = await changeOf(path, file, session.sizeBytes);
        if (change !== null) await beginAnew(change);
        else await Promise.race([stop, setTimeout(came ? soonMs : waitMs)]);
      }
      const endMs = performance.now() + mostReadingMs;
      await readOn(file, session, () => performance.now() >= endMs);
    } catch (error) {
      // What was read until then is reported all the same.
      reports.fault(aboutFile(error, session.title));
      isLost = true;
    }
    view.stop();
    session.end(false);
    const isNews = session.sizeBytes > 0 ? !isLost : reports.count === 0 && !reports.hasFaults;
    if (session.isStream || isNews) await reports.add(session);
    await reports.end();
  } finally {
    view.stop();
    reports.discard();
    await file.handle.close();
  }
}
