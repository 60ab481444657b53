import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GlContext } from '../../src/gl/context.ts';
import { type CounterValue, columnValue } from '../../src/model/counter.ts';
import { type IntelSourceOptions, intelSource } from '../../src/query/intel/intel-source.ts';
import type { MetricSource } from '../../src/query/metric-source.ts';
import { QueryManager, type QueryReport } from '../../src/query/query-manager.ts';
import { loadDouble, type Switches } from './double/double.ts';

export const double = loadDouble();
double.reset();

/** Contexts of the double by API, one each for the whole file. */
const contexts = new Map<string, GlContext>();
export function doubleContext(api: 'gl' | 'es' = 'gl'): GlContext {
  const context = contexts.get(api) ?? double.open({ api });
  contexts.set(api, context);
  context.makeCurrent();
  return context;
}

/** The source on a double with these switches; a text when there is none. */
export function open(switches: Switches = {}, options: IntelSourceOptions = {}, api: 'gl' | 'es' = 'gl') {
  const context = doubleContext(api);
  double.reset(switches);
  return { context, source: intelSource(context, options) };
}

/** As {@link open}, where there must be a source. */
export function openSource(switches: Switches = {}, options: IntelSourceOptions = {}) {
  const { context, source } = open(switches, options);
  assert.ok(typeof source !== 'string', `a source: ${source}`);
  return { context, source };
}

/** Draws as many triangles, in one call without a program: it counts as a draw, and its error is taken. */
function draw(context: GlContext, triangles: number): void {
  context.gl.glDrawArrays(4, 0, triangles * 3);
  while (context.gl.glGetError() !== 0);
}

export interface Measured {
  readonly reports: readonly QueryReport[];
  /** By counter's name, then by query. Null where the query failed. */
  readonly values: Readonly<Record<string, readonly CounterValue[]>>;
  readonly failed: Readonly<Record<number, string>>;
  readonly questionable: Readonly<Record<number, string>>;
}

/** Measures draws of as many triangles as `triangles` says, a query each, and checks that no GL error is left. */
export function measure(
  context: GlContext,
  source: MetricSource,
  set: string,
  triangles: readonly number[],
  kept?: QueryManager,
): Measured {
  const manager = kept ?? new QueryManager(context, [source]);
  const out: { measured?: Measured } = {};
  manager.registerCallback(({ counters, columns, failed, questionable }) => {
    const entries = counters.map(({ name }, at): [string, CounterValue[]] => [
      name,
      triangles.map((_, id) => (failed.has(id) ? null : columnValue(columns[at], id))),
    ]);
    out.measured = {
      reports: [],
      values: Object.fromEntries(entries),
      failed: Object.fromEntries(failed),
      questionable: Object.fromEntries(questionable),
    };
  });
  manager.subscribe(set, triangles.length);
  for (const [id, count] of triangles.entries()) {
    manager.beginQuery(id);
    draw(context, count);
    manager.endQuery(id);
    assert.equal(context.gl.glGetError(), 0);
  }
  const reports = manager.unsubscribe();
  assert.equal(context.gl.glGetError(), 0, 'no error is left behind');
  if (!kept) manager.dispose();
  assert.equal(context.gl.glGetError(), 0, 'nor by the disposal');
  assert.ok(out.measured);
  return { ...out.measured, reports };
}

/** Writes a table of query types for the double, and returns its path. */
export function tableOf(lines: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gpuprof-table-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'table.txt');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** One line of a table: a query type. */
export const typeLine = (id: number, name: string, dataSize: number, counters: number, caps = 0): string =>
  `QUERY id=${id} name="${name}" dataSize=${dataSize} noCounters=${counters} noInstances=0 capsMask=0x${caps}`;

/** One line of a table: a counter. UINT32 events by default. */
export const counterLine = (name: string, offset: number, size = 4, dataType = 0x94f8, type = 0x94f0): string =>
  `  COUNTER 1 name="${name}" desc="text" offset=${offset} size=${size} type=${type} dataType=${dataType} rawMax=0`;
