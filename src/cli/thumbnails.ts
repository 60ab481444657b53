/** `--thumbnails`: a small picture of what each action wrote, from a replay of its own after everything is measured. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pixels } from '../analysis/image-difference.ts';
import { shrinkPicture } from '../analysis/shrink-picture.ts';
import { targetPicture } from '../analysis/target-picture.ts';
import { encodePng } from '../capture/png.ts';
import { GpuprofError } from '../errors.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { Capture } from '../model/capture.ts';
import type { ActionKind, EventNode } from '../model/event-tree.ts';
import type { Warning } from '../model/report.ts';
import type { Thumbnail, Thumbnails } from '../model/thumbnails.ts';
import { Replayer } from '../replay/replayer.ts';
import { FrameTrees } from './frame-trees.ts';
import { openDriver } from './open-driver.ts';
import type { Progress } from './progress.ts';
import type { ReplayOptions } from './replay-options.ts';
import { targetText } from './target-text.ts';
import { ThumbnailFolder } from './thumbnail-folder.ts';

/** What a report holds at most; files in a folder have no such bound. */
const mostPictureBytes = 64 * 2 ** 20;
const mostReasons = 5;

/** Pictures as PNG files, equal ones once. */
class Pictures {
  readonly pngs: Uint8Array[] = [];
  readonly #places = new Map<string, number>();
  #sizeBytes = 0;

  /** The index is null when there is no more room. */
  add({ width, height, data }: Pixels): { readonly index: number | null; readonly png: Uint8Array } {
    const key = `${width}x${height} ${createHash('sha256').update(data).digest('base64')}`;
    const known = this.#places.get(key);
    if (known !== undefined) return { index: known, png: this.pngs[known] };
    const png = encodePng({ width, height, data });
    if (this.#sizeBytes + png.length > mostPictureBytes) return { index: null, png };
    this.#sizeBytes += png.length;
    const index = this.pngs.push(png) - 1;
    this.#places.set(key, index);
    return { index, png };
  }
}

/** Why actions have no picture, each reason with the first of them. */
class Problems {
  readonly #reasons = new Map<string, { readonly place: string; count: number }>();

  add(frame: number, eventId: number, reason: string): void {
    const known = this.#reasons.get(reason);
    if (known) known.count++;
    else this.#reasons.set(reason, { place: `frame ${frame}, event ${eventId}`, count: 1 });
  }

  warnings(): Warning[] {
    const all = [...this.#reasons].map(([reason, { place, count }]) => {
      const others = count > 1 ? ` and ${count - 1} more` : '';
      return { code: 'thumbnails-missing', message: `no thumbnail after ${place}${others}: ${reason}` };
    });
    const left = all.length - mostReasons;
    if (left <= 0) return all;
    const message = `thumbnails are missing for ${left} further reasons; the HTML report has them at their events`;
    return [...all.slice(0, mostReasons), { code: 'thumbnails-missing', message }];
  }
}

/** What was asked for. */
export interface ThumbnailRequest extends Pick<ReplayOptions, 'driver' | 'browser' | 'api'> {
  /** Where PNG files go, if anywhere. */
  readonly folder: string | undefined;
  /** Whether they are also kept for a report. */
  readonly inReport: boolean;
  /** Of the longest side, in pixels. */
  readonly size: number;
}

export interface TakenThumbnails {
  readonly thumbnails: Thumbnails;
  /** About actions that have none though they write a target. */
  readonly warnings: readonly Warning[];
}

/** Looks at the targets of one replay after the other action. */
class Taker {
  readonly pictures = new Pictures();
  readonly problems = new Problems();
  readonly #replayer: Replayer;
  readonly #folder: ThumbnailFolder | undefined;
  readonly #request: ThumbnailRequest;

  constructor(replayer: Replayer, request: ThumbnailRequest) {
    this.#replayer = replayer;
    this.#request = request;
    const { folder } = request;
    this.#folder =
      folder === undefined ? undefined : new ThumbnailFolder(folder, replayer.capture.manifest.frames.length);
  }

  /** The thumbnail after an action that has just been made; undefined for one that writes no target. */
  take(frame: number, node: EventNode, calls: CallStream): Thumbnail | undefined {
    const { firstEventId: eventId, lastEventId, kind } = node;
    const none = (target: string, reason: string): Thumbnail => {
      this.problems.add(frame, eventId, reason);
      return { eventId, target, picture: null, reason };
    };
    const { size, inReport } = this.#request;
    try {
      const values = this.#replayer.readAction(kind as ActionKind, calls.call(lastEventId - 1));
      if (!values) return undefined;
      const whole = targetPicture(values);
      const target = targetText(values, whole);
      const { index, png } = this.pictures.add(shrinkPicture(whole, size));
      this.#folder?.write(frame, node, calls.length, png);
      if (index !== null || !inReport) return { eventId, target, picture: index, reason: null };
      return none(
        target,
        `the pictures before it take the ${mostPictureBytes / 2 ** 20} MiB that a report has for them`,
      );
    } catch (error) {
      if (!(error instanceof GpuprofError) || error.code === 'output-failed') throw error;
      return none('', error.message);
    }
  }
}

/**
 * Replays frames, which rise, on a context of its own. What cannot be read is told in a warning, and at its event. Throws
 * GpuprofError where the capture cannot be replayed, or a file not be written.
 */
export async function takeThumbnails(
  capture: Capture,
  request: ThumbnailRequest,
  frames: readonly number[],
  progress: Progress,
): Promise<TakenThumbnails> {
  progress.update('building the live objects once more, for thumbnails');
  const context = await openDriver(request, capture.manifest);
  try {
    const replayer = await Replayer.create(context, capture);
    const trees = await FrameTrees.create(capture);
    const taker = new Taker(replayer, request);
    const found = new Map<number, Thumbnail[]>();
    for (const frame of frames) {
      const { nodes, leaves } = await trees.build(frame, 'draw');
      const calls = await capture.frame(frame);
      const ends = new Map(leaves.map((leaf) => [nodes[leaf].lastEventId, nodes[leaf]]));
      const thumbnails: Thumbnail[] = [];
      found.set(frame, thumbnails);
      const take = async (node: EventNode): Promise<true> => {
        // Ctrl-C is to be heard, and the progress to be seen.
        await nextTurn();
        progress.update(`frame ${frame}: thumbnail after event ${node.lastEventId} of ${calls.length}`);
        const thumbnail = taker.take(frame, node, calls);
        if (thumbnail) thumbnails.push(thumbnail);
        return true;
      };
      await replayer.watch(frame, (eventId) => {
        const node = ends.get(eventId);
        return node === undefined || take(node);
      });
    }
    return { thumbnails: { pictures: taker.pictures.pngs, frames: found }, warnings: taker.problems.warnings() };
  } finally {
    context.destroy();
  }
}
