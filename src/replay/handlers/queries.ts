/** The capture's own queries. */
import type { Manifest } from '../../model/capture.ts';
import { GL } from '../../model/gl-constants.ts';
import type { Handler, ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';

const occlusion: ReadonlySet<number> = new Set(
  Object.values(
    glEnums(
      'GL_SAMPLES_PASSED',
      'GL_ANY_SAMPLES_PASSED',
      'GL_ANY_SAMPLES_PASSED_CONSERVATIVE',
      'GL_TRANSFORM_FEEDBACK_OVERFLOW',
      'GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW',
    ),
  ),
);
const { GL_TIME_ELAPSED } = glEnums('GL_TIME_ELAPSED');

const conditional = /^glBeginConditionalRender/;
const answers = /^glGetQuery(Buffer)?Object/;

/** What the capture does with answers to its queries: some decide what is drawn, some go to buffers. */
interface Uses {
  readonly decide: boolean;
  readonly fillBuffers: boolean;
}

const uses = new WeakMap<Manifest, Uses>();

function usesOf(manifest: Manifest): Uses {
  let known = uses.get(manifest);
  if (!known) {
    const { signatures, api } = manifest;
    known = {
      decide: signatures.some(({ name }) => conditional.test(name)),
      fillBuffers: api === 'gl' && signatures.some(({ name }) => answers.test(name)),
    };
    uses.set(manifest, known);
  }
  return known;
}

/** Times are for the recorded program only. */
const isForFrame = (manifest: Manifest, target: number): boolean => {
  const { decide, fillBuffers } = usesOf(manifest);
  return (fillBuffers && target !== GL_TIME_ELAPSED) || (decide && occlusion.has(target));
};

/** Queries that have been made, by id: GL has an error for questions about others. */
const made = new WeakMap<ReplayState, Set<number>>();

function note(state: ReplayState, id: number): void {
  const known = made.get(state);
  if (known) known.add(id);
  else made.set(state, new Set([id]));
}

/**
 * Queries that only the program looks at disturb a measurement; those that decide what is drawn, or whose answers GL itself
 * puts into a buffer, belong to the frame. The latter keep the result of a run before, where they can: GL counts for one
 * query of a kind at a time.
 */
const query: Handler = (site) => {
  const { state, args, call, keep } = site;
  const target = Number(args[0]);
  if (state.skipApplicationQueries && !isForFrame(state.manifest, target)) return null;
  const isBegin = call.signature.name.startsWith('glBegin');
  const isIndexed = call.signature.name.includes('Indexed');
  const id = isBegin
    ? Number(args[isIndexed ? 2 : 1])
    : state.bindings.activeQuery(target, isIndexed ? Number(args[1]) : 0);
  note(state, id);
  const plain = site.plain();
  if (!state.skipApplicationQueries || !keep?.('query', id)) return plain;
  return (at) => {
    if (!state.isMeasuring) plain(at);
  };
};

const timestamp: Handler = (site) => {
  if (site.state.skipApplicationQueries) return null;
  note(site.state, Number(site.args[0]));
  return site.plain();
};

/** An answer that goes to an offset in the buffer for answers; in its own memory nobody looks at it. */
const answer: Handler = ({ state, args, fn }) => {
  const [id, name, offset] = args.map((value) => Number(value ?? 0));
  if (state.bindings.buffer(GL.QUERY_BUFFER) === 0 || !made.get(state)?.has(id)) return null;
  const { query: names } = state.objects.names;
  return () => void fn(names[id], name, offset);
};

const answerTo: Handler = (site) => (made.get(site.state)?.has(Number(site.args[0])) ? site.plain() : null);

/** The handler of a command about queries; undefined for others. */
export function queryHandler(name: string): Handler | undefined {
  if (/^(Begin|End)Query/.test(name)) return query;
  if (name === 'QueryCounter') return timestamp;
  if (/^GetQueryBufferObject/.test(name)) return answerTo;
  return /^GetQueryObject/.test(name) ? answer : undefined;
}
