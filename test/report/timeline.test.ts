import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/report.ts';
import type { FrameTimeline, RunTimeline } from '../../src/model/timeline.ts';
import { formats } from '../../src/report/formats.ts';
import { defaultOptions, type ReportOptions } from '../../src/report/options.ts';
import { checkTrace } from './check-trace.ts';
import { report } from './sample.ts';
import { timedReport } from './timeline-sample.ts';

const render = (format: 'perfetto' | 'speedscope' | 'json', of = timedReport, options: Partial<ReportOptions> = {}) =>
  [...formats[format](of, { ...defaultOptions, ...options })].join('');

test('a trace has submission, execution, flows and counters on the clock of the host, to the nanosecond', () => {
  const lines = render('perfetto').split('\n');
  const common = '"cat":"submit","name":"execution"';
  const counter = '"ph":"C","pid":2,"tid":2,"name":"statistics/Samples Passed"';
  const of = (args: string) => `"args":{${args}}`;
  const inRun = (eventId: number | null, run: number) => `"eventId":${eventId},"frame":1,"run":${run}`;
  const state =
    '"clock":"device","reason":null,"uncertaintyNs":250,"driftPpm":12.5,"driftUncertaintyPpm":4,"latencyNs":4000';
  const host = '"ph":"X","pid":1,"tid":1';
  const device = '"ph":"X","pid":2,"tid":2';
  const ok = '"status":"ok","reason":null';
  assert.deepEqual(lines.slice(7, 21), [
    `{"ts":7000000010.000,"dur":3.000,${host},"name":"frame 1, run 1 of 2",${of(`"frame":1,"run":1,${state}`)}},`,
    `{"ts":7000000010.100,"dur":2.800,${host},"name":"scene",${of(inRun(2, 1))}},`,
    `{"ts":7000000010.100,"dur":1.000,${host},"name":"cube␊",${of(inRun(4, 1))}},`,
    `{"ts":7000000010.100,"ph":"s","pid":1,"tid":1,${common},"id":1},`,
    `{"ts":7000000011.500,"dur":1.400,${host},"name":"lamp",${of(inRun(6, 1))}},`,
    `{"ts":7000000011.500,"ph":"s","pid":1,"tid":1,${common},"id":2},`,
    `{"ts":7000000013.000,"dur":6.000,${host},"name":"glFinish",${of('"frame":1,"run":1')}},`,
    `{"ts":7000000012.000,"dur":5.500,${device},"name":"frame 1, run 1 of 2",${of(`${inRun(null, 1)},"kind":"frame","draws":1,"durationNs":4000,"rawNs":5000,${ok}`)}},`,
    `{"ts":7000000012.000,"dur":5.500,${device},"name":"scene",${of(`${inRun(2, 1)},"kind":"marker","draws":1,"durationNs":4000,"rawNs":5000,${ok}`)}},`,
    `{"ts":7000000012.000,"dur":1.000,${device},"name":"cube␊",${of(`${inRun(4, 1)},"kind":"draw","draws":1,"durationNs":1000,"rawNs":1500,${ok},"deviceStart":"5000012000","deviceEnd":"5000013500"`)}},`,
    `{"ts":7000000012.000,"ph":"f","bp":"e","pid":2,"tid":2,${common},"id":1},`,
    `{"ts":7000000012.000,${counter},"args":{"value":64}},`,
    `{"ts":7000000013.000,${counter},"args":{"value":0}},`,
    `{"ts":7000000014.000,"dur":3.000,${device},"name":"lamp",${of(`${inRun(6, 1)},"kind":"draw","draws":1,"durationNs":3000,"rawNs":3500,${ok},"deviceStart":"5000014000","deviceEnd":"5000017500"`)}},`,
  ]);
});

interface TraceEvent {
  readonly ph: string;
  readonly pid: number;
  readonly name: string;
  readonly args: object;
}

const traceOf = (text: string): readonly TraceEvent[] => JSON.parse(text).traceEvents;

