import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BudgetRules, checkBudgets } from '../../../src/analysis/gate/check-budgets.ts';
import { type Budget, type Limit, parseLimit } from '../../../src/analysis/gate/limit.ts';
import type { ComparedNode, Comparison } from '../../../src/model/comparison.ts';
import type { CounterValue } from '../../../src/model/counter.ts';
import type { NodeReport, Report } from '../../../src/model/report.ts';
import { change, compared, comparison, counter, environment, frame, node, report, statistics } from './fixed.ts';

const rules: BudgetRules = { undecided: 'warn', strict: false, unknown: 'there is no baseline', incomparable: null };

function limit(text: string | undefined, isTime: boolean): Limit | null {
  if (text === undefined) return null;
  const read = parseLimit(text, isTime ? 'time' : 'count');
  assert.ok(typeof read !== 'string', String(read));
  return read;
}

function budget(pattern: string, metric: string, fail?: string, warn?: string): Budget {
  const isTime = metric === 'duration' || metric === 'cpu';
  return { pattern, metric, unit: isTime ? 'ns' : '', fail: limit(fail, isTime), warn: limit(warn, isTime) };
}

/** Level and sentence of every check. */
function told(of: Report, against: Comparison | null, budgets: readonly Budget[], more: Partial<BudgetRules> = {}) {
  const { checks, reason } = checkBudgets(of, against, budgets, { ...rules, ...more });
  return [...checks.map(({ level, message }) => `${level}: ${message}`), ...(reason === null ? [] : [`! ${reason}`])];
}

const hardware = (durationNs: NodeReport['durationNs'], more: Partial<NodeReport> = {}) =>
  report([frame([node('', null), node('Shadow', 2, { durationNs, ...more })])]);

test('a time beside an absolute limit: the interval decides', () => {
  const shadow = (median: number, low: number, high: number) => hardware(statistics(median, low, high));
  assert.deepEqual(told(shadow(2.5e6, 2.2e6, 2.8e6), null, [budget('Shadow', 'duration', '2ms')]), [
    'fail: Shadow: 2.50 ms (between 2.20 ms and 2.80 ms) is over the limit of 2ms',
  ]);
  assert.deepEqual(told(shadow(2.1e6, 1.9e6, 2.3e6), null, [budget('Shadow', 'duration', '2ms')]), [
    'warn: Shadow: 2.10 ms (between 1.90 ms and 2.30 ms) may be over 2ms or not, the runs do not say',
  ]);
  assert.deepEqual(told(shadow(1.5e6, 1.4e6, 2e6), null, [budget('Shadow', 'duration', '2ms')]), [
    'pass: Shadow: 1.50 ms (between 1.40 ms and 2.00 ms) is within 2ms',
  ]);
  const [check] = checkBudgets(shadow(1.5e6, 1.4e6, 2e6), null, [budget('Shadow', 'duration', '2ms')], rules).checks;
  assert.deepEqual([check.value, check.range], [1.5e6, 3e5], 'half of its interval');
});

test('of warn and fail the worse is told', () => {
  const shadow = hardware(statistics(2.5e6, 2.2e6, 2.8e6));
  assert.deepEqual(told(shadow, null, [budget('Shadow', 'duration', '3ms', '2ms')]), [
    'warn: Shadow: 2.50 ms (between 2.20 ms and 2.80 ms) is over the limit of 2ms',
  ]);
  assert.deepEqual(told(shadow, null, [budget('Shadow', 'duration', '1ms', '500us')]), [
    'fail: Shadow: 2.50 ms (between 2.20 ms and 2.80 ms) is over the limit of 1ms',
  ]);
  assert.deepEqual(told(shadow, null, [budget('Shadow', 'duration', '4ms', '3ms')]), [
    'pass: Shadow: 2.50 ms (between 2.20 ms and 2.80 ms) is within 4ms',
  ]);
});

test('what the runs do not decide counts as the configuration says', () => {
  const shadow = hardware(statistics(2.1e6, 1.9e6, 2.3e6));
  const levels = (['pass', 'warn', 'fail'] as const).map(
    (undecided) =>
      checkBudgets(shadow, null, [budget('Shadow', 'duration', '2ms')], { ...rules, undecided }).checks[0].level,
  );
  assert.deepEqual(levels, ['undecided', 'warn', 'fail']);
});

test('a duration on a software renderer is CPU time, and its frame that of runs without brackets', () => {
  const software = report(
    [
      frame([node('', null, { cpuNs: statistics(9e6) }), node('Shadow', 2, { cpuNs: statistics(2e6, 1.9e6, 2.1e6) })], {
        plainCpuNs: statistics(5e6, 4.9e6, 5.1e6),
        plainNs: statistics(7e6),
      }),
    ],
    { environment: environment({ software: true }) },
  );
  assert.deepEqual(told(software, null, [budget('', 'duration', '6ms'), budget('Shadow', 'cpu', '1ms')]), [
    'pass: the frame: 5.00 ms of CPU time (between 4.90 ms and 5.10 ms) is within 6ms; on a software renderer a duration is CPU time',
    'fail: Shadow: 2.00 ms of CPU time (between 1.90 ms and 2.10 ms) is over the limit of 1ms',
  ]);
});

