import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isPlainNode } from '../../src/cli/compare/plain-node.ts';
import { kindOfSide, readReport } from '../../src/cli/compare/read-report.ts';
import { nodeSchema } from '../../src/cli/compare/report-schema.ts';
import type { CounterCell, NodeReport, Report, Statistics } from '../../src/model/report.ts';
import { json } from '../../src/report/json.ts';
import { tempFolder } from '../helpers/files.ts';
import * as counted from '../report/counter-sample.ts';
import * as sample from '../report/sample.ts';

async function written(t: TestContext, content: string | Uint8Array): Promise<string> {
  const path = join(await tempFolder(t), 'r.json');
  await writeFile(path, content);
  return path;
}

const samplesOf = (statistics: Statistics | null): number[] =>
  statistics ? [statistics.max, statistics.min, statistics.median, statistics.low95, statistics.high95] : [];

/** The report with samples that its statistics are of. */
const sampled = (one: Report): Report => ({
  ...one,
  frames: one.frames.map((frame) => ({
    ...frame,
    nodes: frame.nodes.map((node) => ({
      ...node,
      samples: {
        durationNs: samplesOf(node.durationNs),
        rawNs: samplesOf(node.rawNs),
        cpuNs: node.cpuNs && samplesOf(node.cpuNs),
      },
    })),
  })),
});
const [report, softwareReport, counterReport] = [sample.report, sample.softwareReport, counted.counterReport].map(
  sampled,
);

/** Without the times that no comparison by CPU time looks at. */
const light = (one: Report): Report => ({
  ...one,
  frames: one.frames.map((frame) => ({
    ...frame,
    nodes: frame.nodes.map((node) => ({
      ...node,
      durationNs: null,
      rawNs: null,
      samples: { ...node.samples, durationNs: [], rawNs: [] },
    })),
  })),
});

const textOf = (one: Report): string => [...json(one)].join('');

test('a report is read as it was written, whole numbers of 64 bits included', async (t) => {
  for (const one of [report, softwareReport, counterReport]) {
    const path = await written(t, textOf(one));
    assert.equal(await kindOfSide(path), 'report');
    // As JSON has it: without members that are undefined.
    assert.deepEqual(JSON.parse(textOf(await readReport(path))), JSON.parse(textOf(one)));
    // In other lines than ours it is the same.
    const dense = await written(t, JSON.stringify(JSON.parse(textOf(one))));
    assert.deepEqual(await readReport(dense), await readReport(path));
  }
  const { counters: _, frames, ...rest } = counterReport;
  const cell = { value: 2n ** 63n, samples: [2n ** 63n, null, true, 1.5], status: 'ok', reason: null } as const;
  const nodes = frames[0].nodes.map((node) => ({ ...node, counters: { 'a/b': cell } }));
  const read = await readReport(await written(t, textOf({ ...rest, frames: [{ ...frames[0], nodes }] })));
  assert.deepEqual(read.frames[0].nodes[1].counters?.['a/b'], cell);
});

test('a comparison reads the times that it looks at', async (t) => {
  const path = await written(t, textOf(softwareReport));
  assert.deepEqual(await readReport(path, 'auto'), JSON.parse(textOf(light(softwareReport))));
  for (const [file, use] of [
    [path, 'duration'],
    [await written(t, textOf(report)), 'auto'],
  ] as const) {
    const [{ nodes }] = (await readReport(file, use)).frames;
    assert.deepEqual(
      nodes.map(({ durationNs, cpuNs, samples }) => [durationNs, cpuNs, samples]),
      report.frames[0].nodes.map((node) => [
        node.durationNs,
        null,
        { durationNs: node.samples.durationNs, rawNs: [], cpuNs: null },
      ]),
    );
  }
  // Where it is not told in time what draws, all is kept.
  const { frames, ...rest } = JSON.parse(textOf(softwareReport));
  const late = await written(t, JSON.stringify({ frames, ...rest }));
  assert.deepEqual(await readReport(late, 'auto'), await readReport(path));
});

test('a questionable run stays in the samples and counts in no statistic; a baseline has none', async (t) => {
  const [frame] = report.frames;
  const wild = frame.nodes.map(({ samples, ...node }) => ({
    ...node,
    samples: { ...samples, durationNs: samples.durationNs.length > 0 ? [...samples.durationNs, 1e12, null] : [] },
  }));
  for (const nodes of [
    wild,
    sample.nodes.map((node) => ({ ...node, samples: { durationNs: [], rawNs: [], cpuNs: null } })),
  ])
    await readReport(await written(t, textOf({ ...report, frames: [{ ...frame, nodes }] })));
});

