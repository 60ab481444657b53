import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FrameTrees } from '../../src/cli/frame-trees.ts';
import { GpuprofError } from '../../src/errors.ts';
import { openContext } from '../../src/gl/open.ts';
import { columnValue, type MetricSet } from '../../src/model/counter.ts';
import type { SetMeasurement } from '../../src/model/counter-sample.ts';
import type { EventTree } from '../../src/model/event-tree.ts';
import type { BracketUnit } from '../../src/model/sample.ts';
import { measureCounters } from '../../src/query/measure-counters.ts';
import { measureFrame } from '../../src/query/measure-frame.ts';
import type { MetricSource, OpenSet } from '../../src/query/metric-source.ts';
import { openMetricSources } from '../../src/query/open-sources.ts';
import { finishMethod } from '../../src/query/timer-method.ts';
import type { FrameReplay } from '../../src/replay/frame-replay.ts';
import type { ReplayOptions } from '../../src/replay/replay-parts.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import type { CaptureBuilder } from '../replay/memory-capture.ts';
import { additive, base, clear, color } from '../replay/restore-scene.ts';

const context = await openContext('egl', { api: 'gl' });
after(() => context.destroy());
const { sources, missing } = openMetricSources(context);
const statistics = sources.find(({ type }) => type === 'statistics') as MetricSource;
const [set] = statistics.sets;
const counters = set.counters.filter(({ name }) => name === 'Input Vertices Read' || name === 'Samples Passed');
const request = { source: statistics, set, counters };

interface Loaded {
  readonly replayer: Replayer;
  readonly frame: FrameReplay;
  readonly tree: EventTree;
}

async function load(
  b: CaptureBuilder,
  work: (loaded: Loaded) => Promise<void>,
  per: BracketUnit = 'draw',
  options?: ReplayOptions,
): Promise<void> {
  const capture = b.capture();
  const trees = await FrameTrees.create(capture);
  const tree = await trees.build(1, per);
  const replayer = await Replayer.create(context, capture, options);
  try {
    await work({ replayer, frame: await replayer.loadFrame(1), tree });
  } finally {
    replayer.destroy();
  }
}

/** A clear and four draws of 1 to 4 instances of a quad over the 16x16 canvas, added up. */
function steps(): CaptureBuilder {
  const b = color(base(), 0.1, 0, 0, 1).frame();
  additive(clear(b));
  for (let instances = 1; instances <= 4; instances++) b.call('glDrawArraysInstanced', 5, 0, 4, instances);
  return b;
}
const stepVertices = [0, 4, 8, 12, 16];
const stepSamples = [0, 256, 512, 768, 1024];

/** Each counter's values by leaf, of every run; equal runs once. */
function table({ runs }: SetMeasurement): unknown[] {
  const all = runs.map(({ columns }) =>
    columns.map((column) => [...column].map((_, leaf) => columnValue(column, leaf))),
  );
  return [...new Set(all.map((run) => JSON.stringify(run)))].map((run) => JSON.parse(run));
}

/** The statistics under another behaviour. */
function altered(
  change: Partial<MetricSource>,
  changeOpen: (open: OpenSet) => Partial<OpenSet> = () => ({}),
): MetricSource {
  return {
    ...statistics,
    open(metricSet, wanted) {
      const open = statistics.open(metricSet, wanted);
      return {
        counters: open.counters,
        subscribe: (queries) => open.subscribe(queries),
        beginQuery: (id) => open.beginQuery(id),
        endQuery: (id) => open.endQuery(id),
        unsubscribe: (order) => open.unsubscribe(order),
        dispose: () => open.dispose(),
        ...changeOpen(open),
      };
    },
    ...change,
  };
}

const refusal = (message: string) => new GpuprofError('cannot-measure', message);

test('counters of each leaf, the same in every run, and where they come from', async () => {
  await load(steps(), async ({ frame, tree, replayer }) => {
    const states: string[] = [];
    const [measured] = await measureCounters(context, frame, tree, [request], {
      runs: 20,
      onProgress: ({ set: { id }, run, runs }) => states.push(`${id} ${run} of ${runs}`),
    });
    assert.equal(measured.runs.length, 20);
    assert.deepEqual(table(measured), [[stepVertices, stepSamples]]);
    assert.deepEqual([measured.passes, measured.problem, measured.lost.size], [1, null, 0]);
    assert.deepEqual([measured.set, measured.counters], [set, counters]);
    assert.deepEqual(measured.origin, {
      driver: 'egl',
      api: 'gl',
      renderer: context.renderer,
      version: context.versionText,
    });
    assert.deepEqual([states.length, states[0], states[19]], [20, 'statistics 1 of 20', 'statistics 20 of 20']);
    assert.deepEqual(replayer.glErrors, []);
  });
});

