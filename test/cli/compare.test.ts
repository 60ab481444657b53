import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { statisticsOf } from '../../src/analysis/statistics.ts';
import type { Comparison } from '../../src/model/comparison.ts';
import { findings } from '../../src/model/findings.ts';
import type { Report } from '../../src/model/report.ts';
import type { Outcome } from '../helpers/cli.ts';
import { runInSession } from '../helpers/session.ts';
import { type Change, writeQuads } from './compare-capture.ts';

let folder: string;
let base: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpuprof-test-'));
  base = await writeQuads(join(folder, 'base.cap'));
});
after(() => rm(folder, { recursive: true, force: true }));

const captureOf = (name: string, change: Change): Promise<string> => writeQuads(join(folder, `${name}.cap`), change);

/** Where times are compared the timer is named, so that no busy machine can spoil its check. */
const timerOf = (args: readonly string[]) => (args.includes('--counters-only') ? [] : ['--timer', 'finish']);

const compare = (...args: readonly string[]): Promise<Outcome> =>
  runInSession(['compare', ...args, '--driver', 'egl', ...timerOf(args)]);

async function comparison(...args: readonly string[]): Promise<Outcome & { readonly found: Comparison }> {
  const result = await compare(...args, '--format', 'json');
  assert.notEqual(result.stdout, '', result.stderr);
  return { ...result, found: JSON.parse(result.stdout) as Comparison };
}

const rows = ({ frames: [frame] }: Comparison) => frame.nodes;
const verdicts = (found: Comparison) => new Set(rows(found).map(({ time }) => time.verdict));

/** Counters that went up at an event, by name. */
const more = (found: Comparison, path: string) =>
  rows(found)
    .filter((node) => node.new?.path === path)
    .flatMap(({ counters }) => Object.entries(counters))
    .filter(([, { verdict }]) => verdict === 'more')
    .map(([id]) => id)
    .sort();

test('a capture against itself: no work differs, and too few runs for a verdict are no pass', async () => {
  const work = await comparison(base, base, '--counters-only');
  assert.deepEqual([work.code, work.stderr, findings(work.found)], [0, '', []]);
  assert.equal(work.found.settings.metric, null);
  assert.deepEqual([...verdicts(work.found)], [null]);

  const timed = await comparison(base, base, '--runs', '4');
  assert.equal(timed.code, 3, timed.stderr);
  const { settings } = timed.found;
  assert.deepEqual([settings.metric, settings.interleaved, settings.pairs], ['cpu', true, 4]);
  assert.ok(verdicts(timed.found).has('undecided'));
  assert.ok(!verdicts(timed.found).has('slower'));
  assert.match(
    timed.stderr,
    /^gpuprof: there is no verdict on time: 4 pairs of runs are too few for any verdict; \d+ are needed; raise --runs, or leave it out\n$/,
  );
  assert.deepEqual(
    timed.found.warnings.map(({ code }) => code).filter((code) => code !== 'below-resolution'),
    ['few-runs'],
  );
});

test('one draw twice is new work', async () => {
  const { code, stderr, found } = await comparison(base, await captureOf('twice', { times: 2 }), '--counters-only');
  assert.equal(code, 1);
  assert.match(stderr, /^gpuprof: it got worse: front\/glDrawArrays\(6\) is new \(draw\)[^\n]*\n$/);
  const added = rows(found).filter(({ match }) => match !== 'matched');
  assert.deepEqual(
    added.map(({ match, new: event }) => [match, event?.path]),
    [['new', 'front/glDrawArrays(6)']],
  );
});

test('one triangle more is counted, and named', async () => {
  const { code, stderr, found } = await comparison(base, await captureOf('more', { triangles: 3 }), '--counters-only');
  assert.equal(code, 1);
  assert.match(stderr, /^gpuprof: it got worse: front\/glDrawArrays\(9\) is heavier: [^\n]*\n$/);
  const heavier = more(found, 'front/glDrawArrays(9)');
  assert.ok(heavier.includes('statistics/Input Primitives'), heavier.join());
  assert.deepEqual(more(found, 'back/glDrawArrays(6)'), []);
});

test('a texture twice as large is counted, and named, and where it is used', async () => {
  const { code, stderr, found } = await comparison(base, await captureOf('large', { side: 128 }), '--counters-only');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^gpuprof: it got worse: texture 1 is heavier: 16.0 KiB → 64.0 KiB \(\+48.0 KiB, \+300.0%\), 64×64 → 128×128, and [^\n]*\n$/,
  );
  for (const path of ['front/glDrawArrays(6)', 'back/glDrawArrays(6)'])
    assert.ok(more(found, path).includes('memory/Texture Bytes Touched'), path);
});

