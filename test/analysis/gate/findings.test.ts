import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baselineReport } from '../../../src/analysis/gate/baseline-report.ts';
import { checkFindings } from '../../../src/analysis/gate/check-findings.ts';
import { change, compared, comparison, counter, environment, frame, node, report, statistics } from './fixed.ts';

const nodes = [
  node('', null),
  node('Shadow', 2, { isLeaf: true, kind: 'draw' }),
  node('Main', 3, { isLeaf: true, kind: 'draw' }),
];
const of = report([frame(nodes)]);
const [root, shadow, main] = nodes;
const still = change(0, -1e4, 1e4, 'same');

test('what is slower, heavier, new or has lost early depth tests fails; what differs or has another program or state warns; what is better or moved passes', () => {
  const pixels = counter('PS Invocations');
  const heavier = { [pixels.id]: { base: 4, new: 5, delta: 1, verdict: 'more', reason: null } } as const;
  const checks = checkFindings(
    comparison(
      of,
      [
        compared(root, 0, { time: still }),
        compared(shadow, 1, { time: change(1e5, 8e4, 1.2e5, 'slower'), counters: heavier }),
        compared(main, 2, { match: 'new', base: null, time: { ...still, verdict: null, baseNs: null } }),
        compared(main, 2, { time: still, changes: [{ what: 'depth test', base: 'less', new: 'always' }] }),
        compared(main, 2, { time: still, changes: [{ what: 'depth test', base: 'lequal', new: 'no depth buffer' }] }),
        compared(main, 2, { time: still, changes: [{ what: 'depth test', base: 'always', new: 'off' }] }),
        compared(main, 2, { time: still, changes: [{ what: 'name', base: 'Main', new: 'main' }] }),
        compared(main, 2, { time: still, changes: [{ what: 'depth write', base: 'on', new: 'off' }] }),
        compared(main, 2, { time: still, changes: [{ what: 'program', base: 'a', new: 'b' }] }),
        compared(main, 2, {
          time: still,
          changes: [{ what: 'early depth', base: 'possible', new: 'prevented by discard' }],
        }),
        compared(main, 2, {
          time: still,
          changes: [{ what: 'early depth', base: 'prevented by discard', new: 'possible' }],
        }),
        compared(main, 2, { match: 'gone', new: null, time: { ...still, verdict: null, newNs: null } }),
      ],
      [pixels],
    ),
    'warn',
    null,
  );
  assert.deepEqual(
    checks.map(({ level, metric, path, eventId, base, value, limit }) => [
      level,
      metric,
      path,
      eventId,
      base,
      value,
      limit,
    ]),
    [
      ['fail', 'duration', 'Shadow', 2, 1e6, 1.1e6, null],
      ['fail', 'statistics/PS Invocations', 'Shadow', 2, 4, 5, null],
      ['fail', 'draws', 'Main', 3, null, 1, null],
      ['fail', 'state', 'Main', 3, null, null, null],
      ['fail', 'state', 'Main', 3, null, null, null],
      ['warn', 'state', 'Main', 3, null, null, null],
      ['warn', 'name', 'Main', 3, null, null, null],
      ['warn', 'state', 'Main', 3, null, null, null],
      ['warn', 'program', 'Main', 3, null, null, null],
      ['fail', 'state', 'Main', 3, null, null, null],
      ['warn', 'state', 'Main', 3, null, null, null],
      ['pass', 'draws', 'Main', null, 1, null, null],
    ],
  );
});

test('a comparison that found nothing is a check that passes', () => {
  const quiet = comparison(
    of,
    nodes.map((one, index) => compared(one, index, { time: still })),
    [],
    still,
  );
  assert.deepEqual(checkFindings(quiet, 'warn', null), [
    {
      frame: 1,
      path: '',
      eventId: null,
      metric: 'duration',
      unit: 'ns',
      limit: null,
      base: 1e6,
      value: 1e6,
      level: 'pass',
      message: 'the frame: nothing changed',
    },
  ]);
  assert.deepEqual(
    checkFindings(quiet, 'warn', 'the baseline was measured on X').map(({ level, message }) => [level, message]),
    [['warn', 'the frame: times are not compared: the baseline was measured on X']],
  );
});

