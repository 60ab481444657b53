import { argumentNodes, emit } from '../arguments.ts';
import type { Chunk } from '../node.ts';
import type { Translation } from '../translation.ts';

/** Turns one chunk into calls. Throws Inexpressible when it cannot. */
export type ChunkHandler = (t: Translation, chunk: Chunk) => void;

/** Handlers by command name without `gl` and extension suffix. */
export type ChunkHandlers = Readonly<Record<string, ChunkHandler>>;

/** The command as it stands: RenderDoc's values are its arguments. */
export const direct: ChunkHandler = (t, chunk) => emit(t, chunk.name, argumentNodes(chunk));

/** Another command that takes the same values. */
export const as =
  (name: string): ChunkHandler =>
  (t, chunk) =>
    emit(t, name, argumentNodes(chunk));

export const ignore: ChunkHandler = () => {};

/** Whether the program used direct state access of GL 4.5, which needs nothing bound; EXT_direct_state_access is put in other words. */
export const isDirect = ({ name }: Chunk): boolean => !name.endsWith('EXT');
