import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { FrameTrees } from '../../src/cli/frame-trees.ts';
import { FrameMemory } from '../../src/model/memory/frame-memory.ts';
import type { LeafMemory } from '../../src/model/memory/ledger.ts';
import type { BracketUnit } from '../../src/model/sample.ts';
import { memorySet, memorySource } from '../../src/query/memory.ts';
import type { SetResults } from '../../src/query/metric-source.ts';
import { leavesOf } from '../model/memory-frame.ts';
import { CaptureBuilder, floats } from '../replay/memory-capture.ts';
import { base } from '../replay/restore-scene.ts';

function resultsOf(leaves: readonly LeafMemory[], order = [...leaves.keys()]): SetResults {
  const source = memorySource(leaves);
  const open = source.open(memorySet, memorySet.counters);
  open.subscribe(leaves.length);
  for (const id of order) {
    open.beginQuery(id);
    open.endQuery(id);
  }
  return open.unsubscribe(Uint32Array.from(order));
}

async function sceneLeaves(per: BracketUnit): Promise<readonly LeafMemory[]> {
  const capture = await openCapture('captures/scene.cap');
  try {
    const tree = await (await FrameTrees.create(capture)).build(1, per);
    return await (await FrameMemory.create(capture)).leaves(1, tree);
  } finally {
    await capture.close();
  }
}

const columnOf = (results: SetResults, name: string): readonly bigint[] => {
  const at = memorySet.counters.findIndex((counter) => counter.name === name);
  assert.ok(at >= 0, name);
  return Array.from(results.columns[at] as BigUint64Array);
};

test('the set: u64 counters that repeat exactly, with units and distinct sizes', () => {
  const source = memorySource([]);
  assert.equal(source.replays, false);
  assert.deepEqual(source.sets, [memorySet]);
  assert.equal(new Set(memorySet.counters.map(({ id }) => id)).size, 15);
  for (const { id, name, unit, dataType, kind, exact } of memorySet.counters) {
    assert.equal(id, `memory/${name}`);
    assert.equal(unit, name === 'Target Samples' ? 'samples' : 'bytes');
    assert.equal(dataType, 'u64');
    assert.equal(kind, name.endsWith('Touched') ? 'sum' : 'distinct');
    assert.ok(exact);
  }
});

test('columns by query id; totals count an object of two classes once', async () => {
  const b = base()
    .frame()
    .call('glClear', 0x4000)
    .call('glUniform4f', 0, 0, 0, 0, 0)
    .call('glDrawArrays', 5, 0, 4)
    .call('glBindBuffer', 0x8a11, 1)
    .call('glBindBufferBase', 0x8c8e, 0, 1)
    .call('glBeginTransformFeedback', 4)
    .call('glDrawArrays', 5, 0, 4)
    .call('glEndTransformFeedback');
  const results = resultsOf(await leavesOf(b.capture()));
  // A 16x16 canvas, four vertices of 8 bytes, two vec4 uniforms.
  assert.deepEqual(columnOf(results, 'Vertex Bytes Bound'), [0n, 32n, 32n]);
  assert.deepEqual(columnOf(results, 'Uniform Bytes Touched'), [0n, 32n, 32n]);
  assert.deepEqual(columnOf(results, 'Storage Bytes Bound'), [0n, 0n, 32n]);
  assert.deepEqual(columnOf(results, 'Target Bytes Touched'), [1024n, 1024n, 1024n]);
  // Colour, and depth with stencil, whose tests are off.
  assert.deepEqual(columnOf(results, 'Bytes Bound'), [1024n, 2112n, 2112n]);
  assert.deepEqual(columnOf(results, 'Bytes Touched'), [1024n, 1088n, 1120n]);
  assert.deepEqual(columnOf(results, 'Target Samples'), [0n, 256n, 256n]);
  assert.equal(results.objects?.get('memory/Bytes Bound')?.[1].length, 4);
});

test('some counters, some queries; ids that are no leaves fail', async () => {
  const leaves = await leavesOf(base().frame().call('glClear', 0x4000).call('glClear', 0x4000).capture());
  const counters = memorySet.counters.filter(({ name }) => name === 'Target Bytes Bound');
  const open = memorySource(leaves).open(memorySet, counters);
  open.subscribe(3);
  const results = open.unsubscribe(Uint32Array.of(1, 2));
  assert.deepEqual(Array.from(results.columns[0] as BigUint64Array), [0n, 1024n, 0n]);
  assert.deepEqual([...results.failed.keys()], [2]);
  assert.deepEqual([...(results.objects?.keys() ?? [])], ['memory/Target Bytes Bound']);
});

