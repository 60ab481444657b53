import type { GlContext } from '../gl/context.ts';
import { type GlFunction, Scratch } from '../gl/native.ts';

export const GL_TIME_ELAPSED = 0x88bf;
export const GL_TIMESTAMP = 0x8e28;
const GL_QUERY_COUNTER_BITS = 0x8864;
const GL_QUERY_RESULT = 0x8866;
const GL_GPU_DISJOINT_EXT = 0x8fbb;

/** Timer query commands of a context, whatever their names there, and a pool of query objects. */
export class GlQueries {
  readonly begin: GlFunction;
  readonly end: GlFunction;
  readonly counter: GlFunction;
  /** Result of the last {@link read}: low and high word. */
  low = 0;
  high = 0;

  readonly #context: GlContext;
  readonly #generate: GlFunction;
  readonly #delete: GlFunction;
  readonly #getParameter: GlFunction;
  readonly #getResult: GlFunction;
  readonly #disjoint: boolean;
  readonly #out = new Scratch(16);
  #names = new Scratch(0);
  #count = 0;

  /** The context must have timer queries: see {@link timerQueriesMissing}. */
  constructor(context: GlContext) {
    // In ES timer queries belong to the extension's own commands; glBeginQuery takes its targets by courtesy only.
    this.#disjoint = context.extensions.has('GL_EXT_disjoint_timer_query');
    const suffix = this.#disjoint ? 'EXT' : '';
    this.#context = context;
    this.begin = context.require(`glBeginQuery${suffix}`);
    this.end = context.require(`glEndQuery${suffix}`);
    this.counter = context.require(`glQueryCounter${suffix}`);
    this.#generate = context.require(`glGenQueries${suffix}`);
    this.#delete = context.require(`glDeleteQueries${suffix}`);
    this.#getParameter = context.require(`glGetQueryiv${suffix}`);
    this.#getResult = context.require(`glGetQueryObjectui64v${suffix}`);
  }

  /** Width of a counter in bits; 0 means that the driver does not count it. */
  bits(target: number): number {
    this.#out.i32[0] = 0;
    this.#getParameter(target, GL_QUERY_COUNTER_BITS, this.#out.address);
    return this.#out.i32[0];
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

  /** Waits for a result and leaves it in `low` and `high`: a timestamp is more than a double holds. */
  read(query: number): void {
    this.#out.u32[0] = 0xffffffff;
    this.#out.u32[1] = 0xffffffff;
    this.#getResult(query, GL_QUERY_RESULT, this.#out.address);
    this.low = this.#out.u32[0];
    this.high = this.#out.u32[1];
  }

  /** Whether the last {@link read} left nothing behind: its all-ones filling is still there. */
  get failed(): boolean {
    return this.low === 0xffffffff && this.high === 0xffffffff;
  }

  /** Whether something (a power state, a reset) upset the GPU's clock since the last call. Read it after the results. */
  takeDisjoint(): boolean {
    if (!this.#disjoint) return false;
    this.#out.i32[0] = 0;
    this.#context.gl.glGetIntegerv(GL_GPU_DISJOINT_EXT, this.#out.address);
    return this.#out.i32[0] !== 0;
  }

  dispose(): void {
    if (this.#count > 0) this.#delete(this.#count, this.#names.address);
    this.#count = 0;
  }
}

export const disjointReason = 'the GPU clock was interrupted (GL_GPU_DISJOINT_EXT)';

/** Why a context has no timer queries, as one clause, or null when it has. */
export function timerQueriesMissing(context: GlContext): string | null {
  if (context.api === 'es')
    return context.extensions.has('GL_EXT_disjoint_timer_query') ? null : 'it lacks GL_EXT_disjoint_timer_query';
  return context.find('glQueryCounter') ? null : 'it lacks OpenGL 3.3 and GL_ARB_timer_query';
}
