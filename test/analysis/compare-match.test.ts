import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchEvents } from '../../src/analysis/compare/match-events.ts';
import { action, draw, frameOf, group, lines, renderPass, type Spec } from './compare-match-kit.ts';

const times = (count: number, spec: Spec): Spec[] => Array.from({ length: count }, () => spec);
const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => draw(`glDraw${name}(3)`, at + 1));

const rows = (base: readonly Spec[], next: readonly Spec[]): string[] => lines(frameOf(...base), frameOf(...next));

test('the same frame: every row is matched, depth first, with its parent', () => {
  const nodes = frameOf(group('A', a, group('B', b)), c);
  assert.deepEqual(matchEvents(nodes, nodes), [
    { match: 'matched', base: 0, next: 0, parent: -1, depth: 0 },
    { match: 'matched', base: 1, next: 1, parent: 0, depth: 1 },
    { match: 'matched', base: 2, next: 2, parent: 1, depth: 2 },
    { match: 'matched', base: 3, next: 3, parent: 1, depth: 2 },
    { match: 'matched', base: 4, next: 4, parent: 3, depth: 3 },
    { match: 'matched', base: 5, next: 5, parent: 0, depth: 1 },
  ]);
});

test('frames without events, and frames that are not there', () => {
  assert.deepEqual(rows([], []), []);
  assert.deepEqual(rows([], [group('A', a)]), ['+ A', '+   glDrawa(3)']);
  assert.deepEqual(rows([group('A', a)], []), ['- A', '-   glDrawa(3)']);
  assert.deepEqual(matchEvents([], []), []);
  assert.deepEqual(matchEvents([], frameOf(group('A', a))), [
    { match: 'new', base: -1, next: 0, parent: -1, depth: 0 },
    { match: 'new', base: -1, next: 1, parent: 0, depth: 1 },
    { match: 'new', base: -1, next: 2, parent: 1, depth: 2 },
  ]);
  assert.deepEqual(matchEvents(frameOf(a), []), [
    { match: 'gone', base: 0, next: -1, parent: -1, depth: 0 },
    { match: 'gone', base: 1, next: -1, parent: 0, depth: 1 },
  ]);
});

test('one more of a hundred equal draws is one new row, one less is one gone', () => {
  const count = (base: readonly Spec[], next: readonly Spec[]) => {
    const found = rows(base, next).map((line) => line[0]);
    return ['=', '>', '+', '-'].map((sign) => found.filter((one) => one === sign).length);
  };
  assert.deepEqual(count(times(100, a), times(101, a)), [100, 0, 1, 0]);
  assert.deepEqual(count([group('A', ...times(100, a)), b], [group('A', ...times(99, a)), b]), [101, 0, 0, 1]);
  assert.deepEqual(count([...times(50, a), b, ...times(50, a)], [...times(51, a), b, ...times(50, a)]), [101, 0, 1, 0]);
});

test('what is inserted or gone stands at its place, and nothing after it shifts', () => {
  assert.deepEqual(rows([a, b, c], [a, d, b, c]), ['= glDrawa(3)', '+ glDrawd(3)', '= glDrawb(3)', '= glDrawc(3)']);
  assert.deepEqual(rows([a, b, c], [b, c]), ['- glDrawa(3)', '= glDrawb(3)', '= glDrawc(3)']);
  assert.deepEqual(rows([a, b, c], [a, c]), ['= glDrawa(3)', '- glDrawb(3)', '= glDrawc(3)']);
  assert.deepEqual(rows([a, group('A', b, c), d], [a, e, d]), [
    '= glDrawa(3)',
    '- A',
    '-   glDrawb(3)',
    '-   glDrawc(3)',
    '+ glDrawe(3)',
    '= glDrawd(3)',
  ]);
});

