/** How each chunk of a capture becomes calls. */
import { baseName } from '../../../model/gl-constants.ts';
import { applyRenderState } from '../render-state.ts';
import { bufferHandlers } from './buffers.ts';
import { framebufferHandlers } from './framebuffers.ts';
import { type ChunkHandler, type ChunkHandlers, direct, ignore } from './handler.ts';
import { objectHandlers } from './objects.ts';
import { programHandlers, uniform } from './programs.ts';
import { stateHandlers } from './state.ts';
import { textureHandlers } from './textures.ts';
import { vertexArrayHandlers, vertexAttrib } from './vertex-arrays.ts';

const handlers: ChunkHandlers = {
  ...objectHandlers,
  ...bufferHandlers,
  ...vertexArrayHandlers,
  ...framebufferHandlers,
  ...textureHandlers,
  ...programHandlers,
  ...stateHandlers,
};

/** A context made current, which RenderDoc follows with the whole state. */
const contextSwitch: ChunkHandler = (t, { fields }) => {
  if (fields.find('state')) applyRenderState(t, fields.struct('state'));
};

const contextSwitches: ReadonlySet<string> = new Set([
  'MakeContextCurrent',
  'Internal::Implicit thread context-switch',
]);

/** Ends a frame. */
export const isSwap = (name: string): boolean =>
  /^(SwapBuffers|wglSwapBuffers|glXSwapBuffers|CGLFlushDrawable|eglSwapBuffers(WithDamage(EXT|KHR))?|eglPostSubBufferNV)$/.test(
    name,
  );

/** Chunks without effect on a replay: questions, mappings (what they wrote is kept where they end), and notes. */
const silent =
  /^gl((Is|Are)[A-Z]|Get(?!Query(Buffer)?Object)|Map(Named)?Buffer|Check|Validate|Debug(MessageCallback|MessageControl)|ReleaseShaderCompiler|RequestExtension|InvalidateShared)|^Internal::|^DeviceInitialisation$|^vrapi|^wglDX(SetResource|OpenDevice)|^Indirect sub-command$/;

/** Answers to queries that go to client memory change nothing; into a buffer they do. */
const queryAnswer: ChunkHandler = (t, { name, fields }) => {
  const buffer = t.id(fields.node('writeBuffer').value as number, 'buffer');
  if (buffer === 0) return;
  const query = t.id(fields.node('readQuery').value as number, 'query');
  const command = name.replace(/^glGetQueryObject/, 'glGetQueryBufferObject').replace(/(ARB|EXT)$/, '');
  t.call(command, [query, buffer, fields.number('pname'), fields.number('offset')]);
};

const known = new Map<string, ChunkHandler>();

/** The handler of a chunk by its name: most commands are the same as what RenderDoc writes. */
export function handlerOf(name: string): ChunkHandler {
  let handler = known.get(name);
  if (!handler) {
    handler = find(name);
    known.set(name, handler);
  }
  return handler;
}

function find(name: string): ChunkHandler {
  if (contextSwitches.has(name)) return contextSwitch;
  if (name === 'Internal::Coherent Mapped Memory Write') return bufferHandlers.FlushMappedBufferRange;
  if (silent.test(name) || isSwap(name)) return ignore;
  const base = baseName(name);
  if (Object.hasOwn(handlers, base)) return handlers[base];
  if (/^(Program)?Uniform(Matrix)?\d/.test(base)) return uniform;
  if (/^VertexAttrib[ILP]?\d/.test(base)) return vertexAttrib;
  if (/^GetQuery(Buffer)?Object/.test(base)) return queryAnswer;
  return direct;
}
