import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openCapture } from '../../src/capture/open.ts';
import { CaptureWriter } from '../../src/capture/write.ts';
import { call, head, withFolder, writeSample } from '../capture/sample.ts';
import { runInSession } from '../helpers/session.ts';

const sampleInfo = (path: string, size: string) => `file          ${path} (${size}, capture version 1)
API           webgl2 3.0
canvas        4x2, alpha, depth
recorded by   test on none
recorded on   r (v), 1
needs         GL_EXT_color_buffer_float, GL_MAX_TEXTURE_SIZE >= 4096
reference     yes
setup         7 calls
frame 1       6 calls, 1 draw
  actions     1 clear, 1 draw
object ids    1 buffer, 1 program, 1 shader
shaders       1, 41 bytes of source
resources     1, 24 bytes
  buffer      1, 24 bytes
largest
  resource 0  24 bytes, buffer
`;

const frameText = `# frame 1: 6 calls
1 glPushGroupMarkerEXT(length = 0, marker = "scene")
2 glClear(mask = GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT)
3 glUniform4fv(location = "uColor" of program 1, count = 1, value = [1, 0.5, 0, 1])
4 glDrawArrays(mode = GL_TRIANGLES, first = 0, count = 3)
5 glPopGroupMarkerEXT()
6 glReadPixels(x = 0, y = 0, width = 1, height = 1, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = out 4 bytes)
`;

test('info', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    const size = (await writeSample(path)).length;
    const table = await runInSession(['info', path]);
    assert.equal(table.stderr, '');
    assert.equal(table.stdout, sampleInfo(path, `${(size / 1024).toFixed(1)} KiB`));
    const json = JSON.parse((await runInSession(['info', path, '--format', 'json'])).stdout);
    assert.deepEqual(json.capture.canvas, head.canvas);
    assert.deepEqual(json.frames, [{ frame: 1, calls: 6, draws: 1, actions: { clear: 1, draw: 1 } }]);
    assert.deepEqual(json.resources, [{ kind: 'buffer', count: 1, sizeBytes: 24 }]);
    assert.equal(json.sizeBytes, size);
  }));

test('info looks at no resource: what is in them does not matter to it', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    const bytes = await writeSample(path);
    const before = await runInSession(['info', path]);
    // The local header has 30 bytes and the name behind them; then comes what is deflated.
    const name = Buffer.from(bytes).indexOf('resources/');
    bytes.fill(0xff, name + 'resources/'.length + 64, name + 'resources/'.length + 64 + 16);
    await writeFile(path, bytes);
    assert.deepEqual(await runInSession(['info', path]), before);
    const capture = await openCapture(path);
    await assert.rejects(capture.resource(0), /resources\/\w+ is damaged/);
    await capture.close();
  }));

test('dump', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    await writeSample(path);
    const all = await runInSession(['dump', path]);
    assert.equal(all.stderr, '');
    assert.ok(all.stdout.startsWith('# setup: 7 calls\n1 glGenBuffers(n = 1, buffers = [buffer 1])\n'), all.stdout);
    assert.ok(all.stdout.endsWith(frameText), all.stdout);
    assert.equal((await runInSession(['dump', path, '--frame', '1'])).stdout, frameText);
    const setup = await runInSession(['dump', path, '--setup', '--format', 'json']);
    const lines = setup.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(lines.length, 7);
    assert.deepEqual(lines[3], {
      frame: null,
      eventId: 4,
      name: 'glCreateShader',
      args: { type: 'GL_VERTEX_SHADER' },
      result: { shader: 1 },
    });
  }));

test('a command no registry knows is dumped all the same', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    const writer = await CaptureWriter.create(path, head);
    writer.beginFrame();
    const params = [{ name: 'level', type: 'i32' }] as const;
    writer.call({ name: 'glFromTheFutureEXT', result: { type: 'void' }, params }, [3]);
    // GL's name with other parameters than GL's.
    writer.call({ name: 'glDeleteBuffers', result: { type: 'void' }, params }, [3]);
    writer.call({ name: 'glBlitFramebuffer', result: { type: 'void' }, params: [] }, []);
    await writer.finish();
    assert.equal(
      (await runInSession(['dump', path, '--frame', '1'])).stdout,
      '# frame 1: 3 calls\n1 glFromTheFutureEXT(level = 3)\n2 glDeleteBuffers(level = 3)\n3 glBlitFramebuffer()\n',
    );
    assert.equal((await runInSession(['info', path])).code, 0);
  }));

test('nothing that a terminal obeys is printed as it is', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    const hostile = 'a\u202eb\u007f\u009b2J';
    const writer = await CaptureWriter.create(path, { ...head, origin: { ...head.origin, renderer: hostile } });
    writer.beginFrame();
    writer.call({ name: 'glNameEXT', result: { type: 'void' }, params: [{ name: 'name', type: 'string' }] }, [hostile]);
    await writer.finish();
    for (const command of ['info', 'dump'])
      for (const format of [[], ['--format', 'json']]) {
        const { code, stdout } = await runInSession([command, path, ...format]);
        assert.equal(code, 0);
        assert.doesNotMatch(stdout, /[\u007f-\u009f\u202e]/);
      }
    const { stdout } = await runInSession(['dump', path, '--format', 'json']);
    assert.equal(JSON.parse(stdout).args.name, hostile);
  }));

test('bad files end with one line and exit code 2', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    await writeFile(path, 'not a zip');
    for (const command of ['info', 'dump']) {
      const bad = await runInSession([command, path]);
      assert.equal(bad.code, 2);
      assert.equal(bad.stdout, '');
      assert.match(bad.stderr, /^gpuprof: [^\n]*a\.cap is not a capture: [^\n]*\n$/);
      const missing = await runInSession([command, join(folder, 'none.cap')]);
      assert.equal(missing.code, 2);
      assert.match(missing.stderr, /^gpuprof: cannot read [^\n]*none\.cap: no such file\n$/);
    }
    await writeSample(path);
    for (const frame of ['2', '0', 'x']) assert.equal((await runInSession(['dump', path, '--frame', frame])).code, 2);
  }));

test('a reader that stops early ends a long dump quietly', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'a.cap');
    const writer = await CaptureWriter.create(path, head);
    writer.beginFrame();
    for (let index = 0; index < 100_000; index++) call(writer, 'glDrawArrays', [4, 0, 3]);
    await writer.finish();
    const script = fileURLToPath(new URL('../../bin/gpuprof.js', import.meta.url));
    const child = spawn(process.execPath, [script, 'dump', path], { stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code, signal] = await once(child, 'close');
    assert.deepEqual({ code, signal, errors }, { code: 0, signal: null, errors: '' });
  }));