test('a draw with other parameters or another program at its place is the same draw', () => {
  const [six, nine] = [draw('glDrawElements(36)'), draw('glDrawElements(39)')];
  assert.deepEqual(rows([...times(3, six), a], [six, nine, six, a]), [
    '= glDrawElements(36)',
    '= glDrawElements(36) -> glDrawElements(39)',
    '= glDrawElements(36)',
    '= glDrawa(3)',
  ]);
  assert.deepEqual(rows([six], [draw('glDrawArrays(6)')]), ['= glDrawElements(36) -> glDrawArrays(6)']);
  assert.deepEqual(rows([draw('glDrawElements(36)', 1), a], [draw('glDrawElements(36)', 2), a]), [
    '= glDrawElements(36)',
    '= glDrawa(3)',
  ]);
  const clear = (what: string) => action('clear', `glClear(${what})`);
  assert.deepEqual(rows([clear('Color')], [clear('Color + Depth')]), ['= glClear(Color) -> glClear(Color + Depth)']);
  // Nothing in common but the place.
  assert.deepEqual(rows([a, clear('Color')], [draw('glDrawb(9)', 2), a]), [
    '+ glDrawb(9)',
    '= glDrawa(3)',
    '- glClear(Color)',
  ]);
});

test('changed beside a new one like it was: the changed one keeps its place', () => {
  const at = (count: number) => draw(`glDrawElements(${count})`);
  assert.deepEqual(rows([at(36), b, c], [at(39), b, at(36), c]), [
    '= glDrawElements(36) -> glDrawElements(39)',
    '= glDrawb(3)',
    '+ glDrawElements(36)',
    '= glDrawc(3)',
  ]);
});

test('siblings that change places: one moves', () => {
  assert.deepEqual(rows([a, b], [b, a]), ['= glDrawb(3)', '> glDrawa(3)']);
  assert.deepEqual(rows([a, b, c, d], [d, a, b, c]), ['> glDrawd(3)', '= glDrawa(3)', '= glDrawb(3)', '= glDrawc(3)']);
  assert.deepEqual(rows([group('A', a), group('B', b)], [group('B', b), group('A', a)]), [
    '= B',
    '=   glDrawb(3)',
    '> A',
    '=   glDrawa(3)',
  ]);
  const at = (count: number) => draw(`glDrawElements(${count})`);
  assert.deepEqual(
    rows([at(1), at(2), at(3), at(4)], [at(4), at(3), at(2), at(1)])
      .map((line) => line[0])
      .sort(),
    ['=', '>', '>', '>'],
  );
});

test('a renamed marker is known by what is in it, also when that changed a little', () => {
  assert.deepEqual(rows([group('Shadow', a, b), c], [group('Shadows', a, b), c]), [
    '= Shadow -> Shadows',
    '=   glDrawa(3)',
    '=   glDrawb(3)',
    '= glDrawc(3)',
  ]);
  assert.deepEqual(rows([group('Shadow', a, b, c)], [group('Shadows', a, d, b)]), [
    '= Shadow -> Shadows',
    '=   glDrawa(3)',
    '+   glDrawd(3)',
    '=   glDrawb(3)',
    '-   glDrawc(3)',
  ]);
  assert.deepEqual(
    rows([group('Shadow', a, b)], [group('Bloom', c, d)]).map((line) => line[0]),
    ['-', '-', '-', '+', '+', '+'],
  );
});

test('a marker around draws that were there is new, and they moved into it', () => {
  assert.deepEqual(rows([a, b, c], [a, group('M', b), c]), ['= glDrawa(3)', '+ M', '>   glDrawb(3)', '= glDrawc(3)']);
  assert.deepEqual(rows([a, group('G', b, c)], [a, group('M', group('G', b, c))]), [
    '= glDrawa(3)',
    '+ M',
    '>   G',
    '=     glDrawb(3)',
    '=     glDrawc(3)',
  ]);
  assert.deepEqual(rows([group('M', group('G', b, c))], [group('G', b, c)]), [
    '- M',
    '> G',
    '=   glDrawb(3)',
    '=   glDrawc(3)',
  ]);
});

test('a render pass split in two: the rest of it moved into a new one', () => {
  const upload = action('upload', 'glBufferSubData(64 B)', 'buffer 4');
  const name = (at: number) => `Colour Pass #${at} (1 Targets)`;
  assert.deepEqual(
    rows([renderPass(name(1), a, b, c, d, e, f)], [renderPass(name(1), a, b, c), upload, renderPass(name(2), d, e, f)]),
    [
      `= ${name(1)}`,
      '=   glDrawa(3)',
      '=   glDrawb(3)',
      '=   glDrawc(3)',
      '+ glBufferSubData(64 B)',
      `+ ${name(2)}`,
      '>   glDrawd(3)',
      '>   glDrawe(3)',
      '>   glDrawf(3)',
    ],
  );
});