test('what has no value is unmeasured, with the reason', () => {
  assert.deepEqual(
    told(hardware(null, { status: 'failed', reason: 'every reading failed' }), null, [
      budget('Shadow', 'duration', '2ms'),
    ]),
    ['unmeasured: Shadow: could not be timed: every reading failed'],
  );
  assert.deepEqual(
    told(hardware(statistics(1e6)), null, [budget('Shadow', 'cpu', '2ms'), budget('Shadow', 'cpu', '+5%')]),
    [
      'unmeasured: Shadow: could not be timed: Model 1 is no software renderer, so it has no CPU times',
      'unmeasured: Shadow: could not be compared: Model 1 is no software renderer, so it has no CPU times',
    ],
  );
  assert.deepEqual(
    told(hardware(statistics(1e6)), null, [
      budget('Shadow', 'duration', '+5%'),
      budget('Shadow', 'statistics/PS Invocations', '5'),
    ]),
    [
      'unmeasured: Shadow: could not be compared: there is no baseline',
      'unmeasured: Shadow: statistics/PS Invocations could not be counted: there is no value',
    ],
  );
  const lost = {
    id: 'intel/Basic/Time',
    source: 'intel',
    name: '',
    description: '',
    scope: 'context',
    counters: [],
    origin: null,
    passes: 0,
    runs: 0,
    status: 'failed',
    reason: 'no extension',
  } as const;
  assert.deepEqual(
    told(report([frame([node('Shadow', 2)])], { counters: [lost] }), null, [budget('Shadow', lost.id, '5')]),
    ['unmeasured: Shadow: intel/Basic/Time could not be counted: no extension'],
  );
});

/** The level of `Shadow` whose time went from 1 ms by so much. */
function changed(time: ComparedNode['time'], text: string): string[] {
  const nodes = [node('', null), node('Shadow', 2, { durationNs: statistics(1e6 + (time.deltaNs ?? 0)) })];
  const of = report([frame(nodes)]);
  return told(
    of,
    comparison(
      of,
      nodes.map((one, index) => compared(one, index, { time })),
      [],
    ),
    [budget('Shadow', 'duration', text)],
  );
}

test('a time beside the baseline: all of the interval over the limit, and a change that matters', () => {
  assert.deepEqual(changed(change(1e5, 8e4, 1.2e5, 'slower'), '+5%'), [
    'fail: Shadow: 1.10 ms after 1.00 ms (+100 µs, between +80.0 µs and +120 µs) is over the limit of +5%',
  ]);
  assert.deepEqual(changed(change(1e5, 8e4, 1.2e5, 'slower'), '+10%'), [
    'warn: Shadow: 1.10 ms after 1.00 ms (+100 µs, between +80.0 µs and +120 µs) may be over +10% or not, the runs do not say',
  ]);
  assert.deepEqual(changed(change(1e5, 8e4, 1.2e5, 'slower'), '+20%'), [
    'pass: Shadow: 1.10 ms after 1.00 ms (+100 µs, between +80.0 µs and +120 µs) is within +20%',
  ]);
  assert.deepEqual(
    changed(change(1e5, 8e4, 1.2e5, 'slower'), '+50us').map((line) => line.slice(0, 4)),
    ['fail'],
  );
  const same = change(1e4, 5e3, 1.5e4, 'same');
  assert.deepEqual(
    changed(same, '+0%'),
    ['pass: Shadow: 1.01 ms after 1.00 ms (+10.0 µs, between +5.00 µs and +15.0 µs) is within +0%'],
    'a bias of a process is no change',
  );
  assert.deepEqual(changed(change(6e4, -1e4, 1.3e5, 'undecided', 'too few runs'), '+5%'), [
    'warn: Shadow: 1.06 ms after 1.00 ms (+60.0 µs, between -10.0 µs and +130 µs) may be over +5% or not, the runs do not say: too few runs',
  ]);
  assert.deepEqual(
    changed(change(6e4, 5.5e4, 1.3e5, 'undecided', 'not confirmed'), '+0%').map((line) => line.slice(0, 4)),
    ['warn'],
  );
  assert.deepEqual(
    changed(change(-1e5, -1.2e5, -8e4, 'faster'), '+0%').map((line) => line.slice(0, 4)),
    ['pass'],
  );
});

