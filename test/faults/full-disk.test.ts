/**
 * Disks that are full, and folders that cannot be written: one line that names the file and the reason, no half file, and
 * what was there stays. The shell limits the size of files, which a program meets as it meets a full disk.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeQuads } from '../cli/compare-capture.ts';
import { noChromium } from '../helpers/chromium.ts';
import { run, runProgram } from '../helpers/cli.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { send } from '../qrhi/cli-kit.ts';
import { buffer, smallStream } from '../qrhi/kit.ts';
import { nodeProgram } from '../record/node-kit.ts';
import { page, painter, writeSite } from '../record/page-kit.ts';
import { script, startProgram } from './kit.ts';
import { triangleModel } from './triangle-model.ts';

const reason = 'it is larger than a file may be here';
const trace = join(import.meta.dirname, '..', 'import', 'traces', 'es-2.0.trace');
const timed = ['--driver', 'egl', '--timer', 'finish', '--runs', '1'];

/** The arguments of bash for a gpuprof that may write no file of more than so many KiB. */
const limited = (kibibytes: number, args: readonly string[]): string[] => [
  '-c',
  `ulimit -f ${kibibytes}; exec "$0" "$@"`,
  process.execPath,
  script,
  ...args,
];

/** A folder with a file of each of these names. */
async function folderWith(t: TestContext, names: readonly string[]): Promise<(name: string) => string> {
  const folder = await tempFolder(t);
  for (const name of names) await writeFile(join(folder, name), 'before');
  return (name) => join(folder, name);
}

/** Nothing but these files is there, as they were. */
async function untouched(path: (name: string) => string, names: readonly string[]): Promise<void> {
  assert.deepEqual((await readdir(path('.'))).sort(), [...names].sort());
  for (const name of names) assert.equal(await readFile(path(name), 'utf8'), 'before', name);
}

test('reports of every format, a picture and thumbnails', async (t) => {
  const formats = ['table', 'csv', 'json', 'markdown', 'perfetto', 'speedscope', 'html', 'qrhi'];
  const path = await folderWith(t, [...formats, 'picture']);
  const files = formats.flatMap((format) => [`--${format}`, path(format)]);
  const thumbnails = ['--thumbnails', path('small'), '--thumbnail-size', '1024'];
  const args = ['replay', samplePath('scene'), ...timed, ...files, ...thumbnails, '--csv', path('csv')];
  const { code, stdout, stderr } = await runProgram('bash', limited(8, args));
  assert.equal(code, 2, stderr);
  // The main output is whole; of the others the first is told of.
  assert.match(stdout, /glDrawElements/);
  assert.equal(stderr, `gpuprof: cannot write ${path('table')}: ${reason}\n`);
  for (const picture of await readdir(path('small'))) assert.match(picture, /^frame-1-event-\d+-\w+\.png$/);
  execFileSync('rm', ['-r', path('small')]);
  await untouched(path, [...formats, 'picture']);
  const screenshot = ['screenshot', samplePath('scene'), '--driver', 'egl', '-o', path('picture')];
  const picture = await runProgram('bash', limited(8, screenshot));
  assert.deepEqual([picture.code, picture.stderr], [2, `gpuprof: cannot write ${path('picture')}: ${reason}\n`]);
  await untouched(path, [...formats, 'picture']);
});

test('captures, however they are made', async (t) => {
  const path = await folderWith(t, ['a.cap']);
  const model = join(await tempFolder(t), 'model.gltf');
  await writeFile(model, triangleModel);
  const cases = [
    [0, ['import', trace]],
    [5, ['record', 'gltf', model, '--driver', 'egl', '--frames', '40']],
  ] as const;
  for (const [kibibytes, args] of cases) {
    const { code, stderr } = await runProgram('bash', limited(kibibytes, [...args, '-o', path('a.cap')]));
    assert.deepEqual([code, stderr], [2, `gpuprof: cannot write ${path('a.cap')}: ${reason}\n`], args.join(' '));
    await untouched(path, ['a.cap']);
  }
});

test('a capture of a Node program, on a device that is full', async () => {
  const { code, stderr } = await run(['record', 'node', nodeProgram('immediates.cjs'), '-o', '/dev/full']);
  assert.deepEqual([code, stderr], [2, 'gpuprof: cannot write /dev/full: no space is left on the device\n']);
});

