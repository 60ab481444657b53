import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { GateCapture, GateResult } from '../../../src/model/gate.ts';
import type { Report } from '../../../src/model/report.ts';
import { tempFolder } from '../../helpers/files.ts';
import { runInSession } from '../../helpers/session.ts';
import { writeSmallCapture } from '../small-capture.ts';

/** Nothing that GitHub or another CI sets may reach a test. */
const quietEnv = {
  GITHUB_ACTIONS: undefined,
  GITHUB_STEP_SUMMARY: undefined,
  GITHUB_WORKSPACE: undefined,
  CI: undefined,
};

interface Project {
  readonly folder: string;
  readonly path: (name: string) => string;
  configure(config: object): Promise<void>;
  gate(
    args?: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ code: number; stdout: string; stderr: string }>;
  /** The same with its JSON. */
  result(args?: readonly string[]): Promise<{ code: number; result: GateResult; only: GateCapture }>;
}

/** A repository with two captures. */
async function project(t: TestContext): Promise<Project> {
  const folder = await tempFolder(t);
  const path = (name: string) => join(folder, name);
  await mkdir(path('.git'));
  await writeSmallCapture(path('small.cap'));
  await cp(path('small.cap'), path('other.cap'));
  const gate: Project['gate'] = (args = [], env = {}) =>
    runInSession(['gate', ...args], { cwd: folder, env: { ...quietEnv, ...env } });
  return {
    folder,
    path,
    configure: (config) =>
      writeFile(path('gpuprof.config.json'), JSON.stringify({ driver: 'egl', timer: 'finish', runs: 3, ...config })),
    gate,
    async result(args = []) {
      const { code, stderr } = await gate([...args, '--json', 'result.json', '--table', 'table.txt']);
      assert.equal(stderr, '');
      const result = JSON.parse(await readFile(path('result.json'), 'utf8')) as GateResult;
      return { code, result, only: result.captures[0] };
    },
  };
}

/** A group's name, less what a terminal would obey. */
const ground = '=ground [2J';

const told = ({ checks }: GateCapture): string[] => checks.map(({ level, message }) => `${level}: ${message}`);

test('budgets of counters: pass, warn and fail, with the exit code of the worst', async (t) => {
  const { configure, result } = await project(t);
  const plain = (vertices: unknown) => ({
    captures: [{ file: 'small.cap', budgets: { '?ground*': { inputVerticesRead: vertices } } }],
  });
  await configure(plain(6));
  const passed = await result();
  assert.deepEqual(
    [passed.code, passed.result.level, told(passed.only)],
    [0, 'pass', [`pass: ${ground}: Input Vertices Read 6 is within 6`]],
  );
  await configure(plain({ warn: 5, fail: 9 }));
  const warned = await result();
  assert.deepEqual(
    [warned.code, warned.result.level, told(warned.only)],
    [0, 'warn', [`warn: ${ground}: Input Vertices Read 6 is over the limit of 5`]],
  );
  await configure(plain({ warn: 1, fail: 5 }));
  const failed = await result();
  assert.deepEqual(
    [failed.code, failed.result.level, told(failed.only)],
    [1, 'fail', [`fail: ${ground}: Input Vertices Read 6 is over the limit of 5`]],
  );
});

test('budgets of time rest on CPU time here, and the message says so', async (t) => {
  const { configure, result } = await project(t);
  await configure({ captures: ['small.cap'], budgets: { duration: '100s', '**/glDraw*': { cpu: '0ns' } } });
  const { code, only } = await result();
  assert.equal(code, 1);
  assert.deepEqual(
    only.warnings.flatMap(({ code, message }) => (code === 'second-look' ? [message] : [])),
    ['what failed on time was measured again by 3 fresh processes, which all times here are of'],
  );
  const [frame, ...leaves] = only.checks;
  assert.match(
    frame.message,
    /^the frame: .* of CPU time .* is within 100s; on a software renderer a duration is CPU time$/,
  );
  assert.ok(
    leaves.length >= 2 &&
      leaves.every(({ level, message }) => level === 'fail' && message.endsWith('is over the limit of 0ns')),
  );
});

