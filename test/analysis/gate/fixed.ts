/** Reports and comparisons with chosen values. */
import type { ComparedNode, Comparison, TimeChange } from '../../../src/model/comparison.ts';
import type { CounterInfo } from '../../../src/model/counter.ts';
import type { FrameReport, NodeReport, Report, Statistics } from '../../../src/model/report.ts';

export const statistics = (median: number, low95 = median, high95 = median): Statistics => ({
  median,
  min: low95,
  max: high95,
  mad: 0,
  low95,
  high95,
  runs: 9,
});

export const counter = (name: string, more: Partial<CounterInfo> = {}): CounterInfo => ({
  id: `statistics/${name}`,
  set: 'statistics',
  name,
  description: '',
  unit: '',
  dataType: 'u64',
  kind: 'sum',
  exact: true,
  ...more,
});

export const node = (path: string, eventId: number | null, more: Partial<NodeReport> = {}): NodeReport => ({
  eventId,
  parentId: null,
  depth: path === '' ? 0 : 1,
  kind: path === '' ? 'frame' : 'marker',
  name: path,
  path,
  draws: 1,
  isLeaf: false,
  program: 0,
  target: '',
  durationNs: statistics(1e6),
  rawNs: null,
  cpuNs: null,
  share: null,
  status: 'ok',
  reason: null,
  samples: { durationNs: [], rawNs: [], cpuNs: null },
  ...more,
});

export const frame = (nodes: readonly NodeReport[], more: Partial<FrameReport> = {}): FrameReport => ({
  frame: 1,
  plainNs: null,
  plainCpuNs: null,
  bracketedNs: null,
  sumOfLeavesNs: null,
  inflation: null,
  floorNs: null,
  runs: 9,
  questionableRuns: 0,
  repeatedRuns: 0,
  nodes,
  ...more,
});

export const environment = (more: Partial<Report['environment']> = {}): Report['environment'] => ({
  driver: 'egl',
  api: 'gl',
  vendor: 'Vendor',
  renderer: 'Model 1',
  version: '4.6 Driver 1.0',
  software: false,
  softwareThreads: null,
  os: 'Linux 6.1.0-12-amd64 x64',
  cpu: 'CPU',
  cores: 2,
  node: 'v20.19.0',
  ...more,
});

export const report = (frames: readonly FrameReport[], more: Partial<Report> = {}): Report => ({
  format: 'gpuprof-report',
  version: 1,
  producer: 'gpuprof test',
  capture: {
    file: 'a.cap',
    api: 'webgl2',
    canvas: { width: 1, height: 1, alpha: true, depth: true, stencil: false, samples: 0, preserved: true },
    origin: { producer: '', driver: '', vendor: '', renderer: '', version: '' },
    frames: frames.length,
  },
  environment: environment(),
  trust: { bounds: [0.75, 1.25], methods: [] },
  settings: { timer: 'auto', method: 'elapsed', why: 'chosen', per: 'draw', warmups: 1 },
  frames,
  glErrors: [],
  warnings: [],
  ...more,
});

const noTime: TimeChange = {
  baseNs: null,
  newNs: null,
  deltaNs: null,
  lowNs: null,
  highNs: null,
  thresholdNs: null,
  verdict: null,
  reason: 'times are not compared',
};

/** A change from 1 ms, of which 50 us matter. */
export const change = (
  deltaNs: number,
  lowNs: number,
  highNs: number,
  verdict: TimeChange['verdict'],
  reason: string | null = null,
): TimeChange => ({ baseNs: 1e6, newNs: 1e6 + deltaNs, deltaNs, lowNs, highNs, thresholdNs: 5e4, verdict, reason });

export function compared(one: NodeReport, index: number, more: Partial<ComparedNode> = {}): ComparedNode {
  const { eventId, path, name, program, target, draws, kind, depth, isLeaf } = one;
  const event = { eventId, path, name, program, target, draws };
  return {
    match: 'matched',
    kind,
    depth,
    parent: index === 0 ? -1 : 0,
    isLeaf,
    base: event,
    new: event,
    time: noTime,
    changes: [],
    counters: {},
    ...more,
  };
}

export function comparison(
  of: Report,
  nodes: readonly ComparedNode[],
  counters: readonly CounterInfo[],
  plain: TimeChange = noTime,
): Comparison {
  const { capture, environment: machine, settings } = of;
  const side = { label: 'a.cap', capture, environment: machine, settings, env: {} };
  return {
    format: 'gpuprof-comparison',
    version: 1,
    producer: 'gpuprof test',
    base: side,
    new: side,
    settings: {
      metric: 'duration',
      why: 'it was asked for',
      threshold: 0.05,
      minChangeNs: 5e4,
      falseAlarmRate: 0.01,
      interleaved: true,
      pairs: 50,
    },
    counters,
    framesAlone: { base: [], new: [] },
    resources: [],
    frames: [{ baseFrame: 1, newFrame: 1, plain, nodes }],
    warnings: [],
  };
}
