import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openCapture } from '../../src/capture/open.ts';
import { CaptureWriter } from '../../src/capture/write.ts';
import { runProgram, typescript } from '../helpers/cli.ts';
import { call, head, record, reference, vertices, withFolder, writeSample } from './sample.ts';

test('what is written is read back', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    await writeSample(path);
    const capture = await openCapture(path);
    const { manifest } = capture;
    assert.equal(capture.path, path);
    assert.deepEqual(manifest.canvas, head.canvas);
    assert.deepEqual(manifest.requires, head.requires);
    assert.deepEqual(manifest.origin, head.origin);
    assert.deepEqual(manifest.setup, { calls: 7 });
    assert.deepEqual(manifest.frames, [{ calls: 6 }]);
    assert.deepEqual(manifest.locations, [[1, 'uColor']]);
    assert.deepEqual(manifest.objects, { buffer: 1, program: 1, shader: 1 });
    assert.deepEqual(manifest.resources, [
      { sha256: createHash('sha256').update(vertices).digest('hex'), sizeBytes: 24 },
    ]);
    const setup = [...(await capture.setup())].map(({ signature, args, result }) => [signature.name, args, result]);
    assert.deepEqual(setup, [
      ['glGenBuffers', [1, [1]], 0],
      ['glBindBuffer', [0x8892, 1], 0],
      ['glBufferData', [0x8892, 24, { kind: 'resource', resource: 0, byteOffset: 0, byteLength: 24 }, 0x88e4], 0],
      ['glCreateShader', [0x8b31], 1],
      ['glShaderSource', [1, 1, ['#version 300 es\n// naïve\nvoid main() {}\n'], null], 0],
      ['glCreateProgram', [], 1],
      ['glVertexAttribPointer', [0, 2, 0x1406, 0, 8, { kind: 'offset', offset: 0 }], 0],
    ]);
    const frame = await capture.frame(1);
    assert.deepEqual(
      [...frame].map(({ signature }) => signature.name),
      ['glPushGroupMarkerEXT', 'glClear', 'glUniform4fv', 'glDrawArrays', 'glPopGroupMarkerEXT', 'glReadPixels'],
    );
    assert.deepEqual(frame.call(3).args, [4, 0, 3]);
    assert.deepEqual(await capture.resource(0), vertices);
    assert.deepEqual(Buffer.from((await capture.reference()) ?? []), Buffer.from(reference));
    await capture.close();
    await capture.close();
  }));

test('the same input gives the same bytes', () =>
  withFolder(async (folder) => {
    const first = await writeSample(join(folder, 'a.cap'));
    const second = await writeSample(join(folder, 'b.cap'));
    assert.deepEqual(first, second);
  }));

test('a resource given twice is stored once', () =>
  withFolder(async (folder) => {
    const writer = await CaptureWriter.create(join(folder, 'a.cap'), head);
    assert.equal(writer.resource(new Uint8Array([1, 2])), 0);
    assert.equal(writer.resource(new Uint8Array([3])), 1);
    assert.equal(writer.resource(new Uint8Array([1, 2])), 0);
    writer.beginFrame();
    await writer.finish();
    const capture = await openCapture(join(folder, 'a.cap'));
    assert.equal(capture.manifest.resources.length, 2);
    assert.equal(await capture.reference(), null);
    await capture.close();
  }));

test('bytes changed after they were given do not reach the file', () =>
  withFolder(async (folder) => {
    const writer = await CaptureWriter.create(join(folder, 'a.cap'), head);
    const bytes = new Uint8Array([1, 2, 3]);
    writer.resource(bytes);
    bytes.fill(9);
    writer.beginFrame();
    await writer.finish();
    const capture = await openCapture(join(folder, 'a.cap'));
    assert.deepEqual(await capture.resource(0), new Uint8Array([1, 2, 3]));
    await capture.close();
  }));

