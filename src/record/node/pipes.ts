import { writeSync } from 'node:fs';
import { captureFile, type Status, statusFile } from './protocol.ts';

const never = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of it before it returns, so that nothing is lost however the program ends. Throws when nobody reads. */
function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      // The pipe is full: the reader gets a millisecond.
      Atomics.wait(never, 0, 0, 1);
    }
}

export function sendCapture(batch: Uint8Array): void {
  writeAll(captureFile, batch);
}

export function sendStatus(status: Status): void {
  try {
    writeAll(statusFile, Buffer.from(`${JSON.stringify(status)}\n`));
  } catch {
    // The tool has gone, and the program goes on without it.
  }
}
