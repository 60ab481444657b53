import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReports } from '../../src/analysis/compare/compare-reports.ts';
import { noVerdict } from '../../src/analysis/compare/no-verdict.ts';
import type { FrameReport } from '../../src/model/report.ts';
import { frameOf, optionsOf, reportOf } from './compare-times-kit.ts';

const runs = (timeNs: number, count: number): number[] => Array.from({ length: count }, (_, run) => timeNs + run);
const lost = (count: number): null[] => Array.from({ length: count }, () => null);

const told = (base: FrameReport, next: FrameReport): string | null =>
  noVerdict(compareReports(reportOf(base), reportOf(next), optionsOf()));

test('too few runs for any verdict are told with how many it takes', () => {
  const few = frameOf({ scene: { floor: runs(1e6, 4) } });
  assert.equal(told(few, few), '4 pairs of runs are too few for any verdict; 20 are needed');
  const tiny = frameOf({ scene: { floor: runs(1e6, 4), clear: runs(1e3, 4) } });
  assert.equal(
    told(tiny, tiny),
    '4 pairs of runs are too few for any verdict; 20 are needed',
    'the clear is too short',
  );
});

test('when all is undecided there is no verdict, when anything is decided there is one', () => {
  const noise = Array.from({ length: 60 }, (_, run) => 1e6 * (1 + ((run * 7) % 11) / 10));
  const noisy = frameOf({ scene: { floor: noise } });
  const other = frameOf({ scene: { floor: noise.toReversed() } });
  assert.equal(told(noisy, other), 'the runs tell neither that it is slower nor that it is faster');
  const beside = (floor: number[]) => frameOf({ scene: { floor }, sky: { dome: runs(1e6, 60) } });
  assert.equal(told(beside(noise), beside(noise.toReversed())), null);
});

test('where no event of both sides has a time there is no verdict, and the reason is told', () => {
  const failed = frameOf({ scene: { floor: lost(30) } });
  assert.equal(
    told(failed, frameOf({ scene: { floor: runs(1e6, 30) } })),
    'no event could be timed: no time in base: its queries gave no result in any run',
  );
  const empty = frameOf({});
  assert.match(told(empty, empty) ?? '', /^no event could be timed: no time in base: /);
});

test('what is too short to matter, and work that is gone, is known', () => {
  const short = frameOf({ scene: { floor: runs(1e3, 4) } });
  assert.equal(told(short, short), null);
  assert.equal(told(frameOf({ scene: { floor: runs(1e6, 30) } }), frameOf({})), null);
});
