import type { CompareOptions } from '../../src/analysis/compare/compare-reports.ts';
import { statisticsOf } from '../../src/analysis/statistics.ts';
import type { Environment, FrameReport, NodeReport, Report } from '../../src/model/report.ts';

const software: Environment = {
  driver: 'egl',
  api: 'OpenGL ES 3.2',
  vendor: 'Mesa',
  renderer: 'llvmpipe',
  version: 'Mesa 22.3.6',
  software: true,
  softwareThreads: 0,
  os: 'Linux',
  cpu: 'A processor',
  cores: 2,
  node: 'v20.20.0',
};

type Samples = readonly (number | null)[];

function nodeOf(path: string, eventId: number | null, isLeaf: boolean, samples: Samples): NodeReport {
  const statistics = statisticsOf(samples);
  return {
    eventId,
    parentId: null,
    depth: eventId === null ? 0 : path.split('/').length,
    kind: eventId === null ? 'frame' : isLeaf ? 'draw' : 'marker',
    name: path.split('/').at(-1) ?? '',
    path,
    draws: 1,
    isLeaf,
    program: 1,
    target: 'canvas',
    durationNs: statistics,
    rawNs: statistics,
    cpuNs: statistics,
    share: null,
    status: statistics ? 'ok' : 'failed',
    reason: statistics ? null : 'its queries gave no result in any run',
    samples: { durationNs: samples, rawNs: samples, cpuNs: samples },
  };
}

const sumOf = (leaves: readonly Samples[]): Samples =>
  (leaves[0] ?? []).map((_, run) => leaves.reduce((sum, leaf) => sum + (leaf[run] ?? 0), 0));

/** A frame of passes of leaves, by name: samples in nanoseconds, one a run. Duration and CPU time are the same. */
export function frameOf(passes: Readonly<Record<string, Readonly<Record<string, Samples>>>>): FrameReport {
  const nodes: NodeReport[] = [];
  let eventId = 0;
  for (const [pass, leaves] of Object.entries(passes)) {
    nodes.push(nodeOf(pass, ++eventId, false, sumOf(Object.values(leaves))));
    for (const [leaf, samples] of Object.entries(leaves))
      nodes.push(nodeOf(`${pass}/${leaf}`, ++eventId, true, samples));
  }
  const all = nodes.filter(({ isLeaf }) => isLeaf).map(({ samples }) => samples.durationNs);
  nodes.unshift(nodeOf('', null, false, sumOf(all)));
  return {
    frame: 1,
    plainNs: null,
    plainCpuNs: null,
    bracketedNs: null,
    sumOfLeavesNs: null,
    inflation: null,
    floorNs: null,
    runs: all[0]?.length ?? 0,
    questionableRuns: 0,
    repeatedRuns: 0,
    nodes,
  };
}

export const reportOf = (frame: FrameReport, environment: Partial<Environment> = {}): Report => ({
  format: 'gpuprof-report',
  version: 1,
  producer: 'gpuprof test',
  capture: {
    file: 'a.cap',
    api: 'webgl2',
    canvas: { width: 8, height: 8 } as Report['capture']['canvas'],
    origin: {} as Report['capture']['origin'],
    frames: 1,
  },
  environment: { ...software, ...environment },
  trust: { bounds: [0.8, 1.25], methods: [] },
  settings: { timer: 'auto', method: 'finish', why: 'it is trusted', per: 'draw', warmups: 1 },
  frames: [frame],
  glErrors: [],
  warnings: [],
});

export const optionsOf = (options: Partial<CompareOptions> = {}): CompareOptions => ({
  producer: 'gpuprof test',
  labels: ['base', 'new'],
  env: [{}, {}],
  metric: 'auto',
  threshold: 0.05,
  minChangeNs: 50_000,
  falseAlarmRate: 0.01,
  paired: true,
  look: 0,
  countersOnly: false,
  sitting: 'single',
  ...options,
});
