import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { Comparison } from '../../src/model/comparison.ts';
import { type CompareReportOptions, defaultCompareOptions } from '../../src/report/compare/options.ts';
import { compareTable } from '../../src/report/compare/table.ts';
import { displayWidth } from '../../src/report/text.ts';
import { change, comparedNodes, comparison, counts, infos, matched, noTime, withNodes } from './compare-sample.ts';
import { report } from './sample.ts';

const render = (of: Comparison = comparison, options: Partial<CompareReportOptions> = {}) =>
  [...compareTable(of, { ...defaultCompareOptions, ...options })].join('');
/** The lines from the column heads to the first empty one. */
const rowsOf = (text: string) => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /\bname\b.*verdict/.test(line));
  return lines.slice(start, lines.indexOf('', start));
};

const plain = `1 event is slower, 1 is heavier, 1 is new, 1 differs, 1 is gone, 1 has moved; 1 event is undecided

base      before.cap
new       after.cap
renderer  Acme One (egl, OpenGL ES 3.2 Acme 7)
times     durations: the renderer is hardware
matters   a change of 5% of base, 50.0 µs at least; a false verdict in at most 1% of comparisons
runs      24 pairs, by turns in one sitting

frame     9.90 ms → 11.1 ms, +12.1% (+1.18 ms to +1.22 ms), without brackets: slower

event  name       base ms  new ms  change  change ms       interval ms  verdict
────────────────────────────────────────────────────────────────────────────────────────────────
       frame       10.000  11.200  +12.0%     +1.200  +1.180 to +1.220  slower, heavier
    2    scene      9.000  10.200  +13.3%     +1.200  +1.180 to +1.220  slower, heavier
    3      clear    0.250   0.260   +4.0%     +0.010  -0.010 to +0.030  undecided
    5      floor    8.000   9.000  +12.5%     +1.000  +0.980 to +1.020  slower, heavier, differs
    6      lamp         –   0.200                                       new
  (7)      decal    0.150       –                                       gone
    9    sprite     0.500   0.501   +0.2%     +0.001  -0.019 to +0.021  moved

undecided: the time budget ended (1 event)
(n) event of the base's numbering
moved: scene/sprite is now sprite
7 of 8 rows shown

statistics

                                                    Any
                                                Samples
event  name                    PS Invocations    Passed
───────────────────────────────────────────────────────
       frame      614,400 → 921,700  +307,300       yes
    2    scene    307,200 → 614,500  +307,300       yes
    3      clear
    5      floor  307,200 → 614,400  +307,200  no → yes
    6      lamp                 100
  (7)      decal
    9    sprite             307,200

memory

                    Texture Bytes
event  name                   MiB
─────────────────────────────────
       frame      4.0 → 8.0  +4.0
    2    scene
    3      clear
    5      floor  4.0 → 8.0  +4.0
    6      lamp
  (7)      decal
    9    sprite

intel/Basic

event  name              EU Active %
────────────────────────────────────
       frame      40.0 → 40.3  ?+0.3
    2    scene
    3      clear
    5      floor  30.0 → 30.3  ?+0.3
    6      lamp
  (7)      decal
    9    sprite

? EU Active is not judged: it varies from run to run

warning   the sides could not be kept on one core
`;

test('without a terminal: the whole table, without colour', () => {
  assert.equal(render(), plain);
  assert.equal(render(comparison, { width: 120 }), plain);
});

test('60 columns keep the event, the change and the verdict', () => {
  const text = render(comparison, { width: 60 });
  assert.deepEqual(rowsOf(text), [
    'name       new ms  change  verdict',
    '───────────────────────────────────────────────────',
    'frame      11.200  +12.0%  slower, heavier',
    '  scene    10.200  +13.3%  slower, heavier',
    '    clear   0.260   +4.0%  undecided',
    '    floor   9.000  +12.5%  slower, heavier, differs',
    '    lamp    0.200          new',
    '    decal       –          gone',
    '  sprite    0.501   +0.2%  moved',
  ]);
  assert.ok(
    text.startsWith(
      '1 event is slower, 1 is heavier, 1 is new, 1 differs, 1 is\ngone, 1 has moved; 1 event is undecided\n',
    ),
  );
});

test('40 columns keep whole names: verdicts give way', () => {
  assert.deepEqual(rowsOf(render(comparison, { width: 40 })), [
    'name       new ms  change  verdict',
    '────────────────────────────────────',
    'frame      11.200  +12.0%  slower …',
    '  scene    10.200  +13.3%  slower …',
    '    clear   0.260   +4.0%  undecided',
    '    floor   9.000  +12.5%  slower …',
    '    lamp    0.200          new',
    '    decal       –          gone',
    '  sprite    0.501   +0.2%  moved',
  ]);
});

