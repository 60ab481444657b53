/** `--max-memory`: what is over a share of it is refused, with its name, its size and the option. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { pack } from '../import/trace-packer.ts';
import { blob, TraceWriter } from '../import/trace-writer.ts';

const advice = 'raise --max-memory (GPUPROF_MAX_MEMORY) for a file that you trust';

/** A capture that makes a buffer of `contents`, and one of `storageBytes` that it has no contents for. */
async function writeBuffers(path: string, contents: Uint8Array, storageBytes: number): Promise<string> {
  const writer = await CaptureWriter.create(path, {
    api: 'webgl2',
    apiVersion: [3, 0],
    origin: { producer: 'test', driver: 'none', vendor: 'v', renderer: 'r', version: '1' },
    canvas: { width: 8, height: 4, alpha: true, depth: false, stencil: false, samples: 0, preserved: false },
    requires: { extensions: [], limits: {} },
  });
  const call = (name: string, ...args: Argument[]) => writer.call(signatureOf(name)!, args);
  const resource = writer.resource(contents);
  call('glGenBuffers', 2, [1, 2]);
  call('glBindBuffer', 0x8892, 1);
  call(
    'glBufferData',
    0x8892,
    contents.length,
    { kind: 'resource', resource, byteOffset: 0, byteLength: contents.length },
    0x88e4,
  );
  call('glBindBuffer', 0x8892, 2);
  call('glBufferData', 0x8892, storageBytes, null, 0x88e4);
  writer.beginFrame();
  call('glClear', 0x4000);
  await writer.finish();
  return path;
}

/** Its last line of standard error, and the exit code. */
async function told(...args: string[]): Promise<string> {
  const { code, stderr } = await runInSession(args, { env: { GPUPROF_MAX_MEMORY: undefined } });
  return `${code}: ${stderr.trim().split('\n').at(-1)}`;
}

test('captures', async (t) => {
  const path = await writeBuffers(join(await tempFolder(t), 'a.cap'), new Uint8Array(600_000).fill(7), 2_000_000);
  const replay = ['replay', path, '--driver', 'egl', '--no-timing', '--depth', '0'];
  assert.equal(
    await told('info', path, '--max-memory', '1MiB'),
    `2: gpuprof: ${path}: capture.json: resources[0].sizeBytes must be 0 to 524288, got 600000; ${advice}`,
  );
  assert.equal(
    await told(...replay, '--max-memory', '2MiB'),
    `2: gpuprof: ${path}: setup call 5: glBufferData would bring the capture's GPU memory to 2.5 MiB; at most 2 MiB; ${advice}`,
  );
  assert.match(await told(...replay, '--max-memory', '3MB'), /^0: /);
  assert.match(await told(...replay), /^0: /);
});

test('traces', async (t) => {
  const path = join(await tempFolder(t), 'a.trace');
  const writer = new TraceWriter(6);
  writer.call(['glBufferData', 'data'], { args: [blob(new Uint8Array(300_000))] });
  await writeFile(path, pack(writer.toBytes(), 'gzip'));
  assert.match(
    await told('info', path, '--max-memory', '1MiB'),
    /^2: gpuprof: .*a\.trace: at byte .*: a blob of 300000 bytes would make more than the 262144 bytes .*; raise --max-memory/,
  );
});

test('a size that is none', async () => {
  for (const size of ['4', '4KB', '0GB', '2000GiB', '-1GB', '1e3GB'])
    assert.equal(
      await told('info', 'a.cap', '--max-memory', size),
      `2: gpuprof: option '--max-memory <size>' argument '${size}' is invalid. It must be a size from 1MiB to 1024GiB with its unit, such as 512MB or 8GiB; see gpuprof info --help`,
    );
});
