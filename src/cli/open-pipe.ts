import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { outputFailure } from '../capture/whole-file.ts';
import { say } from './say.ts';

/** How often it is looked whether somebody reads by now. */
const lookEveryMs = 50;

/**
 * Opens a pipe (FIFO) for writing once somebody reads it, and says so where that takes a while: a plain `open` would wait
 * where no signal is heard. Its errors are those of its writes. Throws GpuprofError `output-failed`.
 */
export async function openPipe(path: string): Promise<Socket> {
  for (let looks = 0; ; looks++) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true }).on('error', () => {});
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENXIO') throw outputFailure(path, cause);
    }
    if (looks === 1) say(`waiting for a reader of ${path}`);
    await setTimeout(lookEveryMs);
  }
}
