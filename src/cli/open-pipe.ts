import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { outputFailure } from '../capture/whole-file.ts';

/** How often it is looked whether somebody reads by now. */
const lookEveryMs = 50;

/**
 * Opens a pipe (FIFO) for writing once somebody reads it: a plain `open` would wait where no signal is heard. Its errors
 * are those of its writes. Throws GpuprofError `output-failed`.
 */
export async function openPipe(path: string): Promise<Socket> {
  for (;;) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true }).on('error', () => {});
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENXIO') throw outputFailure(path, cause);
    }
    await setTimeout(lookEveryMs);
  }
}