test('counters that the baseline has, that are asked for, and that cannot be had here, are not green', async (t) => {
  const { path, configure, gate, result } = await project(t);
  await configure({ captures: ['small.cap'], timing: false });
  assert.equal((await gate(['--update'])).code, 0);
  const [name] = await readdir(path('gpuprof-baselines/small'));
  const file = path(`gpuprof-baselines/small/${name}`);
  const baseline = JSON.parse(await readFile(file, 'utf8')) as Report;
  const sets = baseline.counters?.map((set) =>
    set.id === 'statistics'
      ? { ...set, counters: [...set.counters, { ...set.counters[0], id: 'statistics/Z', name: 'Z' }] }
      : set,
  );
  await writeFile(file, JSON.stringify({ ...baseline, counters: sets }));
  const lost =
    'the baseline has statistics/Z, which could not be counted here; name in "counters" what to compare, or write the baseline anew';
  const without = await result();
  assert.deepEqual([without.code, without.only.level, without.only.reason], [3, 'unmeasured', lost]);
  const budgets = { inputVerticesRead: '+0%' };
  await configure({ captures: ['small.cap'], counters: ['statistics'], budgets, timing: false });
  const asked = await result();
  assert.deepEqual([asked.code, asked.only.reason, asked.only.checks.map(({ level }) => level)], [3, lost, ['pass']]);
  await configure({ captures: ['small.cap'], budgets, timing: false });
  const unasked = await result();
  assert.deepEqual([unasked.code, unasked.only.warnings], [0, []], 'nobody asked for it');
});

test('a gate of which no budget matches an event is not green', async (t) => {
  const { path, configure, result } = await project(t);
  const captures = [{ file: 'small.cap', budgets: { nowhere: { inputVerticesRead: 3 } } }];
  await configure({ captures });
  const loose = await result();
  assert.deepEqual(
    [loose.code, told(loose.only), loose.only.reason],
    [
      3,
      ['warn: no event matches the budget for nowhere: statistics/Input Vertices Read 3'],
      'nothing was checked: no event matches any of its budgets',
    ],
  );
  assert.match(
    await readFile(path('table.txt'), 'utf8'),
    /^warn {6}no event matches the budget for nowhere: statistics\/Input Vertices Read 3$/m,
  );
  await configure({ captures, strict: true });
  const strict = await result();
  assert.deepEqual([strict.code, strict.only.checks.map(({ level }) => level)], [1, ['fail']]);
});

test('without a baseline nothing is green, and the command that makes one is named', async (t) => {
  const { configure, result } = await project(t);
  await configure({ captures: ['small.cap'], timing: false });
  const { code, result: all, only } = await result();
  assert.deepEqual(
    [code, all.level, only.reason],
    [3, 'unmeasured', 'there is no baseline of small yet; write it with gpuprof gate --update'],
  );
  await configure({
    captures: ['small.cap'],
    timing: false,
    budgets: { inputVerticesRead: '+0%', inputPrimitives: 0 },
  });
  const mixed = await result();
  assert.deepEqual(
    [mixed.code, mixed.only.checks.map(({ level }) => level)],
    [1, ['unmeasured', 'fail']],
    'a failure is known for certain',
  );
});

test('--update writes baselines, the same bytes again, and the gate holds new work against them', async (t) => {
  const { path, folder, configure, gate, result } = await project(t);
  await configure({ captures: ['small.cap', { file: 'other.cap', baseline: 'small.cap' }], timing: false });
  const first = await gate(['--update']);
  const [file] = (await readdir(path('gpuprof-baselines/small'))).map((name) => `gpuprof-baselines/small/${name}`);
  assert.deepEqual([first.code, first.stdout], [0, `${file}: new\nother: left out, its baseline is small.cap\n`]);
  assert.match(file, /^gpuprof-baselines\/small\/llvmpipe-[a-z0-9-]+-[0-9a-f]{8}\.json$/);
  const bytes = await readFile(path(file), 'utf8');
  assert.ok(!bytes.includes(folder), 'nothing of this machine’s folders');
  assert.equal((await gate(['--update'])).stdout, `${file}: unchanged\nother: left out, its baseline is small.cap\n`);
  assert.equal(await readFile(path(file), 'utf8'), bytes);

  const same = await result();
  assert.deepEqual([same.code, told(same.only)], [0, ['pass: the frame: nothing changed']]);
  await writeSmallCapture(path('small.cap'), { frames: 1, extraDraw: true });
  const heavier = await result(['--only', 'small']);
  assert.equal(heavier.code, 1);
  assert.ok(
    told(heavier.only).some((line) => line.startsWith('fail: ')),
    told(heavier.only).join('\n'),
  );
});

