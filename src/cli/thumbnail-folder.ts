/** The folder of `--thumbnails DIR`. */
import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openWhole, outputFailure } from '../capture/whole-file.ts';
import { GpuprofError } from '../errors.ts';
import type { EventNode } from '../model/event-tree.ts';

/** Throws GpuprofError `output-failed` when no files can be written into a folder of this name; leaves nothing. */
export function checkFolder(path: string): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (!there || there.isDirectory()) {
      // Rights alone do not tell: in some folders nobody makes anything.
      rmdirSync(mkdtempSync(join(there ? path : dirname(resolve(path)), '.gpuprof-')));
      return;
    }
  } catch (cause) {
    throw outputFailure(path, cause);
  }
  throw new GpuprofError('output-failed', `cannot write into ${path}: it is no folder`, {
    hint: 'name a folder after --thumbnails, or put it last',
  });
}

/** Its files are named so that they sort in the order of events. */
export class ThumbnailFolder {
  readonly #path: string;
  readonly #frames: number;

  /** Made when it is not there, in a folder that is. Throws GpuprofError `output-failed`. */
  constructor(path: string, frames: number) {
    this.#path = path;
    this.#frames = frames;
    try {
      mkdirSync(path);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw outputFailure(path, cause);
    }
  }

  /** Writes the picture after an action of a frame that has so many events. Throws GpuprofError `output-failed`. */
  write(frame: number, { firstEventId, name }: EventNode, events: number, png: Uint8Array): void {
    const padded = (value: number, most: number) => String(value).padStart(String(most).length, '0');
    const command = /^\w{1,64}/.exec(name)?.[0] ?? 'action';
    const file = `frame-${padded(frame, this.#frames)}-event-${padded(firstEventId, events)}-${command}.png`;
    const whole = openWhole(join(this.#path, file));
    try {
      whole.write(png);
      whole.commit();
    } finally {
      whole.discard();
    }
  }
}
