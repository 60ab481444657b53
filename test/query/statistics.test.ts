import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Api, DriverName, GlContext } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import { columnValue } from '../../src/model/counter.ts';
import type { MetricSource } from '../../src/query/metric-source.ts';
import { QueryManager, type QueryResults } from '../../src/query/query-manager.ts';
import { statisticsSource } from '../../src/query/statistics.ts';
import { bindBuffer, drawing, linkProgram, positions, useTarget } from './draw-kit.ts';

const size = 64;
const contexts: GlContext[] = [];
after(() => {
  for (const context of contexts) context.destroy();
});

async function start(driver: DriverName, api: Api) {
  const context = await openContext(driver, { api });
  contexts.push(context);
  const source = statisticsSource(context) as MetricSource;
  useTarget(context, size);
  return { context, source, gl: context.gl };
}

/** Counts each piece of work with all counters at once; by counter name, a value for each. */
function count(context: GlContext, source: MetricSource, works: readonly (() => void)[]) {
  const manager = new QueryManager(context, [source]);
  let results: QueryResults | undefined;
  manager.registerCallback((all) => {
    results = all;
  });
  manager.subscribe('statistics', works.length);
  for (const [id, work] of works.entries()) {
    manager.beginQuery(id);
    work();
    manager.endQuery(id);
  }
  assert.deepEqual(manager.unsubscribe(), []);
  manager.dispose();
  assert.equal(context.gl.glGetError(), 0);
  assert.ok(results);
  const { counters, columns } = results;
  return works.map((_, id) => Object.fromEntries(counters.map(({ name }, at) => [name, columnValue(columns[at], id)])));
}

const desktop = await start('egl', 'gl');

test("desktop GL has RenderDoc's counters 2 to 13, exact 64-bit sums", () => {
  const [set] = desktop.source.sets;
  assert.deepEqual(
    set.counters.map(({ name }) => name),
    [
      'Input Vertices Read',
      'Input Primitives',
      'GS Primitives',
      'Rasterizer Invocations',
      'Rasterized Primitives',
      'Samples Passed',
      'VS Invocations',
      'TCS Invocations',
      'TES Invocations',
      'GS Invocations',
      'PS Invocations',
      'CS Invocations',
    ],
  );
  for (const { id, name, dataType, kind, exact, unit } of set.counters)
    assert.deepEqual([id, dataType, kind, exact, unit], [`statistics/${name}`, 'u64', 'sum', true, '']);
  assert.deepEqual([...desktop.source.lost], []);
});

test('counts of draws are what can be worked out by hand', () => {
  const { context, source, gl } = desktop;
  const [triangle, strip, points] = [positions.triangle, positions.strip, positions.points].map((position) =>
    drawing(context, position),
  );
  const corner = drawing(context, 'vec4(gl_VertexID == 1 ? 1.5 : 0.5, gl_VertexID == 2 ? 1.5 : 0.5, 0.0, 1.0)');
  const outside = drawing(context, 'vec4(5.0 + float(gl_VertexID), 5.0, 0.0, 1.0)');
  bindBuffer(context, 0x8893, Uint16Array.of(0, 1, 2, 0, 1, 2, 0, 1, 2));
  const draw =
    (program: number, mode: number, vertices: number, instances = 1) =>
    () => {
      gl.glUseProgram(program);
      gl.glDrawArraysInstanced(mode, 0, vertices, instances);
    };
  const indexed = () => {
    gl.glUseProgram(triangle);
    gl.glDrawElements(4, 9, 0x1403, 0);
  };
  const counts = count(context, source, [
    () => {},
    draw(triangle, 4, 3),
    draw(strip, 5, 4),
    draw(strip, 5, 4, 5),
    draw(points, 0, 7),
    indexed,
    draw(corner, 4, 3),
    draw(outside, 4, 3),
  ]);
  const table = counts.map((c) => [
    c['Input Vertices Read'],
    c['Input Primitives'],
    c['Rasterizer Invocations'],
    c['VS Invocations'],
    c['Samples Passed'],
  ]);
  const all = size * size;
  assert.deepEqual(table, [
    [0, 0, 0, 0, 0],
    [3, 1, 1, 3, all],
    [4, 2, 2, 4, all],
    [20, 10, 10, 20, 5 * all],
    [7, 7, 7, 7, 7],
    [9, 3, 3, counts[5]['VS Invocations'], 3 * all],
    [3, 1, 1, 3, all / 16],
    [3, 1, 1, 3, 0],
  ]);
  // A driver may run the shader once for each vertex or for each index.
  assert.ok([3, 9].includes(Number(counts[5]['VS Invocations'])));
  assert.deepEqual(
    [0, 2, 3, 4, 7].map((at) => counts[at]['Rasterized Primitives']),
    [0, 2, 10, 7, 0],
  );
  // llvmpipe shades blocks of 4x4 pixels: as many as there are samples, and what two triangles share twice.
  assert.deepEqual(
    [counts[0]['PS Invocations'], counts[4]['PS Invocations'], counts[7]['PS Invocations']],
    [0, 16 * 7, 0],
  );
  assert.ok(Number(counts[2]['PS Invocations']) >= all && Number(counts[2]['PS Invocations']) < 1.1 * all);
});