test('a whole scene: textures as they are, a parent never more than its children', async () => {
  const leaves = await sceneLeaves('draw');
  const [frame] = await sceneLeaves('frame');
  const passes = await sceneLeaves('pass');
  assert.ok(leaves.length > 20 && passes.length <= leaves.length);
  const textures = new Map(leaves.flatMap(({ bound }) => bound.texture.map(({ key, amount }) => [key, amount])));
  // 64x64 texels of 4 bytes with mipmaps, a 320x200 target of half floats, a 512x512 shadow map.
  assert.equal(textures.get('texture 1'), 21844);
  assert.equal(textures.get('texture 2'), 320 * 200 * 8);
  assert.equal(textures.get('texture 3'), 512 * 512 * 4);
  const results = resultsOf(leaves);
  const whole = resultsOf([frame]);
  for (const [at, { name, kind }] of memorySet.counters.entries()) {
    const sum = columnOf(results, name).reduce((total, value) => total + value, 0n);
    const parent = whole.columns[at][0] as bigint;
    if (kind === 'sum') assert.equal(parent, sum, name);
    else {
      const objects = results.objects?.get(`memory/${name}`)?.flat() ?? [];
      const distinct = new Map(objects.map(({ key, amount }) => [key, amount]));
      assert.equal(parent, BigInt([...distinct.values()].reduce((total, amount) => total + amount, 0)), name);
      assert.ok(parent <= sum, name);
    }
  }
  assert.equal(
    columnOf(resultsOf(passes), 'Bytes Touched').reduce((a, b) => a + b),
    whole.columns[13][0],
  );
});

test('absurd captures give bounded numbers', async () => {
  const [huge, negative] = [0x7fffffff, -5];
  const b = new CaptureBuilder({ canvas: { width: 4, height: 4 } })
    .call('glBindBuffer', 0x8892, 1)
    .call('glBufferData', 0x8892, 2 ** 62, null, 0x88e4)
    .call('glVertexAttribPointer', 0, huge, 0x1406, 0, negative, { kind: 'offset', offset: 2 ** 52 })
    .call('glEnableVertexAttribArray', 0)
    .call('glEnableVertexAttribArray', 77)
    .call('glBindBuffer', 0x8893, 9)
    .call('glBindTexture', 0x806f, 1)
    .call('glTexStorage3D', 0x806f, huge, 0x8814, huge, huge, huge)
    .call('glTextureView', 1, 0x806f, 1, 0x8814, 0, huge, 0, huge)
    .call('glBindFramebuffer', 0x8d40, 1)
    .call('glFramebufferTexture', 0x8d40, 0x8ce0, 1, 0)
    .call('glFramebufferTexture2D', 0x8d40, 0x8d00, 0x0de1, 99, 0)
    .call('glViewport', -huge, -huge, huge, negative)
    .call('glUseProgram', 7)
    .frame()
    .call('glDrawArrays', 4, 0, huge)
    .call('glDrawElements', 4, negative, 0x1403, { kind: 'offset', offset: 2 ** 52 })
    .call('glMultiDrawArraysIndirect', 4, { kind: 'offset', offset: 8 }, huge, negative)
    .call('glMultiDrawElements', 4, floats(), 0xdead, floats(), huge)
    .call('glClear', 0xffffffff)
    .call('glBlitFramebuffer', -huge, huge, 0, 0, huge, huge, huge, huge, 0x4500, 0)
    .call('glCopyImageSubData', 5, 0x8d41, huge, 0, 0, 0, 6, 0x0de1, 0, 0, 0, 0, huge, negative, huge)
    .call('glGenerateMipmap', 0xdead)
    .call('glDispatchComputeIndirect', 2 ** 40);
  const results = resultsOf(await leavesOf(b.capture()));
  const most = BigInt(Number.MAX_SAFE_INTEGER) * 64n;
  for (const column of results.columns)
    for (const value of column) assert.ok(typeof value === 'bigint' && value >= 0n && value <= most);
  assert.equal(results.failed.size, 0);
});

test('commands with parameters that are not theirs change nothing', async () => {
  const b = new CaptureBuilder();
  const signature = { result: { type: 'void' }, params: [{ name: 'x', type: 'string' }] } as const;
  const names = [
    'glBufferData',
    'glTexImage2D',
    'glVertexAttribPointer',
    'glDrawElements',
    'glUniform1i',
    'glShaderSource',
  ];
  b.frame();
  for (const name of [
    ...names,
    'glMultiDrawElements',
    'glClear',
    'glScissorArrayv',
    'glDeleteTextures',
    'glLinkProgram',
  ])
    b.raw({ name, ...signature }, ['text']);
  b.raw({ name: 'glDrawArrays', result: { type: 'void' }, params: [] }, []);
  const results = resultsOf(await leavesOf(b.capture()));
  assert.deepEqual(
    columnOf(results, 'Vertex Bytes Touched').filter((value) => value > 0n),
    [],
  );
});
