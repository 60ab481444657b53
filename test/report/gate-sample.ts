/** A gate's result with known numbers, for tests of the formats. */
import type { GateCapture, GateCheck, GateResult } from '../../src/model/gate.ts';
import { comparison } from './compare-sample.ts';
import { report } from './sample.ts';

export const check = (parts: Partial<GateCheck> = {}): GateCheck => ({
  frame: 1,
  path: '',
  eventId: null,
  metric: 'duration',
  unit: 'ns',
  limit: '12ms',
  base: null,
  value: 11_100_000,
  level: 'pass',
  message: 'frame 1 takes 11.1 ms, at most 12ms',
  ...parts,
});

export const capture: GateCapture = {
  name: 'scene',
  file: 'captures/scene.cap',
  environment: report.environment,
  baseline: 'baselines/scene.json',
  level: 'fail',
  reason: null,
  checks: [
    check(),
    check({
      path: 'scene/floor',
      eventId: 5,
      limit: '+5%',
      base: 8_000_000,
      value: 9_000_000,
      level: 'fail',
      message: 'scene/floor takes 9.00 ms, 12.5% more than 8.00 ms; at most +5%',
    }),
    check({
      path: 'scene/floor',
      eventId: 5,
      metric: 'statistics/PS Invocations',
      unit: '',
      limit: '+0%',
      base: 307_200,
      value: 614_400,
      level: 'warn',
      message: 'scene/floor has 614,400 PS Invocations, 307,200 more than before; at most +0%',
    }),
    check({
      path: 'scene/clear',
      eventId: 3,
      limit: null,
      base: 250_000,
      value: 260_000,
      level: 'undecided',
      message: 'scene/clear is undecided: the time budget ended',
    }),
  ],
  comparison,
  warnings: [{ code: 'not-pinned', message: 'the sides could not be kept on one core' }],
  wallMs: 12_345,
};

export const unopened: GateCapture = {
  name: 'shadow',
  file: 'captures/shadow.cap',
  environment: null,
  baseline: null,
  level: 'unmeasured',
  reason: 'no display could be opened',
  checks: [],
  comparison: null,
  warnings: [],
  wallMs: 10,
};

export const result: GateResult = {
  format: 'gpuprof-gate',
  version: 1,
  producer: 'gpuprof 1.2.3',
  level: 'fail',
  shard: { index: 1, count: 2 },
  captures: [capture, unopened],
};

export const withCaptures = (captures: readonly GateCapture[]): GateResult => ({ ...result, captures, shard: null });
