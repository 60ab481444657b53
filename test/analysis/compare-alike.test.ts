/** Events that look the same, told apart by what they count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsAsIn } from '../../src/analysis/compare/match-again.ts';
import type { SideFacts } from '../../src/analysis/compare/match-counts.ts';
import { matchEvents } from '../../src/analysis/compare/match-events.ts';
import type { States } from '../../src/model/report.ts';
import { comparedFrame, matched, noTime } from '../report/compare-sample.ts';
import { draw, frameOf, group, type Spec } from './compare-match-kit.ts';
import { info } from './counter-kit.ts';

const counters = ['Input Vertices Read', 'PS Invocations', 'Samples Passed'].map((name) =>
  info(`statistics/${name}`, { set: 'statistics', name }),
);
const texels = info('memory/Bytes Bound', { set: 'memory', name: 'Bytes Bound' });
const facts: SideFacts = { counters: [...counters, texels], base: undefined, next: undefined };

/** A draw that looks like all others. */
const counted = (vertices: number, invocations: number, samples: number, bytes = 64): Spec => {
  const values = [vertices, invocations, samples, bytes];
  const cells = facts.counters.map(
    ({ id }, at) => [id, { value: values[at], samples: [], status: 'ok', reason: null }] as const,
  );
  return { ...draw('glDrawElements(36)'), counters: Object.fromEntries(cells) };
};
const sized = (size: number): Spec => counted(3 * size, 100 * size, 10 * size);

const signs = { matched: '=', moved: '>', new: '+', gone: '-' } as const;

/** Rows below the frame that are no match of place and place, as `+7` (its place in new) or `-3` (in base). */
function told(base: readonly Spec[], next: readonly Spec[], of = facts): string[] {
  const rows = matchEvents(frameOf(...base), frameOf(...next), undefined, of);
  return rows
    .slice(1)
    .filter(({ match }) => match !== 'matched')
    .map(({ match, base: from, next: to }) => `${signs[match]}${(to < 0 ? from : to) - 1}`);
}

/** The pairs of matched rows, by place. */
const pairs = (base: readonly Spec[], next: readonly Spec[], of = facts): string =>
  matchEvents(frameOf(...base), frameOf(...next), undefined, of)
    .slice(1)
    .filter(({ match }) => match === 'matched' || match === 'moved')
    .map(({ base: from, next: to }) => `${from - 1}${to - 1}`)
    .join(' ');

const twenty = Array.from({ length: 20 }, (_, at) => sized(at + 1));

test('one more, one less, one moved among twenty that look the same: that one and nothing else', () => {
  assert.deepEqual(told(twenty, twenty), []);
  assert.deepEqual(told(twenty, twenty.toSpliced(7, 0, sized(99))), ['+7']);
  assert.deepEqual(told(twenty, [sized(99), ...twenty]), ['+0']);
  assert.deepEqual(told(twenty, twenty.toSpliced(7, 1)), ['-7']);
  assert.deepEqual(told(twenty, [twenty[12], ...twenty.toSpliced(12, 1)]), ['>0']);
  assert.deepEqual(told(twenty, [...twenty.toSpliced(3, 1), twenty[3]]), ['>19']);
  assert.deepEqual(told(twenty, twenty.toSpliced(4, 2, twenty[5], twenty[4])), ['>5']);
  // Without the counters their order is all there is: the last is the new one.
  assert.deepEqual(told(twenty, twenty.toSpliced(7, 0, sized(99)), { ...facts, counters: [] }), ['+20']);
});

test('several edits at once', () => {
  const edited = [sized(98), ...twenty.toSpliced(11, 1)].toSpliced(17, 0, sized(99));
  assert.deepEqual(told(twenty, edited), ['+0', '-11', '+17']);
});

test('one that changed keeps its place', () => {
  assert.deepEqual(told(twenty, twenty.with(7, sized(99))), []);
  assert.equal(pairs([sized(1), sized(2), sized(3)], [sized(1), sized(9), sized(3)]), '00 11 22');
  assert.deepEqual(told(twenty, twenty.with(7, sized(99)).toSpliced(15, 1)), ['-15']);
});

test('one in front that covers the others, so that their samples change', () => {
  const base = [3, 3, 3, 3].map((vertices, at) => counted(vertices, 100 * (at + 1), 50));
  const next = [3, 3, 3, 3].map((vertices, at) => counted(vertices, 100 * (at + 1), at));
  assert.deepEqual(told(base, [counted(3, 999, 50), ...next]), ['+0']);
  assert.deepEqual(told(base, [...next.slice(0, 1), counted(3, 999, 50), ...next.slice(1)]), ['+1']);
});

