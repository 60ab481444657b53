import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Report } from '../../src/model/report.ts';
import type { HtmlData } from '../../src/report/html/data.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

test('the page of a replay has what its JSON has, with a timeline and counters', async (t) => {
  const folder = await tempFolder(t);
  const [page, json] = ['report.html', 'report.json'].map((name) => join(folder, name));
  const options = ['--driver', 'egl', '--runs', '2', '--timer', 'finish', '--timeline', '--counters', 'memory'];
  const replay = ['replay', samplePath('scene'), ...options, '--html', page, '--json', json];
  const { code, stderr } = await runInSession([...replay, '--depth', '0']);
  assert.equal(code, 0, stderr);
  const text = await readFile(page, 'utf8');
  const report: Report = JSON.parse(await readFile(json, 'utf8'));
  const data: HtmlData = JSON.parse(text.slice(text.indexOf('id="data">') + 10, text.indexOf('</script>\n')));
  const [frame] = report.frames;
  const { tree, nodes } = data.frames[0];
  const valuesOf = (key: string) => tree.columns.find((column) => column.key === key)?.values;
  assert.deepEqual(
    tree.depths,
    frame.nodes.map(({ depth }) => depth),
  );
  assert.deepEqual(
    valuesOf('eventId'),
    frame.nodes.map(({ eventId }) => eventId),
  );
  assert.deepEqual(
    valuesOf('cpuNs'),
    frame.nodes.map(({ cpuNs }) => cpuNs && Math.round(cpuNs.median)),
  );
  const counters = report.counters?.flatMap((set) => set.counters) ?? [];
  assert.ok(counters.length > 5);
  for (const { id } of counters)
    assert.deepEqual(
      valuesOf(id),
      frame.nodes.map(({ counters: cells }) => cells?.[id].value),
      id,
    );
  assert.deepEqual(
    nodes.map(({ durationNs }) => durationNs),
    frame.nodes.map(({ samples }) => samples.durationNs.map((sample) => sample && Math.round(sample))),
  );
  assert.equal(text.match(/<h2[^>]*>Runs on the host clock/g)?.length, 1);
  // Six textures, a renderbuffer and 55 buffers, as the capture creates them.
  const [, list] = /id="resources-head">(Textures and buffers: [^<]*)</.exec(text) ?? [];
  assert.equal(list, 'Textures and buffers: 62, 1.8 MiB');
  assert.ok(text.includes('<td>512×512</td><td class="number">1.0 MiB</td><td class="number">1,048,576</td>'));
});
