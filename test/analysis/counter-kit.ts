/** Measurements of {@link smallTree} (leaves a1, a2, b) with known values. */
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { type CounterColumn, type CounterInfo, type MetricSet, newColumn } from '../../src/model/counter.ts';
import type { CountedObject, CounterRun, SetMeasurement } from '../../src/model/counter-sample.ts';
import type { FrameReport } from '../../src/model/report.ts';
import { measurementOf, runOf, smallTree } from './samples.ts';

/** Leaves of 100, 200 and 300 ns. */
export const timedFrame: FrameReport = analyseFrame(smallTree, measurementOf([runOf([110, 210, 310], null)]));

export const info = (name: string, parts: Partial<CounterInfo> = {}): CounterInfo => ({
  id: `s/${name}`,
  set: 's',
  name,
  description: '',
  unit: '',
  dataType: 'u64',
  kind: 'sum',
  exact: true,
  ...parts,
});

type Values = readonly (number | bigint)[];

function column(counter: CounterInfo, values: Values): CounterColumn {
  const filled = newColumn(counter.dataType, values.length);
  values.forEach((value, index) => {
    filled[index] = filled instanceof BigUint64Array ? BigInt(value) : Number(value);
  });
  return filled;
}

interface RunParts {
  readonly failed?: readonly (readonly [number, string])[];
  readonly questionable?: readonly (readonly [number, string])[];
  readonly objects?: Readonly<Record<string, readonly (readonly CountedObject[])[]>>;
}

/** One run: a list of leaf values for each counter. */
export const run = (counters: readonly CounterInfo[], values: readonly Values[], parts: RunParts = {}): CounterRun => ({
  columns: counters.map((counter, index) => column(counter, values[index])),
  failed: new Map(parts.failed),
  questionable: new Map(parts.questionable),
  ...(parts.objects && { objects: new Map(Object.entries(parts.objects)) }),
});

export const setOf = (counters: readonly CounterInfo[], parts: Partial<MetricSet> = {}): MetricSet => ({
  id: 's',
  source: 'statistics',
  name: 'S',
  description: '',
  scope: 'context',
  counters,
  ...parts,
});

export const measured = (
  counters: readonly CounterInfo[],
  runs: readonly CounterRun[],
  parts: Partial<SetMeasurement> = {},
): SetMeasurement => ({
  set: setOf(counters),
  counters,
  origin: { driver: 'egl', api: 'es', renderer: 'some GPU', version: '3.2' },
  passes: 1,
  runs,
  problem: null,
  lost: new Map(),
  ...parts,
});
