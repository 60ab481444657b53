/** The sample report with counters: work counters, a vendor's set, a set that was lost, and a hostile one. */
import type { CounterInfo, CounterValue } from '../../src/model/counter.ts';
import type { CounterCell, CounterSetReport, Report } from '../../src/model/report.ts';
import { frame, nodes, report } from './sample.ts';

export const counter = (id: string, parts: Partial<CounterInfo> = {}): CounterInfo => ({
  id,
  set: id.slice(0, id.lastIndexOf('/')),
  name: id.slice(id.lastIndexOf('/') + 1),
  description: '',
  unit: '',
  dataType: 'u64',
  kind: 'sum',
  exact: true,
  ...parts,
});

export const cell = (value: CounterValue, parts: Partial<CounterCell> = {}): CounterCell => ({
  value,
  samples: [value, value],
  status: 'ok',
  reason: null,
  ...parts,
});

export const setOf = (
  id: string,
  counters: CounterInfo[],
  parts: Partial<CounterSetReport> = {},
): CounterSetReport => ({
  id,
  source: 'statistics',
  name: id,
  description: '',
  scope: 'context',
  counters,
  origin: { driver: 'egl', api: 'es', renderer: 'Acme One', version: 'OpenGL ES 3.2 Acme 7' },
  passes: 1,
  runs: 2,
  status: 'ok',
  reason: null,
  ...parts,
});

const elsewhere = { driver: 'egl', api: 'gl', renderer: 'llvmpipe', version: '4.5 (Core Profile) Mesa 22.3.6' };

const sets: readonly CounterSetReport[] = [
  setOf(
    'statistics',
    [
      counter('statistics/PS Invocations'),
      counter('statistics/Any Samples Passed', { dataType: 'bool', kind: 'any' }),
      counter('statistics/Clipping Input Primitives'),
    ],
    { origin: elsewhere, status: 'questionable', reason: '1 of 5 leaves could not be counted: busy' },
  ),
  setOf(
    'intel/Render Basic',
    [
      counter('intel/Render Basic/GPU Time Elapsed', { unit: 'ns', exact: false }),
      counter('intel/Render Basic/EU Active', { unit: 'percent', dataType: 'f32', kind: 'average', exact: false }),
      counter('intel/Render Basic/GTI Read Throughput', { unit: 'bytes' }),
      counter('intel/Render Basic/Begin', { unit: 'ticks', kind: 'point', exact: false }),
    ],
    { source: 'intel', scope: 'global', passes: 2 },
  ),
  setOf('amd/TA', [counter('amd/TA/Busy')], { source: 'amd', status: 'failed', reason: 'the group is busy', runs: 0 }),
  setOf('derived', [counter('derived/ns per fragment', { unit: 'ns', dataType: 'f64', kind: 'ratio', exact: false })], {
    source: 'derived',
    origin: null,
    passes: 0,
    runs: 0,
  }),
];

const values: Readonly<Record<string, readonly CounterCell[]>> = {
  'statistics/PS Invocations': [
    cell(9_007_199_254_740_993n, { status: 'questionable', reason: 'some of its leaves have no value: busy' }),
    cell(307_200),
    cell(307_200),
    cell(9_007_199_254_433_793n, { status: 'questionable', reason: 'some of its leaves have no value: busy' }),
    cell(0),
    cell(9_007_199_254_433_000n),
    cell(793, { samples: [793, 790], status: 'questionable', reason: 'runs differ: 790 to 793' }),
    cell(null, { status: 'failed', reason: 'busy' }),
  ],
  'statistics/Any Samples Passed': [true, true, true, true, false, true, false, false].map((value) => cell(value)),
  'statistics/Clipping Input Primitives': [36, 12, 12, 24, 0, 12, 12, 0].map((value) => cell(value)),
  'intel/Render Basic/GPU Time Elapsed': [10_100_000, 1.6e6, 1.6e6, 8.5e6, 2.5e5, 8.2e6, 5e4, 0].map((value) =>
    cell(value),
  ),
  'intel/Render Basic/EU Active': [40.25, 99.96, 99.96, 28.9, 0, 30, 0.5, 0].map((value) => cell(value)),
  'intel/Render Basic/GTI Read Throughput': [2_621_440, 1024, 1024, 2_620_416, 0, 2_620_416, 0, 0].map((value) =>
    cell(value),
  ),
  'intel/Render Basic/Begin': [null, null, 1_000_000, null, 1_000_001, 1_000_002, 1_000_003, 1_000_004].map((value) =>
    cell(value, value === null ? { reason: 'says nothing of a group' } : {}),
  ),
  'amd/TA/Busy': nodes.map(() => cell(null, { status: 'failed', reason: 'the group is busy', samples: [] })),
  'derived/ns per fragment': [0.00111, 4.88, 4.88, 0.00094, null, 0.00092, 0.63, null].map((value) =>
    cell(value, { samples: [], ...(value === null && { reason: 'statistics/PS Invocations is 0' }) }),
  ),
};

export const counterReport: Report = {
  ...report,
  counters: sets,
  frames: [
    {
      ...frame,
      nodes: nodes.map((node, index) => ({
        ...node,
        counters: Object.fromEntries(Object.entries(values).map(([id, list]) => [id, list[index]])),
      })),
    },
  ],
};

/** The sample report with one set, whose counters have these cells for each row. */
export const withSet = (set: CounterSetReport, cells: Readonly<Record<string, readonly CounterCell[]>>): Report => ({
  ...report,
  counters: [set],
  frames: [
    {
      ...frame,
      nodes: nodes.map((node, index) => ({
        ...node,
        counters: Object.fromEntries(Object.entries(cells).map(([id, list]) => [id, list[index % list.length]])),
      })),
    },
  ],
});
