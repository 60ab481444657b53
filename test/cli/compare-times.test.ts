/** A comparison that rests on times: it runs alone (run.js). */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Comparison } from '../../src/model/comparison.ts';
import type { Report } from '../../src/model/report.ts';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { writeQuads } from './compare-capture.ts';

test('a shader that takes much longer is slower, after two sittings, and every report is written', async (t) => {
  const folder = await tempFolder(t);
  const [quick, slow] = await Promise.all(
    [4, 200].map((loops) => writeQuads(join(folder, `${loops}.cap`), { canvas: 256, loops })),
  );
  const files = ['c.json', 'c.md', 'c.csv', 'a.json', 'b.json', 'c.html'].map((name) => join(folder, name));
  const args = [
    '--json',
    files[0],
    '--markdown',
    files[1],
    '--csv',
    files[2],
    '--report-a',
    files[3],
    '--report-b',
    files[4],
    '--html',
    files[5],
  ];
  const how = ['--driver', 'egl', '--timer', 'finish', '--budget', '30'];
  const { code, stdout, stderr } = await run(['compare', quick, slow, ...how, ...args]);
  assert.equal(code, 1);
  assert.match(stderr, /^gpuprof: it got worse: front\/glDrawArrays\(6\) is \S+% slower: [^\n]*\n$/);
  assert.match(stdout, /slower/);
  const [found, , , left, right, page] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const comparison = JSON.parse(found) as Comparison;
  const [{ nodes }] = comparison.frames;
  const verdictOf = (path: string) => nodes.find((node) => node.new?.path === path)?.time.verdict;
  assert.equal(verdictOf('front/glDrawArrays(6)'), 'slower');
  assert.match(page, /<p id="difference">[^<]* pixels [^<]*<.*src="data:image\/png;base64,.*alt="canvas of new"/s);
  assert.ok(comparison.warnings.some(({ code }) => code === 'second-sitting'));
  for (const text of [left, right]) assert.ok((JSON.parse(text) as Report).frames[0].runs > 4);
});
