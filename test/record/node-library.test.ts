import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { createWebGL2Context } from '../../src/gl/webgl2-context.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { observe, recordFrame } from '../../src/record.ts';
import { runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { nodeProgram, recordNode, verified } from './node-kit.ts';
import { contentsOf } from './page-kit.ts';
import { headlessGl } from './replaying.ts';

before(ensureDisplay);

// First of all: a Mesa context cannot be opened while headless-gl's is current.
test("gpuprof's own contexts are observed too", async (t) => {
  const path = join(await tempFolder(t), 'frame.cap');
  const context = await openContext('egl', { api: 'es' });
  const gl = observe(createWebGL2Context(context, { width: 8, height: 8 }), { driver: 'egl' });
  await recordFrame(gl, path, () => gl.clear(gl.COLOR_BUFFER_BIT));
  context.destroy();
  const { manifest } = await contentsOf(path);
  assert.deepEqual([manifest.api, manifest.origin.driver], ['webgl2', 'egl']);
});

test('a program records a frame of its own, with groups', async (t) => {
  const path = join(await tempFolder(t), 'frame.cap');
  const gl = observe(await headlessGl());
  const draw = (red: number) => {
    gl.pushGroupMarkerEXT('Wände');
    gl.clearColor(red, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.popGroupMarkerEXT();
  };
  draw(0.2);
  let red = 0.4;
  const recorded = await recordFrame(
    gl,
    path,
    async () => {
      await null;
      draw(red);
      red += 0.2;
    },
    { frames: 2 },
  );
  assert.deepEqual(recorded, { notes: [] });
  const { manifest, frames } = await contentsOf(path);
  assert.deepEqual([manifest.api, manifest.origin.driver, frames.length], ['webgl1', 'headless-gl', 2]);
  assert.match(manifest.origin.producer, /^gpuprof \d/);
  assert.deepEqual(frames[1], [
    'glPushGroupMarkerEXT(length = 0, marker = "Wände")',
    'glClearColor(red = 0.6, green = 0, blue = 0, alpha = 1)',
    'glClear(mask = GL_COLOR_BUFFER_BIT)',
    'glPopGroupMarkerEXT()',
  ]);
  await verified(path);
});

test('what cannot be recorded is said in a sentence, and leaves nothing', async (t) => {
  const folder = await tempFolder(t);
  const path = join(folder, 'frame.cap');
  const late = await headlessGl();
  const code = (word: string) => (error: Error & { code?: string }) =>
    error.code === word && error.name === 'GpuprofError';
  await assert.rejects(
    recordFrame(late, path, () => {}),
    code('bad-usage'),
  );
  assert.throws(() => observe(null as unknown as object), /observe needs a WebGL context, not null/);

  const gl = observe(late);
  assert.equal(observe(gl), gl);
  await assert.rejects(
    recordFrame(gl, path, () => gl.enable(gl.BLEND)),
    code('bad-input'),
  );
  const failure = new Error('no model');
  await assert.rejects(
    recordFrame(gl, path, () => {
      gl.clear(gl.COLOR_BUFFER_BIT);
      throw failure;
    }),
    failure,
  );
  const clear = () => gl.clear(gl.COLOR_BUFFER_BIT);
  const first = recordFrame(gl, path, clear);
  await assert.rejects(recordFrame(gl, path, clear), code('bad-usage'));
  await first;
  assert.deepEqual(await readdir(folder), ['frame.cap']);
  await assert.rejects(recordFrame(gl, join(folder, 'no', 'frame.cap'), clear), code('output-failed'));
});

test('a program that records itself can be recorded, and both captures hold its calls alone', async (t) => {
  const folder = await tempFolder(t);
  const [alone, inner] = ['alone.cap', 'inner.cap'].map((name) => join(folder, name));
  const program = await runProgram(process.execPath, [nodeProgram('own-recording.mjs'), alone]);
  assert.equal(program.code, 0, program.stderr);
  const { path, code, stdout, stderr } = await recordNode(t, 'own-recording.mjs', ['--frame', '2', '--', inner]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, program.stdout);
  assert.deepEqual(await readFile(inner), await readFile(alone));
  const both = [path, inner];
  const [outerFrames, innerFrames] = await Promise.all(both.map(async (file) => (await contentsOf(file)).frames));
  assert.equal(innerFrames[0].length, 9);
  assert.deepEqual(outerFrames, innerFrames);
  await verified(path);
});
