import type { Warning } from '../../model/report.ts';

interface Numbered {
  /** From 1. */
  readonly frame: number;
}

interface Frames<F extends Numbered> {
  readonly frames: readonly F[];
}

export interface MatchedFrames<F extends Numbered> {
  readonly pairs: readonly { readonly base: F; readonly next: F }[];
  readonly warnings: readonly Warning[];
}

/** Pairs the measured frames of two reports by order; a side with more frames leaves the rest, told of in a warning. */
export function matchFrames<F extends Numbered>(base: Frames<F>, next: Frames<F>): MatchedFrames<F> {
  const both = Math.min(base.frames.length, next.frames.length);
  const pairs = Array.from({ length: both }, (_, index) => ({ base: base.frames[index], next: next.frames[index] }));
  const sides = [
    ['base', base.frames.slice(both)],
    ['new', next.frames.slice(both)],
  ] as const;
  const warnings = sides.flatMap(([side, rest]): Warning[] => {
    if (rest.length === 0) return [];
    const frames = rest.map(({ frame }) => frame);
    const which = rest.length === 1 ? `frame ${frames[0]} is` : `${rest.length} frames from ${frames[0]} on are`;
    return [{ code: 'frames-left', message: `${which} only in ${side} and not compared` }];
  });
  return { pairs, warnings };
}
