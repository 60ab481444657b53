/** Every format names what it shows as src/report/columns.ts does, and shows the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Report } from '../../src/model/report.ts';
import { inUnit } from '../../src/model/units.ts';
import { type ColumnKey, columnKeys, columns, headOf, type ReportColumn } from '../../src/report/columns.ts';
import { type FormatName, formats } from '../../src/report/formats.ts';
import type { HtmlColumn, HtmlData } from '../../src/report/html/data.ts';
import { defaultOptions } from '../../src/report/options.ts';
import { counterReport } from './counter-sample.ts';
import { around } from './sample.ts';
import { timedReport } from './timeline-sample.ts';

/** Counters, and CPU times. */
const [counted] = counterReport.frames;
const shown: Report = {
  ...counterReport,
  frames: [
    {
      ...counted,
      nodes: counted.nodes.map((one) => ({ ...one, cpuNs: one.durationNs && around(one.durationNs.median / 2) })),
    },
  ],
};

const render = (format: FormatName, of: Report = shown, unit: 'auto' | 'us' = 'auto'): string =>
  [...formats[format](of, { ...defaultOptions, unit })].join('');

type Json = string | number | boolean | null | undefined | { readonly [key: string]: Json } | readonly Json[];
const member = (value: Json, key: string): Json => (value as Readonly<Record<string, Json>> | null)?.[key];
const json = JSON.parse(render('json'));
const [frame] = json.frames;

/** What JSON has of a node where the column's path says; null where there is nothing. */
function inJson(key: ColumnKey, node: Json): string | number | boolean | null {
  const path = columns[key].json.split('.');
  const [root, ...rest] = path;
  const from: Json = root === 'settings' ? json : root === 'frames[]' ? frame : node;
  return ((root === 'frames[]' ? rest : path).reduce(member, from) ?? null) as string | number | boolean | null;
}

const counters = counterReport.counters?.flatMap((set) => set.counters) ?? [];

test('SCHEMA.md has the table of columns', () => {
  const schema = readFileSync(new URL('../../src/report/SCHEMA.md', import.meta.url), 'utf8');
  const lines = schema.slice(schema.indexOf('\n## CSV\n'), schema.indexOf('\n## Comparisons\n')).split('\n');
  const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(
    rows.map((cells) => cells.slice(1, -1)),
    Object.entries<ReportColumn>(columns).map(([key, { caption, unit, json: path, meaning }]) => [
      `\`${key}\``,
      caption,
      unit,
      `\`${path}\``,
      meaning,
    ]),
  );
});

test('times are named for their unit in JSON, CSV and Perfetto', () => {
  for (const [key, { unit, json: path }] of Object.entries<ReportColumn>(columns)) {
    assert.equal(key.endsWith('Ns'), unit === 'ns', key);
    assert.equal(/Ns\.(?!runs)/.test(path), unit === 'ns', path);
  }
});

test('CSV has every column, and what JSON has there', () => {
  const [heads, ...rows] = render('csv')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  assert.deepEqual(heads, [...columnKeys, ...counters.map(({ id }) => id)]);
  assert.equal(rows.length, frame.nodes.length);
  for (const [at, row] of rows.entries())
    for (const [index, key] of columnKeys.entries()) {
      const value = inJson(key, frame.nodes[at]);
      const text = columns[key].unit === 'ns' && value !== null ? Math.round(Number(value)) : value;
      const flag = key === 'leaf' ? Number(value) : key === 'runs' ? (value ?? 0) : (text ?? '');
      assert.equal(row[index], String(flag), `${key} of ${frame.nodes[at].name}`);
    }
});

const tableKeys: readonly ColumnKey[] = ['eventId', 'name', 'kind', 'draws', 'durationNs', 'madNs', 'cpuNs', 'share'];
const captions = tableKeys.map((key) => headOf(key, 'ms'));

test('tables and Markdown have the captions, with the unit of the frame', () => {
  const table = render('table').split('\n');
  const heads = table.find((line) => line.startsWith('event'));
  assert.deepEqual(heads?.split(/ {2,}/), captions);
  const markdown = render('markdown').split('\n');
  assert.ok(markdown.includes(`| ${captions.join(' | ')} |`));
});

