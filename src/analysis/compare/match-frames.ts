import type { FrameReport, Report, Warning } from '../../model/report.ts';

export interface MatchedFrames {
  readonly pairs: readonly { readonly base: FrameReport; readonly next: FrameReport }[];
  readonly warnings: readonly Warning[];
}

/** Pairs the measured frames of two reports by order; a side with more frames leaves the rest, told of in a warning. */
export function matchFrames(base: Pick<Report, 'frames'>, next: Pick<Report, 'frames'>): MatchedFrames {
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
