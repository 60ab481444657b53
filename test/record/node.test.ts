import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { projectRoot, run, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { nodeProgram, recordAndVerify, recordNode } from './node-kit.ts';
import { contentsOf } from './page-kit.ts';

// One X server for all: each tool would start its own.
before(ensureDisplay);

const clear = (red: string, green: string, blue: string) => [
  `glClearColor(red = ${red}, green = ${green}, blue = ${blue}, alpha = 1)`,
  'glClear(mask = GL_COLOR_BUFFER_BIT)',
];

test('a synchronous program that reads the canvas has a frame for each reading', async (t) => {
  const { path, stdout, stderr } = await recordAndVerify(t, 'thumbnails.cjs', ['--frame', '2', '--frames', '2']);
  assert.equal(stderr, `${path}: frames 2 to 3 of ${nodeProgram('thumbnails.cjs')}, 16 calls, 64x48\n`);
  assert.match(stdout, /^thumbnail 1: \d+\nthumbnail 2: \d+\nthumbnail 3: \d+\n/);
  const { manifest, setup, frames } = await contentsOf(path);
  assert.equal(manifest.canvas.preserved, true);
  assert.equal(manifest.origin.driver, 'headless-gl');
  assert.match(manifest.origin.renderer, /^ANGLE \(.*llvmpipe/);
  // The program is set-up; each thumbnail's texture is made, filled and drawn in its own frame, after the last one's end.
  assert.equal(setup.filter((call) => call.startsWith('glLinkProgram')).length, 1);
  for (const frame of frames) {
    const names = frame.map((call) => call.slice(0, call.indexOf('(')));
    assert.deepEqual(
      names,
      'glDeleteTextures glBindTexture glTexImage2D glTexParameteri glClearColor glClear glDrawArrays glReadPixels'.split(
        ' ',
      ),
    );
  }
  assert.deepEqual(frames[1].slice(4, 6), clear('0.3', '0.2', '0.3'));
});

test('a turn of the event loop is a frame from its first call on, microtasks included', async (t) => {
  const { path } = await recordAndVerify(t, 'animation.mjs', ['--frame', '3']);
  const { manifest, frames } = await contentsOf(path);
  assert.equal(manifest.api, 'webgl2');
  assert.deepEqual(
    frames[0].map((call) => call.slice(0, call.indexOf('('))),
    'glBindBuffer glBufferSubData glClearColor glClear glUseProgram glDrawArrays'.split(' '),
  );
});

test('immediates that ask for the next before they draw are frames of their own', async (t) => {
  const { path } = await recordAndVerify(t, 'immediates.cjs', ['--frame', '4']);
  const { frames } = await contentsOf(path);
  assert.equal(frames[0].length, 7);
  assert.deepEqual(frames[0].slice(0, 2), clear('0.4', '0', '1'));
});

test('regl over headless-gl', async (t) => {
  const { path } = await recordAndVerify(t, 'regl-cube.mjs', ['--frame', '6']);
  const { frames } = await contentsOf(path);
  assert.equal(frames[0].filter((call) => call.startsWith('glDrawArrays')).length, 2);
});

test('a frame of a long run holds what it can reach and nothing that is gone', async (t) => {
  const args = ['--frame', '100'];
  const [{ path }, again] = await Promise.all([
    recordAndVerify(t, 'simulation.mjs', args),
    recordNode(t, 'simulation.mjs', args),
  ]);
  const { manifest, setup, frames } = await contentsOf(path);
  const drawn = frames[0].filter((call) => call.startsWith('glDrawArrays'));
  assert.equal(drawn.length, 2);
  assert.ok(![...setup, ...frames[0]].some((call) => call.includes('a dead program')));
  // Two surfaces that live and one that comes and goes within the frame; so with the buffers.
  const { program, texture, buffer, renderbuffer } = manifest.objects;
  assert.deepEqual(
    { program, texture, buffer, renderbuffer },
    { program: 2, texture: 3, buffer: 2, renderbuffer: undefined },
  );
  assert.ok(setup.some((call) => call.includes('internalformat = GL_RGBA32F, width = 32')));
  assert.deepEqual(await readFile(again.path), await readFile(path), 'two recordings are equal bytes');
});

test('a worker thread is recorded like the main one', async (t) => {
  const { path } = await recordAndVerify(t, 'worker.cjs', ['--frame', '2']);
  const { frames } = await contentsOf(path);
  assert.deepEqual(frames[0].slice(0, 2), clear('0', '0.4', '0.5'));
});

test('of several contexts the first to reach the frame is recorded, and the others are told of', async (t) => {
  const { path, stderr } = await recordAndVerify(t, 'contexts.cjs', ['--frame', '4']);
  const { manifest, frames } = await contentsOf(path);
  assert.deepEqual([manifest.api, manifest.canvas.width], ['webgl2', 30]);
  assert.deepEqual(frames[0].slice(0, 2), clear('0.15', '0.85', '0'));
  assert.match(
    stderr,
    /note: the program drew in other contexts too, which are not recorded: one of 20x10 \(\d frames?\)\n/,
  );
});

test('processes that the program starts have no part in it', async (t) => {
  const { path, code, stdout, stderr } = await recordNode(t, 'forks.cjs');
  assert.equal(code, 0, stderr);
  assert.equal(stdout, 'child: 0, 0 options, plan: undefined\n');
  const { setup, frames } = await contentsOf(path);
  assert.ok(setup.includes(clear('0.5', '0', '0')[0]));
  assert.deepEqual(frames, [['glClear(mask = GL_COLOR_BUFFER_BIT)']]);
});

for (const version of ['1', '2'])
  test(`a WebGL ${version} program sees what it would see without a recorder`, async (t) => {
    const plain = await runProgram(process.execPath, [nodeProgram('transcript.cjs'), version]);
    assert.equal(plain.code, 0, plain.stderr);
    const recorded = await recordNode(t, 'transcript.cjs', ['--frame', '2', '--', version]);
    assert.equal(recorded.code, 0, recorded.stderr);
    assert.ok(plain.stdout.split('\n').length > 400);
    assert.deepEqual(recorded.stdout.split('\n'), plain.stdout.split('\n'));
  });

test('arguments, streams and folder are those of the program', async (t) => {
  const folder = await tempFolder(t);
  const given = ['a b', '--frame', '9', '-o', 'x', ''];
  const { path, stdout, stderr } = await recordNode(t, 'stdio.cjs', ['--', ...given], {
    stdin: 'Grüße\n',
    cwd: folder,
  });
  assert.deepEqual(JSON.parse(stdout), { text: 'Grüße\n', args: given, cwd: folder, main: true });
  assert.equal(stderr, `to stderr\n${path}: frame 1 of ${nodeProgram('stdio.cjs')}, 1 call, 8x8\n`);
});

test('options of Node reach the program, a TypeScript loader too', async (t) => {
  const folder = await tempFolder(t);
  const gl = JSON.stringify(join(projectRoot, 'node_modules', 'gl', 'index.js'));
  const script = join(folder, 'draw.ts');
  await writeFile(
    script,
    `import createGL from ${gl};
    const shade: number = 0.5;
    const gl = createGL(8, 8);
    gl.clearColor(shade, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);`,
  );
  const path = join(folder, 'frame.cap');
  const env = { NODE_OPTIONS: `--import ${import.meta.resolve('tsx')}` };
  const { code, stderr } = await run(['record', 'node', script, '-o', path], { env });
  assert.equal(code, 0, stderr);
  assert.ok((await contentsOf(path)).setup.includes(clear('0.5', '0', '0')[0]));
});

test('names of groups are kept as they are, and safe in every report', async (t) => {
  const { path } = await recordNode(t, 'markers.cjs');
  const capture = await openCapture(path);
  const names = [];
  for (const { signature, args } of await capture.frame(1))
    if (signature.name === 'glPushGroupMarkerEXT') names.push(args[1]);
  await capture.close();
  assert.deepEqual(names.slice(0, 6), [
    'Wände und Böden',
    '模型 🎨',
    'a, b; "c" \'d\'',
    'two\nlines\r\nand\ttabs',
    'same',
    'same',
  ]);
  assert.deepEqual(names.slice(6, 10), ['', '=1+2', '<b>&amp;|*_`', '\u0000\u001b[31mred']);
  assert.equal(names[10], 'x'.repeat(10_000));

  const reports = ['table', 'csv', 'json', 'markdown'].map((format) => join(path, '..', format));
  const outputs = reports.flatMap((file) => [`--${file.slice(file.lastIndexOf('/') + 1)}`, file]);
  const replay = await runInSession([
    'replay',
    path,
    '--driver',
    'egl',
    '--runs',
    '1',
    '--timer',
    'finish',
    '--raw',
    ...outputs,
  ]);
  assert.equal(replay.code, 0, replay.stderr);
  const [table, csv, json, markdown] = await Promise.all(reports.map((file) => readFile(file, 'utf8')));
  const { frames } = JSON.parse(json) as { frames: { nodes: { kind: string; name: string }[] }[] };
  const shown = frames[0].nodes.filter(({ kind }) => kind === 'marker').map(({ name }) => name);
  // In a report a name is one line of visible characters, of a length that can be read.
  assert.deepEqual(shown.slice(0, 7), [...names.slice(0, 3), 'two lines and tabs', 'same', 'same', '(unnamed)']);
  assert.deepEqual(shown.slice(7, 10), ['=1+2', '<b>&amp;|*_`', '[31mred']);
  assert.ok(shown[10].length < 1000);
  assert.ok(csv.includes(",'=1+2,"), 'no formula for a spreadsheet');
  for (const text of [table, csv, markdown]) {
    assert.ok(text.includes('模型 🎨'));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing that a terminal obeys may be in a report
    assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  }
});