test('a render pass in front renumbers those behind it, which stay the same', () => {
  const name = (at: number) => `Colour Pass #${at} (1 Targets)`;
  const target = (number: number, ...draws: readonly Spec[]) =>
    draws.map((one) => ({ ...one, target: `framebuffer ${number}` }));
  const base = [renderPass(name(1), ...target(3, a, a, a)), renderPass(name(2), ...target(4, a, a, b))];
  const next = [
    renderPass(name(1), ...target(3, c, c, d)),
    renderPass(name(2), ...target(4, a, a, a)),
    renderPass(name(3), ...target(5, a, a, b)),
  ];
  assert.deepEqual(rows(base, next), [
    `+ ${name(1)}`,
    '+   glDrawc(3)',
    '+   glDrawc(3)',
    '+   glDrawd(3)',
    `= ${name(1)} -> ${name(2)}`,
    ...times(3, a).map(() => '=   glDrawa(3)'),
    `= ${name(2)} -> ${name(3)}`,
    '=   glDrawa(3)',
    '=   glDrawa(3)',
    '=   glDrawb(3)',
  ]);
});

test('a subtree that moved takes with it what is inside, changed or not', () => {
  assert.deepEqual(
    rows([group('A', group('M', a, b, c)), group('B', d)], [group('A', e), group('B', d, group('M', a, c))]),
    [
      '= A',
      '+   glDrawe(3)',
      '= B',
      '=   glDrawd(3)',
      '>   M',
      '=     glDrawa(3)',
      '-     glDrawb(3)',
      '=     glDrawc(3)',
    ],
  );
  // The same marker inside another that moved, too.
  const m = group('M', a);
  assert.deepEqual(rows([group('A', group('X', m, b), m)], [group('A'), group('B', m, group('X', m, b))]), [
    '= A',
    '+ B',
    '>   M',
    '=     glDrawa(3)',
    '>   X',
    '=     M',
    '=       glDrawa(3)',
    '=     glDrawb(3)',
  ]);
});

test('of markers of one name, the one that moved and changed is the one that is like it', () => {
  const mesh = (...specs: readonly Spec[]) => group('Mesh', ...specs);
  assert.deepEqual(
    rows(
      [group('A', mesh(a, b, c), mesh(d, e, f)), group('B', a)],
      [group('A'), group('B', a, mesh(d, f), mesh(a, e, b, c))],
    ),
    [
      '= A',
      '= B',
      '=   glDrawa(3)',
      '>   Mesh',
      '=     glDrawd(3)',
      '=     glDrawf(3)',
      '>   Mesh',
      '=     glDrawa(3)',
      '>     glDrawe(3)',
      '=     glDrawb(3)',
      '=     glDrawc(3)',
    ],
  );
});

test('a subtree made twice is new once', () => {
  const m = group('M', a, b);
  assert.deepEqual(rows([m, c], [m, m, c]), [
    '= M',
    '=   glDrawa(3)',
    '=   glDrawb(3)',
    '+ M',
    '+   glDrawa(3)',
    '+   glDrawb(3)',
    '= glDrawc(3)',
  ]);
  const many = Array.from({ length: 20 }, (_, at) => group('Mesh', draw(`glDrawElements(${at})`)));
  const more = many.toSpliced(7, 0, group('Mesh', draw('glDrawElements(99)')));
  assert.deepEqual(
    rows(many, more).filter((line) => !line.startsWith('=')),
    ['+ Mesh', '+   glDrawElements(99)'],
  );
});

test('markers nested the other way round', () => {
  assert.deepEqual(rows([group('A', group('B', a, b))], [group('B', group('A', a, b))]), [
    '> B',
    '>   A',
    '>     glDrawa(3)',
    '>     glDrawb(3)',
  ]);
});

test('nesting of any depth', () => {
  let deep: Spec = group('deepest', a);
  for (let level = 0; level < 1000; level++) deep = group('deep', deep);
  const found = rows([deep], [deep]);
  assert.equal(found.length, 1002);
  assert.ok(found.every((line) => line.startsWith('=')));
});