test('nothing is left of a capture given up, without a frame, or with nowhere to go', () =>
  withFolder(async (folder) => {
    const given = await CaptureWriter.create(join(folder, 'a.cap'), head);
    record(given);
    await given.abort();
    const empty = await CaptureWriter.create(join(folder, 'b.cap'), head);
    await assert.rejects(empty.finish(), { code: 'bad-usage', message: 'nothing was captured: no frame was begun' });
    await assert.rejects(CaptureWriter.create(join(folder, 'none', 'c.cap'), head), { code: 'output-failed' });
    assert.deepEqual(await readdir(folder), []);
    const blocked = await CaptureWriter.create(join(folder, 'd.cap'), head);
    await mkdir(join(folder, 'd.cap'));
    blocked.beginFrame();
    await assert.rejects(blocked.finish(), { code: 'output-failed' });
    await assert.rejects(CaptureWriter.create(join(folder, 'd.cap'), head), { message: /: it is a folder$/ });
    assert.deepEqual(await readdir(folder), ['d.cap']);
  }));

test('a file is replaced only when the new one is whole', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    await writeFile(path, 'before');
    const writer = await CaptureWriter.create(path, head);
    record(writer);
    await writer.abort();
    assert.deepEqual(await readdir(folder), ['a.cap']);
    await writeSample(path);
    await (await openCapture(path)).close();
  }));

test('a writer does not write what a reader refuses', () =>
  withFolder(async (folder) => {
    const writer = await CaptureWriter.create(join(folder, 'a.cap'), {
      ...head,
      canvas: { ...head.canvas, width: 0 },
    });
    writer.beginFrame();
    await assert.rejects(writer.finish(), { message: 'canvas.width must be 1 to 16384, got 0' });
    assert.deepEqual(await readdir(folder), []);
  }));

test('a manifest longer than a reader takes', () =>
  withFolder(async (folder) => {
    const writer = await CaptureWriter.create(join(folder, 'a.cap'), head);
    for (let index = 0; index < 17_000; index++) writer.location(1, `${'x'.repeat(4000)}${index}`);
    writer.beginFrame();
    await assert.rejects(writer.finish(), {
      code: 'bad-input',
      message: /^capture\.json of .* would be \d+ bytes; at most 67108864$/,
    });
    assert.deepEqual(await readdir(folder), []);
  }));

test('two signatures under one name are refused', () =>
  withFolder(async (folder) => {
    const writer = await CaptureWriter.create(join(folder, 'a.cap'), head);
    call(writer, 'glClear', [0]);
    assert.throws(() => writer.call({ name: 'glClear', result: { type: 'void' }, params: [] }, []), {
      message: 'glClear is used with two different signatures',
    });
    await writer.abort();
  }));

test('many resources go out while recording', () =>
  withFolder(async (folder) => {
    const writer = await CaptureWriter.create(join(folder, 'a.cap'), head);
    for (let index = 0; index < 200; index++) {
      writer.resource(new Uint8Array(1_000_000).fill(index, index));
      await writer.drain();
    }
    writer.beginFrame();
    await writer.finish();
    const capture = await openCapture(join(folder, 'a.cap'));
    assert.equal(capture.manifest.resources.length, 200);
    assert.equal((await capture.resource(199))[199], 199);
    await capture.close();
  }));

test('a disk that is full: an error, and nothing left', () =>
  withFolder(async (folder) => {
    // The shell limits the size of files (1 MiB or less); the program hits the limit as it would hit a full disk.
    const program = fileURLToPath(new URL('./fill-disk.ts', import.meta.url));
    const command = 'ulimit -f 1000 && exec "$0" "$@"';
    const args = [process.execPath, ...typescript, program, join(folder, 'a.cap')];
    const result = await runProgram('bash', ['-c', command, ...args]);
    assert.equal(result.stderr, '');
    assert.match(result.stdout, /^output-failed: cannot write .*a\.cap: it is larger than a file may be here/);
    assert.deepEqual(await readdir(folder), []);
  }));
