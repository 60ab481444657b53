import type { Environment, Report, Warning } from '../../model/report.ts';
import { fewestObservations } from './looks.ts';
import { rankSumCritical } from './rank-sum.ts';

/** Differences that times are compared across, but that may be what changed them. */
const telling: readonly { readonly field: keyof Environment; readonly code: string; readonly what: string }[] = [
  { field: 'driver', code: 'driver-differs', what: 'the drivers differ' },
  { field: 'cpu', code: 'cpu-differs', what: 'the processors differ' },
  { field: 'cores', code: 'cores-differ', what: 'the numbers of cores differ' },
  { field: 'softwareThreads', code: 'threads-differ', what: 'the numbers of worker threads of the renderer differ' },
  { field: 'os', code: 'os-differs', what: 'the systems differ' },
];

function environmentWarnings({ environment: base }: Report, { environment: next }: Report): Warning[] {
  return telling
    .filter(({ field }) => base[field] !== next[field])
    .map(({ field, code, what }) => ({
      code,
      message: `${what}: ${base[field] ?? 'none'} and ${next[field] ?? 'none'}; this alone can change times`,
    }));
}

function sideWarnings(side: string, { frames }: Report): Warning[] {
  const runs = frames.reduce((sum, frame) => sum + frame.runs, 0);
  const questionable = frames.reduce((sum, frame) => sum + frame.questionableRuns, 0);
  const leaves = frames.flatMap(({ nodes }) => nodes.filter(({ isLeaf }) => isLeaf));
  const below = leaves.filter(({ status }) => status === 'below-resolution').length;
  const warnings: Warning[] = [];
  if (questionable > 0)
    warnings.push({
      code: 'questionable-runs',
      message: `${questionable} of ${runs} runs of ${side} are questionable`,
    });
  if (below * 2 > leaves.length)
    warnings.push({
      code: 'below-resolution',
      message: `${below} of ${leaves.length} leaves of ${side} are below resolution; their parents say more`,
    });
  return warnings;
}

export interface Judged {
  readonly paired: boolean;
  /** Runs of the side that has fewer. */
  readonly pairs: number;
  /** Error rate of one event's interval. */
  readonly alpha: number;
}

function fewRuns({ paired, pairs, alpha }: Judged): Warning[] {
  if (paired) {
    const needed = 2 * fewestObservations(alpha);
    if (pairs >= needed) return [];
    return [{ code: 'few-runs', message: `${pairs} pairs of runs are too few for any verdict; ${needed} are needed` }];
  }
  if (rankSumCritical(pairs, pairs, alpha) >= 0) return [];
  let needed = pairs + 1;
  while (rankSumCritical(needed, needed, alpha) < 0) needed++;
  return [{ code: 'few-runs', message: `${pairs} runs are too few for any verdict; ${needed} of each are needed` }];
}

/** What a reader must know before trusting the verdicts on time, most serious first. */
export function comparisonWarnings(base: Report, next: Report, judged: Judged): Warning[] {
  const apart: Warning[] = judged.paired
    ? []
    : [
        {
          code: 'not-interleaved',
          message:
            'the two sides were measured in separate sittings: what differed between these counts as a change, and the false-alarm rate does not cover it',
        },
      ];
  return [
    ...environmentWarnings(base, next),
    ...apart,
    ...fewRuns(judged),
    ...sideWarnings('base', base),
    ...sideWarnings('new', next),
  ];
}