test('a baseline of another renderer is refused with a reason, unless only counters are asked for', async (t) => {
  const { path, configure, gate, result } = await project(t);
  await configure({ captures: ['small.cap'] });
  assert.equal((await gate(['--update'])).code, 0);
  const [name] = await readdir(path('gpuprof-baselines/small'));
  const file = path(`gpuprof-baselines/small/${name}`);
  const baseline = JSON.parse(await readFile(file, 'utf8')) as Report;
  const edit = (environment: Partial<Report['environment']>) =>
    JSON.stringify({ ...baseline, environment: { ...baseline.environment, ...environment } });

  // The same renderer on another processor: only times are not compared.
  await writeFile(file, edit({ cpu: 'Model Z' }));
  const elsewhere = await result();
  assert.equal(elsewhere.code, 0);
  assert.match(
    told(elsewhere.only).join(),
    /^warn: the frame: times are not compared: the baseline was measured on Model Z, and this is /,
  );

  // Brackets around other things: nothing that could be called a pass.
  await writeFile(file, JSON.stringify({ ...baseline, settings: { ...baseline.settings, per: 'frame' } }));
  const coarser = await result();
  assert.deepEqual(
    [coarser.code, coarser.only.reason],
    [3, 'times were not compared: the brackets differ: frame and draw'],
  );

  await writeFile(file, edit({ renderer: 'Acme One' }));
  await rename(file, path('gpuprof-baselines/small/acme-one-00000000.json'));
  const refused = await result();
  assert.deepEqual([refused.code, refused.only.level], [3, 'unmeasured']);
  assert.match(
    refused.only.reason ?? '',
    /acme-one-00000000\.json is of Acme One, .*, and this is llvmpipe.*: times of two renderers say nothing of each other; write one of this renderer with gpuprof gate --update, or compare only counters \("timing": false\)$/,
  );

  await configure({ captures: ['small.cap'], timing: false });
  const counted = await result();
  assert.deepEqual(
    [counted.code, counted.only.level, counted.only.warnings.some(({ code }) => code === 'other-renderer')],
    [0, 'pass', true],
  );
});

test('another capture as the baseline is replayed by turns, with variables of its own', async (t) => {
  const { configure, result } = await project(t);
  await configure({
    captures: [
      {
        file: 'other.cap',
        baseline: 'small.cap',
        runs: 4,
        budgets: { duration: '+1000000%', '?ground*': { psInvocations: '+0%' } },
      },
    ],
    undecided: 'pass',
    env: { GPUPROF_TEST: '1' },
  });
  const { code, only } = await result();
  assert.deepEqual(
    [code, only.reason],
    [3, '4 pairs of runs are too few for any verdict on time; raise "runs"'],
    'nothing that could be called a pass',
  );
  assert.equal(only.baseline, 'small.cap, replayed by turns');
  assert.deepEqual(
    only.checks.map(({ path, base, value }) => [path, base !== null, value !== null]),
    [
      ['', true, true],
      [ground, true, true],
    ],
  );
  assert.deepEqual(only.comparison?.new.env, { GPUPROF_TEST: '1' });
});

test('what cannot be replayed is unmeasured, and the others are checked', async (t) => {
  const { path, configure, result } = await project(t);
  await writeFile(path('other.cap'), 'no capture');
  await configure({ captures: ['other.cap', 'small.cap'], budgets: { inputVerticesRead: '1k' } });
  const { code, result: all } = await result();
  assert.deepEqual([code, all.captures.map(({ level }) => level)], [3, ['unmeasured', 'pass']]);
  assert.match(all.captures[0].reason ?? '', /other\.cap/);
});

test('every output is written, annotations and the step summary where GitHub runs it', async (t) => {
  const { path, configure, gate } = await project(t);
  await configure({ captures: [{ file: 'small.cap', budgets: { '?ground*': { inputVerticesRead: 5 } } }] });
  await writeFile(path('step.md'), 'before\n');
  const files = [
    '--json',
    'a.json',
    '--junit',
    'a.xml',
    '--comment',
    'a.md',
    '--benchmark',
    'b.json',
    '--summary',
    's.md',
  ];
  const { code, stdout, stderr } = await gate(files, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('step.md') });
  assert.deepEqual([code, stderr], [1, '']);
  assert.match(stdout, /^failed: 1 check fails in 1 capture$/m);
  assert.match(
    stdout,
    /^::error file=small\.cap,title=gpuprof%3A small fails::=ground \[2J: Input Vertices Read 6 is over the limit of 5$/m,
  );
  for (const name of ['a.json', 'a.xml', 'a.md', 'b.json', 's.md'])
    assert.notEqual(await readFile(path(name), 'utf8'), '', name);
  assert.equal(await readFile(path('step.md'), 'utf8'), 'before\n', 'the summary goes where it was sent');
  await gate(['--json', '-'], { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('step.md') }).then((onStdout) => {
    assert.equal((JSON.parse(onStdout.stdout) as GateResult).format, 'gpuprof-gate');
    assert.match(onStdout.stderr, /^::error /m);
  });
  assert.match(await readFile(path('step.md'), 'utf8'), /^before\n.+Input Vertices Read/s);
});