test('a state that lets hidden fragments through is counted, and named', async () => {
  const { code, stderr, found } = await comparison(
    base,
    await captureOf('late', { depthAlways: true }),
    '--counters-only',
  );
  assert.equal(code, 1);
  assert.match(stderr, /^gpuprof: it got worse: back\/glDrawArrays\(6\) is heavier: [^\n]*\n$/);
  assert.deepEqual(more(found, 'back/glDrawArrays(6)'), ['statistics/Samples Passed']);
});

test('less work is no failure', async () => {
  const { code, stderr, found } = await comparison(await captureOf('much', { times: 2 }), base, '--counters-only');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual([...new Set(findings(found).map(({ isWorse }) => isWorse))], [false]);
});

test('variables are set for one side only, before its driver is loaded', async () => {
  const { code, found } = await comparison(base, '--env-b', 'LP_NUM_THREADS=2', '--env-b', 'X=a=b', '--counters-only');
  assert.equal(code, 0);
  assert.deepEqual([found.base.env, found.new.env], [{}, { LP_NUM_THREADS: '2', X: 'a=b' }]);
  assert.deepEqual([found.base.environment.softwareThreads, found.new.environment.softwareThreads], [0, 2]);
  assert.deepEqual([found.base.label, found.new.label], ['base.cap', 'base.cap (LP_NUM_THREADS=2, X=a=b)']);
});

test('a capture on two drivers: work is compared, times are refused', async () => {
  const args = ['compare', base, '--driver-a', 'egl', '--driver-b', 'headless-gl', '--format', 'json'];
  const work = await runInSession([...args, '--counters-only']);
  assert.deepEqual([work.code, work.stderr], [0, '']);
  const { base: left, new: right } = JSON.parse(work.stdout) as Comparison;
  assert.deepEqual([left.environment.driver, right.environment.driver], ['egl', 'headless-gl']);
  assert.deepEqual([left.label, right.label], ['base.cap (egl)', 'base.cap (headless-gl)']);
  const timed = await runInSession([...args, '--runs', '2', '--timer', 'finish']);
  assert.equal(timed.code, 3);
  assert.match(timed.stderr, /^gpuprof: times were not compared: [^\n]+; --counters-only compares work alone\n$/);
  assert.equal((JSON.parse(timed.stdout) as Comparison).settings.metric, null);
});

test('a report against a capture, and against a report', async () => {
  const report = join(folder, 'base.json');
  const written = ['--counters', 'statistics,memory', '--runs', '3', '--timer', 'finish', '--json', report];
  assert.equal((await runInSession(['replay', base, '--driver', 'egl', ...written])).code, 0);
  const heavier = await captureOf('heavier', { triangles: 5 });
  const measured = await comparison(report, heavier, '--runs', '3');
  assert.equal(measured.code, 1, measured.stderr);
  assert.match(measured.stderr, /front\/glDrawArrays\(15\) is heavier/);
  const { settings, warnings } = measured.found;
  assert.deepEqual([settings.interleaved, settings.pairs], [false, 3]);
  assert.ok(warnings.some(({ code }) => code === 'not-interleaved'));
  const read = await comparison(report, report);
  assert.equal(read.code, 3, read.stderr);
  // What base counts and new does not is not compared.
  const bare = join(folder, 'bare.json');
  const { counters: _, resources: __, ...rest } = JSON.parse(await readFile(report, 'utf8')) as Report;
  await writeFile(bare, JSON.stringify(rest));
  const lost = await comparison(report, bare);
  assert.deepEqual(
    [lost.code, lost.stderr],
    [
      3,
      'gpuprof: not all counters could be compared: new has no counters, so none is compared; --counters names those to compare, --no-counters compares times alone\n',
    ],
  );
  assert.match((await compare(report, bare, '--no-counters')).stderr, /^gpuprof: there is no verdict on time: /);
  const some = await comparison(report, report, '--counters', 'memory/Bytes*');
  assert.deepEqual(
    some.found.counters.map(({ id }) => id),
    ['memory/Bytes Bound', 'memory/Bytes Touched'],
  );
  assert.match((await comparison(bare, report)).stderr, /^gpuprof: there is no verdict on time: /);
  assert.deepEqual(
    findings(read.found).filter(({ kind }) => kind !== 'undecided'),
    [],
  );
});

