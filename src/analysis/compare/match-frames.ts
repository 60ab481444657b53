import type { FramesAlone } from '../../model/comparison.ts';
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
  readonly alone: FramesAlone;
  readonly warnings: readonly Warning[];
}

/** Pairs the measured frames of two reports by order; a side with more frames leaves the rest alone, which a warning tells, too. */
export function matchFrames<F extends Numbered>(base: Frames<F>, next: Frames<F>): MatchedFrames<F> {
  const both = Math.min(base.frames.length, next.frames.length);
  const pairs = Array.from({ length: both }, (_, index) => ({ base: base.frames[index], next: next.frames[index] }));
  const rest = ({ frames }: Frames<F>) => frames.slice(both).map(({ frame }) => frame);
  const alone: FramesAlone = { base: rest(base), new: rest(next) };
  const warnings = (['base', 'new'] as const).flatMap((side): Warning[] => {
    const { length, 0: first } = alone[side];
    if (length === 0) return [];
    const which = length === 1 ? `frame ${first} is` : `${length} frames from ${first} on are`;
    return [{ code: 'frames-left', message: `${which} only in ${side} and not compared` }];
  });
  return { pairs, alone, warnings };
}