test('a bracket around a whole render pass counts the sum of its draws', async () => {
  await load(
    steps(),
    async ({ frame, tree }) => {
      const [measured] = await measureCounters(context, frame, tree, [request]);
      assert.deepEqual([measured.runs.length, table(measured)], [3, [[[40], [2560]]]]);
    },
    'pass',
  );
});

test('more leaves than queries: the frame is replayed for each part of them, and put back in between', async () => {
  await load(steps(), async ({ frame, tree }) => {
    const few = altered({ maximumQueries: () => 2 });
    const [measured] = await measureCounters(context, frame, tree, [{ ...request, source: few }]);
    assert.deepEqual([measured.passes, table(measured)], [3, [[stepVertices, stepSamples]]]);
    // Red was added ten times in the last replay alone.
    assert.equal(frame.readCanvas().data[0], 255);
    const [again] = await measureCounters(context, frame, tree, [request], { runs: 1 });
    assert.deepEqual(table(again), table(measured));
  });
});

test('a driver that turns out to have fewer queries than it said is asked for fewer', async () => {
  await load(steps(), async ({ frame, tree }) => {
    let most = 100;
    const asked: number[] = [];
    const shrinking = altered({ maximumQueries: () => most }, (open) => ({
      subscribe(queries) {
        asked.push(queries);
        if (queries > 3) most = queries - 1;
        if (queries > 3) throw refusal('no more of them');
        open.subscribe(queries);
      },
    }));
    const [measured] = await measureCounters(context, frame, tree, [{ ...request, source: shrinking }], { runs: 2 });
    assert.deepEqual(asked, [5, 4, 3, 2, 3, 2]);
    assert.deepEqual([measured.passes, table(measured)], [2, [[stepVertices, stepSamples]]]);

    const none = altered({ maximumQueries: () => 0 });
    const [problem] = await measureCounters(context, frame, tree, [{ ...request, source: none }]);
    assert.deepEqual([problem.problem, problem.runs], ['the driver has no query left for statistics', []]);
  });
});

test('counters that do not fit together take a replay each, and their columns keep their places', async () => {
  await load(steps(), async ({ frame, tree }) => {
    const apart = altered({ split: (_, wanted) => [...wanted].reverse().map((counter) => [counter]) });
    const [measured] = await measureCounters(context, frame, tree, [{ ...request, source: apart }]);
    assert.deepEqual([measured.passes, table(measured)], [2, [[stepVertices, stepSamples]]]);
  });
});

test('a refusal costs the set that it meets, and of a later run only that run', async () => {
  await load(steps(), async ({ frame, tree, replayer }) => {
    const atOpen = altered({
      open: () => {
        throw refusal('busy');
      },
    });
    let subscriptions = 0;
    const later = altered({}, (open) => ({
      subscribe(queries) {
        if (++subscriptions === 3) throw refusal('gone');
        open.subscribe(queries);
      },
    }));
    const requests = [atOpen, later, statistics].map((source) => ({ ...request, source }));
    const [first, second, third] = await measureCounters(context, frame, tree, requests, { runs: 5 });
    assert.deepEqual([first.problem, first.runs, first.counters], ['busy', [], counters]);
    assert.deepEqual([second.problem, second.runs.length], [null, 3]);
    assert.deepEqual(
      second.runs.map(({ failed }) => [...failed.values()]),
      [[], [], ['gone', 'gone', 'gone', 'gone', 'gone']],
    );
    assert.deepEqual([third.problem, third.runs.length, table(third)], [null, 5, [[stepVertices, stepSamples]]]);
    assert.deepEqual(replayer.glErrors, []);
  });
});

test("a fault that is none of the driver's is not swallowed", async () => {
  await load(steps(), async ({ frame, tree }) => {
    const broken = altered({}, () => ({
      beginQuery() {
        throw new TypeError('a bug');
      },
    }));
    await assert.rejects(measureCounters(context, frame, tree, [{ ...request, source: broken }]), /a bug/);
  });
});

