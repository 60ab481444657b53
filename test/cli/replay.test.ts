import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodePng } from '../../src/capture/png.ts';
import type { Report } from '../../src/model/report.ts';
import type { RunOptions } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { writeSmallCapture } from './small-capture.ts';

const quick = ['--driver', 'egl', '--timer', 'finish', '--runs', '3', '--warmup', '1'];

const replay = (args: readonly string[], env?: RunOptions['env']) => runInSession(['replay', ...args], { env });

test('a table on standard output, without colour or progress where there is no terminal', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const { code, stdout, stderr } = await replay([file, ...quick]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^capture {3}.*small\.cap \(webgl2, canvas 8×4, 1 frame\)$/m);
  assert.match(stdout, /^runs {6}3 after 1 warm-up/m);
  assert.match(stdout, /^ {4}3 {6}glClear\(Color\) +clear +<?\d/m);
  assert.match(stdout, /^ {4}5 {4}=ground/m);
  assert.doesNotMatch(stdout, /[^\P{Cc}\n]/u);
});

test('FORCE_COLOR colours it, NO_COLOR has the last word', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const colored = await replay([file, ...quick], { FORCE_COLOR: '1', NO_COLOR: undefined });
  assert.ok(colored.stdout.includes('\u001b[2m'));
  const plain = await replay([file, ...quick], { FORCE_COLOR: '1', NO_COLOR: '1' });
  assert.ok(!plain.stdout.includes('\u001b'));
});

test('several outputs in one run tell the same numbers', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const path = (name: string) => join(folder, name);
  const outputs = ['--csv', path('a.csv'), '--json', path('a.json'), '--markdown', path('a.md'), '-o', path('a.txt')];
  const { code, stdout, stderr } = await replay([file, ...quick, ...outputs], { FORCE_COLOR: '1' });
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  const report = JSON.parse(await readFile(path('a.json'), 'utf8')) as Report;
  const [clear] = report.frames[0].nodes.filter(({ kind }) => kind === 'clear');
  assert.equal(clear.samples.durationNs.length, 3);
  const row = (await readFile(path('a.csv'), 'utf8')).split('\r\n').find((line) => line.startsWith('1,3,'));
  assert.equal(row?.split(',')[9], String(Math.round(clear.durationNs?.median ?? Number.NaN)));
  assert.match(await readFile(path('a.md'), 'utf8'), /^\| 3 \| &emsp;&emsp;glClear\(Color\) \| clear \|/m);
  assert.ok(!(await readFile(path('a.txt'), 'utf8')).includes('\u001b'), 'a file has no colour');
  assert.deepEqual((await readdir(folder)).sort(), ['a.csv', 'a.json', 'a.md', 'a.txt', 'small.cap']);
});

test('an output sent to standard output takes the place of the table', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'));
  const { stdout } = await replay([file, ...quick, '--json', '-']);
  assert.equal((JSON.parse(stdout) as Report).format, 'gpuprof-report');
});

test('a file is replaced whole, through a link too, and a device is written to', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  await writeFile(join(folder, 'target.csv'), 'old');
  await symlink('target.csv', join(folder, 'link.csv'));
  assert.equal((await replay([file, ...quick, '--format', 'csv', '-o', join(folder, 'link.csv')])).code, 0);
  assert.match(await readFile(join(folder, 'target.csv'), 'utf8'), /^frame,eventId,/);
  assert.equal((await replay([file, ...quick, '-o', '/dev/null'])).code, 0);
});

test('an output that cannot be written is refused before anything is measured', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  for (const [path, why] of [
    [join(folder, 'none', 'a.csv'), 'its folder does not exist'],
    [folder, 'it is a folder'],
    [join(file, 'a.csv'), 'its folder is not a folder'],
  ]) {
    const { code, stdout, stderr } = await replay([file, '--csv', path]);
    assert.deepEqual([code, stdout, stderr], [2, '', `gpuprof: cannot write ${path}: ${why}\n`]);
  }
});

test('a frame by number, and all of them', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { frames: 3 });
  const frames = async (...args: string[]) => {
    const { stdout } = await replay([file, ...quick, '--json', '-', ...args]);
    return (JSON.parse(stdout) as Report).frames.map(({ frame }) => frame);
  };
  assert.deepEqual(await frames(), [1, 2, 3]);
  assert.deepEqual(await frames('--frame', '2'), [2]);
  const { code, stderr } = await replay([file, '--frame', '4']);
  assert.deepEqual([code, stderr], [2, `gpuprof: ${file} has no frame 4; its frames are 1 to 3\n`]);
});

