import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { interruption } from './interruption.ts';
import { liveView } from './live-view.ts';
import { checkOutput } from './output.ts';
import type { QrhiOptions } from './qrhi.ts';
import { inputFailure, titleOf } from './qrhi-files.ts';
import { checkStrict, openSession, type QrhiSession, writeQrhi } from './qrhi-session.ts';

const chunkBytes = 2 ** 18;
const waitMs = 200;

/** Reads what has come since. */
async function readOn(file: FileHandle, session: QrhiSession, isStopped: () => boolean): Promise<void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  while (!isStopped()) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, session.sizeBytes).catch((error) => {
      throw inputFailure(session.title, error);
    });
    if (bytesRead === 0) return;
    session.push(chunk.subarray(0, bytesRead));
  }
}

/** Whether the path names another file now, or one that has become shorter than what was read of it. */
async function hasBegunAnew(path: string, file: FileHandle, readBytes: number): Promise<boolean> {
  const [now, was] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  // A file that is away may come back.
  return now !== null && (now.ino !== was.ino || now.dev !== was.dev || now.size < readBytes);
}

const openFile = (path: string): Promise<FileHandle> =>
  open(path, 'r').catch((error) => {
    throw inputFailure(path, error);
  });

/**
 * Reads a stream as its file grows until interrupted, then reports it. A file that is replaced or cut short is a new
 * stream; the one before is reported first.
 */
export async function followFile(path: string, options: QrhiOptions): Promise<void> {
  const { output = '-' } = options;
  checkOutput(output, path);
  let file = await openFile(path);
  let session = await openSession(titleOf(path), options.top);
  let stopped = false;
  const stop = interruption().over.then(() => {
    stopped = true;
  });
  const view = liveView(() => ({
    headline: `${session.title}, followed as it grows; Ctrl-C ends`,
    sizeBytes: session.sizeBytes,
    qt: options.qt,
    report: () => session.report(),
  }));
  try {
    while (!stopped) {
      await readOn(file, session, () => stopped);
      view.start();
      if (await hasBegunAnew(path, file, session.sizeBytes)) {
        view.stop();
        session.end();
        process.stderr.write(`gpuprof: ${session.title} has begun anew after ${session.sizeBytes} bytes\n`);
        if (session.sizeBytes > 0) await writeQrhi([session.report()], output, options);
        await file.close();
        file = await openFile(path);
        session = await openSession(titleOf(path), options.top);
      } else await Promise.race([stop, setTimeout(waitMs)]);
    }
  } finally {
    view.stop();
    await file.close();
  }
  const report = session.report();
  await writeQrhi([report], output, options);
  if (options.strict) checkStrict([report]);
}
