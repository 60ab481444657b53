import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison } from '../../src/model/comparison.ts';
import { compareCsv } from '../../src/report/compare/csv.ts';
import { compareMarkdown } from '../../src/report/compare/markdown.ts';
import { type CompareReportOptions, defaultCompareOptions } from '../../src/report/compare/options.ts';
import { change, comparison, counts, infos, matched, noTime, withNodes } from './compare-sample.ts';

const csv = (of: Comparison = comparison, options: Partial<CompareReportOptions> = {}) =>
  [...compareCsv(of, { ...defaultCompareOptions, ...options })].join('');
const markdown = (of: Comparison = comparison, options: Partial<CompareReportOptions> = {}) =>
  [...compareMarkdown(of, { ...defaultCompareOptions, ...options })].join('');

test('CSV: a row an event, every number plain, units in the heads', () => {
  const small = { ...comparison, counters: infos.slice(0, 2) };
  assert.deepEqual(csv(small).split('\r\n'), [
    'baseFrame,newFrame,match,baseEventId,newEventId,depth,leaf,kind,name,basePath,newPath,baseDraws,newDraws,metric,' +
      'baseNs,newNs,deltaNs,lowNs,highNs,thresholdNs,change,verdict,reason,changes,' +
      'statistics/PS Invocations base,statistics/PS Invocations new,statistics/PS Invocations delta,statistics/PS Invocations verdict,' +
      'statistics/Any Samples Passed base,statistics/Any Samples Passed new,statistics/Any Samples Passed delta,statistics/Any Samples Passed verdict',
    '1,1,matched,,,0,0,frame,frame,,,4,4,duration,10000000,11200000,1200000,1180000,1220000,500000,0.12,slower,,,614400,921700,307300,more,true,true,,same',
    '1,1,matched,2,2,1,0,marker,scene,scene,scene,3,3,duration,9000000,10200000,1200000,1180000,1220000,450000,0.133333,slower,,,307200,614500,307300,more,true,true,,same',
    '1,1,matched,3,3,2,1,clear,clear,scene/clear,scene/clear,1,1,duration,250000,260000,10000,-10000,30000,50000,0.04,undecided,the time budget ended,,,,,,,,,',
    '1,1,matched,5,5,2,1,draw,floor,scene/floor,scene/floor,1,1,duration,8000000,9000000,1000000,980000,1020000,400000,0.125,slower,,,307200,614400,307200,more,false,true,,differs',
    '1,1,new,,6,2,1,draw,lamp,,scene/lamp,,1,duration,,200000,,,,,,,,,,100,,unknown,,,,',
    '1,1,gone,7,,2,1,draw,decal,scene/decal,,1,,duration,150000,,,,,,,,,,,,,,,,,',
    '1,1,moved,8,9,1,1,draw,sprite,scene/sprite,sprite,1,1,duration,500000,501000,1000,-19000,21000,50000,0.002,same,,,307200,307200,0,same,,,,',
    '',
  ]);
});