test('geometry, tessellation and compute shaders are counted', () => {
  const { context, source, gl } = desktop;
  const header = '#version 450\n';
  const vertex = `${header}void main() { gl_Position = ${positions.points}; }`;
  const fragment = `${header}out vec4 c; void main() { c = vec4(1.0); }`;
  const geometry = linkProgram(context, {
    vertex,
    geometry: `${header}layout(points) in; layout(triangle_strip, max_vertices = 4) out;
void main() { for (int i = 0; i < 4; i++) { gl_Position = gl_in[0].gl_Position + vec4(i % 2, i / 2, 0, 0) * 0.1; EmitVertex(); } }`,
    fragment,
  });
  const tessellation = linkProgram(context, {
    vertex,
    control: `${header}layout(vertices = 3) out;
void main() { gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 1.0; }`,
    evaluation: `${header}layout(triangles) in; void main() { gl_Position = vec4(gl_TessCoord, 1.0); }`,
    fragment,
  });
  const compute = linkProgram(context, {
    compute: `${header}layout(local_size_x = 4) in; layout(std430, binding = 0) buffer B { uint n; }; void main() { atomicAdd(n, 1u); }`,
  });
  gl.glBindBufferBase(0x90d2, 0, bindBuffer(context, 0x90d2, new Uint32Array(1)));
  const [emitted, patches, dispatched] = count(context, source, [
    () => {
      gl.glUseProgram(geometry);
      gl.glDrawArrays(0, 0, 5);
    },
    () => {
      gl.glUseProgram(tessellation);
      gl.glPatchParameteri(0x8e72, 3);
      gl.glDrawArrays(0x000e, 0, 6);
    },
    () => {
      gl.glUseProgram(compute);
      gl.glDispatchCompute(3, 2, 1);
    },
  ]);
  assert.deepEqual([emitted['GS Invocations'], emitted['GS Primitives'], emitted['Input Primitives']], [5, 10, 5]);
  assert.deepEqual([patches['TCS Invocations'], patches['TES Invocations'], patches['Input Primitives']], [2, 6, 2]);
  assert.equal(dispatched['CS Invocations'], 24);
  gl.glMemoryBarrier(0xffffffff);
});

test('twenty runs give one value each, together or one counter at a time', () => {
  const { context, source, gl } = desktop;
  const program = drawing(context, positions.triangle);
  const work = () => {
    gl.glUseProgram(program);
    gl.glDrawArrays(4, 0, 3);
    gl.glClear(0x4000);
  };
  const runs = Array.from({ length: 20 }, () => JSON.stringify(count(context, source, [work, work])));
  assert.equal(new Set(runs).size, 1);
  const [together] = JSON.parse(runs[0]);
  const manager = new QueryManager(context, [source]);
  for (const { id, name } of source.sets[0].counters) {
    manager.registerCallback(({ columns, counters }) => {
      assert.deepEqual([counters.length, columnValue(columns[0], 0)], [1, together[name]], name);
    });
    manager.subscribe('statistics', 1, [id]);
    manager.beginQuery(0);
    work();
    manager.endQuery(0);
    manager.unsubscribe();
  }
  manager.dispose();
});

