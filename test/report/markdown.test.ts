import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown } from '../../src/report/markdown.ts';
import { escapeMarkdown } from '../../src/report/markdown-lines.ts';
import { defaultOptions, type ReportOptions } from '../../src/report/options.ts';
import { node, report, softwareReport, withNodes } from './sample.ts';

const render = (of = report, options: Partial<ReportOptions> = {}) =>
  [...markdown(of, { ...defaultOptions, ...options })].join('');

test('a comment for a pull request', () => {
  assert.equal(
    render(),
    `### scene.cap

- **runs** 5 after 2 warm-ups, 1 measured again
- **floor** 1.00 µs ± 10 ns, what an empty bracket reads
- **frame** 9.90 ms ± 99.0 µs, without brackets
- **leaves** 10.0 ms in sum; with brackets the frame takes 1.02 times as long

| event | name | kind | draws | time ms | ± ms | share |
| ---: | :--- | :--- | ---: | ---: | ---: | ---: |
|  | frame | frame | 4 | 10.000 | 0.100 | 100.0% |
| 2 | &emsp;shadow | marker | 1 | 1.500 | 0.015 | 15.0% |
| 4 | &emsp;&emsp;cube | draw | 1 | 1.500 | 0.015 | 15.0% |
| 6 | &emsp;scene | marker | 3 | 8.500 | 0.085 | 85.0% |
| 7 | &emsp;&emsp;clear | clear |  | 0.250 | 0.003 | 2.5% |
| 9 | &emsp;&emsp;floor | draw | 1 | 8.249 | 0.082 | 82.5% |
| 12 | &emsp;&emsp;lamp | draw | 1 | &#60;0.001 |  |  |
| 15 | &emsp;&emsp;sky | draw | 1 | failed |  | – |

&#60; too short to tell from the bracket's own cost (under twice the floor)

event 15 failed: its queries gave no result in any run

> **warning** frame 1: 1 of 5 leaves could not be measured

<details><summary>How this was measured</summary>

- **capture** scene.cap (webgl2, canvas 640×480, 1 frame)
- **renderer** Acme One
- **driver** egl, OpenGL ES 3.2 Acme 7
- **timer** elapsed, chosen: it reads 100% of the host clock
  - timestamp reads 0.9% of the host clock

</details>
`,
  );
});

test('CPU times have a column where there are any', () => {
  assert.match(
    render(softwareReport),
    /^\| 4 \| &emsp;&emsp;cube \| draw \| 1 \| 1\.500 \| 0\.015 \| 0\.750 \| 15\.0% \|$/m,
  );
});

test('nothing in a name works as markup, link, mention or cell border', () => {
  assert.equal(escapeMarkdown('a|b`c`<img>&amp;'), 'a&#124;b&#96;c&#96;&#60;img&#62;&#38;amp;');
  assert.equal(
    escapeMarkdown('*a* _b_ ~c~ [d](e) \\f $g$'),
    '&#42;a&#42; &#95;b&#95; &#126;c&#126; &#91;d&#93;(e) &#92;f &#36;g&#36;',
  );
  assert.equal(escapeMarkdown('@user #12 https://x www.x'), '@<!-- -->user #<!-- -->12 https&#58;//x w<!-- -->ww.x');
  assert.equal(escapeMarkdown('a\nb\u001b[0m'), 'a␊b␛&#91;0m');
});

test('a table too long for a comment ends with how many rows are left out', () => {
  const text = render(
    withNodes(Array.from({ length: 10_000 }, (_, index) => node({ name: `draw ${index}`, depth: 0 }, 5))),
  );
  assert.ok(text.length < 65_536);
  const rows = text.match(/^\| 1 \| draw/gm)?.length ?? 0;
  assert.ok(rows > 1000);
  assert.match(text, new RegExp(`^${10_000 - rows} more rows would make this longer than GitHub takes`, 'm'));
});
