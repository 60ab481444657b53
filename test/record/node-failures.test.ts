import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { nodeProgram, recordNode } from './node-kit.ts';
import { contentsOf } from './page-kit.ts';

before(ensureDisplay);

const leaving = nodeProgram('leaving.cjs');
const quiet = nodeProgram('quiet.cjs');

/** Program, arguments, and the tool's last line; the exit code is 2 and nothing is left. */
const failures: readonly (readonly [what: string, name: string, args: readonly string[], sentence: string])[] = [
  [
    'fewer frames than asked for',
    'immediates.cjs',
    ['--frame', '9'],
    `${nodeProgram('immediates.cjs')} drew 7 frames, so there is no frame 9; pass --frame 7 or a lower one`,
  ],
  [
    'fewer frames after the first wanted one',
    'immediates.cjs',
    ['--frame', '6', '--frames', '3'],
    `${nodeProgram('immediates.cjs')} drew 7 frames, and 3 frames from frame 6 on were asked for; pass --frames 2`,
  ],
  [
    'an exit code before the frame',
    'leaving.cjs',
    ['--frame', '2', '--', 'exit'],
    `${leaving} ended with exit code 5 before frame 2; it drew 1 frame`,
  ],
  [
    'an exception within the frame',
    'leaving.cjs',
    ['--', 'throw'],
    `${leaving} ended with exit code 1 before frame 1; it finished no frame`,
  ],
  ['a crash', 'leaving.cjs', ['--', 'abort'], `${leaving} was ended by SIGABRT before frame 1; it finished no frame`],
  [
    'a canvas that is resized between frames',
    'leaving.cjs',
    ['--frames', '2', '--', 'resize'],
    'the program resized its canvas before its 2 frames were drawn',
  ],
  [
    'a context that is destroyed between frames',
    'leaving.cjs',
    ['--frames', '2', '--', 'destroy'],
    'the program destroyed its context before its 2 frames were drawn',
  ],
  [
    'no headless-gl',
    'quiet.cjs',
    ['--', 'none'],
    `${quiet} ended without loading headless-gl (the npm package "gl"); gpuprof record node records programs that draw with it`,
  ],
  ['no context', 'quiet.cjs', [], `${quiet} loaded headless-gl and got no context from it; it has to call createGL`],
  [
    'a context that headless-gl cannot make',
    'quiet.cjs',
    ['--', 'null'],
    `${quiet} loaded headless-gl and got no context from it; headless-gl gave it no context of 0x64: width and height must be at least 1, and DISPLAY must name an X server with GLX`,
  ],
  [
    'a context in which nothing is drawn',
    'quiet.cjs',
    ['--', 'context'],
    `${quiet} created a WebGL context and drew nothing in it; there is no frame to record`,
  ],
  ['a folder', '.', [], `${nodeProgram('.')} is a folder, not a script; name the file that node would run`],
  ['a missing script', 'no.js', [], `there is no script ${nodeProgram('no.js')}; name the file that node would run`],
];

for (const [what, name, args, sentence] of failures)
  test(`${what}: one sentence, exit code 2, nothing left`, async (t) => {
    const { code, stderr, left } = await recordNode(t, name, args);
    assert.equal(stderr.trimEnd().split('\n').at(-1), `gpuprof: ${sentence}`);
    assert.deepEqual([code, left], [2, []]);
  });

test('too few frames in time', async (t) => {
  const { code, stderr, left } = await recordNode(t, 'leaving.cjs', ['--frame', '2', '--timeout', '3', '--', 'hang']);
  // How far it comes in that time is the machine's affair.
  const sofar = '(it drew [01] frames? in that time|it has created no WebGL context)';
  assert.match(
    stderr,
    new RegExp(`leaving.cjs did not draw frame 2 within 3 s; ${sofar}; pass a longer --timeout or a lower --frame\n$`),
  );
  assert.deepEqual([code, left], [2, []]);
});

test("a program's own error passes through", async (t) => {
  const { stderr } = await recordNode(t, 'throws.cjs', ['--frame', '3']);
  assert.match(stderr, /^Error: the third frame is too much\n {4}at /m);
});

test('headless-gl that is not installed is said so', async (t) => {
  const folder = await tempFolder(t);
  const script = join(folder, 'draw.cjs');
  await writeFile(script, "require('gl')(8, 8)");
  const { code, stderr } = await run(['record', 'node', script, '-o', join(folder, 'frame.cap')]);
  const last = `gpuprof: ${script} ended with exit code 1 before frame 1; the npm package "gl" (headless-gl) is not installed where it is\n`;
  assert.match(stderr, /Cannot find module 'gl'/);
  assert.ok(stderr.endsWith(last), stderr);
  assert.equal(code, 2);
});

for (const way of ['exit', 'destroy', 'resize', 'hang'])
  test(`a frame is whole although the program does this in the same turn: ${way}`, async (t) => {
    const { path, code, stderr } = await recordNode(t, 'leaving.cjs', ['--', way]);
    assert.equal(code, 0, stderr);
    const { manifest, frames } = await contentsOf(path);
    assert.equal(manifest.canvas.width, 16);
    assert.deepEqual(frames, [['glClear(mask = GL_COLOR_BUFFER_BIT)']]);
  });

test('the frame after a resize has the new size', async (t) => {
  const { path } = await recordNode(t, 'leaving.cjs', ['--frame', '2', '--', 'resize']);
  const { manifest } = await contentsOf(path);
  assert.deepEqual([manifest.canvas.width, manifest.canvas.height], [32, 24]);
});

test('without a display and without Xvfb it is exit code 3, for a program that needs one', async (t) => {
  const programs = await tempFolder(t);
  await symlink('/bin/sh', join(programs, 'sh'));
  const env = { DISPLAY: undefined, PATH: programs };
  const { code, stderr, left } = await recordNode(t, 'immediates.cjs', [], { env });
  assert.match(
    stderr,
    /headless-gl needs an X display, and Xvfb is not installed or does not start; apt-get install xvfb\n$/,
  );
  assert.deepEqual([code, left], [3, []]);
});
