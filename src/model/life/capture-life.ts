/** The life of everything in a capture, as a replay goes through it. */
import type { Capture } from '../capture.ts';
import { ObjectFacts } from './object-facts.ts';
import { type LifeEvent, sameResource } from './resource.ts';
import { type LifeState, ResourceLife } from './resource-life.ts';

export interface FrameLife {
  /** What one run of the frame causes, in order. */
  readonly events: readonly LifeEvent[];
  /** What putting everything back causes, so that the next run begins as this one did. */
  readonly restore: readonly LifeEvent[];
}

export interface CaptureLife {
  readonly setup: readonly { readonly index: number; readonly event: LifeEvent }[];
  /** From the first frame on. */
  readonly frames: readonly FrameLife[];
}

/** What leads from one state back to another: first what goes, the newest first, then what comes again. */
function between(from: LifeState, to: LifeState): LifeEvent[] {
  const events: LifeEvent[] = [];
  for (const [key, resource] of [...from.live].reverse()) {
    const wanted = to.live.get(key);
    if (!wanted || !sameResource(resource, wanted)) events.push({ kind: 'release', resource });
  }
  for (const [key, resource] of to.live) {
    const known = from.live.get(key);
    if (!known || !sameResource(known, resource)) events.push({ kind: 'create', resource });
  }
  const { width, height } = to.canvas;
  if (from.canvas.width !== width || from.canvas.height !== height) events.push({ kind: 'canvas', width, height });
  return events;
}

/** Reads a capture's calls up to the end of a frame. */
export async function captureLife(capture: Capture, lastFrame: number): Promise<CaptureLife> {
  const life = new ResourceLife(await ObjectFacts.gather(capture), capture.manifest.canvas);
  const setup: { index: number; event: LifeEvent }[] = [];
  life.follow(await capture.setup(), (index, event) => setup.push({ index, event }));
  const frames: FrameLife[] = [];
  for (let frame = 1; frame <= lastFrame; frame++) {
    const before = life.state();
    const events: LifeEvent[] = [];
    life.follow(await capture.frame(frame), (_, event) => events.push(event));
    frames.push({ events, restore: between(life.state(), before) });
  }
  return { setup, frames };
}
