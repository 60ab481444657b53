/** SIGINT and SIGTERM, command by command: a whole output or none, and no process or temporary file. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openCapture } from '../../src/capture/open.ts';
import { decodePng } from '../../src/capture/png.ts';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { noChromium } from '../helpers/chromium.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { buffer } from '../qrhi/kit.ts';
import { nodeProgram } from '../record/node-kit.ts';
import { page, painter, writeSite } from '../record/page-kit.ts';
import { allGone, below, hasLoaded, type Running, start } from './kit.ts';
import { triangleModel } from './triangle-model.ts';

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

interface Place {
  /** Beside the outputs: inputs. */
  readonly input: (name: string) => string;
  /** In a folder that is empty otherwise. */
  readonly output: (name: string) => string;
}

interface Case {
  readonly signal: keyof typeof exitCodes;
  /** Arguments, with what they need. */
  readonly args: (place: Place) => Promise<readonly string[]>;
  /** When it is in the middle. Without: as soon as something is being written. */
  readonly ready?: (running: Running) => Promise<boolean>;
  /** Throws for a file that is not whole. Without: it never comes to an end. */
  readonly whole?: (path: string) => Promise<unknown>;
  /** Where not that of the signal: an interruption that ends the command well. */
  readonly code?: number;
  readonly skip?: string | false;
}

const anyOf =
  (isReady: (pid: number, command: string) => boolean | Promise<boolean>) =>
  async ({ pid }: Running): Promise<boolean> =>
    (await Promise.all((await below(pid)).map((one) => isReady(one.pid, one.command)))).includes(true);

const draws = anyOf((pid) => hasLoaded(pid, 'libEGL'));
const json = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));
const capture = async (path: string): Promise<unknown> => (await openCapture(path)).close();
const endless = ['--driver', 'egl', '--timer', 'finish', '--runs', '1000000'];

const loop = `${painter}
const gl = begin(document.querySelector('canvas'));
const draw = () => { paint(gl, 1); requestAnimationFrame(draw); };
draw();`;

const cases: Readonly<Record<string, Case>> = {
  replay: {
    signal: 'SIGTERM',
    args: async ({ input, output }) => {
      const file = await writeSmallCapture(input('small.cap'));
      return ['replay', file, ...endless, '--json', output('a.json'), '--qrhi', output('a.csv'), '-o', output('a.txt')];
    },
    ready: draws,
  },
  screenshot: {
    signal: 'SIGINT',
    args: async ({ output }) => ['screenshot', samplePath('scene'), '--driver', 'egl', '-o', output('a.png')],
    whole: async (path) => decodePng(await readFile(path)),
  },
  import: {
    signal: 'SIGTERM',
    args: async ({ output }) => [
      'import',
      join(import.meta.dirname, '..', 'import', 'traces', 'es-2.0.trace'),
      '-o',
      output('a.cap'),
    ],
    whole: capture,
  },
  'record gltf': {
    signal: 'SIGINT',
    args: async ({ input, output }) => {
      await writeFile(input('model.gltf'), triangleModel);
      const frames = ['--frames', '1000', '--size', '16x16'];
      return ['record', 'gltf', input('model.gltf'), '--driver', 'egl', ...frames, '-o', output('a.cap')];
    },
    whole: capture,
  },
  'record node': {
    signal: 'SIGTERM',
    args: async ({ output }) => ['record', 'node', nodeProgram('quiet.cjs'), '-o', output('a.cap'), '--', 'wait'],
    ready: anyOf((_, command) => command.includes('--import') && command.includes('quiet.cjs')),
  },
  'record page': {
    signal: 'SIGINT',
    // So many frames never come to an end.
    args: async ({ input, output }) => {
      const site = await writeSite(input('site'), page(loop));
      return ['record', 'page', site, '--frames', '1000', '-o', output('a.cap')];
    },
    skip: noChromium,
  },
  view: {
    signal: 'SIGTERM',
    args: async ({ input }) => ['view', await writeSmallCapture(input('small.cap')), '--driver', 'egl', '--no-open'],
    ready: draws,
  },
  gate: {
    signal: 'SIGTERM',
    args: async ({ input, output }) => {
      await writeSmallCapture(input('small.cap'));
      const captures = [{ file: 'small.cap', budgets: { frame: { duration: '1s' } }, runs: 1_000_000 }];
      await writeFile(input('gate.json'), JSON.stringify({ driver: 'egl', timer: 'finish', captures }));
      return ['gate', input('gate.json'), '--json', output('a.json'), '--no-github'];
    },
    ready: draws,
  },
  doctor: {
    signal: 'SIGINT',
    args: async () => ['doctor'],
    ready: anyOf((_, command) => command.includes('--probe')),
  },
  qrhi: {
    signal: 'SIGTERM',
    args: async ({ input, output }) => {
      const lines = Array.from({ length: 50_000 }, (_, at) => buffer(at + 1, at));
      await writeFile(input('stream.csv'), lines.join(''));
      return ['qrhi', input('stream.csv'), '--format', 'json', '--top', '1000', '-o', output('a.json')];
    },
    whole: json,
  },
};

async function interrupt(t: TestContext, { signal, args, ready, whole, code }: Case): Promise<void> {
  const folder = await tempFolder(t);
  const path = (name: string) => join(folder, name);
  for (const name of ['in', 'out', 'tmp']) await mkdir(path(name));
  const place: Place = { input: (name) => path(join('in', name)), output: (name) => path(join('out', name)) };
  const running = start(t, await args(place), { TMPDIR: path('tmp'), DISPLAY: undefined });
  const { child, pid, ended } = running;
  const isReady = ready ?? (async () => readdirSync(path('out')).length > 0);
  while (child.exitCode === null && !(await isReady(running))) await setTimeout(5);
  const processes = await below(pid);
  child.kill(signal);
  const outcome = await ended;
  await allGone(processes);
  const left = readdirSync(path('out'));
  if (whole && left.length > 0)
    for (const name of left) {
      assert.doesNotMatch(name, /tmp$/);
      await whole(path(join('out', name)));
    }
  else assert.deepEqual([outcome.code, outcome.stderr, left], [code ?? exitCodes[signal], '', []]);
  assert.deepEqual(readdirSync(path('tmp')), []);
}

for (const [name, one] of Object.entries(cases))
  test(`${name}, ${one.signal}`, { skip: one.skip ?? false }, (t) => interrupt(t, one));

test('a replay that is interrupted as soon as its process is there takes that with it, and leaves no report', async (t) => {
  const folder = await tempFolder(t);
  const report = join(folder, 'a.json');
  for (let round = 0; round < 10; round++) {
    const running = start(t, [
      'replay',
      samplePath('triangle'),
      '--driver',
      'egl',
      '--timer',
      'finish',
      '--json',
      report,
    ]);
    const replayer = await running.until(async () => (await below(running.pid))[0]);
    running.child.kill('SIGTERM');
    assert.equal((await running.ended).code, 143);
    await allGone([replayer]);
    assert.deepEqual(readdirSync(folder), []);
  }
});