test('a capture of a page', { skip: noChromium }, async (t) => {
  const site = await writeSite(
    await tempFolder(t),
    page(`${painter} paint(begin(document.querySelector('canvas')), 1);`),
  );
  const { code, stderr } = await run(['record', 'page', site, '--frame', '1', '-o', '/dev/full']);
  assert.deepEqual([code, stderr], [2, 'gpuprof: cannot write /dev/full: no space is left on the device\n']);
});

test('baselines, results of gates, and reports of streams', async (t) => {
  const path = await folderWith(t, ['gate.json', 'report']);
  const folder = await tempFolder(t);
  const config = join(folder, 'gpuprof.config.json');
  await writeFile(config, JSON.stringify({ driver: 'egl', timing: false, captures: [samplePath('scene')] }));
  const update = await runProgram('bash', limited(8, ['gate', config, '--update']));
  assert.equal(update.code, 2);
  assert.match(
    update.stderr,
    new RegExp(`^gpuprof: cannot write \\S*gpuprof-baselines/scene/\\S+\\.json: ${reason}\n$`),
  );
  assert.deepEqual(await readdir(join(folder, 'gpuprof-baselines', 'scene')), []);

  const shard = { index: 1, count: 1 };
  const result = { format: 'gpuprof-gate', version: 1, producer: 'x', level: 'pass', shard, captures: [] };
  await writeFile(join(folder, 'shard.json'), JSON.stringify(result));
  const merge = ['merge', join(folder, 'shard.json'), '--json', path('gate.json'), '--no-github'];
  const merged = await runProgram('bash', limited(0, merge));
  const unwritten = `gpuprof: cannot write ${path('gate.json')}: ${reason}\n`;
  assert.equal(merged.code, 2);
  assert.ok(merged.stderr.endsWith(unwritten), merged.stderr);
  // Its verdict stands all the same.
  await writeFile(join(folder, 'shard.json'), JSON.stringify({ ...result, level: 'fail' }));
  const worse = await runProgram('bash', limited(0, merge));
  assert.equal(worse.code, 1);
  assert.ok(worse.stderr.endsWith(`${unwritten}gpuprof: the gate failed\n`), worse.stderr);

  await writeFile(join(folder, 'stream.csv'), smallStream);
  for (const format of ['table', 'csv', 'json']) {
    const args = ['qrhi', join(folder, 'stream.csv'), '--format', format, '-o', path('report')];
    const { code, stderr } = await runProgram('bash', limited(0, args));
    assert.deepEqual([code, stderr], [2, `gpuprof: cannot write ${path('report')}: ${reason}\n`], format);
  }
  await untouched(path, ['gate.json', 'report']);
});

test('a stream that cannot be kept is reported, and so are the others', async (t) => {
  const kept = join(await tempFolder(t), 'kept.csv');
  const args = ['qrhi', '--listen', '0', '-o', kept, '--format', 'json'];
  const { child, until, ended, told } = startProgram(t, 'bash', limited(1, args));
  const port = Number((await until(() => /listening on 127\.0\.0\.1:(\d+)/.exec(told()) ?? undefined))[1]);
  await send(port, smallStream.repeat(2));
  await send(port, buffer(1, 100));
  await until(() => /the stream is in \S+kept-2\.csv/.test(told()));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 2);
  const line = `the stream of 127\\.0\\.0\\.1:\\d+ is kept only up to here: cannot write ${kept}: ${reason}`;
  assert.match(stderr, new RegExp(`^gpuprof: ${line}$.*^gpuprof: 1 stream was not kept whole\n$`, 'ms'));
  const { streams } = JSON.parse(stdout);
  assert.deepEqual(
    streams.map(({ lines }: { readonly lines: number }) => lines),
    [40, 1],
  );
  assert.equal(await readFile(kept.replace('.csv', '-2.csv'), 'utf8'), buffer(1, 100));
});

