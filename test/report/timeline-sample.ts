/** The smallest report with a timeline: a marker around two draws, of which the second failed in the second run. */
import type { FrameReport, Report } from '../../src/model/report.ts';
import type { RunTimeline } from '../../src/model/timeline.ts';
import { cell, counter, setOf } from './counter-sample.ts';
import { frame, node, report } from './sample.ts';

const run = (atNs: number, lamp: boolean): RunTimeline => ({
  startNs: atNs,
  submittedNs: atNs + 3000,
  finishedNs: atNs + 9000,
  clock: 'device',
  reason: null,
  uncertaintyNs: 250,
  driftPpm: 12.5,
  driftUncertaintyPpm: 4,
  latencyNs: 4000,
  submitStartNs: [atNs + 100, atNs + 1500],
  submitEndNs: [atNs + 1100, atNs + 2900],
  finishNs: [atNs + 9000, atNs + 9000],
  startsNs: [atNs + 2000.4, lamp ? atNs + 4000 : null],
  endsNs: [atNs + 3500.4, lamp ? atNs + 7500 : null],
  deviceStarts: [BigInt(atNs) + 5_000_002_000n, lamp ? BigInt(atNs) + 5_000_004_000n : null],
  deviceEnds: [BigInt(atNs) + 5_000_003_500n, lamp ? BigInt(atNs) + 5_000_007_500n : null],
});

const samples = (...durationNs: (number | null)[]) => ({
  samples: { durationNs, rawNs: durationNs.map((value) => value && value + 500), cpuNs: null },
});

const groupSamples = { samples: { durationNs: [4000, 1000], rawNs: [5000, 1500], cpuNs: null } };

const timedFrame: FrameReport = {
  ...frame,
  runs: 2,
  nodes: [
    node({ name: 'frame', depth: 0, eventId: null, kind: 'frame', path: '', isLeaf: false, ...groupSamples }, 2500),
    node({ name: 'scene', depth: 1, eventId: 2, kind: 'marker', isLeaf: false, ...groupSamples }, 2500),
    node(
      {
        name: 'cube\n',
        path: 'scene/cube\n',
        depth: 2,
        eventId: 4,
        parentId: 2,
        counters: { 'statistics/Samples Passed': cell(64) },
        ...samples(1000, 1000),
      },
      1000,
    ),
    node({ name: 'lamp', path: 'scene/lamp', depth: 2, eventId: 6, parentId: 2, ...samples(3000, null) }, 3000),
  ],
  timeline: { originNs: 7_000_000_000_000, runs: [run(10_000, true), run(50_000, false)] },
};

export const timedReport: Report = {
  ...report,
  counters: [setOf('statistics', [counter('statistics/Samples Passed')])],
  frames: [timedFrame],
};