test('a check has the numbers that its message tells: a change may be of another sitting than the statistics', () => {
  const nodes = [node('', null), node('Shadow', 2, { durationNs: statistics(2e6, 1.9e6, 2.1e6) })];
  const of = report([frame(nodes)]);
  const time = change(1e5, 8e4, 1.2e5, 'slower');
  const against = comparison(
    of,
    nodes.map((one, index) => compared(one, index, { time })),
    [],
  );
  const numbers = (...budgets: readonly Budget[]) =>
    checkBudgets(of, against, budgets, rules).checks.map(({ base, value, range, message }) => [
      base,
      value,
      range,
      message.replace(/^Shadow: (.*) (?:is|may be) .*$/, '$1'),
    ]);
  const changed = [1e6, 1.1e6, undefined, '1.10 ms after 1.00 ms (+100 µs, between +80.0 µs and +120 µs)'];
  const now = [null, 2e6, 1e5, '2.00 ms (between 1.90 ms and 2.10 ms)'];
  assert.deepEqual(numbers(budget('Shadow', 'duration', '+5%')), [changed]);
  assert.deepEqual(numbers(budget('Shadow', 'duration', '1ms')), [now]);
  assert.deepEqual(numbers(budget('Shadow', 'duration', '+5%', '1ms')), [changed], 'of two limits, those of the worse');
  assert.deepEqual(numbers(budget('Shadow', 'duration', '+50%', '1ms')), [now]);
});

test('times that cannot be compared are undecided, counters are compared all the same', () => {
  const pixels = counter('PS Invocations');
  const cell = { value: 5, samples: [], status: 'ok', reason: null } as const;
  const nodes = [node('', null), node('Shadow', 2, { counters: { [pixels.id]: cell } })];
  const set = {
    id: 'statistics',
    source: 'statistics',
    name: '',
    description: '',
    scope: 'context',
    counters: [pixels],
    origin: null,
    passes: 1,
    runs: 3,
    status: 'ok',
    reason: null,
  } as const;
  const of = report([frame(nodes)], { counters: [set] });
  const counters = { [pixels.id]: { base: 4, new: 5, delta: 1, verdict: 'more', reason: null } } as const;
  const against = comparison(
    of,
    nodes.map((one, index) => compared(one, index, { counters })),
    [pixels],
  );
  const budgets = [budget('Shadow', 'duration', '+5%'), budget('Shadow', pixels.id, '+0%')];
  assert.deepEqual(told(of, against, budgets, { incomparable: 'the baseline was measured on X, and this is Y' }), [
    'warn: Shadow: 1.00 ms may be over +5% or not, the runs do not say: the baseline was measured on X, and this is Y',
    'fail: Shadow: PS Invocations 5 after 4 (+1, +25.0%) is over the limit of +0%',
  ]);
});

function counted(value: CounterValue, base: CounterValue, text: string, more: Partial<ComparedNode> = {}): string[] {
  const pixels = counter('PS Invocations');
  const cell = { value, samples: [], status: 'ok', reason: value === null ? 'it was lost' : null } as const;
  const nodes = [node('', null), node('Shadow', 2, { counters: { [pixels.id]: cell } })];
  const set = {
    id: 'statistics',
    source: 'statistics',
    name: '',
    description: '',
    scope: 'context',
    counters: [pixels],
    origin: null,
    passes: 1,
    runs: 3,
    status: 'ok',
    reason: null,
  } as const;
  const of = report([frame(nodes)], { counters: [set] });
  const counters = { [pixels.id]: { base, new: value, delta: null, verdict: 'unknown', reason: null } } as const;
  const against = comparison(
    of,
    nodes.map((one, index) => compared(one, index, { counters, ...more })),
    [pixels],
  );
  return told(of, against, [budget('Shadow', pixels.id, text)]);
}

test('counters are exact', () => {
  assert.deepEqual(counted(100, 100, '100'), ['pass: Shadow: PS Invocations 100 is within 100']);
  assert.deepEqual(counted(101, 100, '100'), ['fail: Shadow: PS Invocations 101 is over the limit of 100']);
  assert.deepEqual(counted(101, 100, '+0%'), [
    'fail: Shadow: PS Invocations 101 after 100 (+1, +1.0%) is over the limit of +0%',
  ]);
  assert.deepEqual(counted(100, 100, '+0%'), ['pass: Shadow: PS Invocations 100 after 100 (as before) is within +0%']);
  assert.deepEqual(
    counted(129, 100, '+29%').map((line) => line.slice(0, 4)),
    ['pass'],
    'not by a rounding error',
  );
  assert.deepEqual(
    counted(110, 100, '+10').map((line) => line.slice(0, 4)),
    ['pass'],
  );
  assert.deepEqual(
    counted(2n ** 60n + 1n, 2n ** 60n, '+0%').map((line) => line.slice(0, 4)),
    ['fail'],
    'beyond 2^53',
  );
  assert.deepEqual(
    counted(true, false, '+0%').map((line) => line.slice(0, 4)),
    ['fail'],
  );
  assert.deepEqual(counted(null, 4, '+0%'), ['unmeasured: Shadow: PS Invocations could not be counted: it was lost']);
  assert.deepEqual(counted(4, null, '+0%'), [
    'unmeasured: Shadow: PS Invocations could not be compared: the baseline does not have it',
  ]);
});

