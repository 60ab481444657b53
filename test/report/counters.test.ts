import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { csv } from '../../src/report/csv.ts';
import { json } from '../../src/report/json.ts';
import { markdown } from '../../src/report/markdown.ts';
import { defaultOptions, type ReportOptions } from '../../src/report/options.ts';
import { table } from '../../src/report/table.ts';
import { displayWidth } from '../../src/report/text.ts';
import { cell, counter, counterReport, setOf, withSet } from './counter-sample.ts';
import { nodes, report } from './sample.ts';

type Format = typeof table;
const render = (format: Format, of = counterReport, options: Partial<ReportOptions> = {}) =>
  [...format(of, { ...defaultOptions, ...options })].join('');
/** What the counters add to a text, up to the warnings. */
const added = (text: string, from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));

const plain = `statistics
1 replay pass × 2 runs, measured on OpenGL 4.5 llvmpipe through egl

                                              Any    Clipping
                                          Samples       Input
event  name               PS Invocations   Passed  Primitives
─────────────────────────────────────────────────────────────
       frame      ?9,007,199,254,740,993      yes          36
    2    shadow                  307,200      yes          12
    4      cube                  307,200      yes          12
    6    scene    ?9,007,199,254,433,793      yes          24
    7      clear                       0       no           0
    9      floor   9,007,199,254,433,000      yes          12
   12      lamp                     ?793       no          12
   15      sky                    failed       no           0

failed: busy
? questionable: some of its leaves have no value: busy
? questionable: runs differ: 790 to 793

intel/Render Basic
2 replay passes × 2 runs, with the work of the machine's other programs in it

                  GPU Time      EU    GTI Read
                   Elapsed  Active  Throughput      Begin
event  name             ms       %         MiB      ticks
─────────────────────────────────────────────────────────
       frame        10.100    40.3         2.5          –
    2    shadow      1.600   100.0        <0.1          –
    4      cube      1.600   100.0        <0.1  1,000,000
    6    scene       8.500    28.9         2.5          –
    7      clear     0.250     0.0         0.0  1,000,001
    9      floor     8.200    30.0         2.5  1,000,002
   12      lamp      0.050     0.5         0.0  1,000,003
   15      sky       0.000     0.0         0.0  1,000,004

amd/TA

failed: the group is busy

derived
worked out from times and counters

                    ns per
event  name       fragment
──────────────────────────
       frame       0.00111
    2    shadow       4.88
    4      cube       4.88
    6    scene    0.000940
    7      clear         –
    9      floor  0.000920
   12      lamp      0.630
   15      sky           –
`;

test('a table for each set below the times, at the width of a terminal and without one', () => {
  for (const width of [80, null])
    assert.equal(added(render(table, counterReport, { width }), 'statistics\n', '\nwarning'), plain);
});

test('the time table stays as it is', () => {
  const times = render(table, { ...report, warnings: [] });
  assert.ok(render(table).startsWith(times));
});

test('where the terminal is too narrow the set goes on in further blocks, and no counter is dropped', () => {
  const text = render(table, counterReport, { width: 44 });
  assert.equal(
    added(text, 'intel/Render Basic\n', '\namd/TA'),
    `intel/Render Basic
2 replay passes × 2 runs, with the work of
the machine's other programs in it

                  GPU Time      EU
                   Elapsed  Active
event  name             ms       %
──────────────────────────────────
       frame        10.100    40.3
    2    shadow      1.600   100.0
    4      cube      1.600   100.0
    6    scene       8.500    28.9
    7      clear     0.250     0.0
    9      floor     8.200    30.0
   12      lamp      0.050     0.5
   15      sky       0.000     0.0

                    GTI Read
                  Throughput      Begin
event  name              MiB      ticks
───────────────────────────────────────
       frame             2.5          –
    2    shadow         <0.1          –
    4      cube         <0.1  1,000,000
    6    scene           2.5          –
    7      clear         0.0  1,000,001
    9      floor         2.5  1,000,002
   12      lamp          0.0  1,000,003
   15      sky           0.0  1,000,004
`,
  );
});

test('colour changes no text of the counters', () => {
  const colored = render(table, counterReport, { color: true, width: 80 });
  assert.ok(colored.includes('\u001b[33m?793\u001b[39m'));
  assert.ok(colored.includes('\u001b[31mfailed\u001b[39m'));
  assert.equal(stripVTControlCharacters(colored).replaceAll(/ +$/gm, ''), render(table, counterReport, { width: 80 }));
});