test('colour changes nothing but colour, and stands where the change is, not above it', () => {
  const text = render(comparison, { color: true });
  assert.equal(stripVTControlCharacters(text), plain);
  const verdicts = text.replaceAll('\u001b', '^').matchAll(/\^\[(\d+)m(slower, heavier(?:, differs)?|gone|moved)\^/g);
  assert.deepEqual(
    Array.from(verdicts, ([, color, verdict]) => [color, verdict]),
    [
      ['2', 'slower, heavier'],
      ['2', 'slower, heavier'],
      ['31', 'slower, heavier, differs'],
      ['32', 'gone'],
      ['33', 'moved'],
    ],
  );
});

test('all rows, or the largest changes', () => {
  assert.equal(rowsOf(render(comparison, { all: true })).length, 2 + comparedNodes.length);
  assert.deepEqual(rowsOf(render(comparison, { top: 2, unit: 'us' })), [
    'event  name         base µs   new µs  change  change µs          interval µs  verdict',
    '──────────────────────────────────────────────────────────────────────────────────────────────────────',
    '    5  scene/floor  8000.00  9000.00  +12.5%   +1000.00  +980.00 to +1020.00  slower, heavier, differs',
    '    6  scene/lamp         –   200.00                                          new',
  ]);
});

test('where medians differ otherwise than runs side by side, a note says which of them verdicts rest on', () => {
  const note = /^verdicts rest on the change and its interval, .* can differ otherwise$/m;
  assert.doesNotMatch(render(), note);
  const drifted = [change(1e6, 1.3e6, { newNs: 0.99e6 }), change(2e6, 2.5e6, { newNs: 1.9e6 })];
  const nodes = [matched('', null, noTime, { kind: 'frame', depth: 0, parent: -1, isLeaf: false })];
  const text = render(withNodes([...nodes, ...drifted.map((time, at) => matched(`event ${at}`, at + 1, time))]));
  assert.equal(text.match(new RegExp(note.source, 'gm'))?.length, 1);
});

test('resources are no rows, and stand below the events', () => {
  const size = { class: 'buffer', id: 3, name: 'buffer 3', size: null } as const;
  const resources = [{ base: null, new: { ...size, sizeBytes: 512 }, deltaBytes: 512 }];
  const text = render(withNodes([], { resources }));
  assert.match(text, /^1 resource is new\n[\s\S]*\n\nbuffer 3 is new \(512 B\)\n$/);
});

test('where times are not compared, none are judged', () => {
  const reason = { metric: null, why: 'the renderers differ' } as const;
  const nodes = [
    matched('', null, noTime, { kind: 'frame', depth: 0, parent: -1, isLeaf: false }),
    matched('a', 1, noTime, { counters: { [infos[0].id]: counts(1, 2) } }),
  ];
  const environment = { ...report.environment, renderer: 'llvmpipe', software: true, softwareThreads: 0 };
  const text = render(
    withNodes(nodes, {
      settings: { ...comparison.settings, ...reason },
      new: { ...comparison.new, label: 'new', environment, env: { A: '1' } },
    }),
  );
  assert.equal(
    text,
    `1 event is heavier

base      before.cap
new       new (after.cap), with A=1
renderer  base: Acme One (egl, OpenGL ES 3.2 Acme 7)
          new: llvmpipe, no worker threads (egl, OpenGL ES 3.2 Acme 7)
times     not compared: the renderers differ

event  name   verdict
─────────────────────
       frame  –
    1    a    heavier

statistics

                       PS
event  name   Invocations
─────────────────────────
       frame
    1    a      1 → 2  +1
`,
  );
});

test('what separate sittings say has no rate, and what a label says is said once', () => {
  const label = 'after.cap (A=1)';
  const text = render({
    ...comparison,
    new: { ...comparison.new, label, env: { A: '1', B: '2' } },
    settings: { ...comparison.settings, interleaved: false },
  });
  const [, base, next] = text.match(/^base {6}(.*)\nnew {7}(.*)$/m) ?? [];
  assert.deepEqual([base, next], ['before.cap', 'after.cap (A=1), with B=2']);
  assert.match(
    text,
    /^matters {3}a change of 5% of base, 50\.0 µs at least; separate sittings differ by themselves, so that verdicts can be false at any rate$/m,
  );
});

test('nothing changed: the sentence, and no table', () => {
  const same = withNodes([matched('', null, change(1e6, 1e6), { kind: 'frame', depth: 0, parent: -1 })]);
  const text = render({ ...same, settings: { ...same.settings, interleaved: false, pairs: 5, metric: 'cpu' } });
  assert.ok(text.startsWith('nothing changed\n\nbase '));
  assert.ok(text.endsWith('\nruns      5 of each side, not by turns\n\n\n0 of 1 rows shown\n'), text);
});

const hostile = [
  '日本語'.repeat(30),
  'x'.repeat(5000),
  'a\u001b[2J\r\nb\u202e',
  '::error::boo',
  '##[error]boo',
  '##vso[task.complete]',
  '',
  '\u0301'.repeat(900),
];

test('no line goes over the width, moves the cursor, or is a command to a CI runner, whatever the names', () => {
  const nodes = [
    comparedNodes[0],
    ...hostile.map((path, index) =>
      matched(path, index, change(1e6, 2e6), { counters: { [infos[0].id]: counts(2n ** 63n, 2n ** 64n) } }),
    ),
  ];
  const of = withNodes(nodes, {
    warnings: hostile.map((message) => ({ code: 'x', message })),
    base: { ...comparison.base, label: hostile.join(' ') },
  });
  for (const width of [40, 60, 80, 120])
    for (const line of render(of, { width }).split('\n')) {
      assert.ok(displayWidth(line) <= width, `${width}: ${displayWidth(line)} ${line}`);
      assert.doesNotMatch(line, /[\p{Cc}\u202e]|^\s*::|##\w*\[/u);
    }
});

test('10,000 events', () => {
  const nodes = [
    matched('', null, change(1e9, 1.1e9), { kind: 'frame', depth: 0, parent: -1, isLeaf: false }),
    ...Array.from({ length: 10_000 }, (_, index) =>
      matched(`draw ${index}`, index, change(1e5, 2e5), { counters: { [infos[0].id]: counts(index, index + 1) } }),
    ),
  ];
  const text = render(withNodes(nodes), { width: 100 });
  assert.match(text, /^10000 events are slower, 10000 are heavier\n/);
  assert.equal(text.match(/^ *\d+ {4}draw \d+ /gm)?.length, 20_000);
});
