/** Comparisons with known numbers, for tests of the formats. */
import type {
  ComparedEvent,
  ComparedFrame,
  ComparedNode,
  Comparison,
  CounterChange,
  TimeChange,
} from '../../src/model/comparison.ts';
import type { CounterInfo, CounterValue } from '../../src/model/counter.ts';
import { counter } from './counter-sample.ts';
import { report } from './sample.ts';

export const noTime: TimeChange = {
  baseNs: null,
  newNs: null,
  deltaNs: null,
  lowNs: null,
  highNs: null,
  thresholdNs: null,
  verdict: null,
  reason: null,
};

/** A change with an interval of 20 µs on both sides, judged by 5% and 50 µs as `compare` does. */
export function change(baseNs: number, newNs: number, parts: Partial<TimeChange> = {}): TimeChange {
  const deltaNs = newNs - baseNs;
  const thresholdNs = Math.max(baseNs * 0.05, 50_000);
  const [lowNs, highNs] = [deltaNs - 20_000, deltaNs + 20_000];
  const verdict = lowNs > thresholdNs / 2 ? 'slower' : highNs < -thresholdNs / 2 ? 'faster' : 'same';
  return { baseNs, newNs, deltaNs, lowNs, highNs, thresholdNs, verdict, reason: null, ...parts };
}

const event = (path: string, eventId: number | null, draws = 1): ComparedEvent => ({
  eventId,
  path,
  name: path.slice(path.lastIndexOf('/') + 1) || 'frame',
  program: 1,
  target: 'canvas',
  draws,
});

/** An event of both sides, at one place. */
export const matched = (
  path: string,
  eventId: number | null,
  time: TimeChange,
  parts: Partial<ComparedNode> = {},
): ComparedNode => ({
  match: 'matched',
  kind: 'draw',
  depth: 1,
  parent: 0,
  isLeaf: true,
  base: event(path, eventId),
  new: event(path, eventId),
  time,
  changes: [],
  counters: {},
  ...parts,
});

export const counts = (base: CounterValue, next: CounterValue, parts: Partial<CounterChange> = {}): CounterChange => {
  const areNumbers = base !== null && next !== null && typeof base !== 'boolean' && typeof next !== 'boolean';
  const delta = areNumbers ? BigInt(next) - BigInt(base) : null;
  const exact = delta === null || delta > Number.MAX_SAFE_INTEGER ? delta : Number(delta);
  const verdict = base === next ? 'same' : exact === null ? 'differs' : exact > 0 ? 'more' : 'fewer';
  return { base, new: next, delta: exact, verdict, reason: null, ...parts };
};

export const infos: readonly CounterInfo[] = [
  counter('statistics/PS Invocations'),
  counter('statistics/Any Samples Passed', { dataType: 'bool', kind: 'any' }),
  counter('memory/Texture Bytes', { unit: 'bytes', kind: 'distinct' }),
  counter('intel/Basic/EU Active', { unit: 'percent', dataType: 'f32', kind: 'average', exact: false }),
];

const [invocations, passed, bytes, active] = infos.map(({ id }) => id);
const varies = { delta: 0.25, verdict: 'unknown', reason: 'it varies from run to run' } as const;

/**
 * A frame in which scene/floor got slower and heavier, a lamp is new and a decal gone, a sprite moved out of the scene, the
 * clear is undecided, and the sky is as it was.
 */
export const comparedNodes: readonly ComparedNode[] = [
  matched('', null, change(10_000_000, 11_200_000), {
    kind: 'frame',
    depth: 0,
    parent: -1,
    isLeaf: false,
    base: event('', null, 4),
    new: event('', null, 4),
    counters: {
      [invocations]: counts(614_400, 921_700),
      [passed]: counts(true, true),
      [bytes]: counts(4_194_304, 8_388_608),
      [active]: { base: 40, new: 40.25, ...varies },
    },
  }),
  matched('scene', 2, change(9_000_000, 10_200_000), {
    kind: 'marker',
    isLeaf: false,
    base: event('scene', 2, 3),
    new: event('scene', 2, 3),
    counters: { [invocations]: counts(307_200, 614_500), [passed]: counts(true, true) },
  }),
  matched('scene/clear', 3, change(250_000, 260_000, { verdict: 'undecided', reason: 'the time budget ended' }), {
    kind: 'clear',
    depth: 2,
    parent: 1,
  }),
  matched('scene/floor', 5, change(8_000_000, 9_000_000), {
    depth: 2,
    parent: 1,
    counters: {
      [invocations]: counts(307_200, 614_400),
      [passed]: counts(false, true),
      [bytes]: counts(4_194_304, 8_388_608),
      [active]: { base: 30, new: 30.25, ...varies },
    },
  }),
  matched(
    'scene/lamp',
    null,
    { ...noTime, newNs: 200_000 },
    {
      match: 'new',
      depth: 2,
      parent: 1,
      base: null,
      new: event('scene/lamp', 6),
      counters: { [invocations]: { ...counts(null, 100), verdict: 'unknown', reason: 'only on one side' } },
    },
  ),
  matched(
    'scene/decal',
    7,
    { ...noTime, baseNs: 150_000 },
    {
      match: 'gone',
      depth: 2,
      parent: 1,
      new: null,
    },
  ),
  matched('sprite', 9, change(500_000, 501_000), {
    match: 'moved',
    base: event('scene/sprite', 8),
    counters: { [invocations]: counts(307_200, 307_200) },
  }),
  matched('sky', 10, change(500_000, 499_000), { counters: { [invocations]: counts(0, 0) } }),
];

export const comparedFrame: ComparedFrame = {
  baseFrame: 1,
  newFrame: 1,
  plain: change(9_900_000, 11_100_000),
  nodes: comparedNodes,
};

const side = (label: string) => ({
  label,
  capture: { ...report.capture, file: label },
  environment: report.environment,
  settings: report.settings,
  env: {},
});

export const comparison: Comparison = {
  format: 'gpuprof-comparison',
  version: 1,
  producer: 'gpuprof 1.2.3',
  base: side('before.cap'),
  new: side('after.cap'),
  settings: {
    metric: 'duration',
    why: 'the renderer is hardware',
    threshold: 0.05,
    minChangeNs: 50_000,
    falseAlarmRate: 0.01,
    interleaved: true,
    pairs: 24,
  },
  counters: infos,
  framesAlone: { base: [], new: [] },
  resources: [],
  frames: [comparedFrame],
  warnings: [{ code: 'not-pinned', message: 'the sides could not be kept on one core' }],
};

export const withNodes = (nodes: readonly ComparedNode[], parts: Partial<Comparison> = {}): Comparison => ({
  ...comparison,
  frames: [{ ...comparedFrame, plain: noTime, nodes }],
  warnings: [],
  ...parts,
});
