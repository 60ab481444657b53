/** Processes that replay the sides of a comparison, or a gate's capture, and go down, hang or are interrupted. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SideProcess } from '../../src/cli/compare/side-process.ts';
import type { Comparison } from '../../src/model/comparison.ts';
import type { GateResult } from '../../src/model/gate.ts';
import type { Report } from '../../src/model/report.ts';
import { writeQuads } from '../cli/compare-capture.ts';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { allGone, below, notedRuns, start } from './kit.ts';

const place = String.raw`(?: at frame 1, event \d+, gl\w+\(.*\)| while frame 1 was made ready)`;

/** A comparison without end, once both sides have measured for a while. */
async function endless(t: TestContext, options: readonly string[] = []) {
  const folder = await tempFolder(t);
  const file = await writeQuads(join(folder, 'quads.cap'));
  const outputs = ['-o', join(folder, 'a.txt'), '--json', join(folder, 'a.json'), '--report-b', join(folder, 'b.json')];
  const args = ['compare', file, file, '--driver', 'egl', '--timer', 'finish', '--runs', '1000000'];
  const running = start(t, [...args, ...outputs, ...options]);
  const sides = await running.until(async () => {
    const pids = (await below(running.pid)).map(({ pid }) => pid).sort((left, right) => left - right);
    return pids.length === 2 && pids.every((one) => notedRuns(one) >= 4) && pids;
  });
  return { ...running, folder, sides };
}

test('a side that crashes is named with its event, and what was compared before is kept', async (t) => {
  const { folder, sides, ended } = await endless(t);
  process.kill(sides[1], 'SIGSEGV');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  const what = String.raw`new \(quads\.cap\): the driver crashed \(SIGSEGV\)${place}`;
  assert.match(stderr, new RegExp(String.raw`^gpuprof: ${what}; \d+ pairs of runs are in the report; .*--driver.*\n$`));
  await allGone(sides);
  const comparison = JSON.parse(await readFile(join(folder, 'a.json'), 'utf8')) as Comparison;
  assert.ok(comparison.settings.pairs > 0);
  const lost = comparison.warnings.find(({ code }) => code === 'replay-lost');
  assert.match(lost?.message ?? '', new RegExp(`^${what}; what was measured before it is here, and `));
  const report = JSON.parse(await readFile(join(folder, 'b.json'), 'utf8')) as Report;
  assert.equal(report.frames[0].runs, comparison.settings.pairs);
  assert.match(await readFile(join(folder, 'a.txt'), 'utf8'), /what was measured before it is here/);
});

test('a side that hangs is ended after --timeout', async (t) => {
  const { sides, ended } = await endless(t, ['--timeout', '8']);
  process.kill(sides[0], 'SIGSTOP');
  const { code, stderr } = await ended;
  assert.equal(code, 3, stderr);
  assert.match(
    stderr,
    /^gpuprof: base \(quads\.cap\): the process was ended, since nothing has moved for 8 s .*--timeout/,
  );
  await allGone(sides);
});

test('Ctrl-C ends a comparison with 130, and leaves no process and no file', async (t) => {
  const { folder, pid, sides, ended } = await endless(t);
  // As a terminal does: to all of them.
  for (const one of [...sides, pid]) process.kill(one, 'SIGINT');
  assert.deepEqual(await ended, { code: 130, stdout: '', stderr: '' });
  await allGone(sides);
  assert.deepEqual(await readdir(folder), ['quads.cap']);
});

test('no process outlives a comparison that is killed, not even one that does nothing any more', async (t) => {
  const { child, sides, ended } = await endless(t);
  process.kill(sides[0], 'SIGSTOP');
  child.kill('SIGKILL');
  await ended;
  await allGone(sides);
});

test("a gate's replay that is killed makes its capture unmeasured, which names the event; the others count", async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, '.git'));
  for (const name of ['a', 'b']) await writeQuads(join(folder, `${name}.cap`));
  const captures = [
    { file: 'a.cap', baseline: false, budgets: { frame: { duration: '100s' } }, runs: 1_000_000 },
    { file: 'b.cap', baseline: false, budgets: { frame: { inputVerticesRead: 1e6 } } },
  ];
  const config = join(folder, 'gpuprof.config.json');
  await writeFile(config, JSON.stringify({ driver: 'egl', timer: 'finish', captures }));
  const outputs = ['--json', join(folder, 'gate.json'), '--table', join(folder, 'gate.txt')];
  const { pid, until, ended } = start(t, ['gate', config, ...outputs, '--no-github']);
  const side = await until(async () => {
    const [found] = await below(pid);
    return found && notedRuns(found.pid) > 0 && found.pid;
  });
  process.kill(side, 'SIGKILL');
  const { code, stderr } = await ended;
  assert.deepEqual([code, stderr], [3, '']);
  const result = JSON.parse(await readFile(join(folder, 'gate.json'), 'utf8')) as GateResult;
  assert.deepEqual(
    result.captures.map(({ name, level }) => [name, level]),
    [
      ['a', 'unmeasured'],
      ['b', 'pass'],
    ],
  );
  assert.match(
    result.captures[0].reason ?? '',
    new RegExp(String.raw`^a\.cap: the process was ended \(SIGKILL\).*${place}`),
  );
});

const replay = { driver: 'egl', softwareThreads: 0, frame: 'all', timer: 'auto', per: 'draw', timeout: 120 } as const;
const open = { countersOnly: false, metric: 'auto', core: null } as const;

test('what a side refuses comes with its code and hint', async (t) => {
  const file = await writeQuads(join(await tempFolder(t), 'quads.cap'));
  const request = { file, label: 'base', env: { LP_NUM_THREADS: '1' }, replay: { ...replay, frame: 3 } } as const;
  const side = new SideProcess('base', request, () => {});
  t.after(() => side.end());
  await assert.rejects(side.ask('open', { ...request.replay, ...open, file }, 'opening it'), {
    code: 'bad-usage',
    message: `base: ${file} has no frame 3`,
    hint: 'it has one frame',
  });
});

test('a side that is gone says what it did, and that again when it is asked', async (t) => {
  const file = await writeQuads(join(await tempFolder(t), 'quads.cap'));
  const side = new SideProcess('base', { file, label: 'base', env: {}, replay }, () => {});
  t.after(() => side.end());
  const opening = side.ask('open', { ...replay, ...open, file }, 'opening it');
  process.kill(side.pid as number, 'SIGKILL');
  const lost = { code: 'cannot-measure', message: /^base: the process was ended \(SIGKILL\).* \(opening it\)$/ };
  await assert.rejects(opening, lost);
  await assert.rejects(side.ask('run', undefined, 'run 1'), lost);
  assert.equal(await side.salvaged('gone'), null);
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
