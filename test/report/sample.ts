/** Reports with known numbers, for tests of the formats. */
import type { FrameReport, NodeReport, Report, Statistics } from '../../src/model/report.ts';

/** Five runs around a median, 1% apart. */
export const around = (median: number): Statistics => ({
  median,
  min: median * 0.98,
  max: median * 1.02,
  mad: median * 0.01,
  low95: median * 0.98,
  high95: median * 1.02,
  runs: 5,
});

export function node(
  parts: Partial<NodeReport> & Pick<NodeReport, 'name' | 'depth'>,
  timeNs: number | null,
): NodeReport {
  const statistics = timeNs === null ? null : around(timeNs);
  return {
    eventId: 1,
    parentId: null,
    kind: 'draw',
    path: parts.name,
    draws: 1,
    isLeaf: true,
    program: 1,
    target: 'canvas',
    durationNs: statistics,
    rawNs: timeNs === null ? null : around(timeNs + 1000),
    cpuNs: null,
    share: timeNs === null ? null : timeNs / 10_000_000,
    status: 'ok',
    reason: null,
    samples: { durationNs: [timeNs], rawNs: [timeNs === null ? null : timeNs + 1000], cpuNs: null },
    ...parts,
  };
}

/** A frame of 10 ms: a shadow pass, and a scene with a heavy draw, one below resolution and one that failed. */
export const nodes: readonly NodeReport[] = [
  node({ name: 'frame', depth: 0, eventId: null, kind: 'frame', path: '', draws: 4, isLeaf: false }, 10_000_000),
  node({ name: 'shadow', depth: 1, eventId: 2, kind: 'marker', isLeaf: false }, 1_500_000),
  node({ name: 'cube', path: 'shadow/cube', depth: 2, eventId: 4, parentId: 2 }, 1_500_000),
  node({ name: 'scene', depth: 1, eventId: 6, kind: 'marker', draws: 3, isLeaf: false }, 8_500_000),
  node({ name: 'clear', path: 'scene/clear', depth: 2, eventId: 7, parentId: 6, kind: 'clear', draws: 0 }, 250_000),
  node({ name: 'floor', path: 'scene/floor', depth: 2, eventId: 9, parentId: 6 }, 8_249_500),
  node(
    {
      name: 'lamp',
      path: 'scene/lamp',
      depth: 2,
      eventId: 12,
      parentId: 6,
      status: 'below-resolution',
      reason: 'it reads 1.1 times what an empty bracket reads',
    },
    500,
  ),
  node(
    {
      name: 'sky',
      path: 'scene/sky',
      depth: 2,
      eventId: 15,
      parentId: 6,
      status: 'failed',
      reason: 'its queries gave no result in any run',
    },
    null,
  ),
];

export const frame: FrameReport = {
  frame: 1,
  plainNs: around(9_900_000),
  plainCpuNs: null,
  bracketedNs: around(10_100_000),
  sumOfLeavesNs: around(10_000_000),
  inflation: 10.1 / 9.9,
  floorNs: around(1000),
  runs: 5,
  questionableRuns: 0,
  repeatedRuns: 1,
  nodes,
};

export const report: Report = {
  format: 'gpuprof-report',
  version: 1,
  producer: 'gpuprof 1.2.3',
  capture: {
    file: 'scene.cap',
    api: 'webgl2',
    canvas: { width: 640, height: 480, alpha: true, depth: true, stencil: false, samples: 0, preserved: false },
    origin: {
      producer: 'gpuprof 1.2.3',
      driver: 'egl',
      vendor: 'Acme',
      renderer: 'Acme One',
      version: 'OpenGL ES 3.2',
    },
    frames: 1,
  },
  environment: {
    driver: 'egl',
    api: 'es',
    vendor: 'Acme',
    renderer: 'Acme One',
    version: 'OpenGL ES 3.2 Acme 7',
    software: false,
    softwareThreads: null,
    os: 'Linux 6.1 x64',
    cpu: 'Acme CPU',
    cores: 2,
    node: 'v20.20.2',
  },
  trust: {
    bounds: [0.75, 1.25],
    methods: [
      {
        method: 'elapsed',
        available: true,
        trusted: true,
        reason: 'reads 100% of the host clock',
        ratio: 1,
        rungs: [{ work: 1, hostNs: 1000, readNs: 1000 }],
        floorNs: 1000,
        bits: 64,
      },
      {
        method: 'timestamp',
        available: true,
        trusted: false,
        reason: 'reads 0.9% of the host clock',
        ratio: 0.009,
        rungs: [],
        floorNs: 12,
        bits: 64,
      },
    ],
  },
  settings: { timer: 'auto', method: 'elapsed', why: 'it reads 100% of the host clock', per: 'draw', warmups: 2 },
  frames: [frame],
  glErrors: [],
  warnings: [{ code: 'failed-leaves', message: 'frame 1: 1 of 5 leaves could not be measured' }],
};

/** The same on a software renderer: CPU times beside the durations. */
export const softwareReport: Report = {
  ...report,
  environment: { ...report.environment, renderer: 'llvmpipe', software: true, softwareThreads: 0 },
  frames: [
    {
      ...frame,
      plainCpuNs: around(9_800_000),
      nodes: nodes.map((one) => ({ ...one, cpuNs: one.durationNs && around(one.durationNs.median / 2) })),
    },
  ],
};

export const withNodes = (list: readonly NodeReport[]): Report => ({ ...report, frames: [{ ...frame, nodes: list }] });