test('a texture of all that grew, and one new among them', () => {
  const base = twenty.slice(0, 5);
  const next = [1, 2, 3, 4, 5].map((size) => counted(3 * size, 100 * size, 10 * size, 256));
  assert.deepEqual(told(base, next.toSpliced(2, 0, counted(99, 1, 1, 256))), ['+2']);
});

test('where all counts changed, order holds, whatever is equal by chance', () => {
  const base = [counted(3, 0, 0), counted(3, 10, 1), counted(3, 20, 2), counted(3, 30, 3)];
  const next = [counted(3, 11, 5), counted(3, 0, 0), counted(3, 21, 6), counted(3, 31, 7)];
  assert.deepEqual(told(base, next), []);
  assert.equal(pairs(base, next), '00 11 22 33');
});

test('markers that look the same are told apart by what is in them', () => {
  const mesh = (size: number) => group('Mesh', sized(size), draw('glDrawArrays(3)', 2));
  const base = Array.from({ length: 8 }, (_, at) => mesh(at + 1));
  // Places count all nodes: three for a mesh.
  assert.deepEqual(told(base, base.toSpliced(2, 0, mesh(99))), ['+6', '+7', '+8']);
  assert.deepEqual(told(base, base.toSpliced(2, 1)), ['-6', '-7', '-8']);
  assert.deepEqual(told(base, [...base.slice(1), base[0]]), ['>21']);
});

test('of those in one place that moved elsewhere, the one that counts the same', () => {
  const base = [group('A', sized(1), sized(2), sized(3)), group('B', draw('glDrawArrays(3)', 2))];
  const next = [group('A', sized(1), sized(3)), group('B', draw('glDrawArrays(3)', 2), sized(2))];
  assert.deepEqual(told(base, next), ['>5']);
});

test('without counters: by the arguments of the calls, and by the state', () => {
  const none = { ...facts, counters: [] };
  const called = Array.from({ length: 20 }, (_, at) => draw(`glDrawElements(${3 * at})`));
  assert.deepEqual(told(called, called.toSpliced(7, 0, draw('glDrawElements(99)')), none), ['+7']);
  assert.deepEqual(told(called, called.toSpliced(7, 1), none), ['-7']);
  assert.deepEqual(told(called, [called[12], ...called.toSpliced(12, 1)], none), ['>0']);
  const states: States = { 1: { 'depth test': 'less' }, 2: { 'depth test': 'off' }, 3: { 'depth test': 'always' } };
  const renumbered: States = { 1: states[2], 2: states[1], 3: states[3] };
  const of = { counters: [], base: states, next: renumbered };
  const under = (...numbers: readonly number[]) => numbers.map((state) => ({ ...draw('glDrawArrays(3)'), state }));
  assert.deepEqual(told(under(1, 2, 2, 1), under(2, 3, 1, 1, 2), of), ['+1']);
  assert.deepEqual(told(under(1, 2, 2, 1), under(2, 1, 1, 2), of), []);
});

test('the same captures measured again, without counters, have the rows that they had', () => {
  const [base, next] = [frameOf(...twenty), frameOf(sized(99), ...twenty.toSpliced(5, 1), twenty[5])];
  const rows = matchEvents(base, next, undefined, facts);
  assert.deepEqual(
    rows.filter(({ match }) => match !== 'matched').map(({ match }) => match),
    ['new', 'moved'],
  );
  const nodes = rows.map(({ match, parent, depth, base: from, next: to }) => ({
    ...matched('', null, noTime, { match, parent, depth }),
    base: from < 0 ? null : matched('', base[from].eventId, noTime).base,
    new: to < 0 ? null : matched('', next[to].eventId, noTime).new,
  }));
  const first = { ...comparedFrame, nodes };
  const uncounted = (nodes: typeof base) => nodes.map(({ counters: _, ...node }) => node);
  assert.deepEqual(rowsAsIn(first, uncounted(base), uncounted(next)), rows);
});

test('counters that differ from run to run tell nothing apart', () => {
  const of = { ...facts, counters: counters.map((counter) => ({ ...counter, exact: false })) };
  assert.deepEqual(told(twenty, twenty.toSpliced(7, 0, sized(99)), of), ['+20']);
});
