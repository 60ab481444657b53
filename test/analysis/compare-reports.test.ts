import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree, hasFound, hasUndecided } from '../../src/analysis/compare/agree.ts';
import { type CompareOptions, compareReports, pairsForLook } from '../../src/analysis/compare/compare-reports.ts';
import { noVerdict } from '../../src/analysis/compare/no-verdict.ts';
import type { Comparison } from '../../src/model/comparison.ts';
import type { FrameReport, Report } from '../../src/model/report.ts';
import { frameOf, optionsOf, reportOf } from './compare-times-kit.ts';

const ms = 1e6;
/** As many runs, around a time, that go up and down by 1%. */
const runs = (timeNs: number, count = 60): number[] =>
  Array.from({ length: count }, (_, run) => timeNs * (1 + (((run * 7) % 11) - 5) / 500));

const scene = (shadowNs: number, count = 60): FrameReport =>
  frameOf({
    Shadow: { caster: runs(shadowNs, count), tiny: runs(4000, count) },
    Main: { ground: runs(3 * ms, count), tree: runs(0.4 * ms, count) },
  });

const verdicts = ({ frames }: Comparison): Record<string, string | null> =>
  Object.fromEntries(frames[0].nodes.map((node) => [(node.new ?? node.base)!.path, node.time.verdict]));

const compare = (base: Report, next: Report, options: Partial<CompareOptions> = {}): Comparison =>
  compareReports(base, next, optionsOf(options));

const codes = ({ warnings }: Comparison): string[] => warnings.map(({ code }) => code);

test('what became slower is slower with its parents, the rest is the same', () => {
  const comparison = compare(reportOf(scene(1 * ms)), reportOf(scene(1.2 * ms)));
  assert.deepEqual(verdicts(comparison), {
    '': 'slower',
    Shadow: 'slower',
    'Shadow/caster': 'slower',
    'Shadow/tiny': 'same',
    Main: 'same',
    'Main/ground': 'same',
    'Main/tree': 'same',
  });
  const [frame] = comparison.frames;
  const { time } = frame.nodes[2];
  assert.ok(
    Math.abs(time.deltaNs! - 0.2 * ms) < 0.01 * ms && time.lowNs! <= time.deltaNs! && time.highNs! >= time.deltaNs!,
  );
  assert.equal(time.thresholdNs, 50_000);
  assert.equal(frame.nodes[4].time.thresholdNs, frame.nodes[4].time.baseNs! * 0.05);
  assert.deepEqual([frame.plain.verdict, frame.plain.reason], [null, 'not every side has runs of the whole frame']);
  assert.deepEqual(comparison.settings, {
    metric: 'cpu',
    why: 'llvmpipe draws on the CPU, and other work on the machine hardly changes CPU time',
    threshold: 0.05,
    minChangeNs: 50_000,
    falseAlarmRate: 0.01,
    interleaved: true,
    pairs: 60,
  });
  assert.deepEqual(codes(comparison), []);
});

test('the frame as a whole is compared where both sides have runs of it', () => {
  const whole = (timeNs: number): Report => {
    const samples = { durationNs: runs(timeNs), cpuNs: runs(timeNs) };
    const statistics = { median: timeNs, min: 0, max: 0, mad: 0, low95: 0, high95: 0, runs: 60 };
    return reportOf({ ...scene(1 * ms), plainNs: statistics, plainCpuNs: statistics, plainSamples: samples });
  };
  assert.equal(compare(whole(5 * ms), whole(6 * ms)).frames[0].plain.verdict, 'slower');
  assert.equal(compare(whole(5 * ms), whole(4 * ms)).frames[0].plain.verdict, 'faster');
  assert.equal(compare(whole(5 * ms), whole(5 * ms)).frames[0].plain.verdict, 'same');
});

