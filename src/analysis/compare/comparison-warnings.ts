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

/** `Linux 6.1.0 x64` is `Linux x64` in a baseline (gate/baseline-report.ts), which knows no version to differ in. */
function isOneSystem(one: string, other: string): boolean {
  const [left, right] = [one.split(' '), other.split(' ')];
  const isKept = left.length === 2 || right.length === 2;
  return one === other || (isKept && left[0] === right[0] && left.at(-1) === right.at(-1));
}

function environmentWarnings({ environment: base }: Report, { environment: next }: Report): Warning[] {
  return telling
    .filter(({ field }) => (field === 'os' ? !isOneSystem(base.os, next.os) : base[field] !== next[field]))
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

type Samples = readonly (number | null)[] | null | undefined;

const areEqual = (one: Samples, other: Samples): boolean =>
  one?.length === other?.length && (one ?? []).every((value, run) => value === other?.[run]);

/** Whether two reports hold the samples of one measurement: no two are equal to the nanosecond. */
function isOneMeasurement({ frames }: Report, { frames: others }: Report): boolean {
  if (frames.length !== others.length || !frames.some(({ runs }) => runs > 0)) return false;
  return frames.every(({ nodes }, index) => {
    const { nodes: next } = others[index];
    return (
      nodes.length === next.length &&
      nodes.every(
        ({ samples }, at) =>
          areEqual(samples.durationNs, next[at].samples.durationNs) && areEqual(samples.cpuNs, next[at].samples.cpuNs),
      )
    );
  });
}

/** Of sides that did not run by turns. */
function apartWarning(base: Report, next: Report): Warning {
  if (isOneMeasurement(base, next))
    return { code: 'same-measurement', message: 'both sides are one measurement, which says nothing of a change' };
  return {
    code: 'not-interleaved',
    message:
      'the two sides were measured in separate sittings, and by that alone have differed by up to 25%: no rate of false verdicts covers this; to leave it out compare the captures themselves',
  };
}

/** What a reader must know before trusting the verdicts on time, most serious first. */
export function comparisonWarnings(base: Report, next: Report, judged: Judged): Warning[] {
  return [
    ...environmentWarnings(base, next),
    ...(judged.paired ? [] : [apartWarning(base, next)]),
    ...fewRuns(judged),
    ...sideWarnings('base', base),
    ...sideWarnings('new', next),
  ];
}
