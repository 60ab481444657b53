import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { defaultOptions, type ReportOptions } from '../../src/report/options.ts';
import { table } from '../../src/report/table.ts';
import { displayWidth } from '../../src/report/text.ts';
import { around, frame, node, nodes, report, softwareReport, withNodes } from './sample.ts';

const render = (of = report, options: Partial<ReportOptions> = {}) =>
  [...table(of, { ...defaultOptions, ...options })].join('');
/** The lines from the column heads to the first empty one. */
const rowsOf = (text: string) => {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /\bname\b.*(time|raw) /.test(line));
  return lines.slice(start, lines.indexOf('', start));
};

const plain = `capture   scene.cap (webgl2, canvas 640×480, 1 frame)
renderer  Acme One
driver    egl, OpenGL ES 3.2 Acme 7
timer     elapsed, chosen: it reads 100% of the host clock
          timestamp reads 0.9% of the host clock

runs      5 after 2 warm-ups, 1 measured again
floor     1.00 µs ± 10 ns, what an empty bracket reads
frame     9.90 ms ± 99.0 µs, without brackets
leaves    10.0 ms in sum; with brackets the frame takes 1.02 times as long

event  name       kind    draws  time ms   ± ms   share
───────────────────────────────────────────────────────────────────
       frame      frame       4   10.000  0.100  100.0%  ██████████
    2    shadow   marker      1    1.500  0.015   15.0%  █▌
    4      cube   draw        1    1.500  0.015   15.0%  █▌
    6    scene    marker      3    8.500  0.085   85.0%  ████████▌
    7      clear  clear            0.250  0.003    2.5%  ▎
    9      floor  draw        1    8.249  0.082   82.5%  ████████▎
   12      lamp   draw        1   <0.001
   15      sky    draw        1   failed              –

< too short to tell from the bracket's own cost (under twice the floor)
event 15 failed: its queries gave no result in any run

warning   frame 1: 1 of 5 leaves could not be measured
`;

test('without a terminal: the whole table, without colour', () => {
  assert.equal(render(), plain);
});

test('a terminal that is wide enough changes nothing', () => {
  assert.equal(render(report, { width: 80 }), plain);
  assert.equal(render(report, { width: 120 }), plain);
});

test('CPU times stand beside the durations, and the spread follows the metric', () => {
  assert.deepEqual(rowsOf(render(softwareReport, { depth: 1 })), [
    'event  name      kind    draws  time ms   ± ms  cpu ms   share',
    '──────────────────────────────────────────────────────────────────────────',
    '       frame     frame       4   10.000  0.100   5.000  100.0%  ██████████',
    '    2    shadow  marker      1    1.500  0.015   0.750   15.0%  █▌',
    '    6    scene   marker      3    8.500  0.085   4.250   85.0%  ████████▌',
  ]);
  assert.deepEqual(rowsOf(render(softwareReport, { depth: 1, metric: 'cpu' })).slice(0, 3), [
    'event  name      kind    draws  time ms  cpu ms  cpu ± ms   share',
    '─────────────────────────────────────────────────────────────────────────────',
    '       frame     frame       4   10.000   5.000     0.050  100.0%  ██████████',
  ]);
});

test('the renderer line says how software draws', () => {
  assert.match(render(softwareReport), /^renderer {2}llvmpipe, on the CPU with no worker threads$/m);
});

test('a chosen unit holds for every row', () => {
  const rows = rowsOf(render(report, { unit: 'us', top: 2, sort: 'duration' }));
  assert.deepEqual(rows, [
    'event  name         kind  draws  time µs   ± µs  share',
    '──────────────────────────────────────────────────────────────────',
    '    9  scene/floor  draw      1  8249.50  82.50  82.5%  ████████▎',
    '    4  shadow/cube  draw      1  1500.00  15.00  15.0%  █▌',
  ]);
});

test('raw readings keep the floor and mark what is below resolution', () => {
  const text = render(report, { raw: true, filter: 'lamp', unit: 'us' });
  assert.deepEqual(rowsOf(text), [
    'event  name      kind    draws    raw µs    ± µs   share',
    '────────────────────────────────────────────────────────────────────',
    '       frame     frame       4  10001.00  100.01  100.0%  ██████████',
    '    6    scene   marker      3   8501.00   85.01   85.0%  ████████▌',
    '   12      lamp  draw        1     ~1.50    0.01    0.0%  ▏',
  ]);
  assert.match(text, /^~ below resolution: reads less than twice the floor of its brackets$/m);
  assert.match(text, /^3 of 8 rows shown$/m);
});