test('shards take turns at the captures, and merge joins their results', async (t) => {
  const { path, folder, configure, gate } = await project(t);
  await cp(path('small.cap'), path('third.cap'));
  await configure({ captures: ['*.cap'], budgets: { inputVerticesRead: { warn: 1, fail: '1k' } } });
  const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path('step.md'), GITHUB_WORKSPACE: folder };
  await writeFile(path('step.md'), '');
  const annotated: string[] = [];
  const annotations = ({ stdout }: { stdout: string }) => stdout.match(/^::.*$/gm) ?? [];
  for (const shard of ['1', '2']) {
    const part = await gate(['--shard', `${shard}/2`, '--json', `${shard}.json`], github);
    assert.equal(part.code, 0);
    annotated.push(...annotations(part));
  }
  const merge = (...args: string[]) => runInSession(['merge', ...args], { cwd: folder, env: quietEnv });
  const onGithub = (...args: string[]) => runInSession(['merge', ...args], { cwd: folder, env: github });
  assert.equal(annotated.length, 3, 'the shards annotate');
  assert.equal(await readFile(path('step.md'), 'utf8'), '', 'and merge sums up');
  assert.deepEqual(annotations(await onGithub('1.json', '2.json')), []);
  assert.match(await readFile(path('step.md'), 'utf8'), /^### third: passed$/m);
  assert.deepEqual(annotations(await onGithub('2.json')), [
    '::error title=gpuprof%3A shard 1 of 2 is unmeasured::the result of shard 1 of 2 is missing',
  ]);
  assert.equal(annotations(await onGithub('1.json', '2.json', '--github')).length, 3);

  const idle = await gate(['--shard', '50/99', '--json', 'idle.json', '--table', '-']);
  assert.deepEqual(
    [idle.code, idle.stdout, idle.stderr],
    [0, 'nothing to check: no capture is in part 50 of 99\n', ''],
  );
  const both = await merge('2.json', '1.json', '--json', '-');
  assert.deepEqual([both.code, both.stderr], [0, '']);
  const { captures, level, shard } = JSON.parse(both.stdout) as GateResult;
  assert.deepEqual([captures.map(({ name }) => name), level, shard], [['other', 'third', 'small'], 'warn', null]);

  const one = await merge('1.json', '--table', 't.txt');
  assert.deepEqual([one.code, one.stderr], [3, 'gpuprof: the result of shard 2 of 2 is missing\n']);
  const twice = await merge('1.json', '1.json');
  assert.deepEqual([twice.code, twice.stderr], [2, 'gpuprof: 1.json and 1.json are both shard 1; name each once\n']);
  await writeFile(path('bad.json'), '{}');
  assert.equal(
    (await merge('bad.json')).stderr,
    'gpuprof: bad.json is no result of a gate; gpuprof gate --json writes them\n',
  );
  const edited = JSON.stringify({ ...JSON.parse(await readFile(path('1.json'), 'utf8')), level: 'good' });
  await writeFile(path('bad.json'), edited);
  assert.equal(
    (await merge('bad.json')).stderr,
    'gpuprof: bad.json: level: "good" is none of pass, undecided, warn, unmeasured, fail\n',
  );
  await rm(path('2.json'));
  assert.equal((await merge('2.json')).code, 2);
});

test('wrong usage is refused before anything is measured', async (t) => {
  const { configure, gate } = await project(t);
  await configure({ captures: ['small.cap'] });
  const says = async (...args: string[]) => {
    const { code, stderr } = await gate(args);
    assert.equal(code, 2);
    return stderr;
  };
  assert.equal(await says('--only', 'big'), 'gpuprof: no capture is called big; there are small\n');
  assert.equal(
    await says('--shard', '3/2'),
    "gpuprof: option '--shard <i/n>' argument '3/2' is invalid. It must be I/N, such as 1/3; see gpuprof gate --help\n",
  );
  assert.equal(
    await says('--json', 'x', '--junit', 'x'),
    'gpuprof: two outputs go to x; give each a file of its own\n',
  );
  assert.equal(await says('--json', 'none/x'), 'gpuprof: cannot write none/x: its folder does not exist\n');
  assert.equal(
    await says('--json', 'gpuprof.config.json'),
    'gpuprof: gpuprof.config.json is the input, which the output would replace; name another file\n',
  );
  assert.equal(
    await says('--summary'),
    'gpuprof: --summary without a file is for GitHub, and GITHUB_STEP_SUMMARY is not set; name a file: --summary summary.md\n',
  );
});