/** A command that makes the folder read-only for what follows, and why nothing can be written there then. */
function readOnly(folder: string): readonly [before: string, why: string] {
  const mount = 'mount --bind "$FOLDER" "$FOLDER" && mount -o remount,bind,ro "$FOLDER"';
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', mount], { env: { ...process.env, FOLDER: folder } });
  if (status === 0) return [`unshare -m sh -c '${mount} && exec "$0" "$@"'`, 'the file system is read-only'];
  // Who may not mount is not root either, for whom these rights mean something.
  return ['chmod a-w "$FOLDER" && exec', 'permission denied'];
}

test('a read-only folder is refused before anything is measured', async (t) => {
  const path = await folderWith(t, ['a.csv', 'a.cap']);
  const [before, why] = readOnly(path('.'));
  const ofFolder = async (args: readonly string[]) => {
    const command = `${before} "$@"`;
    const options = { env: { FOLDER: path('.') } };
    const { code, stderr } = await runProgram('bash', ['-c', command, '', process.execPath, script, ...args], options);
    return [code, stderr];
  };
  assert.deepEqual(await ofFolder(['replay', samplePath('scene'), '--runs', '1000000', '--csv', path('a.csv')]), [
    2,
    `gpuprof: cannot write ${path('a.csv')}: ${why}\n`,
  ]);
  assert.deepEqual(await ofFolder(['import', trace, '-o', path('a.cap')]), [
    2,
    `gpuprof: cannot write ${path('a.cap')}: ${why}\n`,
  ]);
  await untouched(path, ['a.csv', 'a.cap']);
});

test('no room for temporary files', async (t) => {
  const TMPDIR = join(await tempFolder(t), 'none');
  const { code, stderr } = await run(['replay', samplePath('triangle'), ...timed], { env: { TMPDIR } });
  const hint = 'name another folder for temporary files with TMPDIR';
  assert.deepEqual(
    [code, stderr],
    [2, `gpuprof: cannot write ${join(TMPDIR, 'gpuprof')}: its folder does not exist; ${hint}\n`],
  );
});

test('a standard error that takes nothing leaves the exit code as it is, and a full disk leaves a verdict', async (t) => {
  const folder = await tempFolder(t);
  const base = await writeQuads(join(folder, 'base.cap'));
  const more = await writeQuads(join(folder, 'more.cap'), { triangles: 3 });
  const mute = async (redirection: string, args: readonly string[]) =>
    (await runProgram('bash', ['-c', `"$0" "$@" ${redirection}`, process.execPath, script, ...args])).code;
  assert.equal(await mute('2>/dev/full', ['info', join(folder, 'none')]), 2);
  assert.equal(await mute('2>&-', ['replay', join(folder, 'none'), '--driver', 'egl']), 2);
  const unseen = ['replay', base, '--driver', 'swiftshader', '--browser', join(folder, 'none')];
  assert.equal(await mute('2>/dev/full', unseen), (await run(unseen)).code);
  const compare = [
    'compare',
    base,
    more,
    '--driver',
    'egl',
    '--counters-only',
    '--json',
    '/dev/full',
    '-o',
    '/dev/null',
  ];
  const { code, stderr } = await run(compare);
  assert.equal(code, 1, stderr);
  const lines = 'gpuprof: cannot write /dev/full: no space is left on the device\ngpuprof: it got worse: ';
  assert.ok(stderr.startsWith(lines), stderr);
});

test('what a killed process has left beside an output goes when the next is written there', async (t) => {
  const path = await folderWith(t, ['a.csv']);
  await writeFile(path('stream.csv'), smallStream);
  execFileSync('mkfifo', [path('pipe')]);
  const temporaries = async () => (await readdir(path('.'))).filter((name) => name.endsWith('.tmp'));
  const args = ['qrhi', path('stream.csv'), '-o', path('a.csv')];
  /** It has written one report, and waits for another stream. */
  const writing = async (files: number) => {
    const running = startProgram(t, process.execPath, [script, ...args, path('pipe')]);
    await running.until(async () => (await temporaries()).length === files);
    return running;
  };
  await writing(1);
  const alive = await temporaries();
  const killed = await writing(2);
  killed.child.kill('SIGKILL');
  await killed.ended;
  assert.equal((await run(args)).code, 0);
  assert.deepEqual(await temporaries(), alive);
});