test('failed, questionable and suspect queries keep their leaves, over the parts of a run', async () => {
  await load(steps(), async ({ frame, tree }) => {
    const doubtful = altered({ maximumQueries: () => 3 }, (open) => ({
      unsubscribe: (order) => ({
        ...open.unsubscribe(order),
        failed: new Map([[0, 'lost']]),
        questionable: new Map([[1, 'split']]),
        suspect: order.length === 2 ? 'the clock changed' : null,
        objects: new Map([[counters[0].id, [...order].map((query) => [{ key: `query ${query}`, amount: 1 }])]]),
      }),
    }));
    const [{ runs }] = await measureCounters(context, frame, tree, [{ ...request, source: doubtful }], { runs: 1 });
    assert.deepEqual(
      [...runs[0].failed],
      [
        [0, 'lost'],
        [3, 'lost'],
      ],
    );
    assert.deepEqual([...runs[0].questionable].sort(), [
      [1, 'split'],
      [3, 'the clock changed'],
      [4, 'split'],
    ]);
    assert.deepEqual(
      runs[0].objects?.get(counters[0].id)?.map(([{ key }]) => key),
      ['query 0', 'query 1', 'query 2', 'query 0', 'query 1'],
    );
  });
});

test('errors that a source leaves in GL are not booked on the frame', async () => {
  await load(steps(), async ({ frame, tree, replayer }) => {
    const noisy = altered({}, (open) => ({
      beginQuery(id) {
        context.gl.glEnable(0xffff);
        open.beginQuery(id);
      },
    }));
    await measureCounters(context, frame, tree, [{ ...request, source: noisy }]);
    frame.collectErrors();
    assert.deepEqual(replayer.glErrors, []);
  });
});

test('what comes from the capture alone takes no replay and one run: query is leaf', async () => {
  const alone: MetricSet = {
    id: 'memory',
    source: 'memory',
    name: 'memory',
    description: '',
    scope: 'context',
    counters: [{ ...counters[0], id: 'memory/number', set: 'memory', name: 'number', dataType: 'f64' }],
  };
  const source: MetricSource = {
    type: 'memory',
    information: 'the capture',
    sets: [alone],
    replays: false,
    lost: new Map([['memory/other', 'unknown']]),
    maximumQueries: () => 2,
    split: (_, wanted) => [wanted],
    open: (_, wanted) => ({
      counters: wanted,
      subscribe() {},
      beginQuery() {},
      endQuery() {},
      unsubscribe: (order) => ({
        columns: [Float64Array.from(order)],
        failed: new Map(),
        questionable: new Map(),
        suspect: null,
      }),
      dispose() {},
    }),
  };
  await load(steps(), async ({ tree }) => {
    const idle = { frame: 1, calls: { length: 99 }, restore: assert.fail, play: assert.fail };
    const request = { source, set: alone, counters: alone.counters };
    const [measured] = await measureCounters(context, idle as unknown as FrameReplay, tree, [request], { runs: 9 });
    assert.deepEqual([measured.origin, measured.passes, measured.runs.length], [null, 0, 1]);
    assert.deepEqual(table(measured), [[[0, 1, 0, 1, 0]]]);
    assert.deepEqual([...measured.lost], [['memory/other', 'unknown']]);
  });
});

test('the timer is a set like any other, and a budget bounds the runs', async () => {
  assert.deepEqual(sources.map(({ type }) => type).slice(0, 2), ['timer', 'statistics']);
  for (const { reason } of missing) assert.ok(reason.length > 0);
  await load(steps(), async ({ frame, tree }) => {
    const requests = sources
      .slice(0, 2)
      .map((source) => ({ source, set: source.sets[0], counters: source.sets[0].counters }));
    const [timer, counted] = await measureCounters(context, frame, tree, requests, { budgetMs: 0 });
    assert.deepEqual([timer.runs.length, counted.runs.length], [1, 1]);
    assert.equal(timer.counters.length, 2);
    for (const column of timer.runs[0].columns) assert.ok([...column].every((value) => Number(value) > 0));
  });
});

