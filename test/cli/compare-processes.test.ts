import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SideProcess } from '../../src/cli/compare/side-process.ts';
import { projectRoot, run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { writeQuads } from './compare-capture.ts';

const script = join(projectRoot, 'bin', 'gpuprof.js');

async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^PPid:\\s*${parent}$`, 'm').test(status)) found.push(Number(name));
  }
  return found.sort((left, right) => left - right);
}

const isAlive = async (pid: number): Promise<boolean> =>
  /^State:\s*[^ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));

/** A comparison without end, once both sides have GL. */
async function endless(t: TestContext) {
  const file = await writeQuads(join(await tempFolder(t), 'quads.cap'));
  const args = ['compare', file, file, '--driver', 'egl', '--runs', '1000000'];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const closed = once(child, 'close');
  const hasGl = async (pid: number) => (await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '')).includes('libEGL');
  let sides: number[] = [];
  while (sides.length < 2 || !(await Promise.all(sides.map(hasGl))).every(Boolean)) {
    await setTimeout(50);
    sides = await childrenOf(child.pid as number);
    assert.equal(child.exitCode, null, stderr);
  }
  return { child, sides, closed, stderr: () => stderr };
}

async function allGone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) while (await isAlive(pid)) await setTimeout(20);
}

test('a side whose process is ended is named, exit 3, and the other ends, too', async (t) => {
  const { sides, closed, stderr } = await endless(t);
  process.kill(sides[1], 'SIGKILL');
  const [code] = await closed;
  assert.equal(code, 3);
  assert.match(
    stderr(),
    /^gpuprof: new \(quads\.cap\): its process was ended by SIGKILL \([^)]+\); see whether [^\n]+\n$/,
  );
  await allGone(sides);
});

test('Ctrl-C ends a comparison with 130 and leaves no process', async (t) => {
  const { child, sides, closed, stderr } = await endless(t);
  // As a terminal does: to all of them.
  for (const pid of [...sides, child.pid as number]) process.kill(pid, 'SIGINT');
  const [code] = await closed;
  assert.deepEqual([code, stderr()], [130, '']);
  await allGone(sides);
});

test('no process outlives a comparison that is killed, not even one that does nothing any more', async (t) => {
  const { child, sides, closed } = await endless(t);
  process.kill(sides[0], 'SIGSTOP');
  child.kill('SIGKILL');
  await closed;
  await allGone(sides);
});

test('a side that says nothing for too long is ended', async (t) => {
  const file = await writeQuads(join(await tempFolder(t), 'quads.cap'));
  const side = new SideProcess('base (quads.cap)', {}, () => {}, 2000);
  t.after(() => side.end());
  const replay = { driver: 'egl', softwareThreads: 0, frame: 'all', timer: 'auto', per: 'draw' } as const;
  const opening = side.ask('open', { ...replay, file, countersOnly: false, metric: 'auto', core: null }, 'opening it');
  process.kill(side.pid as number, 'SIGSTOP');
  await assert.rejects(opening, {
    code: 'cannot-measure',
    message: /^base \(quads\.cap\): its process has said nothing for 2 s \([^)]+\)$/,
  });
  await assert.rejects(side.ask('run', undefined, 'run 1'), { code: 'cannot-measure' });
  await allGone([side.pid as number]);
});

test('what a side refuses comes with its code and hint', async (t) => {
  const side = new SideProcess('base', { LP_NUM_THREADS: '1' }, () => {});
  t.after(() => side.end());
  const replay = { driver: 'egl', softwareThreads: 0, frame: 3, timer: 'auto', per: 'draw' } as const;
  const file = await writeQuads(join(await tempFolder(t), 'quads.cap'));
  await assert.rejects(side.ask('open', { ...replay, file, countersOnly: false, metric: 'auto', core: null }, 'x'), {
    code: 'bad-usage',
    message: `base: ${file} has no frame 3`,
    hint: 'it has one frame',
  });
});

test('variables with which no driver starts are named, and the driver says nothing in between', async (t) => {
  const file = await writeQuads(join(await tempFolder(t), 'quads.cap'));
  const args = ['compare', file, '--driver', 'egl', '--env-b', 'GALLIUM_DRIVER=nope', '--counters-only'];
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual(
    [code, stdout, stderr],
    [
      3,
      '',
      'gpuprof: new (quads.cap (GALLIUM_DRIVER=nope)): EGL is installed but no display without a window system starts; ' +
        'see whether it works without GALLIUM_DRIVER=nope, set for this side\n',
    ],
  );
});
