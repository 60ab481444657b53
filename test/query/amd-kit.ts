import assert from 'node:assert/strict';
import type { GlContext } from '../../src/gl/context.ts';
import { type CounterValue, columnValue } from '../../src/model/counter.ts';
import { amdSource } from '../../src/query/amd/amd-source.ts';
import type { MetricSource, OpenSet } from '../../src/query/metric-source.ts';
import { loadDouble, type Switches } from './double/double.ts';

export const double = loadDouble();
double.reset();

const contexts = new Map<string, GlContext>();

/** The source on a double with these switches, or why there is none. A context each API serves the whole file. */
export function open(switches: Switches = {}, api: 'gl' | 'es' = 'gl') {
  const context = contexts.get(api) ?? double.open({ api });
  contexts.set(api, context);
  context.makeCurrent();
  double.reset(switches);
  // An error of the program's own must neither be taken for the extension's nor be in its way.
  context.gl.glEnable(0xffff);
  return { context, source: amdSource(context) };
}

/** As {@link open}, where there must be a source. */
export function openSource(switches: Switches = {}, api: 'gl' | 'es' = 'gl') {
  const { context, source } = open(switches, api);
  assert.ok(typeof source !== 'string', `a source: ${source}`);
  assert.equal(context.gl.glGetError(), 0, 'the listing leaves no error');
  return { context, source };
}

export interface Measured {
  /** By counter's name, then by query. */
  readonly values: Readonly<Record<string, readonly CounterValue[]>>;
  readonly failed: Readonly<Record<number, string>>;
  readonly questionable: Readonly<Record<number, string>>;
}

/** Measures as many draws of a triangle as `draws` says, a query each and one clear in each. */
export function measureOpen(context: GlContext, set: OpenSet, draws: readonly number[]): Measured {
  set.subscribe(draws.length);
  for (const [id, count] of draws.entries()) {
    set.beginQuery(id);
    context.gl.glClear(0);
    for (let draw = 0; draw < count; draw++) context.gl.glDrawArrays(4, 0, 3);
    while (context.gl.glGetError() !== 0);
    set.endQuery(id);
    assert.equal(context.gl.glGetError(), 0);
  }
  const { columns, failed, questionable } = set.unsubscribe(Uint32Array.from(draws.keys()));
  assert.equal(context.gl.glGetError(), 0, 'no error is left behind');
  const values = set.counters.map(({ id }, at): [string, CounterValue[]] => [
    id.slice(id.lastIndexOf('/') + 1),
    draws.map((_, query) => (failed.has(query) ? null : columnValue(columns[at], query))),
  ]);
  return {
    values: Object.fromEntries(values),
    failed: Object.fromEntries(failed),
    questionable: Object.fromEntries(questionable),
  };
}

/** A set of a source by id. */
export function setOf(source: MetricSource, id: string) {
  const set = source.sets.find((candidate) => candidate.id === id);
  assert.ok(set, `a set ${id}`);
  return set;
}

/** Measures one list of a set after another, and puts the values together. */
export function measure(context: GlContext, source: MetricSource, id: string, draws: readonly number[]): Measured {
  const set = setOf(source, id);
  const all = source.split(set, set.counters).map((list) => {
    const ready = source.open(set, list);
    const measured = measureOpen(context, ready, draws);
    ready.dispose();
    return measured;
  });
  assert.equal(context.gl.glGetError(), 0);
  return {
    values: Object.assign({}, ...all.map(({ values }) => values)),
    failed: Object.assign({}, ...all.map(({ failed }) => failed)),
    questionable: Object.assign({}, ...all.map(({ questionable }) => questionable)),
  };
}