test('sizes beside a limit are told in bytes, as 16KB is not 16 KiB', () => {
  const textures = counter('Texture Bytes Bound', { id: 'memory/Texture Bytes Bound', unit: 'bytes' });
  const sized = (value: number, text: string) => {
    const cell = { value, samples: [], status: 'ok', reason: null } as const;
    const of = report([frame([node('', null, { counters: { [textures.id]: cell } })])]);
    const read = parseLimit(text, 'bytes');
    assert.ok(typeof read !== 'string');
    return told(of, null, [{ pattern: '', metric: textures.id, unit: 'bytes', warn: null, fail: read }])[0];
  };
  const name = 'the frame: memory/Texture Bytes Bound';
  assert.equal(sized(16_384, '16KB'), `fail: ${name} 16.0 KiB (16,384 B) is over the limit of 16KB (16,000 B)`);
  assert.equal(sized(16_384, '16KiB'), `pass: ${name} 16.0 KiB (16,384 B) is within 16KiB (16,384 B)`);
  assert.equal(sized(16_384, '16000'), `fail: ${name} 16.0 KiB (16,384 B) is over the limit of 16000`);
  assert.equal(sized(512, '1KB'), `pass: ${name} 512 B is within 1KB (1,000 B)`);
});

test('a new event is beside nothing', () => {
  assert.deepEqual(counted(7, null, '+0%', { match: 'new', base: null }), [
    'fail: Shadow: PS Invocations 7 of a new event is over the limit of +0%',
  ]);
  assert.deepEqual(counted(7, null, '+10', { match: 'new', base: null }), [
    'pass: Shadow: PS Invocations 7 of a new event is within +10',
  ]);
});

test('events with one path are told apart, and frames', () => {
  const twins = report([
    frame([node('', null), node('Shadow', 2), node('Shadow', 5)]),
    frame([node('', null), node('Shadow', 2)], { frame: 2 }),
  ]);
  assert.deepEqual(told(twins, null, [budget('Shadow', 'duration', '2ms')]), [
    'pass: Shadow (event 2) in frame 1: 1.00 ms (between 1.00 ms and 1.00 ms) is within 2ms',
    'pass: Shadow (event 5) in frame 1: 1.00 ms (between 1.00 ms and 1.00 ms) is within 2ms',
    'pass: Shadow in frame 2: 1.00 ms (between 1.00 ms and 1.00 ms) is within 2ms',
  ]);
});

test('a budget that no event matches warns, and fails when strict; when none matches, nothing was checked', () => {
  const shadow = hardware(statistics(1e6));
  const nothing = 'nothing was checked: no event matches any of its budgets';
  const budgets = [budget('**/Shade', 'duration', '2ms'), budget('**/Shade', 'cpu', '3ms')];
  const unmatched = [
    'warn: no event matches the budget for **/Shade: duration 2ms',
    'warn: no event matches the budget for **/Shade: cpu 3ms',
  ];
  assert.deepEqual(told(shadow, null, budgets), [...unmatched, `! ${nothing}`]);
  assert.deepEqual(told(shadow, null, [...budgets, budget('Shadow', 'duration', '2ms')]), [
    'pass: Shadow: 1.00 ms (between 1.00 ms and 1.00 ms) is within 2ms',
    ...unmatched,
  ]);
  assert.deepEqual(checkBudgets(shadow, null, budgets.slice(0, 1), { ...rules, strict: true }), {
    checks: [
      {
        frame: 1,
        path: '**/Shade',
        eventId: null,
        metric: 'duration',
        unit: 'ns',
        limit: '2ms',
        base: null,
        value: null,
        level: 'fail',
        message: 'no event matches the budget for **/Shade: duration 2ms',
      },
    ],
    reason: nothing,
  });
});

test('where several budgets are about one value, each check names its own', () => {
  const shadow = hardware(statistics(1e6));
  const twoGlobs = [
    budget('Shadow', 'duration', '2ms'),
    budget('S*', 'duration', '2ms'),
    budget('Sh*', 'statistics/X', '5'),
  ];
  assert.deepEqual(told(shadow, null, twoGlobs), [
    'pass: Shadow: 1.00 ms (between 1.00 ms and 1.00 ms) is within 2ms (budget for Shadow)',
    'pass: Shadow: 1.00 ms (between 1.00 ms and 1.00 ms) is within 2ms (budget for S*)',
    'unmeasured: Shadow: statistics/X could not be counted: there is no value',
  ]);
});