test('a pull request shows the counters below the times', () => {
  assert.equal(
    added(render(markdown), '**statistics**', '> **warning'),
    `**statistics**: 1 replay pass × 2 runs, measured on OpenGL 4.5 llvmpipe through egl

| event | name | PS Invocations | Any Samples Passed | Clipping Input Primitives |
| ---: | :--- | ---: | ---: | ---: |
|  | frame | ?9,007,199,254,740,993 | yes | 36 |
| 2 | &emsp;shadow | 307,200 | yes | 12 |
| 4 | &emsp;&emsp;cube | 307,200 | yes | 12 |
| 6 | &emsp;scene | ?9,007,199,254,433,793 | yes | 24 |
| 7 | &emsp;&emsp;clear | 0 | no | 0 |
| 9 | &emsp;&emsp;floor | 9,007,199,254,433,000 | yes | 12 |
| 12 | &emsp;&emsp;lamp | ?793 | no | 12 |
| 15 | &emsp;&emsp;sky | failed | no | 0 |

failed: busy

? questionable: some of its leaves have no value: busy

? questionable: runs differ: 790 to 793

**intel/Render Basic**: 2 replay passes × 2 runs, with the work of the machine's other programs in it

| event | name | GPU Time Elapsed ms | EU Active % | GTI Read Throughput MiB | Begin ticks |
| ---: | :--- | ---: | ---: | ---: | ---: |
|  | frame | 10.100 | 40.3 | 2.5 | – |
| 2 | &emsp;shadow | 1.600 | 100.0 | &#60;0.1 | – |
| 4 | &emsp;&emsp;cube | 1.600 | 100.0 | &#60;0.1 | 1,000,000 |
| 6 | &emsp;scene | 8.500 | 28.9 | 2.5 | – |
| 7 | &emsp;&emsp;clear | 0.250 | 0.0 | 0.0 | 1,000,001 |
| 9 | &emsp;&emsp;floor | 8.200 | 30.0 | 2.5 | 1,000,002 |
| 12 | &emsp;&emsp;lamp | 0.050 | 0.5 | 0.0 | 1,000,003 |
| 15 | &emsp;&emsp;sky | 0.000 | 0.0 | 0.0 | 1,000,004 |

**amd/TA**

failed: the group is busy

**derived**: worked out from times and counters

| event | name | ns per fragment |
| ---: | :--- | ---: |
|  | frame | 0.00111 |
| 2 | &emsp;shadow | 4.88 |
| 4 | &emsp;&emsp;cube | 4.88 |
| 6 | &emsp;scene | 0.000940 |
| 7 | &emsp;&emsp;clear | – |
| 9 | &emsp;&emsp;floor | 0.000920 |
| 12 | &emsp;&emsp;lamp | 0.630 |
| 15 | &emsp;&emsp;sky | – |

`,
  );
});

const ids = Object.keys(counterReport.frames[0].nodes[0].counters!);

test('CSV has a column for each counter behind the others: every digit, words for yes and no, nothing for nothing', () => {
  const rows = render(csv).split('\r\n');
  assert.ok(rows[0].endsWith(`,status,reason,${ids.join(',')}`), rows[0]);
  assert.deepEqual(
    rows.slice(1, -1).map((row) => row.split(',').slice(-ids.length).join(',')),
    [
      '9007199254740993,true,36,10100000,40.25,2621440,,,0.00111',
      '307200,true,12,1600000,99.96,1024,,,4.88',
      '307200,true,12,1600000,99.96,1024,1000000,,4.88',
      '9007199254433793,true,24,8500000,28.9,2620416,,,0.00094',
      '0,false,0,250000,0,0,1000001,,',
      '9007199254433000,true,12,8200000,30,2620416,1000002,,0.00092',
      '793,false,12,50000,0.5,0,1000003,,0.63',
      ',false,0,0,0,0,1000004,,',
    ],
  );
});

test('JSON has numbers up to 2^53 - 1, digits as text beyond, booleans, and a reason for each null', () => {
  const parsed = JSON.parse([...json(counterReport)].join(''));
  assert.deepEqual(
    parsed.counters.map(({ id, passes, runs, status }: (typeof parsed.counters)[number]) => [id, passes, runs, status]),
    [
      ['statistics', 1, 2, 'questionable'],
      ['intel/Render Basic', 2, 2, 'ok'],
      ['amd/TA', 1, 0, 'failed'],
      ['derived', 0, 0, 'ok'],
    ],
  );
  assert.deepEqual(parsed.counters[1].counters, counterReport.counters![1].counters);
  const [frame, , cube, , , , lamp, sky] = parsed.frames[0].nodes.map(
    (node: (typeof parsed.frames)[number]) => node.counters,
  );
  assert.deepEqual(frame['statistics/PS Invocations'], {
    value: '9007199254740993',
    samples: ['9007199254740993', '9007199254740993'],
    status: 'questionable',
    reason: 'some of its leaves have no value: busy',
  });
  assert.deepEqual(cube['statistics/PS Invocations'].value, 307_200);
  assert.deepEqual(cube['statistics/Any Samples Passed'].value, true);
  assert.deepEqual(lamp['statistics/PS Invocations'].samples, [793, 790]);
  assert.deepEqual(sky['statistics/PS Invocations'].reason, 'busy');
});

test('a report without counters has no trace of them', () => {
  assert.doesNotMatch(render(json, report), /counters/);
});