test('a frame without leaves is no failure', async () => {
  await load(base().frame().call('glClearColor', 0, 0, 0, 1), async ({ frame, tree }) => {
    const [measured] = await measureCounters(context, frame, tree, [request], { runs: 2 });
    assert.deepEqual([measured.problem, measured.passes, measured.runs.length], [null, 0, 2]);
  });
});

test("a frame's own queries and conditional rendering neither disturb the counts nor are disturbed", async () => {
  const b = color(base(), 0, 1, 0, 1).call('glGenQueries', 2, [1, 2]).frame();
  clear(b).call('glBeginQuery', 0x8c87, 1).call('glBeginQuery', 0x8914, 2);
  b.call('glDrawArrays', 5, 0, 4).call('glEndQuery', 0x8914).call('glEndQuery', 0x8c87);
  b.call('glBeginConditionalRender', 2, 0x8e13).call('glDrawArrays', 5, 0, 3).call('glEndConditionalRender');
  await load(b, async ({ frame, tree, replayer }) => {
    frame.restore();
    frame.play();
    const { data } = frame.readCanvas();
    const [measured] = await measureCounters(context, frame, tree, [request]);
    assert.deepEqual(table(measured).length, 1);
    assert.deepEqual((table(measured)[0] as number[][])[0], [0, 4, 3]);
    assert.deepEqual((table(measured)[0] as number[][])[1].slice(0, 2), [0, 256]);
    assert.ok(Buffer.from(data).equals(frame.readCanvas().data));
    assert.deepEqual(replayer.glErrors, []);
  });
});

test("a frame's own query that runs into a measured one is told, not counted wrong", async () => {
  const b = color(base(), 0, 1, 0, 1).call('glGenQueries', 1, [1]).frame();
  clear(b).call('glDrawArrays', 5, 0, 4).call('glBeginQuery', 0x8914, 1);
  b.call('glDrawArrays', 5, 0, 4).call('glEndQuery', 0x8914);
  await load(
    b,
    async ({ frame, tree }) => {
      const [{ runs }] = await measureCounters(context, frame, tree, [request], { runs: 2 });
      for (const { failed, columns } of runs) {
        assert.deepEqual([...failed], [[2, 'another query for Samples Passed is open']]);
        assert.deepEqual([columnValue(columns[1], 0), columnValue(columns[1], 1)], [0, 256]);
      }
    },
    'draw',
    { skipApplicationQueries: false },
  );
});

test('transform feedback is counted and written as ever, and timing goes on as before', async () => {
  const header = '#version 300 es\nprecision highp float;\n';
  const vertex = `${header}layout(location = 0) in vec2 p; out vec2 moved; void main() { moved = p * 0.5; gl_Position = vec4(p, 0.0, 1.0); }`;
  const b = color(base(), 0, 1, 1, 1);
  b.program(2, vertex, `${header}out vec4 o; void main() { o = vec4(1.0); }`, (c) =>
    c.call('glTransformFeedbackVaryings', 2, 1, ['moved'], 0x8c8c),
  );
  b.call('glGenBuffers', 1, [2]).call('glBindBuffer', 0x8c8e, 2).call('glBufferData', 0x8c8e, 32, null, 0x88e8).frame();
  clear(b).call('glUseProgram', 2).call('glEnable', 0x8c89).call('glBindBufferBase', 0x8c8e, 0, 2);
  b.call('glBeginTransformFeedback', 0).call('glDrawArrays', 0, 0, 4).call('glEndTransformFeedback');
  b.call('glBindBufferBase', 0x8c8e, 0, 0).call('glDisable', 0x8c89).call('glUseProgram', 1);
  b.call('glBindBuffer', 0x8f36, 2).call('glBindBuffer', 0x8f37, 1);
  b.call('glCopyBufferSubData', 0x8f36, 0x8f37, 0, 0, 32).call('glDrawArrays', 5, 0, 4);
  await load(b, async ({ frame, tree, replayer }) => {
    const expected = [
      [0, 4, 0, 4],
      [0, 0, 0, 64],
    ];
    for (let round = 0; round < 2; round++) {
      const [measured] = await measureCounters(context, frame, tree, [request]);
      assert.deepEqual(table(measured), [expected]);
      const { runs } = await measureFrame(context, frame, tree, { method: finishMethod(context), runs: 1 });
      assert.equal(runs[0].readingsNs.length, 4);
    }
    assert.deepEqual(replayer.glErrors, []);
  });
});