test('--verify passes on the picture that was recorded', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { frames: 2 });
  const { code, stdout, stderr } = await replay([file, ...quick, '--frame', '1', '--verify', '--json', '-']);
  assert.deepEqual(
    [code, stderr],
    [0, 'gpuprof: verification passed: all 32 pixels are equal (recorded on none, Acme One, 1)\n'],
  );
  const { verification } = JSON.parse(stdout) as Report;
  assert.deepEqual([verification?.passed, verification?.differing, verification?.tolerance], [true, 0, 3]);
});

test('--verify fails with exit 1 on another picture, after the report is written', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'), { wrongPixels: 1 });
  const { code, stdout, stderr } = await replay([file, ...quick, '--verify', '--csv', join(folder, 'a.csv')]);
  assert.equal(code, 1);
  const line =
    'verification FAILED: 1 of 32 pixels differ (3.13%), by 10 of 255 at most and 0.078 on average; ' +
    '3.13% by more than 3, at most 1% may (recorded on none, Acme One, 1)';
  assert.equal(stderr, `gpuprof: ${line}\n`);
  assert.match(stdout, /^verify {4}FAILED: 1 of 32 pixels differ/m);
  assert.match(await readFile(join(folder, 'a.csv'), 'utf8'), /^frame,/);
});

test('a failed --verify tells what the recorder could not store, and so does info', async (t) => {
  const notes = ['texture 1 \u001b[2J is lost', 'so is texture 2'];
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { wrongPixels: 1, notes });
  const { code, stderr } = await replay([file, '--no-timing', '--verify']);
  assert.equal(code, 1);
  const hint = 'the recorder noted: texture 1 ␛[2J is lost (and 1 more: see gpuprof info)';
  assert.ok(stderr.endsWith(`; ${hint}\n`), stderr);
  const { stdout } = await runInSession(['info', file]);
  assert.match(stdout, /^note {2,}texture 1 ␛\[2J is lost\nnote {2,}so is texture 2$/m);
  const json = JSON.parse((await runInSession(['info', file, '--format', 'json'])).stdout);
  assert.deepEqual(json.capture.notes, notes);
});

test('--tolerance is the largest difference that passes', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { wrongPixels: 1 });
  const code = async (tolerance: string) =>
    (await replay([file, '--no-timing', '--verify', '--tolerance', tolerance])).code;
  assert.equal(await code('10'), 0);
  assert.equal(await code('9'), 1);
  assert.equal(await code('0'), 1);
});

test('--verify needs a reference picture', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { withoutReference: true });
  const { code, stderr } = await replay([file, '--verify']);
  assert.equal(code, 2);
  assert.match(stderr, /^gpuprof: .* has no reference picture to verify against; .*\n$/);
});

test('--screenshot writes what was replayed', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const picture = join(folder, 'a.png');
  const { code, stdout, stderr } = await replay([file, '--no-timing', '--screenshot', picture]);
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  const { width, height, data } = decodePng(await readFile(picture));
  assert.deepEqual([width, height], [8, 4]);
  for (let at = 0; at < data.length; at += 4) assert.deepEqual([...data.subarray(at, at + 4)], [255, 0, 255, 255]);
});

test('GL errors are listed on standard error and in JSON', async (t) => {
  const file = await writeSmallCapture(join(await tempFolder(t), 'small.cap'), { wrongCall: true });
  const { code, stdout, stderr } = await replay([file, ...quick, '--json', '-']);
  assert.equal(code, 0);
  assert.match(stderr, /^GL error: frame 1, event 8: glEnable\(cap = 0xdead\) raised GL_INVALID_ENUM/);
  const [error] = (JSON.parse(stdout) as Report).glErrors;
  assert.deepEqual([error.frame, error.eventId, error.error], [1, 8, 'GL_INVALID_ENUM']);
});

test('what is no capture is one line and exit 2', async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'text.cap'), 'not a capture');
  for (const name of ['text.cap', 'missing.cap', '.']) {
    const { code, stdout, stderr } = await replay([join(folder, name)]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^gpuprof: [^\n]+\n$/);
    assert.doesNotMatch(stderr, /internal error/);
  }
});
