import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Signature } from '../../src/model/signature.ts';
import type { CaptureHead } from '../../src/model/sink.ts';
import { CaptureReceiver } from '../../src/record/wire/receiver.ts';
import { WireSink } from '../../src/record/wire/sink.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-wire-'));
const head: CaptureHead = {
  api: 'webgl2',
  apiVersion: [3, 0],
  origin: { producer: 'test', driver: 'test', vendor: 'v', renderer: 'r', version: '1' },
  canvas: { width: 2, height: 1, alpha: true, depth: true, stencil: false, samples: 0, preserved: false },
  requires: { extensions: [], limits: {} },
};
const command = (name: string): Signature => signatureOf(name) as Signature;
const name = '模型, "quoted"\nline';

/** A capture with every kind of record; the bytes it sends. */
function sent(): Uint8Array {
  const batches: Uint8Array[] = [];
  const sink = new WireSink((batch) => batches.push(batch.slice()), head);
  const big = new Uint8Array(9 * 2 ** 20 + 3).fill(7);
  const resources = [sink.resource(big), sink.resource(Uint8Array.of(1, 2, 3)), sink.resource(big)];
  assert.deepEqual(resources, [0, 1, 2]);
  sink.call(command('glCreateProgram'), [], 1);
  for (const [index, resource] of resources.entries()) {
    const bytes = index === 1 ? 3 : big.length;
    const data = { kind: 'resource', resource, byteOffset: 0, byteLength: bytes } as const;
    sink.call(command('glBufferData'), [0x8892, bytes, data, 0x88e4]);
  }
  sink.beginFrame();
  sink.call(command('glUniform1i'), [sink.location(1, name), 4]);
  sink.call(command('glUniform1i'), [sink.location(1, name), 5]);
  sink.call(command('glUniform1i'), [0xffffffff, 5]);
  sink.finish({
    reference: { width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
    requires: { extensions: ['GL_EXT_float_blend'], limits: {} },
    notes: ['a note'],
  });
  return Buffer.concat(batches);
}

test('a capture sent in pieces of any size arrives as it was recorded', async () => {
  const bytes = sent();
  for (const piece of [bytes.length, 2 ** 20 + 1, 8191]) {
    const path = join(folder, `${piece}.cap`);
    const receiver = new CaptureReceiver(path);
    for (let at = 0; at < bytes.length; at += piece) await receiver.take(bytes.subarray(at, at + piece));
    const counts = { frames: 1, calls: 3, draws: 0 };
    assert.deepEqual(receiver.received, { canvas: head.canvas, ...counts, renderer: 'r', notes: ['a note'] });
    const capture = await openCapture(path);
    const { manifest } = capture;
    assert.deepEqual(
      manifest.resources.map(({ sizeBytes }) => sizeBytes),
      [9 * 2 ** 20 + 3, 3],
    );
    assert.deepEqual(manifest.locations, [[1, name]]);
    assert.deepEqual(manifest.requires.extensions, ['GL_EXT_float_blend']);
    const data = [...(await capture.setup())].slice(1).map(({ args }) => args[2]);
    assert.deepEqual(
      data.map((argument) => (argument as { resource: number }).resource),
      [0, 1, 0],
    );
    const values = [...(await capture.frame(1))].map(({ args }) => args);
    assert.deepEqual(values, [
      [0, 4],
      [0, 5],
      [0xffffffff, 5],
    ]);
    await capture.close();
  }
});

test('damaged bytes are refused, and leave nothing behind', async () => {
  const bytes = sent();
  const before = (await readdir(folder)).length;
  let refused = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const damaged = bytes.slice();
    // Near the ends, where heads, calls and counts are; the middle is one resource.
    const at = seed % 2 ? (seed * 7919) % 900 : damaged.length - 1 - ((seed * 104729) % 900);
    damaged[at] ^= 1 << (seed % 8);
    const path = join(folder, 'damaged.cap');
    const receiver = new CaptureReceiver(path);
    try {
      await receiver.take(damaged);
      if (!receiver.received) refused++;
    } catch (error) {
      assert.match((error as { code?: string }).code ?? String(error), /^bad-(input|capture)$/);
      refused++;
    }
    await receiver.abort();
    if (!receiver.received) assert.ok(!existsSync(path));
    else await import('node:fs/promises').then(({ rm }) => rm(path));
  }
  assert.ok(refused > 20, `${refused} of 60 were refused`);
  assert.equal((await readdir(folder)).length, before);
});

test('a capture that is taken back leaves nothing, and another may follow', async () => {
  const batches: Uint8Array[] = [];
  const sink = new WireSink((batch) => batches.push(batch.slice()), head);
  sink.resource(new Uint8Array(300));
  sink.discard();
  const path = join(folder, 'discarded.cap');
  const receiver = new CaptureReceiver(path);
  await receiver.take(Buffer.concat(batches));
  assert.ok(!existsSync(path));
  // What comes after its end has nothing to do with it.
  await receiver.take(Buffer.concat([sent(), new Uint8Array(8).fill(255)]));
  assert.equal(receiver.received?.frames, 1);
});
