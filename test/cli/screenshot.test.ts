import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodePng } from '../../src/capture/png.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { writeSmallCapture } from './small-capture.ts';

test('a PNG of what is drawn into, as it is after an event', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'), { frames: 2 });
  const picture = join(folder, 'a.png');
  for (const [args, pixel] of [
    [[], [255, 0, 255, 255]],
    // A group's beginning: nothing has been drawn, and the frame before has left its picture.
    [
      ['--event', '1'],
      [255, 0, 255, 255],
    ],
    [
      ['--event', '3'],
      [0, 0, 255, 255],
    ],
    [
      ['--frame', '1', '--event', '7', '--attachment', 'color0'],
      [0, 255, 0, 255],
    ],
  ] as const) {
    const { code, stdout, stderr } = await runInSession([
      'screenshot',
      file,
      '--driver',
      'egl',
      ...args,
      '-o',
      picture,
    ]);
    assert.deepEqual([code, stdout, stderr], [0, '', 'gpuprof: COLOR0 of the canvas, 8x4\n']);
    const { width, height, data } = decodePng(await readFile(picture));
    assert.deepEqual([width, height, [...data.slice(0, 4)]], [8, 4, pixel]);
  }
});

test('any framebuffer, bound or not; without an event the canvas', async () => {
  const file = samplePath('scene');
  for (const [args, line] of [
    [[], 'COLOR0 of the canvas, 320x200'],
    [['--event', '19'], 'depth of framebuffer 2, 512x512; 0 to 255 shows L to H (depth)'],
    [
      ['--event', '19', '--framebuffer', '0', '--attachment', 'DEPTH'],
      'depth of the canvas, 320x200; 0 to 255 shows L to H (depth)',
    ],
    [['--framebuffer', '1'], 'COLOR0 of framebuffer 1, 320x200; 0 to 255 shows L to H (float)'],
  ] as const) {
    const { code, stdout, stderr } = await runInSession(['screenshot', file, '--driver', 'egl', ...args, '-o', '-']);
    const told = stderr.replace(/shows \S+ to \S+/, 'shows L to H');
    assert.deepEqual([code, stdout.slice(1, 4), told], [0, 'PNG', `gpuprof: ${line}\n`]);
  }
});

test('one line for what cannot be shown', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const picture = join(folder, 'a.png');
  for (const [args, line] of [
    [['--event', '11'], 'frame 1 has no event 11; its events are 1 to 10; gpuprof dump lists them'],
    [['--frame', '2'], `${file} has no frame 2; it has one frame`],
    [['--attachment', 'depth'], 'the canvas has no depth; it has COLOR0'],
    [['--event', '3', '--framebuffer', '7'], 'there is no framebuffer 7 then; there are 0 (the canvas)'],
    [['--browser', 'b'], '--browser is for --driver swiftshader; add --driver swiftshader'],
    [
      ['--attachment', 'back'],
      "option '--attachment <name>' argument 'back' is invalid. It must be COLOR0 to COLOR31, depth or stencil; see gpuprof screenshot --help",
    ],
  ] as const) {
    const { code, stdout, stderr } = await runInSession([
      'screenshot',
      file,
      '--driver',
      'egl',
      ...args,
      '-o',
      picture,
    ]);
    assert.deepEqual([code, stdout, stderr], [2, '', `gpuprof: ${line}\n`]);
  }
});