test('the rows are those of the time table', () => {
  const text = render(table, counterReport, { top: 2, sort: 'duration' });
  assert.deepEqual(added(text, 'derived\n', '\nwarning').split('\n').slice(-3, -1), [
    '    9  scene/floor  0.000920',
    '    4  shadow/cube      4.88',
  ]);
  assert.equal(render(csv, counterReport, { depth: 1 }).split('\r\n').length, 5);
  assert.equal(render(markdown, counterReport, { filter: 'cube' }).match(/&emsp;cube/g)?.length, 4);
});

test('times of counters follow the unit that was asked for', () => {
  assert.match(render(table, counterReport, { unit: 'us' }), /^ +frame +10100\.00 /m);
});

const evil = 'e\u001b]0;t\u0007\u009b2J\r\n=1+1|`<b>\u202e @me';

test('nothing in the name or unit of a counter, or in a reason, reaches the terminal, a page or a spreadsheet', () => {
  const hostile = counter(`=amd/${evil}`, { unit: evil, set: '=amd' });
  const report = withSet(
    setOf(`=amd/${evil}`, [hostile], { origin: { driver: evil, api: evil, renderer: evil, version: evil } }),
    {
      [hostile.id]: [cell(1, { status: 'questionable', reason: evil }), cell(null, { status: 'failed', reason: evil })],
    },
  );
  for (const width of [null, 40, 80])
    for (const line of render(table, report, { width }).split('\n')) {
      assert.doesNotMatch(line, /[\p{Cc}\u202e]/u);
      assert.ok(displayWidth(line) <= (width ?? Number.POSITIVE_INFINITY), line);
    }
  const page = render(markdown, report);
  assert.doesNotMatch(page, /<b>|@me/);
  for (const line of page.split('\n')) assert.doesNotMatch(line, /[\p{Cc}\u202e]/u);
  assert.equal(
    new Set(
      page
        .match(/^\| .* \|$/gm)
        ?.slice(-9)
        .map((row) => row.split(' | ').length),
    ).size,
    1,
  );
  const [head] = render(csv, report).split('\r\n');
  assert.match(head, /,reason,'=amd\/e␛/);
  assert.doesNotMatch(render(json, report).replaceAll('\n', ''), /[\p{Cc}\u202e]/u);
});

test('negative values stay numbers in CSV', () => {
  const one = counter('s/n', { dataType: 'f64' });
  const rows = render(csv, withSet(setOf('s', [one]), { 's/n': [cell(-1.5), cell(1e-7), cell(2n ** 64n)] })).split(
    '\r\n',
  );
  assert.deepEqual(
    rows.slice(1, 4).map((row) => row.split(',').at(-1)),
    ['-1.5', '1e-7', '18446744073709551616'],
  );
});

test('no line goes over the width of the terminal, however narrow, and every counter is there', () => {
  const names = ['日本語'.repeat(20), 'x'.repeat(300), 'EU Both FPU Pipes Active in All Slices', '', 'a'];
  const counters = names.map((name, index) => counter(`s/${index}`, { name, unit: 'threads per 💡'.repeat(3) }));
  const cells = Object.fromEntries(
    counters.map(({ id }) => [id, [cell(2n ** 64n - 1n, { status: 'questionable', reason: 'r' })]]),
  );
  const wide = withSet(setOf('s'.repeat(200), counters), cells);
  for (const width of [40, 60, 80, 120]) {
    const text = render(table, wide, { width });
    for (const line of text.split('\n'))
      assert.ok(displayWidth(line) <= width, `${displayWidth(line)} > ${width}: ${line}`);
    assert.equal(text.match(/\?18,446,744,073,709,551,615/g)?.length, counters.length * nodes.length, `width ${width}`);
  }
});

test('reasons are told once each, and not more than five', () => {
  const one = counter('s/n');
  const cells = nodes.map((_, index) => cell(1, { status: 'questionable', reason: `reason ${index}` }));
  const text = render(table, withSet(setOf('s', [one]), { 's/n': cells }));
  assert.equal(text.match(/^\? questionable: reason/gm)?.length, 5);
  assert.match(text, /^3 more reasons in the JSON report$/m);
});

test('a page too long for a comment says what it leaves out', () => {
  const counters = Array.from({ length: 2000 }, (_, index) => counter(`s/counter ${index}`));
  const cells = Object.fromEntries(counters.map(({ id }) => [id, [cell(1)]]));
  const text = render(markdown, withSet(setOf('s', counters), cells));
  assert.ok(text.length < 65_536);
  assert.match(text, /would make this longer than GitHub takes/);
});

test('a set that was asked for and is not to be had here says why, in a table without columns', () => {
  const lost = setOf('amd', [], {
    source: 'amd',
    origin: null,
    passes: 0,
    runs: 0,
    status: 'failed',
    reason: 'no such extension',
  });
  const text = render(table, withSet(lost, {}));
  assert.equal(added(text, 'amd\n', '\nwarning'), 'amd\n\nfailed: no such extension\n');
  assert.match(render(markdown, withSet(lost, {})), /^\*\*amd\*\*\n\nfailed: no such extension$/m);
});
