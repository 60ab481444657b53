import type { GlContext } from '../gl/context.ts';
import { type GlFunction, Scratch } from '../gl/native.ts';
import { Patience } from './driver-errors.ts';

const GL_QUERY_COUNTER_BITS = 0x8864;
const GL_CURRENT_QUERY = 0x8865;
const GL_QUERY_RESULT = 0x8866;
const GL_QUERY_RESULT_AVAILABLE = 0x8867;
const GL_QUERY_BUFFER = 0x9192;
const GL_QUERY_BUFFER_BINDING = 0x9193;

/** Neither yes nor no: what stands there when the driver did not answer. */
const unanswered = 2;

/** Query commands of a context, whatever their names there, and a pool of query objects. */
export class GlQueries {
  readonly begin: GlFunction;
  readonly end: GlFunction;
  /** Whether results have 64 bits; otherwise they end at 2^32 - 2. */
  readonly wide: boolean;
  /** Result of the last {@link read}: low and high word. */
  low = 0;
  high = 0;

  protected readonly context: GlContext;
  readonly #generate: GlFunction;
  readonly #delete: GlFunction;
  readonly #getParameter: GlFunction;
  readonly #getStatus: GlFunction;
  readonly #getResult: GlFunction;
  readonly #hasQueryBuffer: boolean;
  readonly #out = new Scratch(16);
  #names = new Scratch(0);
  #count = 0;
  #asked = 0;
  readonly #patience = new Patience();
  /** Made once, so that reading allocates nothing. */
  readonly #isAnswered = (): boolean => {
    this.#out.u32[0] = unanswered;
    this.#getStatus(this.#asked, GL_QUERY_RESULT_AVAILABLE, this.#out.address);
    return this.#out.u32[0] !== 0;
  };

  /** With a suffix, the commands of that name; the context must have them. */
  constructor(context: GlContext, suffix: '' | 'EXT' = '') {
    this.context = context;
    this.begin = context.require(`glBeginQuery${suffix}`);
    this.end = context.require(`glEndQuery${suffix}`);
    this.#generate = context.require(`glGenQueries${suffix}`);
    this.#delete = context.require(`glDeleteQueries${suffix}`);
    this.#getParameter = context.require(`glGetQueryiv${suffix}`);
    this.#getStatus = context.require(`glGetQueryObjectuiv${suffix}`);
    const wide = context.find(`glGetQueryObjectui64v${suffix}`);
    this.wide = wide !== undefined;
    this.#getResult = wide ?? this.#getStatus;
    this.#hasQueryBuffer =
      context.api === 'gl' && (context.atLeast(4, 4) || context.extensions.has('GL_ARB_query_buffer_object'));
  }

  /** Width of a counter in bits; 0 means that the driver does not count it. */
  bits(target: number): number {
    this.#out.i32[0] = 0;
    this.#getParameter(target, GL_QUERY_COUNTER_BITS, this.#out.address);
    return this.#out.i32[0];
  }

  /** The query that is between begin and end for a target, or 0. */
  current(target: number): number {
    this.#out.u32[0] = 0;
    this.#getParameter(target, GL_CURRENT_QUERY, this.#out.address);
    return this.#out.u32[0];
  }

  /** Makes sure of at least this many query objects; their names stand in the returned array. */
  reserve(count: number): Uint32Array {
    if (count > this.#count) {
      this.dispose();
      this.#names = new Scratch(count * 4);
      this.#generate(count, this.#names.address);
      this.#count = count;
    }
    return this.#names.u32;
  }

  /** Runs `work`, which {@link read}s results: with everything before it finished, and no buffer to catch the results. */
  reading(work: () => void): void {
    const { gl } = this.context;
    gl.glFinish();
    this.#patience.start();
    const buffer = this.#hasQueryBuffer ? this.context.integer(GL_QUERY_BUFFER_BINDING) : 0;
    if (buffer !== 0) gl.glBindBuffer(GL_QUERY_BUFFER, 0);
    work();
    if (buffer !== 0) gl.glBindBuffer(GL_QUERY_BUFFER, buffer);
  }

  /**
   * Leaves a result in `low` and `high`: a timestamp is more than a double holds. Returns whether there is one: no query
   * of that name was ended, or the driver did not have its result in time (see {@link Patience}).
   */
  read(query: number): boolean {
    const out = this.#out;
    this.#asked = query;
    if (!this.#patience.wait(this.#isAnswered) || out.u32[0] === unanswered) return false;
    out.u32[0] = 0xffffffff;
    out.u32[1] = this.wide ? 0xffffffff : 0;
    this.#getResult(query, GL_QUERY_RESULT, out.address);
    this.low = out.u32[0];
    this.high = out.u32[1];
    return this.low !== 0xffffffff || this.high !== (this.wide ? 0xffffffff : 0);
  }

  dispose(): void {
    if (this.#count > 0) this.#delete(this.#count, this.#names.address);
    this.#count = 0;
  }
}
