import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { kindOfSide, readReport } from '../../src/cli/compare/read-report.ts';
import type { Report } from '../../src/model/report.ts';
import { json } from '../../src/report/json.ts';
import { tempFolder } from '../helpers/files.ts';
import { counterReport } from '../report/counter-sample.ts';
import { report, softwareReport } from '../report/sample.ts';

async function written(t: TestContext, content: string | Uint8Array): Promise<string> {
  const path = join(await tempFolder(t), 'r.json');
  await writeFile(path, content);
  return path;
}

const textOf = (one: Report): string => [...json(one)].join('');

test('a report is read as it was written, whole numbers of 64 bits included', async (t) => {
  for (const one of [report, softwareReport, counterReport]) {
    const path = await written(t, textOf(one));
    assert.equal(await kindOfSide(path), 'report');
    // As JSON has it: without members that are undefined.
    assert.deepEqual(JSON.parse(textOf(await readReport(path))), JSON.parse(textOf(one)));
  }
  const { counters: _, frames, ...rest } = counterReport;
  const cell = { value: 2n ** 63n, samples: [2n ** 63n, null, true, 1.5], status: 'ok', reason: null } as const;
  const nodes = frames[0].nodes.map((node) => ({ ...node, counters: { 'a/b': cell } }));
  const read = await readReport(await written(t, textOf({ ...rest, frames: [{ ...frames[0], nodes }] })));
  assert.deepEqual(read.frames[0].nodes[0].counters?.['a/b'], cell);
});

test('fields of later producers are left out, and a byte order mark is no harm', async (t) => {
  const path = await written(t, `\ufeff${textOf({ ...report, extra: { deep: [1] } } as Report)}`);
  assert.equal(await kindOfSide(path), 'report');
  assert.deepEqual(JSON.parse(textOf(await readReport(path))), JSON.parse(textOf(report)));
});

test('a damaged report is refused in one line with the place', async (t) => {
  const damaged = (
    change: (copy: { [key: string]: unknown; frames: { nodes: Record<string, unknown>[] }[] }) => void,
  ) => {
    const copy = JSON.parse(textOf(report));
    change(copy);
    return JSON.stringify(copy);
  };
  const [, node] = report.frames[0].nodes;
  for (const [content, message] of [
    ['{', /^P is no JSON: /],
    ['{}', /^P is no report: format must be "gpuprof-report"$/],
    ['{"format": "gpuprof-comparison"}', /^P is no report: format must be "gpuprof-report"$/],
    ['{"format": "gpuprof-report"}', /^P: version: /],
    [damaged((copy) => Object.assign(copy, { frames: [] })), /^P: frames: it is empty$/],
    [damaged((copy) => Object.assign(copy, { capture: null })), /^P: capture: null is no object$/],
    [damaged(({ frames }) => frames[0].nodes.splice(0)), /^P: frames\[0\]\.nodes: .*has no frame$/],
    [damaged(({ frames }) => frames[0].nodes.splice(0, 1)), /^P: frames\[0\]\.nodes\[0\]\.depth: 1 is out of place$/],
    [damaged(({ frames }) => Object.assign(frames[0].nodes[2], { depth: 7 })), /nodes\[2\]\.depth: 7 is out of place$/],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[1], { name: 5 })),
      /^P: frames\[0\]\.nodes\[1\]\.name: 5 is no text$/,
    ],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[1], { durationNs: { ...node.durationNs, median: 'x' } })),
      /^P: frames\[0\]\.nodes\[1\]\.durationNs\.median: "x" is no number$/,
    ],
    [textOf(report).replace(/"median":\d+/, '"median":1e999'), /median: .* is no number$/],
    [
      damaged(({ frames }) =>
        Object.assign(frames[0].nodes[1], {
          counters: { 'a/b': { value: '12x', samples: [], status: 'ok', reason: null } },
        }),
      ),
      /^P: frames\[0\]\.nodes\[1\]\.counters\["a\/b"\]\.value: /,
    ],
  ] as const) {
    const path = await written(t, content);
    const told = new RegExp(message.source.replace('P', path.replace(/[.\\]/g, '\\$&')));
    await assert.rejects(readReport(path), (error: Error & { code: string }) => {
      assert.equal(error.code, 'bad-input');
      assert.match(error.message, told);
      return true;
    });
  }
});

test('a newer report is refused by name', async (t) => {
  const path = await written(t, '{"format": "gpuprof-report", "version": 2}');
  await assert.rejects(readReport(path), {
    code: 'unsupported-version',
    message: `${path} was made by a newer gpuprof (report version 2; this one reads version 1)`,
    hint: 'update gpuprof',
  });
});

test('what is neither capture nor report is told apart by what it holds', async (t) => {
  for (const content of ['', 'PK', '[]', 'hello', Uint8Array.of(0, 1, 2)]) {
    const path = await written(t, content);
    await assert.rejects(kindOfSide(path), { code: 'bad-input', message: `${path} is neither a capture nor a report` });
  }
  assert.equal(await kindOfSide(await written(t, 'PK\u0003\u0004')), 'capture');
  const folder = await tempFolder(t);
  await assert.rejects(kindOfSide(folder), { code: 'bad-input', message: `cannot read ${folder}: it is a folder` });
});
