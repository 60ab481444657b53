import { argumentNodes, emit } from '../arguments.ts';
import { as, type ChunkHandler, type ChunkHandlers, direct } from './handler.ts';

/** RenderDoc writes these with the place first and a list of values; the indexed forms too. */
const handlers: Record<string, ChunkHandler> = {
  ViewportArrayv: as('glViewportArrayv'),
  ViewportIndexedf: as('glViewportArrayv'),
  ViewportIndexedfv: as('glViewportArrayv'),
  ScissorArrayv: as('glScissorArrayv'),
  ScissorIndexed: as('glScissorArrayv'),
  ScissorIndexedv: as('glScissorArrayv'),
  DepthRangeIndexed: as('glDepthRangeIndexed'),
  DepthRangeIndexedf: as('glDepthRangeIndexed'),
  DepthRangeArrayv: as('glDepthRangeArrayv'),
  DepthRangeArrayfv: as('glDepthRangeArrayv'),
  BlendBarrier: as('glBlendBarrier'),
  PixelStoref: as('glPixelStorei'),
  MemoryBarrier: as('glMemoryBarrier'),
};

/** Where OpenGL ES has another form, its own is used. */
const inEs: Readonly<Record<string, string>> = {
  ViewportArrayv: 'glViewportArrayvOES',
  ViewportIndexedf: 'glViewportArrayvOES',
  ViewportIndexedfv: 'glViewportArrayvOES',
  ScissorArrayv: 'glScissorArrayvOES',
  ScissorIndexed: 'glScissorArrayvOES',
  ScissorIndexedv: 'glScissorArrayvOES',
  DepthRangeIndexed: 'glDepthRangeIndexedfOES',
  DepthRangeIndexedf: 'glDepthRangeIndexedfOES',
  DepthRangeArrayv: 'glDepthRangeArrayfvOES',
  DepthRangeArrayfv: 'glDepthRangeArrayfvOES',
};
for (const [base, name] of Object.entries(inEs)) {
  const desktop = handlers[base];
  handlers[base] = (t, chunk) => (t.api.es ? emit(t, name, argumentNodes(chunk)) : desktop(t, chunk));
}
// One name for several commands: the chunk's own says which.
handlers.ClearDepth = direct;

export const stateHandlers: ChunkHandlers = handlers;
