import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { GateLevel, GateResult } from '../../src/model/gate.ts';
import { type GateFormatName, gateFormats } from '../../src/report/ci/formats.ts';
import type { GateReportOptions } from '../../src/report/ci/options.ts';
import { displayWidth } from '../../src/report/text.ts';
import { capture, check, result, unopened, withCaptures } from './gate-sample.ts';

const plain: GateReportOptions = { unit: 'auto', width: null, color: false, all: false, annotated: null };
const render = (format: GateFormatName, of: GateResult = result, options: Partial<GateReportOptions> = {}) =>
  [...gateFormats[format](of, { ...plain, ...options })].join('');

const hostile = [
  'x]]></failure>',
  'a|b`c`',
  '::error::d%0A',
  '##[error]e',
  'f\u001b[2Jg\r\n::h',
  '\u202ei',
  '<img>&"\'',
  '@j #1',
  '\ufffe\ud800',
];
const hostileCapture = {
  ...capture,
  name: hostile.join(' '),
  file: hostile.join(','),
  baseline: hostile.join(' '),
  comparison: null,
  checks: hostile.map((text) =>
    check({ path: text, metric: text, unit: text, limit: text, message: text, level: 'fail' }),
  ),
  warnings: hostile.map((message) => ({ code: 'x', message })),
};
const hostileResult = withCaptures([hostileCapture]);