test('what is undecided is no failure, unless it is asked to be', async () => {
  const measured = join(folder, 'measured.json');
  const args = ['replay', base, '--driver', 'egl', '--timer', 'finish', '--runs', '3', '--json', measured];
  assert.equal((await runInSession(args)).code, 0);
  const text = await readFile(measured, 'utf8');
  const steady = Array.from({ length: 60 }, (_, run) => 1e6 + run);
  const noise = steady.map((_, run) => 1e6 * (1 + ((run * 7) % 11) / 10));
  /** The report with other times: those of one draw, and steady ones of all else. */
  const written = async (name: string, times: readonly number[]): Promise<string> => {
    const report = JSON.parse(text) as {
      frames: { plainSamples: object; nodes: { path: string; samples: object }[] }[];
    };
    Object.assign(report.frames[0], { plainCpuNs: statisticsOf(steady) });
    Object.assign(report.frames[0].plainSamples, { cpuNs: steady });
    for (const node of report.frames[0].nodes) {
      const cpuNs = node.path === 'back/glDrawArrays(6)' ? times : steady;
      Object.assign(node, { cpuNs: statisticsOf(cpuNs), samples: { ...node.samples, cpuNs } });
    }
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(report));
    return path;
  };
  const sides = [await written('noise.json', noise), await written('other.json', noise.toReversed())];
  const passed = await runInSession(['compare', ...sides]);
  const said = 'gpuprof: nothing got worse, but 1 event is undecided';
  assert.deepEqual([passed.code, passed.stderr], [0, `${said}\n`]);
  const failed = await runInSession(['compare', ...sides, '--undecided', 'fail']);
  assert.deepEqual([failed.code, failed.stderr], [1, `${said}; compare the captures, or reports of more runs\n`]);
  assert.equal(failed.stdout, passed.stdout);
});

test('all frames are compared, each by itself', async () => {
  const two = await captureOf('two', { frames: 2 });
  const both = await comparison(two, two, '--runs', '2');
  assert.equal(both.code, 3, both.stderr);
  assert.deepEqual(
    both.found.frames.map(({ baseFrame, newFrame }) => [baseFrame, newFrame]),
    [
      [1, 1],
      [2, 2],
    ],
  );
  const second = await comparison(two, base, '--counters-only');
  assert.deepEqual(
    second.found.warnings.map(({ code, message }) => [code, message]),
    [['frames-left', 'frame 2 is only in base and not compared']],
  );
  assert.deepEqual([second.code, second.stderr], [0, '']);
  assert.match((await compare(two, base, '--counters-only')).stdout, /^1 frame is gone\n/);
  const third = await comparison(base, two, '--counters-only');
  assert.deepEqual([third.code, third.stderr], [1, 'gpuprof: it got worse: frame 2 is new, base has no such frame\n']);
  assert.deepEqual(third.found.framesAlone, { base: [], new: [2] });
  const one = await comparison(two, two, '--frame', '2', '--counters-only');
  assert.deepEqual(
    one.found.frames.map(({ baseFrame, newFrame }) => [baseFrame, newFrame]),
    [[2, 2]],
  );
});

test('wrong usage and wrong input are one line, exit 2', async () => {
  const text = join(folder, 'text.txt');
  await writeFile(text, 'hello');
  const report = join(folder, 'some.json');
  await writeFile(report, '{"format": "gpuprof-report", "version": 1}');
  for (const [args, line] of [
    [
      [base],
      'there is nothing to compare it with; name a second capture or report, or what differs: --driver-b or --env-b',
    ],
    [
      [base, '-'],
      'a side is a file: none is read from standard input; write the report to a file first: gpuprof replay --json report.json',
    ],
    [[base, text], `${text} is neither a capture nor a report; a report is the JSON of gpuprof replay --json`],
    [[base, join(folder, 'none')], `cannot read ${join(folder, 'none')}: no such file`],
    [[base, report, '--env-b', 'A=1'], '--env-b is for captures; new is a report'],
    [
      [base, base, '--counters-only', '--runs', '3'],
      '--runs is about times, which --counters-only leaves out; leave one of them out',
    ],
    [[base, base, '--report-a', base], `${base} is the input, which the output would replace; name another file`],
    [
      [base, base, '--csv', join(folder, 'x'), '--report-b', join(folder, 'x')],
      `two outputs go to ${join(folder, 'x')}; give each a file of its own`,
    ],
    [[base, base, '--frame', '2'], `base (base.cap): ${base} has no frame 2; it has one frame`],
  ] as const) {
    const { code, stdout, stderr } = await compare(...args);
    assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: `gpuprof: ${line}\n` });
  }
  for (const [option, value] of [
    ['--threshold', '5'],
    ['--min-change', '50'],
    ['--false-alarm-rate', '60%'],
    ['--env-a', '=x'],
  ]) {
    const { code, stderr } = await compare(base, base, option, value);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^gpuprof: option '${option} <[^>]+>' argument '${value}' is invalid`));
  }
});
