import { processBytes } from './memory-limit.ts';

/**
 * Where a replay is, in words that another process may read while this one is deep in a driver. A word is written for each
 * call, so there is nothing but stores.
 */

/** What each word holds. */
export const word = {
  /** Index into {@link activities}. */
  activity: 0,
  /** From 1; 0 for the setup. */
  frame: 1,
  /** From 1: the call that is being made, or was made last and may not be done; 0 while the frame is made ready. */
  event: 2,
  /** Grows with each run, so that frames of one call are seen to go on, too. */
  run: 3,
  /** After how long without a change the process is taken to hang, in milliseconds; 0 for never. */
  patienceMs: 4,
  /** 0 while nothing is known, 1 while the process goes on, and once it ends by itself 2 more than its exit code. */
  life: 5,
  /** More memory than that, in MiB, and the process is ended; 0 for no limit. */
  mostMebibytes: 6,
} as const;

export const wordCount = 8;

/** What is watched: what calls the driver, and what reads a model, which decoders may be at for long. */
export const activities = [
  '',
  'opening a GL context',
  'checking the timers',
  'replaying',
  'reading the model',
  'drawing the model',
] as const;
export type Activity = (typeof activities)[number];

let words: Uint32Array = new Uint32Array(wordCount);

/** The words to write to; they stay the same once a replay has begun. */
export const position = (): Uint32Array => words;

/** Has everything from now on written to these words. */
export function writePositionTo(memory: Uint32Array): void {
  memory.set(words);
  words = memory;
}

/** How long one call may take before the process is taken to hang. */
export function waitAtMost(milliseconds: number): void {
  words[word.patienceMs] = milliseconds;
}

/** Nothing, when it calls no driver for a while. From the first time on the process may take so much memory, and no more. */
export function nowDoing(activity: Activity): void {
  words[word.mostMebibytes] = processBytes() / 2 ** 20;
  words[word.activity] = activities.indexOf(activity);
}