test('table', () => {
  assert.equal(
    render('table'),
    `failed: 1 check fails, 1 warns, 1 is undecided, 1 passes in 2 captures, 1 capture could not be measured (part 1 of 2)

capture   scene (captures/scene.cap)
baseline  baselines/scene.json
renderer  Acme One (OpenGL ES 3.2 Acme 7)
result    failed: 1 check fails, 1 warns, 1 is undecided, 1 passes

level      event  name         metric                        base    value  limit
─────────────────────────────────────────────────────────────────────────────────
fail           5  scene/floor  duration                   8.00 ms  9.00 ms    +5%
warn           5  scene/floor  statistics/PS Invocations  307,200  614,400    +0%
undecided      3  scene/clear  duration                    250 µs   260 µs

fail      scene/floor takes 9.00 ms, 12.5% more than 8.00 ms; at most +5%
warn      scene/floor has 614,400 PS Invocations, 307,200 more than before; at most +0%
undecided scene/clear is undecided: the time budget ended
warning   the sides could not be kept on one core

capture   shadow (captures/shadow.cap)
result    could not measure: no display could be opened
`,
  );
  const many = Array.from({ length: 30 }, (_, index) => check({ level: 'warn', message: `sentence ${index}` }));
  const long = render('table', withCaptures([{ ...capture, checks: many }]));
  assert.match(long, /^warn {6}sentence 19\n {10}and 10 more\nwarning /m);
  assert.match(render('table', result, { all: true }), /^pass +frame 1 +duration +– {2}11\.1 ms {3}12ms$/m);
  for (const line of render('table', hostileResult, { width: 60 }).split('\n')) {
    assert.ok(displayWidth(line) <= 60, line);
    assert.doesNotMatch(line, /[\p{Cc}\u202e]|^\s*::|##\w*\[/u);
  }
  const bytes = check({
    metric: 'memory/Texture Bytes Bound',
    unit: 'bytes',
    limit: '16KB',
    value: 16_384,
    level: 'fail',
  });
  const small = withCaptures([{ ...capture, checks: [bytes, check({ ...bytes, base: 4096, limit: '+1%' })] }]);
  assert.match(
    render('table', small, { width: 60 }),
    /\nlevel {2}name {5}metric {14}base {5}value {2}limit\n─+\nfail {3}frame 1 {2}Texture…s Bound {8}– {2}16,384 B {3}16KB\nfail {3}frame 1 {2}Texture…s Bound {2}4\.0 KiB {2}16\.0 KiB {4}\+1%\n/,
  );
  assert.match(render('table', small), / {2}16,384 B {3}16KB\n/);
  assert.ok(render('table', result, { color: true }).startsWith('\u001b[31mfailed: '));
});

test('a shard that is missing has no file, and what is unmeasured a margin', () => {
  const missing = { ...unopened, name: 'shard 2 of 2', file: '' };
  const unknown = check({ level: 'unmeasured', message: 'the frame: no counter' });
  const table = render('table', withCaptures([missing, { ...capture, checks: [unknown] }]));
  assert.match(table, /^capture {3}shard 2 of 2$/m);
  assert.match(table, /^unmeasured the frame: no counter$/m);
  assert.match(render('github', withCaptures([missing])), /^::error title=gpuprof%3A shard 2 of 2 is unmeasured::/);
  for (const format of ['table', 'json', 'summary', 'comment', 'github'] as const)
    assert.doesNotMatch(render(format, hostileResult), /[\ufffe\uffff]/, format);
});

test('github: annotations, escaped as the runner takes them', () => {
  assert.deepEqual(render('github').split('\n'), [
    '::error file=captures/scene.cap,title=gpuprof%3A scene fails::scene/floor takes 9.00 ms, 12.5%25 more than 8.00 ms; at most +5%25',
    '::error file=captures/shadow.cap,title=gpuprof%3A shadow is unmeasured::no display could be opened',
    '::warning file=captures/scene.cap,title=gpuprof%3A scene warns::scene/floor has 614,400 PS Invocations, 307,200 more than before; at most +0%25',
    '::notice file=captures/scene.cap,title=gpuprof%3A scene is undecided::scene/clear is undecided: the time budget ended',
    'gpuprof gate: failed: 1 check fails, 1 warns, 1 is undecided, 1 passes in 2 captures, 1 capture could not be measured (part 1 of 2)',
    '',
  ]);
});

test('github: files that are not in the repository, and captures that were annotated before', () => {
  const at = (file: string) => render('github', withCaptures([{ ...unopened, file }])).split('::')[1];
  for (const file of ['../a.cap', '/tmp/a.cap', ''])
    assert.equal(at(file), 'error title=gpuprof%3A shadow is unmeasured');
  assert.match(at('..a.cap'), /^error file=\.\.a\.cap,/);
  const missing = { ...unopened, name: 'shard 2 of 2', file: '' };
  assert.deepEqual(render('github', withCaptures([capture, missing]), { annotated: [missing] }).split('\n'), [
    '::error title=gpuprof%3A shard 2 of 2 is unmeasured::no display could be opened',
    'gpuprof gate: failed: 1 check fails, 1 warns, 1 is undecided, 1 passes in 1 capture, 1 shard is missing',
    '',
  ]);
});

test('github: no more than ten of a kind, the last telling how many more', () => {
  const many = (level: GateLevel) =>
    Array.from({ length: 12 }, (_, index) => check({ level, message: `${level} ${index}` }));
  const text = render('github', withCaptures([{ ...capture, checks: [...many('fail'), ...many('warn')] }]));
  assert.equal(text.match(/^::error /gm)?.length, 10);
  assert.equal(text.match(/^::warning /gm)?.length, 10);
  assert.match(text, /^::error title=gpuprof%3A 3 more::3 more like these; .*$/m);
  const ten = render('github', withCaptures([{ ...capture, checks: many('fail').slice(0, 10) }]));
  assert.equal(ten.match(/^::error file=/gm)?.length, 10);
});

test('github: a name gives no commands of its own', () => {
  const lines = render('github', hostileResult).split('\n');
  assert.equal(lines.length, hostile.length + 2);
  for (const line of lines.slice(0, hostile.length)) {
    const [, properties] = /^::error (.*?)::/.exec(line) ?? [];
    assert.match(properties, /^file=[^:,]*,title=[^:,]*$/);
    assert.doesNotMatch(line, /[\p{Cc}\u202e]|%(?!25|2C|3A)/u);
  }
});

const parse = (text: string) => {
  assert.equal(XMLValidator.validate(text), true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'testcase' || name === 'testsuite',
  });
  return parser.parse(text).testsuites;
};

