import type { GlContext } from '../gl/context.ts';
import type { QueryResults, TimerReader } from './timer-reader.ts';

/**
 * Runs several sources over the same brackets. Sources begin in reverse order and end in order, so that the first, the
 * timer, begins last and ends first and measures none of the others (RenderDoc's FillTimers).
 */
export class QueryManager {
  readonly sources: readonly TimerReader[];
  readonly #finish: (() => void) | undefined;

  /** With `isolate`, each bracket is a submission of its own: the GPU is idle when it begins and when it ends. */
  constructor(context: GlContext, sources: readonly TimerReader[], isolate: boolean) {
    this.sources = sources;
    this.#finish = isolate ? (context.gl.glFinish as unknown as () => void) : undefined;
  }

  subscribe(queries: number): void {
    for (const source of this.sources) source.subscribe(queries);
  }

  begin(id: number): void {
    this.#finish?.();
    for (let index = this.sources.length - 1; index >= 0; index--) this.sources[index].beginQuery(id);
  }

  end(id: number): void {
    this.#finish?.();
    for (let index = 0; index < this.sources.length; index++) this.sources[index].endQuery(id);
  }

  /** Results of each source, in the sources' order. */
  unsubscribe(): QueryResults[] {
    return this.sources.map((source) => source.unsubscribe());
  }

  dispose(): void {
    for (const source of this.sources) source.dispose();
  }
}