test('a frame that only one side has is a check: more fails, fewer warns', () => {
  const quiet = comparison(of, [compared(root, 0, { time: still })], [], still);
  const told = (base: number[], next: number[]) =>
    checkFindings({ ...quiet, framesAlone: { base, new: next } }, 'warn', null).map(
      ({ frame: number, level, message }) => [number, level, message],
    );
  assert.deepEqual(told([], [2]), [
    [2, 'fail', 'frame 2 is new, base has no such frame'],
    [1, 'pass', 'the frame: nothing changed'],
  ]);
  assert.deepEqual(told([2], []), [
    [2, 'warn', 'frame 2 is gone, new has no such frame'],
    [1, 'pass', 'the frame: nothing changed'],
  ]);
});

test('a texture, renderbuffer or buffer that takes more memory fails, one that takes less passes', () => {
  const quiet = comparison(of, [compared(root, 0, { time: still })], [], still);
  const texture = (sizeBytes: number) => ({ class: 'texture', id: 1, name: 'sky', sizeBytes, size: null }) as const;
  const told = (base: number, next: number) => {
    const resources = [{ base: texture(base), new: texture(next), deltaBytes: next - base }];
    const [{ level, path, metric, unit, base: from, value }] = checkFindings({ ...quiet, resources }, 'warn', null);
    return [level, path, metric, unit, from, value];
  };
  assert.deepEqual(told(16, 64), ['fail', 'texture sky', 'size', 'bytes', 16, 64]);
  assert.deepEqual(told(64, 16), ['pass', 'texture sky', 'size', 'bytes', 64, 16]);
});

test('what is undecided counts as the configuration says', () => {
  const undecided = comparison(
    of,
    [compared(root, 0, { time: still }), compared(shadow, 1, { time: change(6e4, -1e4, 1.3e5, 'undecided') })],
    [],
  );
  const levels = (['pass', 'warn', 'fail'] as const).map((as) => checkFindings(undecided, as, null)[0].level);
  assert.deepEqual(levels, ['undecided', 'warn', 'fail']);
});

test('a baseline keeps what a comparison needs', () => {
  const sound = { value: 5, samples: [5, 5, 5], status: 'ok', reason: null } as const;
  const lost = { value: null, samples: [null], status: 'failed', reason: 'it was lost' } as const;
  const cells = { a: sound, b: lost };
  const measured = report(
    [
      frame(
        [
          node('', null, {
            cpuNs: statistics(10.4, 9.6, 11.5),
            rawNs: statistics(12.4),
            share: 0.123456,
            counters: cells,
            samples: { durationNs: [1.5, 2.5], rawNs: [3, 4], cpuNs: [10.4, null] },
          }),
        ],
        {
          plainSamples: { durationNs: [1.5], cpuNs: [2.4] },
          bracketedNs: statistics(5),
          inflation: 1.5,
        },
      ),
    ],
    { environment: environment({ software: true }) },
  );
  const kept = baselineReport(measured);
  const [one] = kept.frames;
  assert.deepEqual(one.nodes[0].samples, { durationNs: [], rawNs: [], cpuNs: [10, null] });
  assert.deepEqual(one.nodes[0].cpuNs, statistics(10, 10, 12));
  assert.deepEqual(one.nodes[0].counters, {
    a: { value: 5 },
    b: { value: null, samples: [], status: 'failed', reason: 'it was lost' },
  });
  assert.deepEqual(
    [one.nodes[0].rawNs, one.nodes[0].share, one.inflation, one.bracketedNs],
    [null, 0.1235, null, null],
  );
  assert.deepEqual(one.plainSamples, { durationNs: [], cpuNs: [2] });
  assert.deepEqual([kept.environment.os, kept.environment.node], ['Linux x64', 'v20']);
});