test('CSV: all events or the largest changes, big whole numbers, nothing that runs', () => {
  const paths = (text: string) => text.split('\r\n').map((row) => row.split(',')[10]);
  assert.deepEqual(paths(csv(comparison, { top: 2 })), ['newPath', 'scene/floor', 'scene/lamp', undefined]);
  assert.equal(csv(comparison, { all: true }).split('\r\n').length, 10);
  const parts = { counters: { [infos[0].id]: counts(2n ** 64n - 2n, 2n ** 64n - 1n) } };
  const [, row] = csv(withNodes([matched('=1+1\u001b\n', 1, change(1e6, 2e6), { ...parts, parent: -1 })])).split(
    '\r\n',
  );
  assert.match(row, /,'=1\+1␛␊,.*,18446744073709551614,18446744073709551615,1,more,/);
});

test('another program or state: told in each format', () => {
  const changes = [
    { what: 'program', base: '0123456789abcdef', new: 'fedcba9876543210' },
    { what: 'depth write', base: 'on', new: 'off|' },
  ];
  const of = withNodes([
    matched('', null, noTime, { kind: 'frame', depth: 0, parent: -1, isLeaf: false }),
    matched('sky', 1, noTime, { changes }),
    matched('sea', 2, noTime, { changes }),
  ]);
  const words = 'program 01234567 → fedcba98, depth write on → off|';
  assert.deepEqual(
    csv({ ...of, counters: [] })
      .split('\r\n')
      .slice(2)
      .map((row) => row.split(/,(?=")/)[1]),
    [`"${words}"`, `"${words}"`, undefined],
  );
  const text = markdown(of);
  assert.match(text, /^\*\*2 events have another name, program or state\*\*$/m);
  assert.match(text, /^- sky has changed: program .*, depth write on → off&#124;; the same of 1 more event$/m);
  assert.match(text, /^changed: program 01234567 → fedcba98, depth write on → off&#124; \(sky and 1 more\)$/m);
});

test('Markdown: the sentences first, then the tables, then how', () => {
  const text = markdown({ ...comparison, counters: infos.slice(0, 2) });
  assert.equal(
    text,
    `### before.cap → after.cap

**1 event is slower, 1 is heavier, 1 is new, 1 differs, 1 is gone, 1 has moved; 1 event is undecided**

- **scene/floor is 12.5% slower: 8.00 ms before, 9.00 ms now (+1.00 ms, between +980 µs and +1.02 ms)**
- **scene/floor is heavier: PS Invocations 307,200 → 614,400 (+307,200, +100.0%)**
- **scene/lamp is new (draw, 200 µs)**
- scene/floor differs: Any Samples Passed no → yes
- scene/decal is gone (draw, 150 µs)
- sprite has moved, it was scene/sprite
- scene/clear is undecided, 250 µs before, 260 µs now (+10.0 µs, between -10.0 µs and +30.0 µs): the time budget ended

**frame** 9.90 ms → 11.1 ms, +12.1% (+1.18 ms to +1.22 ms), without brackets: slower

| event | name | base ms | new ms | change | change ms | interval ms | verdict |
| ---: | :--- | ---: | ---: | ---: | ---: | ---: | :--- |
|  | frame | 10.000 | 11.200 | +12.0% | +1.200 | +1.180 to +1.220 | slower, heavier |
| 2 | &emsp;scene | 9.000 | 10.200 | +13.3% | +1.200 | +1.180 to +1.220 | slower, heavier |
| 3 | &emsp;&emsp;clear | 0.250 | 0.260 | +4.0% | +0.010 | -0.010 to +0.030 | undecided |
| 5 | &emsp;&emsp;floor | 8.000 | 9.000 | +12.5% | +1.000 | +0.980 to +1.020 | slower, heavier, differs |
| 6 | &emsp;&emsp;lamp | – | 0.200 |  |  |  | new |
| (7) | &emsp;&emsp;decal | 0.150 | – |  |  |  | gone |
| 9 | &emsp;sprite | 0.500 | 0.501 | +0.2% | +0.001 | -0.019 to +0.021 | moved |

undecided: the time budget ended (1 event)

(n) event of the base's numbering

moved: scene/sprite is now sprite

7 of 8 rows shown

**statistics**

| event | name | PS Invocations | Any Samples Passed |
| ---: | :--- | ---: | ---: |
|  | frame | 614,400 → 921,700 (+307,300) | yes |
| 2 | &emsp;scene | 307,200 → 614,500 (+307,300) | yes |
| 3 | &emsp;&emsp;clear |  |  |
| 5 | &emsp;&emsp;floor | 307,200 → 614,400 (+307,200) | no → yes |
| 6 | &emsp;&emsp;lamp | 100 |  |
| (7) | &emsp;&emsp;decal |  |  |
| 9 | &emsp;sprite | 307,200 |  |

> **warning** the sides could not be kept on one core

<details><summary>How this was compared</summary>

- **base** before.cap
- **new** after.cap
- **renderer** Acme One (egl, OpenGL ES 3.2 Acme 7)
- **times** durations: the renderer is hardware
- **matters** a change of 5% of base, 50.0 µs at least; a false verdict in at most 1% of comparisons
- **runs** 24 pairs, by turns in one sitting

</details>
`,
  );
});

test('Markdown: names are text, and 10,000 of them keep to what GitHub takes', () => {
  const names = ['a|b', '# c', '@user', '<img src=x>', '</details>', '`d`'];
  const text = markdown(withNodes(names.map((name) => matched(name, 1, change(2e6, 1e6), { parent: -1, depth: 0 }))));
  assert.doesNotMatch(text, /^#+ c|a\|b|- # c|@user|<img|`d`/m);
  assert.equal(text.match(/<\/details>/g)?.length, 1);
  const many = Array.from({ length: 10_000 }, (_, index) =>
    matched(`draw ${index}`, index, change(1e6, 2e6), { parent: -1, depth: 0 }),
  );
  const long = markdown(withNodes(many));
  assert.ok(long.length < 65_536);
  assert.match(long, /^- and 9990 more$/m);
  assert.match(long, /^\d+ more rows would make this longer than GitHub takes/m);
});
