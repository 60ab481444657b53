import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReports } from '../../../src/analysis/compare/compare-reports.ts';
import { lackingCounters, lackingRuns, lostCounters } from '../../../src/analysis/gate/lacking.ts';
import type { TimeChange } from '../../../src/model/comparison.ts';
import type { CounterSetReport, NodeReport } from '../../../src/model/report.ts';
import { optionsOf } from '../compare-times-kit.ts';
import { change, compared, comparison, counter, frame, node, report } from './fixed.ts';

const pixels = counter('PS Invocations');
const vertices = counter('VS Invocations');

const set = (counters: CounterSetReport['counters'], more: Partial<CounterSetReport> = {}): CounterSetReport => ({
  id: 'statistics',
  source: 'statistics',
  name: '',
  description: '',
  scope: 'context',
  counters,
  origin: null,
  passes: 1,
  runs: 3,
  status: 'ok',
  reason: null,
  ...more,
});

const counted = (counters: CounterSetReport['counters'], cells: NodeReport['counters'], more = {}) =>
  report([frame([node('', null, { counters: cells }), node('Shadow', 2, { counters: cells })])], {
    counters: counters.length === 0 ? [] : [set(counters, more)],
  });

const cell = (value: number) => ({ value, samples: [], status: 'ok', reason: null }) as const;
const both = { [pixels.id]: cell(5), [vertices.id]: cell(6) };

const lacking = (base: ReturnType<typeof counted>, next: ReturnType<typeof counted>) =>
  lackingCounters(compareReports(base, next, optionsOf({ countersOnly: true, sitting: 'single' })), next);

test('counters that the baseline lacks, as a whole or of an event, are told of', () => {
  const whole = counted([pixels, vertices], both);
  assert.equal(lacking(whole, whole), null);
  assert.equal(
    lacking(counted([], {}), whole),
    'the baseline does not have statistics/PS Invocations and 1 more; write it anew, or name in "counters" what to compare',
  );
  assert.equal(
    lacking(counted([pixels], both), whole),
    'the baseline does not have statistics/VS Invocations; write it anew, or name in "counters" what to compare',
  );
  assert.equal(
    lacking(counted([pixels, vertices], { [pixels.id]: cell(5) }), whole),
    'statistics/VS Invocations of the frame could not be compared: base is failed: it was not counted',
  );
  assert.equal(
    lacking(whole, counted([pixels], both, { status: 'failed', reason: 'no extension' })),
    'statistics could not be counted: no extension; "counters" can name what else to count',
  );
});

test('counters of the baseline that were asked for and could not be counted are told of', () => {
  const few = counted([pixels], both);
  assert.equal(lostCounters([pixels], few), null);
  const rest = 'which could not be counted here; name in "counters" what to compare, or write the baseline anew';
  assert.equal(lostCounters([vertices, pixels], few), `the baseline has statistics/VS Invocations, ${rest}`);
  assert.equal(
    lostCounters([vertices, pixels], counted([], {})),
    `the baseline has statistics/VS Invocations and 1 more, ${rest}`,
  );
});

test('where no time has an interval the runs are too few for any verdict', () => {
  const nodes = [node('', null), node('Shadow', 2)];
  const of = report([frame(nodes)]);
  const none = (verdict: TimeChange['verdict']): TimeChange => ({
    ...change(5e5, 0, 0, verdict),
    lowNs: null,
    highNs: null,
  });
  let wanted: number | null = null;
  const told = (runs: number | undefined, ...times: readonly TimeChange[]) =>
    lackingRuns(
      comparison(
        of,
        nodes.map((one, index) => compared(one, index, { time: times[index] })),
        [],
      ),
      runs,
      wanted,
    );
  const few = '50 pairs of runs are too few for any verdict on time';
  assert.equal(told(undefined, none('undecided'), none('same')), `${few}; give it a longer "timeBudget"`);
  assert.equal(told(50, none('undecided'), none('undecided')), `${few}; raise "runs"`);
  assert.equal(told(undefined, none('undecided'), change(5e5, -1e6, 1e6, 'undecided')), null, 'a real interval');
  assert.equal(told(undefined, none('same'), none('same')), null, 'too short to matter');
  wanted = 120;
  assert.equal(told(undefined, none('undecided'), none('same')), `${few}; give it a "timeBudget" of 120`);
});
