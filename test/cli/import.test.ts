import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodePng } from '../../src/capture/png.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { pack } from '../import/trace-packer.ts';
import * as w from '../import/trace-writer.ts';

const frameCalls = 3;

/** A GLX program with two frames: a window of 40x36 that is cleared to red, then to green. */
function trace(): Buffer {
  const writer = new w.TraceWriter(6, { 'process.name': 'painter' });
  const attributes = w.array(...[0x2091, 4, 0x2092, 5, 0x9126, 1, 0].map(w.int));
  writer
    .call(['glXCreateContextAttribsARB', 'dpy', 'config', 'share_context', 'direct', 'attrib_list'], {
      args: [w.int(1), w.int(2), w.none, w.bool(true), attributes],
      result: w.int(0xc1),
    })
    .call(['glXMakeCurrent', 'dpy', 'drawable', 'ctx'], {
      args: [w.int(1), w.int(7), w.int(0xc1)],
      result: w.bool(true),
    })
    .call(['glViewport', 'x', 'y', 'width', 'height'], { args: [w.int(0), w.int(0), w.int(40), w.int(36)] })
    .call(['glProgramBinary', 'program', 'binaryFormat', 'binary', 'length'], {
      args: [w.int(1), w.int(1), w.blob(Uint8Array.of(1)), w.int(1)],
    });
  for (const [red, green] of [
    [1, 0],
    [0, 1],
  ])
    writer
      .call(['glClearColor', 'red', 'green', 'blue', 'alpha'], {
        args: [w.f32(red), w.f32(green), w.f32(0), w.f32(1)],
      })
      .call(['glClear', 'mask'], { args: [w.int(0x4000)] })
      .call(['glXSwapBuffers', 'dpy', 'drawable'], { args: [w.int(1), w.int(7)] });
  return writer.toBytes();
}

const left = 'gpuprof: note: 1 call of glProgramBinary left out: program binaries are for the recorded driver only\n';

test('import writes a capture and says what it holds', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'a.trace');
  await writeFile(file, pack(trace(), 'snappy'));
  const out = join(folder, 'a.cap');
  const whole = await runInSession(['import', file, '-o', out]);
  assert.equal(whole.code, 0);
  assert.equal(whole.stdout, '');
  assert.equal(
    whole.stderr,
    `${out}: 2 frames, 5 calls, 0 draws, from ${4 + 2 * frameCalls} calls of apitrace's\n${left}`,
  );
  assert.equal(
    (await runInSession(['dump', out])).stdout,
    `# setup: 2 calls
1 glViewport(x = 0, y = 0, width = 40, height = 36)
2 glClearColor(red = 1, green = 0, blue = 0, alpha = 1)
# frame 1: 1 calls
1 glClear(mask = GL_COLOR_BUFFER_BIT)
# frame 2: 2 calls
1 glClearColor(red = 0, green = 1, blue = 0, alpha = 1)
2 glClear(mask = GL_COLOR_BUFFER_BIT)
`,
  );
  const info = JSON.parse((await runInSession(['info', out, '--format', 'json'])).stdout);
  assert.equal(info.capture.origin.producer, 'apitrace, painter');
  assert.equal(info.capture.profile, 'core');
  assert.deepEqual([info.capture.canvas.width, info.capture.canvas.height], [40, 36]);
  assert.equal(info.capture.notes.length, 1);

  const again = join(folder, 'b.cap');
  await runInSession(['import', file, '-o', again]);
  assert.deepEqual(await readFile(again), await readFile(out));
});

test('import takes some of the frames', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'a.trace');
  await writeFile(file, pack(trace(), 'snappy'));
  const out = join(folder, 'a.cap');
  for (const option of [
    ['--frame', '2'],
    ['--frames', '2-2'],
  ]) {
    const { code } = await runInSession(['import', file, '-o', out, ...option]);
    assert.equal(code, 0);
    const { stdout } = await runInSession(['dump', out]);
    assert.match(stdout, /^# setup: 3 calls\n(.*\n){3}# frame 1: 2 calls\n(.*\n){2}$/);
  }
  for (const option of [
    ['--frame', '3'],
    ['--frames', '2-3'],
  ]) {
    const { code, stderr } = await runInSession(['import', file, '-o', out, ...option]);
    assert.equal(code, 2);
    assert.equal(stderr, `gpuprof: ${file} has no frame 3; its frames are 1 to 2\n`);
  }
  for (const option of [
    ['--frames', '2'],
    ['--frames', '3-2'],
    ['--frames', '0-2'],
    ['--frame', '1', '--frames', '1-2'],
  ])
    assert.equal((await runInSession(['import', file, '-o', out, ...option])).code, 2, option.join(' '));
});

test('a trace is replayed, dumped and told of without a capture in between', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'a.trace');
  await writeFile(file, pack(trace(), 'gzip'));
  const picture = join(folder, 'a.png');
  const replayed = await runInSession(['replay', file, '--no-timing', '--screenshot', picture]);
  assert.equal(replayed.code, 0);
  assert.equal(replayed.stderr, left);
  const { width, height, data } = decodePng(await readFile(picture));
  assert.deepEqual([width, height, ...data.subarray(0, 4)], [40, 36, 0, 255, 0, 255]);
  assert.match((await runInSession(['dump', file, '--frame', '2'])).stdout, /^# frame 2: 2 calls\n/);
  assert.match((await runInSession(['info', file])).stdout, /\nAPI +gl 4\.5 core\n/);
});

test('what stops in the middle is imported as far as it goes', async (t) => {
  const folder = await tempFolder(t);
  const file = join(folder, 'a.trace');
  await writeFile(file, pack(trace().subarray(0, -30), 'gzip'));
  const { code, stderr } = await runInSession(['import', file, '-o', join(folder, 'a.cap')]);
  assert.equal(code, 0);
  assert.match(stderr, /^.*: 1 frame, 3 calls, 0 draws, from 7 calls of apitrace's$/m);
  assert.match(stderr, /^gpuprof: note: the file is not complete, and what comes before that is imported: \S/m);
});

test('what is no trace is not imported', async (t) => {
  const folder = await tempFolder(t);
  const [file, out] = [join(folder, 'a.trace'), join(folder, 'a.cap')];
  const missing = await runInSession(['import', file, '-o', out]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^gpuprof: cannot (read|open) .*a\.trace/);
  await writeFile(file, pack(trace(), 'snappy'));
  await runInSession(['import', file, '-o', out]);
  const own = await runInSession(['import', out, '-o', join(folder, 'b.cap')]);
  assert.equal(own.code, 2);
  assert.equal(
    own.stderr,
    `gpuprof: ${out} is a capture already; what can be imported are captures of apitrace and RenderDoc\n`,
  );
  assert.equal((await runInSession(['import', file, '-o', file])).code, 2);
});
