import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodePng } from '../../src/capture/png.ts';
import type { HtmlData } from '../../src/report/html/data.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { writeSmallCapture } from './small-capture.ts';

test('PNG files in the order of events, as screenshots show them; a page has each picture once', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'), { frames: 2 });
  const pictures = join(folder, 'pictures');
  const page = join(folder, 'a.html');
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1'];
  const { code, stderr } = await runInSession([...args, '--format', 'html', '-o', page, '--thumbnails', pictures]);
  assert.deepEqual([code, stderr], [0, '']);
  const names = (await readdir(pictures)).sort();
  assert.deepEqual(names, [
    'frame-1-event-03-glClear.png',
    'frame-1-event-07-glDrawArrays.png',
    'frame-1-event-09-glDrawArrays.png',
    'frame-2-event-03-glClear.png',
    'frame-2-event-07-glDrawArrays.png',
    'frame-2-event-09-glDrawArrays.png',
  ]);
  const shot = join(folder, 'shot.png');
  await runInSession(['screenshot', file, '--driver', 'egl', '--frame', '2', '--event', '7', '-o', shot]);
  assert.deepEqual(await readFile(join(pictures, names[4])), await readFile(shot));

  const [, json] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(await readFile(page, 'utf8')) ?? [];
  const { pictures: shown, frames }: HtmlData = JSON.parse(json);
  const colors = shown.map((text) => [...decodePng(Buffer.from(text, 'base64')).data.slice(0, 4)]);
  assert.deepEqual(colors, [
    [0, 0, 255, 255],
    [0, 255, 0, 255],
    [255, 0, 255, 255],
  ]);
  const text = 'COLOR0 of the canvas, 8x4';
  for (const { nodes } of frames)
    assert.deepEqual(
      nodes.map(({ thumbnail }) => thumbnail),
      [
        { picture: 2, text: `after event 9: ${text}` },
        { picture: 0, text: `after event 3: ${text}` },
        { picture: 0, text },
        { picture: 2, text: `after event 9: ${text}` },
        { picture: 1, text },
        { picture: 2, text },
      ],
    );
});

test('without times, too; the longest side is as asked', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const args = ['replay', file, '--driver', 'egl', '--no-timing', '--thumbnails', folder, '--thumbnail-size', '8'];
  assert.deepEqual(await runInSession(args), { code: 0, stdout: '', stderr: '' });
  const { width, height } = decodePng(await readFile(join(folder, 'frame-1-event-03-glClear.png')));
  assert.deepEqual([width, height], [8, 4]);
});

test('taking them changes nothing that is drawn after them', async (t) => {
  const folder = await tempFolder(t);
  const canvas = join(folder, 'canvas.png');
  const pictures = join(folder, 'pictures');
  const args = ['replay', samplePath('scene'), '--driver', 'egl', '--no-timing', '--screenshot', canvas];
  assert.equal((await runInSession([...args, '--thumbnails', pictures, '--thumbnail-size', '320'])).code, 0);
  const names = (await readdir(pictures)).sort();
  assert.equal(names.length, 101);
  assert.deepEqual(await readFile(join(pictures, names[100])), await readFile(canvas));
});

test('thumbnails that would go nowhere are refused', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const taken = join(folder, 'taken');
  await writeFile(taken, '');
  for (const [args, line] of [
    [
      ['--thumbnails'],
      '--thumbnails without a folder is for the HTML report; add --html FILE, or name a folder after --thumbnails',
    ],
    [['--thumbnail-size', '9'], '--thumbnail-size is for --thumbnails; add --thumbnails'],
    [
      ['--thumbnails', taken],
      `cannot write into ${taken}: it is no folder; name a folder after --thumbnails, or put it last`,
    ],
    [['--thumbnails', join(taken, 'a', 'b')], `cannot write ${join(taken, 'a', 'b')}: its folder is not a folder`],
  ] as const) {
    const { code, stdout, stderr } = await runInSession(['replay', file, '--driver', 'egl', ...args]);
    assert.deepEqual([code, stdout, stderr], [2, '', `gpuprof: ${line}\n`]);
  }
});

test('a full disk costs the pictures, not the report', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const picture = join(folder, 'frame-1-event-07-glDrawArrays.png');
  await symlink('/dev/full', picture);
  const table = join(folder, 'a.csv');
  const args = ['replay', file, '--driver', 'egl', '--timer', 'finish', '--runs', '1', '-o', table, '--format', 'csv'];
  const { code, stderr } = await runInSession([...args, '--thumbnails', folder]);
  const line = `gpuprof: frame 1, event 7: cannot write ${picture}: no space is left on the device\n`;
  assert.deepEqual([code, stderr], [2, line]);
  assert.equal((await readFile(table, 'utf8')).split('\n').length, 8);
});
