import type { GlContext } from '../gl/context.ts';
import type { GlFunction } from '../gl/native.ts';
import { GlQueries } from './gl-queries.ts';

export const GL_TIME_ELAPSED = 0x88bf;
export const GL_TIMESTAMP = 0x8e28;
const GL_GPU_DISJOINT_EXT = 0x8fbb;

/** In ES timer queries belong to the extension's own commands; glBeginQuery takes its targets by courtesy only. */
const hasDisjoint = (context: GlContext): boolean => context.extensions.has('GL_EXT_disjoint_timer_query');

export const disjointReason = 'the GPU clock was interrupted (GL_GPU_DISJOINT_EXT)';

/** Queries of the GPU's clock. The context must have them: see {@link timerQueriesMissing}. */
export class TimerQueries extends GlQueries {
  readonly counter: GlFunction;
  readonly #disjoint: boolean;

  constructor(context: GlContext) {
    const suffix = hasDisjoint(context) ? 'EXT' : '';
    super(context, suffix);
    this.#disjoint = suffix !== '';
    this.counter = context.require(`glQueryCounter${suffix}`);
  }

  /** Width of a timestamp as {@link timestamp} reads it; 0 where the clock has none. */
  timestampBits(): number {
    return Math.min(this.bits(GL_TIMESTAMP), this.wide ? 64 : 32);
  }

  /** The result of a GL_TIMESTAMP query, or null without one (see {@link read}). */
  timestamp(query: number): bigint | null {
    return this.read(query) ? (BigInt(this.high) << 32n) | BigInt(this.low) : null;
  }

  /** Whether something (a power state, a reset) upset the GPU's clock since the last call. Read it after the results. */
  takeDisjoint(): boolean {
    return this.#disjoint && this.context.integer(GL_GPU_DISJOINT_EXT) !== 0;
  }
}

/** Why a context has no timer queries, as one clause, or null when it has. */
export function timerQueriesMissing(context: GlContext): string | null {
  if (context.api === 'es') return hasDisjoint(context) ? null : 'it lacks GL_EXT_disjoint_timer_query';
  return context.find('glQueryCounter') ? null : 'it lacks OpenGL 3.3 and GL_ARB_timer_query';
}