test('an event of one side has its time and no verdict', () => {
  const base = frameOf({ Main: { ground: runs(3 * ms) } });
  const next = frameOf({ Main: { ground: runs(3 * ms) }, Glow: { blur: runs(1 * ms) } });
  const added = compare(reportOf(base), reportOf(next)).frames[0].nodes.filter(({ match }) => match === 'new');
  assert.deepEqual(
    added.map(({ new: event }) => event!.path),
    ['Glow', 'Glow/blur'],
  );
  for (const { time } of added) {
    assert.ok(time.baseNs === null && Math.abs(time.newNs! - ms) < 0.01 * ms);
    assert.deepEqual([time.verdict, time.reason], [null, "it is only in new; its time is part of its parents'"]);
  }
  const removed = compare(reportOf(next), reportOf(base)).frames[0].nodes.find(({ match }) => match === 'gone')!;
  assert.equal(removed.time.reason, "it is only in base; its time is part of its parents'");
});

test('times of other renderers, versions, methods and brackets are not compared', () => {
  const base = reportOf(scene(1 * ms));
  const why = (next: Report, options: Partial<CompareOptions> = {}) => {
    const { settings, frames } = compare(base, next, options);
    if (settings.metric === null)
      for (const { time } of frames[0].nodes)
        assert.deepEqual([time.verdict, time.baseNs, time.reason], [null, null, settings.why]);
    return [settings.metric, settings.why];
  };
  const scene1 = scene(1 * ms);
  const { settings } = base;
  assert.deepEqual(why(reportOf(scene1, { renderer: 'zink' })), [null, 'the renderers differ: llvmpipe and zink']);
  assert.deepEqual(why(reportOf(scene1, { version: 'Mesa 24' })), [
    null,
    'the versions differ: Mesa 22.3.6 and Mesa 24',
  ]);
  assert.deepEqual(why({ ...base, settings: { ...settings, per: 'pass' } }), [
    null,
    'the brackets differ: draw and pass',
  ]);
  assert.deepEqual(why({ ...base, settings: { ...settings, method: 'elapsed' } }), [
    null,
    'the timer methods differ: finish and elapsed',
  ]);
  assert.deepEqual(why({ ...base, settings: { ...settings, method: null, why: 'none can be trusted' } }), [
    null,
    'new has no times: none can be trusted',
  ]);
  assert.deepEqual(why(base, { countersOnly: true }), [null, 'only counters are compared']);
  assert.deepEqual(why(base, { metric: 'duration' }), ['duration', 'asked for']);
  const other = reportOf(scene1, { driver: 'headless-gl' });
  assert.deepEqual(why(other, { paired: false }), [null, 'the drivers differ: egl and headless-gl']);
  assert.equal(why(other)[0], 'cpu');
  assert.deepEqual(codes(compare(base, other)), ['driver-differs']);
});

test('hardware is compared by duration, and has no CPU time', () => {
  const hardware = reportOf(scene(1 * ms), { software: false, renderer: 'H200' });
  assert.equal(compare(hardware, hardware).settings.metric, 'duration');
  const { settings } = compare(hardware, hardware, { metric: 'cpu' });
  assert.deepEqual(settings.why, 'CPU time is measured on software renderers, and H200 is none');
});

test('separate sittings, other machines, few runs and doubtful ones are told of', () => {
  const base = reportOf(scene(1 * ms, 5));
  const other = reportOf({ ...scene(1.001 * ms, 5), questionableRuns: 2 }, { cpu: 'Another', softwareThreads: 2 });
  const comparison = compare(base, other, { paired: false });
  assert.deepEqual(codes(comparison), [
    'cpu-differs',
    'threads-differ',
    'not-interleaved',
    'few-runs',
    'questionable-runs',
  ]);
  assert.match(
    comparison.warnings[2].message,
    /no rate of false verdicts covers this; .* compare the captures themselves$/,
  );
  assert.match(comparison.warnings[3].message, /^5 runs are too few for any verdict; 7 of each are needed$/);
  assert.ok(hasUndecided(comparison) && !hasFound(comparison));
  const paired = compare(base, other);
  assert.match(paired.warnings[2].message, /^5 pairs of runs are too few for any verdict; 22 are needed$/);
  assert.equal(paired.settings.pairs, 5);
});