test('equal counters are read as others are', async (t) => {
  const cell = (value: number | null, reason: string | null = null): CounterCell => ({
    value,
    samples: [value, value],
    status: 'ok',
    reason,
  });
  const odd: Record<string, CounterCell>[] = [
    { 'a/b': cell(1), 'a/c': cell(2) },
    { 'a/b': cell(1), 'a/c': cell(3) },
    { 'a/b': cell(1), 'a/c': cell(null, 'no } in {"a":{} is') },
    { 'a/c': cell(3), 'a/b': cell(1) },
    { 'a/b': cell(1) },
    { 'a/b': cell(1), 'ä"/c': cell(3) },
    {},
  ];
  const [frame] = report.frames;
  const nodes = frame.nodes.map((node, index) => ({
    ...node,
    name: ['draw', '},{"ä', '}]', '\\'][index % 4],
    counters: odd[index % odd.length],
  }));
  const both = { ...report, frames: [frame, { ...frame, frame: 2 }].map((each) => ({ ...each, nodes })) };
  const plain = JSON.parse(textOf(both));
  for (const text of [textOf(both), JSON.stringify(plain), JSON.stringify(plain, null, 2)]) {
    const read = await readReport(await written(t, text));
    assert.deepEqual(read, plain);
    if (text.includes('\n  ')) continue;
    const [one, other] = read.frames.map((each) => each.nodes[1].counters?.['a/b']);
    assert.equal(one, other, 'they share a cell');
  }
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
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[2], { parentId: 6 })),
      /^P: frames\[0\]\.nodes\[2\]\.parentId: 6 is not the event around it$/,
    ],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[3], { parentId: 2 })),
      /nodes\[3\]\.parentId: 2 is not the event around it$/,
    ],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[2], { durationNs: { ...node.durationNs, low95: -1 } })),
      /^P: frames\[0\]\.nodes\[2\]\.durationNs\.low95: -1 is no time$/,
    ],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[2].samples as object, { cpuNs: [1, null, -0.5] })),
      /^P: frames\[0\]\.nodes\[2\]\.samples\.cpuNs\[2\]: -0\.5 is no time$/,
    ],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[2].samples as object, { durationNs: [1e308] })),
      /samples\.durationNs\[0\]: 1e\+308 is no time$/,
    ],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[2].samples as object, { rawNs: undefined })),
      /^P: frames\[0\]\.nodes\[2\]\.samples\.rawNs: it is missing$/,
    ],
    [
      damaged(({ frames }) =>
        Object.assign(frames[0].nodes[1], {
          counters: { 'a/b': { value: 1e308, samples: [], status: 'ok', reason: null } },
        }),
      ),
      /counters\["a\/b"\]\.value: 1e\+308 is too large; 1e\+100 at most$/,
    ],
    [damaged(({ frames }) => frames.push(frames[0])), /^P: frames\[1\]\.frame: 1 is there already$/],
    [
      damaged(({ frames }) => Object.assign(frames[0].nodes[1], { cpuNs: { ...node.durationNs, low95: 1.6e6 } })),
      /^P: frames\[0\]\.nodes\[1\]\.cpuNs\.median: 1500000 is out of order$/,
    ],
    ...(['min', 'median', 'max', 'runs'] as const).map((field): [string, RegExp] => [
      damaged(({ frames }) => {
        const value = field === 'runs' ? 6 : { min: 1.46e6, median: 1.52e6, max: 1.54e6 }[field];
        Object.assign(frames[0].nodes[1].durationNs as object, { [field]: value });
      }),
      new RegExp(`^P: frames\\[0\\]\\.nodes\\[1\\]\\.durationNs\\.${field}: \\d+ does not fit the samples$`),
    ]),
    [
      damaged(({ frames }) => Object.assign(frames[0], { plainSamples: { durationNs: [9e6], cpuNs: null } })),
      /^P: frames\[0\]\.plainNs\.runs: 5 does not fit the samples$/,
    ],
    [textOf(counterReport).replace('"id":"statistics/PS Invocations"', '"id":"__proto__"'), /no name of a counter$/],
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

test('what is found plain by hand is what the schema returns as it is', () => {
  const cell = { value: 5, samples: [5, null, true], status: 'ok', reason: null };
  const sample: NodeReport = {
    ...JSON.parse(textOf(softwareReport)).frames[0].nodes[2],
    state: 1,
    counters: { 'a/b': cell },
  };
  const found = { plain: 0, other: 0 };
  const check = (value: unknown): void => {
    const { data, success } = nodeSchema.safeParse(value);
    // Of its own: what was found plain once is not looked at again.
    if (!isPlainNode(structuredClone(value))) found.other++;
    else {
      assert.ok(success, JSON.stringify(value));
      assert.deepEqual(data, value);
      found.plain++;
    }
  };
  /** Puts other values in each place of `inner`, one at a time, and takes each away. */
  const vary = (root: unknown, inner: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(inner)) {
      for (const other of [null, undefined, -1, 0, 1.5, 1e25, '', 'x', '12', true, [], {}, [null], [-1], value]) {
        inner[key] = other;
        check(root);
      }
      if (!Array.isArray(inner)) {
        delete inner[key];
        check(root);
      }
      inner[key] = value;
      if (typeof value === 'object' && value !== null) vary(root, value as Record<string, unknown>);
    }
    if (Array.isArray(inner)) return;
    inner.unknown = 1;
    check(root);
    delete inner.unknown;
  };
  assert.ok(isPlainNode(structuredClone(sample)), 'what gpuprof writes is plain, or reading takes seconds');
  vary(sample, sample as unknown as Record<string, unknown>);
  assert.ok(found.plain > 150 && found.other > 300, JSON.stringify(found));
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