test('HTML has the captions and units of tables, and the values of JSON', () => {
  const page = render('html');
  const text = page.slice(page.indexOf('id="data">') + 10, page.indexOf('</script>\n<script type="module">'));
  const data: HtmlData = JSON.parse(text);
  const { tree, nodes } = data.frames[0];
  for (const [at, { target, reason, samples }] of frame.nodes.entries())
    assert.deepEqual([nodes[at].target, nodes[at].reason, nodes[at].durationNs], [target, reason, samples.durationNs]);
  for (const { message } of json.warnings) assert.ok(page.includes(`<li>${message}</li>`), message);
  assert.equal(tree.depths.length, frame.nodes.length);
  const ofTimes = tree.columns.filter(({ key }) => Object.hasOwn(columns, key));
  const untold: readonly ColumnKey[] = ['frame', 'parentId', 'depth', 'leaf', 'path', 'timer', 'reason'];
  assert.deepEqual(ofTimes.map(({ key }) => key).sort(), columnKeys.filter((key) => !untold.includes(key)).sort());
  for (const { key, head, meaning, values, texts } of ofTimes as (HtmlColumn & { key: ColumnKey })[]) {
    assert.deepEqual([head, meaning], [headOf(key, 'ms'), columns[key].meaning]);
    for (const [at, node] of frame.nodes.entries()) {
      const value = inJson(key, node);
      const isBound = node.status === 'below-resolution';
      if (values && key !== 'runs')
        assert.equal(values[at], columns[key].unit === 'ns' && value !== null ? Math.round(Number(value)) : value, key);
      if (columns[key].unit === 'ns' && value !== null && !isBound)
        assert.equal(texts?.[at], inUnit(Number(value), 'ms'), `${key} of ${node.name}`);
    }
  }
  const ofCounters = tree.columns.filter(({ key }) => counters.some(({ id }) => id === key));
  const lost = counters.filter(({ set }) => set === 'amd/TA');
  assert.deepEqual(
    ofCounters.map(({ key }) => key),
    counters.filter((one) => !lost.includes(one)).map(({ id }) => id),
  );
  const markdown = render('markdown');
  for (const { key, head, values, texts } of ofCounters) {
    assert.ok(markdown.includes(` ${head} |`), head);
    for (const [at, node] of frame.nodes.entries()) {
      const { value, status } = node.counters[key];
      assert.equal(values?.[at], value === null ? null : Number(value), key);
      if (status === 'questionable' && value !== null) assert.match(texts?.[at] ?? '', /^\?/);
    }
  }
});

test('a unit that was asked for stands in every head', () => {
  for (const format of ['table', 'markdown', 'html'] as const) {
    const text = render(format, shown, 'us');
    for (const head of ['time µs', '± µs', 'cpu µs']) assert.ok(text.includes(head), `${head} in ${format}`);
    assert.ok(!text.includes('time ms') && text.includes('10000.00'), format);
  }
});

test("Perfetto's arguments have the keys, and the values of JSON", () => {
  const timed = JSON.parse(render('json', timedReport));
  const { traceEvents } = JSON.parse(render('perfetto', timedReport));
  const slices = traceEvents.filter(({ ph, args }: { ph: string; args: object }) => ph === 'X' && 'durationNs' in args);
  assert.equal(slices.length, 3 + 4);
  for (const { args } of slices) {
    const node = timed.frames[0].nodes.find(({ eventId }: { eventId: number | null }) => eventId === args.eventId);
    for (const [key, value] of Object.entries(args)) {
      if (['run', 'deviceStart', 'deviceEnd'].includes(key)) continue;
      const expected = key === 'frame' ? 1 : (node.samples[key]?.[args.run - 1] ?? node[key]);
      assert.ok(Object.hasOwn(columns, key), key);
      assert.deepEqual(value, expected, key);
    }
  }
  const names = traceEvents.filter(({ ph }: { ph: string }) => ph === 'C').map(({ name }: { name: string }) => name);
  assert.deepEqual(
    [...new Set(names)],
    timed.counters[0].counters.map(({ id }: { id: string }) => id),
  );
  const { profiles } = JSON.parse(render('speedscope', timedReport));
  assert.deepEqual([...new Set(profiles.map(({ unit }: { unit: string }) => unit))], ['nanoseconds']);
});