test('a query over consecutive draws counts the sum of theirs', () => {
  const { context, source, gl } = desktop;
  const program = drawing(context, positions.strip);
  const draw = (vertices: number) => () => {
    gl.glUseProgram(program);
    gl.glDrawArrays(4, 0, vertices);
  };
  const [range, ...single] = count(context, source, [
    () => {
      draw(3)();
      draw(6)();
    },
    draw(3),
    draw(6),
  ]);
  for (const name of Object.keys(range))
    assert.equal(range[name], Number(single[0][name]) + Number(single[1][name]), name);
});

test('a buffer for query results that the frame left bound does not catch them', () => {
  const { context, source, gl } = desktop;
  const buffer = bindBuffer(context, 0x9192, new Uint32Array(4));
  const program = drawing(context, positions.points);
  const [counts] = count(context, source, [
    () => {
      gl.glUseProgram(program);
      gl.glDrawArrays(0, 0, 3);
    },
  ]);
  assert.equal(counts['Samples Passed'], 3);
  assert.equal(context.integer(0x9193), buffer);
  gl.glBindBuffer(0x9192, 0);
});

test('what the driver refuses to begin fails with a reason, and does not give the result of an earlier time', () => {
  const { context, source, gl } = desktop;
  const manager = new QueryManager(context, [source]);
  gl.glGenQueries(1, context.scratch.address);
  const other = context.scratch.u32[0];
  for (const taken of [false, true]) {
    manager.subscribe('statistics', 2);
    manager.beginQuery(1);
    manager.endQuery(1);
    if (taken) gl.glBeginQuery(0x8914, other);
    manager.beginQuery(0);
    manager.endQuery(0);
    const expected = {
      id: 0,
      place: 1,
      status: 'failed',
      reason: 'another query for Samples Passed is open',
      values: [],
    };
    assert.deepEqual(manager.unsubscribe(), taken ? [expected] : []);
  }
  manager.dispose();
  while (gl.glGetError() !== 0);
});

for (const driver of ['egl', 'headless-gl'] as const)
  test(`ES counts samples as yes or no, and primitives: ${driver}`, async () => {
    const { context, source, gl } = await start(driver, 'es');
    assert.deepEqual(
      source.sets[0].counters.map(({ name, dataType, kind }) => `${name} ${dataType} ${kind}`),
      ['Any Samples Passed bool any', 'Primitives Written u64 sum', 'Primitives Generated u64 sum'],
    );
    const header = '#version 300 es\nprecision highp float;\n';
    const feedback = linkProgram(
      context,
      {
        vertex: `${header}out vec4 v; void main() { v = vec4(1.0); gl_PointSize = 1.0; gl_Position = ${positions.points}; }`,
        fragment: `${header}out vec4 c; void main() { c = vec4(1.0); }`,
      },
      'v',
    );
    const outside = drawing(context, 'vec4(5.0 + float(gl_VertexID), 5.0, 0.0, 1.0)');
    const buffer = bindBuffer(context, 0x8c8e, new Float32Array(64));
    const counts = count(context, source, [
      () => {},
      () => {
        gl.glUseProgram(feedback);
        gl.glBindBufferBase(0x8c8e, 0, buffer);
        gl.glBeginTransformFeedback(0);
        gl.glDrawArrays(0, 0, 7);
        gl.glEndTransformFeedback();
      },
      () => {
        gl.glUseProgram(outside);
        gl.glDrawArrays(4, 0, 3);
      },
    ]);
    assert.deepEqual(
      counts.map((row) => Object.values(row)),
      [
        [false, 0, 0],
        [true, 7, 7],
        [false, 0, 1],
      ],
    );
    desktop.context.makeCurrent();
  });