test('junit', () => {
  assert.equal(
    render('junit'),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gpuprof gate" tests="6" failures="1" errors="1" skipped="1" time="12.355">
  <testsuite name="scene" tests="5" failures="1" errors="0" skipped="1" time="12.345">
    <properties>
      <property name="capture" value="captures/scene.cap"/>
      <property name="renderer" value="Acme One"/>
      <property name="version" value="OpenGL ES 3.2 Acme 7"/>
      <property name="baseline" value="baselines/scene.json"/>
    </properties>
    <testcase classname="scene" name="measurement" time="12.345"/>
    <testcase classname="scene" name="frame 1: duration, limit 12ms" time="0.000"/>
    <testcase classname="scene" name="frame 1: scene/floor: duration, limit +5%" time="0.000">
      <failure message="scene/floor takes 9.00 ms, 12.5% more than 8.00 ms; at most +5%" type="gpuprof.failure">scene/floor takes 9.00 ms, 12.5% more than 8.00 ms; at most +5%
base 8.00 ms, value 9.00 ms, limit +5%</failure>
    </testcase>
    <testcase classname="scene" name="frame 1: scene/floor: statistics/PS Invocations, limit +0%" time="0.000">
      <system-out>warning: scene/floor has 614,400 PS Invocations, 307,200 more than before; at most +0%</system-out>
    </testcase>
    <testcase classname="scene" name="frame 1: scene/clear: duration" time="0.000">
      <skipped message="scene/clear is undecided: the time budget ended">scene/clear is undecided: the time budget ended</skipped>
    </testcase>
  </testsuite>
  <testsuite name="shadow" tests="1" failures="0" errors="1" skipped="0" time="0.010">
    <properties>
      <property name="capture" value="captures/shadow.cap"/>
    </properties>
    <testcase classname="shadow" name="measurement" time="0.010">
      <error message="no display could be opened" type="gpuprof.error">no display could be opened
could not measure: no display could be opened</error>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
});

test('a shard without captures says that it has nothing to check, in every format', () => {
  const idle: GateResult = { ...result, level: 'pass', shard: { index: 50, count: 99 }, captures: [] };
  const why = 'nothing to check: no capture is in part 50 of 99';
  assert.equal(render('table', idle), `${why}\n`);
  assert.equal(render('github', idle), `gpuprof gate: ${why}\n`);
  assert.equal(render('summary', idle), `## gpuprof gate has nothing to check\n\n${why}.\n\n`);
});

test('junit: a shard without captures is one case that was skipped, a result without any an error', () => {
  assert.equal(
    render('junit', { ...result, level: 'pass', shard: { index: 2, count: 2 }, captures: [] }),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gpuprof gate" tests="1" failures="0" errors="0" skipped="1" time="0.000">
  <testsuite name="shard 2 of 2" tests="1" failures="0" errors="0" skipped="1" time="0.000">
    <testcase classname="shard 2 of 2" name="measurement" time="0.000">
      <skipped message="no capture is in this shard">no capture is in this shard</skipped>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
  assert.match(render('junit', { ...withCaptures([]), level: 'unmeasured' }), /<error message="there is no capture"/);
});

test('junit: XML whatever the names, which come back as text, each case with a name of its own', () => {
  const [suite] = parse(render('junit', hostileResult)).testsuite;
  assert.equal(suite.testcase.length, hostile.length + 1);
  assert.equal(suite.testcase[1].failure['#text'].split('\n')[0], hostile[0]);
  assert.equal(suite.testcase[7].failure.message, hostile[6]);
  assert.doesNotMatch(render('junit', hostileResult), /[\ufffe\u202e]|\p{Cs}|[^\P{Cc}\n]/u);
  const twins = parse(
    render('junit', withCaptures([{ ...capture, checks: [check(), check(), check({ limit: null })] }])),
  );
  assert.deepEqual(
    twins.testsuite[0].testcase.map(({ name }: { name: string }) => name),
    ['measurement', 'frame 1: duration, limit 12ms', 'frame 1: duration, limit 12ms (2)', 'frame 1: duration'],
  );
});

test('benchmark: what github-action-benchmark takes as customSmallerIsBetter', () => {
  const ranged = { ...capture, checks: [{ ...capture.checks[0], range: 150_000.4 }, ...capture.checks.slice(1)] };
  assert.deepEqual(JSON.parse(render('benchmark', withCaptures([ranged]))), [
    { name: 'scene: frame 1: duration', unit: 'ns', value: 11_100_000, range: '± 150000', extra: 'pass, limit 12ms' },
    {
      name: 'scene: frame 1: scene/floor: duration',
      unit: 'ns',
      value: 9_000_000,
      extra: 'fail, base 8.00 ms, limit +5%',
    },
    {
      name: 'scene: frame 1: scene/floor: statistics/PS Invocations',
      unit: '',
      value: 614_400,
      extra: 'warn, base 307,200, limit +0%',
    },
    {
      name: 'scene: frame 1: scene/clear: duration',
      unit: 'ns',
      value: 260_000,
      extra: 'undecided, base 250 µs',
    },
  ]);
  const unknown = [check({ value: null }), check({ path: 'a', value: true }), check({ path: 'b', value: 2n ** 64n })];
  const few = JSON.parse(
    render('benchmark', withCaptures([{ ...capture, comparison: null, checks: unknown }, unopened])),
  );
  assert.deepEqual(
    few.map(({ name, value }: { name: string; value: number }) => [name, value]),
    [['scene: frame 1: b: duration', 2 ** 64]],
  );
  assert.doesNotMatch(render('benchmark', hostileResult), /[`|\u202e]|[^\P{Cc}\n]/u);
  assert.deepEqual(JSON.parse(render('benchmark', withCaptures([]))), []);
});

test('summary and comment: what did not pass, worst first, and the numbers folded', () => {
  const text = render('summary', withCaptures([{ ...unopened }, { ...capture, comparison: null }]));
  assert.equal(
    text,
    `## gpuprof gate failed

failed: 1 check fails, 1 warns, 1 is undecided, 1 passes in 2 captures, 1 capture could not be measured.

### scene: failed

failed: 1 check fails, 1 warns, 1 is undecided, 1 passes. Compared with baselines/scene.json. On Acme One.

- **fail** scene/floor takes 9.00 ms, 12.5% more than 8.00 ms; at most +5%
- **warn** scene/floor has 614,400 PS Invocations, 307,200 more than before; at most +0%
- **undecided** scene/clear is undecided: the time budget ended

<details><summary>Numbers of scene</summary>

| level | event | name | metric | base | value | limit |
| :--- | ---: | :--- | :--- | ---: | ---: | ---: |
| fail | 5 | scene/floor | duration | 8.00 ms | 9.00 ms | +5% |
| warn | 5 | scene/floor | statistics/PS Invocations | 307,200 | 614,400 | +0% |
| undecided | 3 | scene/clear | duration | 250 µs | 260 µs |  |

> **warning** the sides could not be kept on one core

</details>

### shadow: could not measure

could not measure: no display could be opened.

`,
  );
  assert.equal(render('comment', withCaptures([])), `<!-- gpuprof-gate -->\n${render('summary', withCaptures([]))}`);
  assert.match(render('comment'), /^<!-- gpuprof-gate -->\n## gpuprof gate failed\n/);
  assert.match(render('comment'), /^\| 5 \| &emsp;&emsp;floor \| 8\.000 \| 9\.000 \| \+12\.5% /m);
});

test('summary and comment: names are text', () => {
  for (const format of ['summary', 'comment'] as const) {
    const text = render(format, hostileResult).replace('<!-- gpuprof-gate -->', '').replaceAll('<!-- -->', '');
    assert.doesNotMatch(text, /<img|`|\u202e|<\/failure|[^\P{Cc}\n]/u);
    for (const row of text.split('\n').filter((line) => line.startsWith('| ')))
      assert.equal(row.split('|').length, 9, row);
    assert.doesNotMatch(render(format, hostileResult), /@j|j #1/);
  }
});

test('summary and comment keep to what GitHub takes, and say what is left out', () => {
  const checks = Array.from({ length: 2000 }, (_, index) => check({ path: `draw ${index}`, level: 'fail' }));
  const long = { ...capture, checks };
  const comment = render('comment', withCaptures(Array.from({ length: 60 }, () => long)));
  assert.ok(comment.length <= 65_536);
  assert.match(comment, /^- and 1980 more$/m);
  assert.match(comment, /^\d+ more captures would make this longer than GitHub takes\.$/m);
  assert.match(comment, /^The numbers of \d+ captures would make this longer than GitHub takes\.$/m);
  assert.match(
    render('comment', withCaptures([long])),
    /^\d+ more checks would make this longer than GitHub takes\.$/m,
  );
  const wide = { ...long, name: '日'.repeat(500), checks: checks.map((each) => ({ ...each, path: '日'.repeat(100) })) };
  const summary = render('summary', withCaptures(Array.from({ length: 6 }, () => wide)));
  assert.ok(Buffer.byteLength(summary) <= 1024 * 1024);
});