test('Perfetto loses nothing of a trace; what failed in a run has no slice there, and no flow', () => {
  for (const raw of [false, true]) {
    const trace = checkTrace(render('perfetto', timedReport, { raw }), timedReport, raw);
    assert.deepEqual(
      trace.flows.map(({ from, to }) => [from.name, to.name, to.args.run]),
      [
        ['cube␊', 'cube␊', 1],
        ['lamp', 'lamp', 1],
        ['cube␊', 'cube␊', 2],
      ],
    );
    assert.deepEqual([...trace.counters.keys()], ['statistics/Samples Passed']);
  }
});

/** The sample with other times in its first run. */
function withRun(over: Partial<RunTimeline>, durationsNs: readonly number[], originNs: number): Report {
  const [frame] = timedReport.frames;
  const total = durationsNs[0] + durationsNs[1];
  const nodes = frame.nodes.map((node, index) => {
    const durationNs = [[total, total, ...durationsNs][index]];
    return { ...node, samples: { durationNs, rawNs: durationNs, cpuNs: null } };
  });
  const run = { ...(frame.timeline as FrameTimeline).runs[0], ...over };
  return { ...timedReport, frames: [{ ...frame, runs: 1, nodes, timeline: { originNs, runs: [run] } }] };
}

test('slices nest whatever was measured: of no time, at the same time, longer than their brackets or since their submission', () => {
  const at = [12_000, 12_000];
  for (const [startsNs, endsNs, durationsNs] of [
    [at, [12_000, 12_000], [0, 0]],
    [at, [12_500, 13_000], [0, 0]],
    [at, [12_500, 13_000], [500, 0]],
    [
      [12_000, 12_700],
      [13_000, 14_000],
      [1000.4, 1299.7],
    ],
    [
      [12_000, 13_000],
      [13_000, 14_000],
      [1900.5, 1900.5],
    ],
    [
      [10_200, 11_600],
      [10_900, 14_000],
      [900, 2600],
    ],
  ]) {
    const report = withRun({ startsNs, endsNs }, durationsNs, 7e12);
    checkTrace(render('perfetto', report), report);
  }
});

test('a frame in one bracket has a flow from its run', () => {
  const [frame] = timedReport.frames;
  const [root] = frame.nodes;
  const { originNs, runs } = frame.timeline as FrameTimeline;
  const alone = <T>(values: readonly T[]): T[] => values.slice(0, 1);
  const run = Object.fromEntries(
    Object.entries(runs[0]).map(([name, value]) => [name, Array.isArray(value) ? alone(value) : value]),
  ) as unknown as RunTimeline;
  const nodes = [{ ...root, isLeaf: true, samples: { durationNs: [1000], rawNs: [1200], cpuNs: null } }];
  const report = { ...timedReport, frames: [{ ...frame, runs: 1, nodes, timeline: { originNs, runs: [run] } }] };
  assert.equal(checkTrace(render('perfetto', report), report).flows.length, 1);
});

test('on a machine that has been up for a year, times count from where a nanosecond still counts', () => {
  const [startsNs, endsNs] = [
    [12_001, 12_307],
    [12_303, 12_609],
  ];
  const [day, year] = [1, 400].map((days) => withRun({ startsNs, endsNs }, [301, 303], days * 86_400e9));
  for (const report of [day, year]) checkTrace(render('perfetto', report), report);
  const told = (report: Report) => {
    const { otherData, traceEvents } = JSON.parse(render('perfetto', report));
    return [otherData.clock, traceEvents[6].ts];
  };
  assert.deepEqual(told(day), ['CLOCK_MONOTONIC', 86_400_000_010]);
  assert.deepEqual(told(year), ['CLOCK_MONOTONIC less 34560000000000000 ns', 10]);
});