test('a baseline without the version of its system differs in that from none', () => {
  const of = (os: string) => reportOf(scene(1 * ms), { os });
  const differ = (one: string, other: string) => codes(compare(of(one), of(other))).includes('os-differs');
  assert.deepEqual(
    [
      differ('Linux x64', 'Linux 6.1.0 x64'),
      differ('Linux 6.1.0 x64', 'Linux 6.1.0 x64'),
      differ('Linux 6.1.0 x64', 'Linux 6.2.0 x64'),
      differ('Linux x64', 'Darwin 22.1.0 x64'),
      differ('Linux x64', 'Linux 6.1.0 arm64'),
    ],
    [false, false, true, true, true],
  );
});

test('one measurement on both sides is told of, and is no verdict of its own', () => {
  const few = reportOf(scene(1 * ms, 5));
  const itself = compare(few, few, { paired: false });
  assert.deepEqual(codes(itself), ['same-measurement', 'few-runs']);
  assert.equal(noVerdict(itself), 'both sides are one measurement, which says nothing of a change');
  assert.equal(noVerdict(compare(reportOf(scene(1 * ms)), reportOf(scene(1 * ms)), { paired: false })), null);
});

test('a run in which a leaf has no result counts for none of its parents', () => {
  const lost = (samples: number[]) => samples.map((value, run) => (run % 10 === 3 ? null : value));
  const base = frameOf({ Main: { ground: runs(3 * ms), tree: runs(1 * ms) } });
  const next = frameOf({ Main: { ground: runs(3 * ms), tree: lost(runs(1 * ms)) } });
  const { frames } = compare(reportOf(base), reportOf(next));
  assert.ok(frames[0].nodes.every(({ time }) => time.verdict === 'same' && time.lowNs! > -1000 && time.highNs! < 1000));
});

test('the first look waits for runs enough for the events that can matter', () => {
  const [base, next] = [reportOf(scene(1 * ms, 2)), reportOf(scene(1 * ms, 2))];
  const at = (look: number, rest: Partial<CompareOptions> = {}) =>
    pairsForLook(base, next, optionsOf({ look, ...rest }));
  assert.deepEqual([at(1), at(2), at(3)], [30, 42, 58]);
  assert.ok(at(1, { sitting: 'first' }) < at(1));
  assert.equal(at(0), 22);
});

test('what a first sitting found stands when a second confirms it', () => {
  const sit = (timeNs: number, sitting: CompareOptions['sitting']) =>
    compare(reportOf(scene(1 * ms)), reportOf(scene(timeNs)), { sitting });
  const first = sit(1.2 * ms, 'first');
  assert.equal(verdicts(first).Shadow, 'slower');
  assert.ok(hasFound(first));
  const again = sit(1.2 * ms, first);
  assert.deepEqual([verdicts(again).Shadow, verdicts(again).Main], ['slower', null]);
  assert.equal(again.frames[0].nodes[4].time.reason, 'decided in the first sitting');
  const both = agree(first, again);
  assert.deepEqual([verdicts(both).Shadow, verdicts(both).Main], ['slower', 'same']);
  assert.deepEqual(codes(both), ['second-sitting']);
  const refuted = agree(first, sit(1 * ms, first));
  const shadow = refuted.frames[0].nodes[1].time;
  assert.deepEqual([shadow.verdict, shadow.reason], ['undecided', 'slower in one sitting, not confirmed by a second']);
  assert.ok(!hasFound(refuted));
});

test('a comparison of 10,000 events of 30 runs takes less work than reading them', () => {
  const many = (timeNs: number): Report =>
    reportOf(
      frameOf(
        Object.fromEntries(
          Array.from({ length: 100 }, (_, pass) => [
            `pass ${pass}`,
            Object.fromEntries(Array.from({ length: 99 }, (_, draw) => [`draw ${draw}`, runs(timeNs, 30)])),
          ]),
        ),
      ),
    );
  for (const paired of [true, false]) {
    const { frames } = compare(many(1 * ms), many(1.5 * ms), { paired });
    assert.equal(frames[0].nodes.length, 10_001);
    // At 1% over all of these, 15 observations of two pairs are too few, and 30 values of each side enough.
    assert.ok(frames[0].nodes.every(({ time }) => time.verdict === (paired ? 'undecided' : 'slower')));
  }
});