test('questionable rows carry a mark that is explained', () => {
  const doubtful = node({ name: 'a', depth: 0, status: 'questionable', reason: 'the sum exceeds the frame' }, 2e6);
  const text = render(withNodes([doubtful]));
  assert.match(text, / \?2\.000 /);
  assert.match(text, /^\? questionable: the sum exceeds the frame$/m);
});

test('no line goes over the width of the terminal, however narrow and whatever the names', () => {
  const hostile = [
    '日本語'.repeat(30),
    '🙂'.repeat(60),
    'x'.repeat(5000),
    'a\u001b[2J\r\nb\u202e',
    '',
    '\u0301'.repeat(900),
  ];
  const list = hostile.map((name, depth) => ({ ...node({ name, depth }, 5e6), cpuNs: around(5e6) }));
  const deep = node({ name: 'deep', depth: 80 }, 5e6);
  for (const width of [40, 60, 80, 120, 200])
    for (const line of render({ ...softwareReport, frames: [{ ...frame, nodes: [...list, deep] }] }, { width }).split(
      '\n',
    ))
      assert.ok(displayWidth(line) <= width, `${displayWidth(line)} > ${width}: ${line}`);
});

test('no control character of a name, a path or a driver reaches the terminal', () => {
  const evil = 'e\u001b]0;title\u0007\u009b2J\nvil';
  const list = [node({ name: evil, path: evil, depth: 0, status: 'failed', reason: evil }, null)];
  const hostile = {
    ...withNodes(list),
    capture: { ...report.capture, file: evil },
    environment: { ...report.environment, renderer: evil, version: evil },
    settings: { ...report.settings, why: evil },
    warnings: [{ code: 'x', message: evil }],
  };
  for (const top of [null, 1])
    for (const line of render(hostile, { top }).split('\n')) assert.doesNotMatch(line, /\p{Cc}/u);
});

test('colour adds escape sequences and changes no text', () => {
  const colored = render(report, { color: true, width: 80 });
  assert.ok(colored.includes('\u001b[1m10.000\u001b[22m'));
  assert.ok(colored.includes('\u001b[31mfailed\u001b[39m'));
  assert.equal(stripVTControlCharacters(colored).replaceAll(/ +$/gm, ''), plain);
});

test('each frame of several has its heading', () => {
  const two = { ...report, capture: { ...report.capture, frames: 2 }, frames: [frame, { ...frame, frame: 2 }] };
  assert.deepEqual(render(two).match(/^Frame .*$/gm), ['Frame 1', 'Frame 2']);
});

test('nothing to show says so', () => {
  assert.match(render(report, { filter: 'nothing like it' }), /^no rows to show\n\n0 of 8 rows shown$/m);
  assert.match(render(withNodes([])), /^no rows to show$/m);
});

test('the verification stands in the header', () => {
  const verification = {
    passed: false,
    message: 'FAILED: 1 of 4 pixels differ',
    pixels: 4,
    differing: 1,
    beyondTolerance: 1,
    maxDifference: 9,
    meanDifference: 1,
    sameRenderer: true,
    tolerance: 0,
    allowedBeyond: 0,
  };
  assert.match(render({ ...report, verification }), /^verify {4}FAILED: 1 of 4 pixels differ$/m);
});

test('a long table keeps its columns', () => {
  const list = [
    nodes[0],
    ...Array.from({ length: 3000 }, (_, index) => node({ name: `draw ${index}`, depth: 1, eventId: index }, 5)),
  ];
  const rows = rowsOf(render(withNodes(list)));
  assert.equal(rows.length, 3003);
  assert.equal(rows[3002], ' 2999    draw 2999  draw       1    0.000  0.000    0.0%  ▏');
});

test('100,000 rows keep their columns', () => {
  const long = Array.from({ length: 100_000 }, (_, index) => node({ name: `draw ${index}`, depth: 0 }, 1000));
  const lines = rowsOf(render(withNodes(long)));
  assert.equal(lines.length, 100_002);
  assert.equal(new Set(lines.slice(2).map((line) => line.indexOf(' draw  '))).size, 1);
});
