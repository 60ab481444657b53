import type { GlContext } from '../../gl/context.ts';
import type { GlFunction } from '../../gl/native.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, Call, DataArgument } from '../../model/call.ts';
import type { dataTag } from '../../model/call-words.ts';
import type { Manifest } from '../../model/capture.ts';
import type { CanvasFramebuffer } from '../canvas.ts';
import type { LiveObjects } from '../live-objects.ts';
import type { PixelStore } from '../pixel-store.ts';
import type { Programs } from '../programs.ts';
import type { CallMemory } from './call-memory.ts';
import type { Op } from './invokers.ts';

/** What every call of a replay shares. */
export interface ReplayState {
  readonly context: GlContext;
  readonly manifest: Manifest;
  readonly objects: LiveObjects;
  readonly canvas: CanvasFramebuffer;
  readonly programs: Programs;
  readonly pixelStore: PixelStore;
  readonly bindings: Bindings;
  /** Whether calls made for ES are replayed on desktop GL, where some enums and formats differ. */
  readonly esOnDesktop: boolean;
  readonly skipApplicationQueries: boolean;
  /** Whether the run that is being played is measured, and not the first: queries have their results from before. */
  isMeasuring: boolean;
}

/** One call being compiled: its arguments, what is bound when it is made, and where its words are. */
export interface Site {
  readonly state: ReplayState;
  readonly memory: CallMemory;
  readonly call: Call;
  readonly args: readonly Argument[];
  /** The word at which the call's record begins. */
  readonly at: number;
  /** The word of each argument. */
  readonly positions: readonly number[];
  /** The calls after it in its stream that make and call display lists. */
  readonly listCalls: Iterable<Call>;
  /** Objects that exist already when the frame begins; undefined while deletions are final (setup). */
  readonly keep: ((objectClass: string, id: number) => boolean) | undefined;
  /** The GL command itself. */
  readonly fn: GlFunction;
  /** The call as it stands, arguments read from its words. */
  readonly plain: () => Op;
}

/** Compiles one call. Null: nothing is to be done at replay. */
export type Handler = (site: Site) => Op | null;

/** The address GL gets for a data argument; an offset stays an offset. */
export function dataAddress(site: Site, index: number): number {
  const data = site.args[index] as DataArgument;
  if (data === null) return 0;
  if (data.kind === 'offset') return data.offset;
  if (data.kind === 'resource') return site.memory.resources[data.resource] + data.byteOffset;
  return site.memory.base + (site.positions[index] + 2) * 4;
}

export const dataKind = (site: Site, index: number): keyof typeof dataTag =>
  (site.args[index] as DataArgument)?.kind ?? 'none';

/** Does `around` with the call as it stands in the middle. */
export function wrapped(site: Site, before: () => void, after: () => void): Op {
  const plain = site.plain();
  return (at) => {
    before();
    plain(at);
    after();
  };
}