test('a trace names its tracks, and without times of execution it has those of submission', () => {
  const names = traceOf(render('perfetto')).filter(({ ph }) => ph === 'M');
  assert.deepEqual(
    names.filter(({ name }) => name === 'process_name').map(({ args }) => args),
    [{ name: 'Host: submission' }, { name: 'Device: execution (Acme One)' }],
  );
  const [frame] = timedReport.frames;
  const runs = (frame.timeline?.runs ?? []).map((run) => ({ ...run, startsNs: [null, null], endsNs: [null, null] }));
  const untimed = { ...timedReport, frames: [{ ...frame, timeline: { originNs: 0, runs } }] };
  const slices = traceOf(render('perfetto', untimed)).filter(({ ph }) => ph === 'X');
  assert.deepEqual(new Set(slices.map(({ pid }) => pid)), new Set([1]));
  assert.equal(traceOf(render('perfetto', report)).length, names.length);
});

const profilesOf = (text: string) => JSON.parse(text).profiles as Record<string, unknown>[];

test('flame graphs open with what the total is of; then come the medians, and each run, leaves end to end', () => {
  const parsed = JSON.parse(render('speedscope'));
  assert.deepEqual(parsed.shared.frames, [
    { name: 'frame', file: 'frame 1/' },
    { name: 'scene', file: 'frame 1/scene', line: 2 },
    { name: 'cube␊', file: 'frame 1/scene/cube␊', line: 4 },
    { name: 'lamp', file: 'frame 1/scene/lamp', line: 6 },
  ]);
  assert.equal(parsed.$schema, 'https://www.speedscope.app/file-format-schema.json');
  assert.equal(parsed.activeProfileIndex, 0);
  const events = (cubeNs: number, lampNs: number) => [
    { type: 'O', frame: 0, at: 0 },
    { type: 'O', frame: 1, at: 0 },
    { type: 'O', frame: 2, at: 0 },
    { type: 'C', frame: 2, at: cubeNs },
    { type: 'O', frame: 3, at: cubeNs },
    { type: 'C', frame: 3, at: cubeNs + lampNs },
    { type: 'C', frame: 1, at: cubeNs + lampNs },
    { type: 'C', frame: 0, at: cubeNs + lampNs },
  ];
  const profile = (name: string, cubeNs: number, lampNs: number) => ({
    type: 'evented',
    name,
    unit: 'nanoseconds',
    startValue: 0,
    endValue: cubeNs + lampNs,
    events: events(cubeNs, lampNs),
  });
  assert.deepEqual(parsed.profiles, [
    profile('frame 1, mean of runs 1 and 2, in the middle of 2', 1000, 1500),
    profile('frame 1, medians of 2 runs', 1000, 3000),
    profile('frame 1, run 1 of 2', 1000, 3000),
    profile('frame 1, run 2 of 2', 1000, 0),
  ]);
  assert.deepEqual(
    profilesOf(render('speedscope', timedReport, { raw: true })).map(({ endValue }) => endValue),
    [3250, 6000, 5000, 1500],
  );
});

test('several frames have frames of their own, and a frame without leaves an empty profile', () => {
  const [frame] = timedReport.frames;
  const empty = { ...frame, frame: 2, runs: 1, nodes: frame.nodes.slice(0, 1) };
  const parsed = JSON.parse(render('speedscope', { ...timedReport, frames: [empty, frame] }));
  assert.deepEqual(parsed.profiles[0].events, []);
  assert.equal(parsed.profiles[0].endValue, 0);
  assert.deepEqual(parsed.profiles[1].events[0], { type: 'O', frame: 1, at: 0 });
  assert.equal(parsed.shared.frames.length, 5);
});

test('JSON has the timeline, with the ticks of the clock as text', () => {
  const { timeline } = JSON.parse(render('json')).frames[0];
  assert.equal(timeline.originNs, 7_000_000_000_000);
  assert.deepEqual(timeline.runs[1].deviceStarts, ['5000052000', null]);
  assert.deepEqual(timeline.runs[0].submitStartNs, [10_100, 11_500]);
});
