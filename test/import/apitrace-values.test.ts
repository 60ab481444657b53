import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTrace } from '../../src/import/apitrace/open-trace.ts';
import type { TraceCall } from '../../src/import/apitrace/trace.ts';
import { tempFolder } from '../helpers/files.ts';
import { sampleTrace, typeSamples } from './sample-trace.ts';
import { pack } from './trace-packer.ts';
import { int, none, TraceWriter } from './trace-writer.ts';

const versions = [0, 1, 2, 3, 4, 5, 6];
const plain = ({ number, thread, function: { name, args: names }, args, result }: TraceCall): unknown => [
  number,
  thread,
  name,
  Object.fromEntries(names.map((key, index) => [key, args[index]])),
  result,
];

for (const version of versions) {
  test(`version ${version}: every type of value, first and later uses of signatures`, async (t) => {
    const path = join(await tempFolder(t), 'values.trace');
    const writer = new TraceWriter(version);
    for (const [, written] of typeSamples) writer.call(['f', 'value'], { args: [written], result: written });
    await writeFile(path, pack(writer.toBytes(), 'snappy', 37));
    const calls = [...openTrace(path).calls()];
    assert.equal(calls.length, typeSamples.length);
    typeSamples.forEach(([label, , read], index) => {
      assert.deepEqual(calls[index].args, [read], label);
      assert.deepEqual(calls[index].result, read, `result: ${label}`);
    });
    assert.ok(calls.every((call) => call.function === calls[0].function));
  });

  test(`version ${version}: calls in the order they return, with threads, outputs and results`, async (t) => {
    const path = join(await tempFolder(t), 'calls.trace');
    const writer = sampleTrace(version);
    await writeFile(path, pack(writer.toBytes(), 'gzip'));
    const trace = openTrace(path);
    assert.deepEqual(
      [trace.container, trace.version, trace.formatVersion, trace.path],
      ['gzip', version, version, path],
    );
    const properties =
      version < 6
        ? []
        : [
            ['process.name', '/usr/bin/app'],
            ['OS.name', 'Linux'],
          ];
    assert.deepEqual([...trace.properties], properties);
    assert.equal(trace.ending, null);
    const pointer = (address: number): unknown => ({ address });
    const expected = [
      [0, 0, 'glClear', { mask: 0x4000 }, undefined],
      [1, 0, 'glGenBuffers', { n: 2, buffers: [1, 2] }, undefined],
      [2, 0, 'memcpy', { dest: pointer(4096), src: Uint8Array.from(Buffer.from('abcdefgh')), n: 8 }, undefined],
      [4, 0, 'glDrawArrays', { mode: 4, first: 0, count: 3 }, undefined],
      [3, 1, 'glXSwapBuffers', { dpy: pointer(2 ** 40), drawable: 7 }, undefined],
      [5, 1, 'glGetError', {}, 0],
    ];
    const read = [...trace.calls()].map(plain);
    assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(expected)));
    assert.deepEqual(trace.ending, {
      isComplete: true,
      offsetBytes: writer.length,
      lastCall: 5,
      unfinishedCalls: 0,
      reason: null,
    });
    assert.equal([...trace.calls()].length, 6, 'a second time');
  });
}

test('a newer layout may promise older calls', async (t) => {
  const path = join(await tempFolder(t), 'semantic.trace');
  await writeFile(path, pack(new TraceWriter(6, {}, 2).toBytes(), 'snappy'));
  const { version, formatVersion } = openTrace(path);
  assert.deepEqual([version, formatVersion], [2, 6]);
});

test('arguments that are not given are null, and functions are numbered by first use', async (t) => {
  const path = join(await tempFolder(t), 'gaps.trace');
  const writer = new TraceWriter(6).call(['f', 'a', 'b', 'c'], { outputs: { 1: int(5) } });
  await writeFile(path, pack(writer.call(['g'], { result: none }).call(['f', 'a', 'b', 'c']).toBytes(), 'snappy'));
  const calls = [...openTrace(path).calls()];
  assert.deepEqual(
    calls.map(({ function: { index }, args, result }) => [index, args, result]),
    [
      [0, [null, 5, null], undefined],
      [1, [], null],
      [0, [null, null, null], undefined],
    ],
  );
});
