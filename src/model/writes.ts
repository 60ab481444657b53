import { inlineWords } from './argument-values.ts';
import type { Bindings } from './bindings.ts';
import type { Argument, Call } from './call.ts';
import { baseName, drawCommand, GL } from './gl-constants.ts';
import { perSignature } from './per-signature.ts';
import type { ObjectClass, Signature } from './signature.ts';

/** An object by its capture-local id. Framebuffer 0 is the canvas. */
export interface ObjectRef {
  readonly class: ObjectClass;
  readonly id: number;
}

/** Reads the bindings as they are before the call. */
type Writer = (bindings: Bindings, args: readonly Argument[], signature: Signature) => readonly ObjectRef[];

const nothing: readonly ObjectRef[] = [];
const number = (value: Argument): number => Number(value);
const one = (objectClass: ObjectClass, id: number): readonly ObjectRef[] =>
  id ? [{ class: objectClass, id }] : nothing;
/** For classes whose id 0 is an object too: the canvas, the default vertex array and transform feedback. */
const always = (objectClass: ObjectClass, id: number): readonly ObjectRef[] => [{ class: objectClass, id }];
const several = (objectClass: ObjectClass, ids: Iterable<number>): readonly ObjectRef[] =>
  [...new Set(ids)].filter((id) => id !== 0).map((id) => ({ class: objectClass, id }));

const isColorPoint = (point: number): boolean => point >= GL.COLOR_ATTACHMENT0 && point <= GL.COLOR_ATTACHMENT31;

function attached(b: Bindings, framebuffer: number, wanted: (point: number) => boolean): ObjectRef[] {
  if (framebuffer === 0) return [{ class: 'framebuffer', id: 0 }];
  const refs = new Map<string, ObjectRef>();
  for (const [point, { kind, id }] of b.framebuffer(framebuffer).attachments)
    if (wanted(point)) refs.set(`${kind}${id}`, { class: kind, id });
  return [...refs.values()];
}

/** What drawing, clearing or blitting with `mask` (GL_COLOR_BUFFER_BIT, ...) into a framebuffer changes. */
function rendered(b: Bindings, framebuffer: number, mask: number): readonly ObjectRef[] {
  if (mask === 0) return nothing;
  const { drawBuffers } = b.framebuffer(framebuffer);
  return attached(b, framebuffer, (point) => {
    if (point === GL.DEPTH_ATTACHMENT) return (mask & GL.DEPTH_BUFFER_BIT) !== 0;
    if (point === GL.STENCIL_ATTACHMENT) return (mask & GL.STENCIL_BUFFER_BIT) !== 0;
    return (mask & GL.COLOR_BUFFER_BIT) !== 0 && drawBuffers.includes(point);
  });
}

const allBuffers = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

/** What shaders may store to: storage buffers, atomic counters and writable images. */
function stored(b: Bindings): ObjectRef[] {
  const buffers = [GL.SHADER_STORAGE_BUFFER, GL.ATOMIC_COUNTER_BUFFER].flatMap((target) =>
    [...(b.indexedBuffers.get(target)?.values() ?? [])].map(({ buffer }) => buffer),
  );
  const images = [...b.images.values()].filter(({ access }) => access !== GL.READ_ONLY).map(({ texture }) => texture);
  return [...several('buffer', buffers), ...several('texture', images)];
}

function fedBack(b: Bindings): ObjectRef[] {
  const { active, paused, buffers } = b.transformFeedbackBindings();
  if (!active || paused) return [];
  const ids = [...buffers.values()].map(({ buffer }) => buffer);
  return [{ class: 'transformFeedback', id: b.transformFeedback }, ...several('buffer', ids)];
}

const draw: Writer = (b) => {
  const refs = new Map<string, ObjectRef>();
  for (const ref of [...rendered(b, b.drawFramebuffer, allBuffers), ...stored(b), ...fedBack(b)])
    refs.set(`${ref.class}${ref.id}`, ref);
  return [...refs.values()];
};

/** `glClearBuffer*`: `buffer` is GL_COLOR with a draw buffer's index, GL_DEPTH, GL_STENCIL or GL_DEPTH_STENCIL. */
function clearedBuffer(b: Bindings, framebuffer: number, buffer: number, index: number): readonly ObjectRef[] {
  if (buffer === GL.COLOR) {
    const point = b.framebuffer(framebuffer).drawBuffers[index] ?? GL.NONE;
    return point === GL.NONE ? nothing : attached(b, framebuffer, (each) => each === point);
  }
  const depth = buffer === GL.STENCIL ? 0 : GL.DEPTH_BUFFER_BIT;
  const stencil = buffer === GL.DEPTH ? 0 : GL.STENCIL_BUFFER_BIT;
  return rendered(b, framebuffer, depth | stencil);
}

const clearBuffer: Writer = (b, a) => clearedBuffer(b, b.drawFramebuffer, number(a[0]), number(a[1]));
const clearNamed: Writer = (b, a) => clearedBuffer(b, number(a[0]), number(a[1]), number(a[2]));

/** Invalidated attachments lose their contents. */
function invalidated(b: Bindings, framebuffer: number, list: Argument): readonly ObjectRef[] {
  const points = new Set(inlineWords(list));
  const both = points.has(GL.DEPTH_STENCIL_ATTACHMENT);
  return attached(b, framebuffer, (point) => points.has(point) || (both && !isColorPoint(point)));
}

const invalidate: Writer = (b, a) => invalidated(b, b.boundFramebuffer(number(a[0])), a[2]);

const packed: Writer = (b) => one('buffer', b.buffer(GL.PIXEL_PACK_BUFFER));
const queried: Writer = (b) => one('buffer', b.buffer(GL.QUERY_BUFFER));
const currentVertexArray: Writer = (b) => always('vertexArray', b.vertexArray);
const currentFeedback: Writer = (b) => always('transformFeedback', b.transformFeedback);
const boundTexture: Writer = (b, a) => one('texture', b.texture(number(a[0])));
const unitTexture: Writer = (b, a) => one('texture', b.texture(number(a[1]), number(a[0]) - GL.TEXTURE0));
const boundBuffer: Writer = (b, a) => one('buffer', b.buffer(number(a[0])));
const indexedBinding: Writer = (b, a) =>
  number(a[0]) === GL.TRANSFORM_FEEDBACK_BUFFER ? always('transformFeedback', b.transformFeedback) : nothing;
const canvas: Writer = () => always('framebuffer', 0);

/** GL_MAP_WRITE_BIT, and the access words of `glMapBuffer`, where only GL_READ_ONLY does not write. */
const mapsForWriting = (access: Argument): boolean =>
  number(access) < 0x1000 ? (number(access) & 2) !== 0 : number(access) !== GL.READ_ONLY;

/** The argument at `at`, or each of a list of them, is an object of the class its parameter names. */
const named =
  (at: number, alsoZero = false): Writer =>
  (_, args, { params }) => {
    const objectClass = params[at]?.objectClass;
    if (!objectClass) return nothing;
    const value = args[at];
    if (Array.isArray(value)) return several(objectClass, value);
    return alsoZero ? always(objectClass, number(value)) : one(objectClass, number(value));
  };

const exact: Readonly<Record<string, Writer>> = {
  Clear: (b, a) => rendered(b, b.drawFramebuffer, number(a[0])),
  Accum: (b) => rendered(b, b.drawFramebuffer, GL.COLOR_BUFFER_BIT),
  Begin: draw,
  CopyPixels: draw,
  ClearBufferfv: clearBuffer,
  ClearBufferiv: clearBuffer,
  ClearBufferuiv: clearBuffer,
  ClearBufferfi: clearBuffer,
  ClearNamedFramebufferfv: clearNamed,
  ClearNamedFramebufferiv: clearNamed,
  ClearNamedFramebufferuiv: clearNamed,
  ClearNamedFramebufferfi: clearNamed,
  BlitFramebuffer: (b, a) => rendered(b, b.drawFramebuffer, number(a[8])),
  BlitNamedFramebuffer: (b, a) => rendered(b, number(a[1]), number(a[10])),
  ResolveMultisampleFramebuffer: (b) => rendered(b, b.drawFramebuffer, allBuffers),
  InvalidateFramebuffer: invalidate,
  InvalidateSubFramebuffer: invalidate,
  DiscardFramebuffer: invalidate,
  InvalidateNamedFramebufferData: (b, a) => invalidated(b, number(a[0]), a[2]),
  InvalidateNamedFramebufferSubData: (b, a) => invalidated(b, number(a[0]), a[2]),
  DispatchCompute: stored,
  DispatchComputeIndirect: stored,
  DispatchComputeGroupSize: stored,
  gpuprofCanvasContents: canvas,
  gpuprofCanvasSize: canvas,
  gpuprofRenderbufferContents: named(0),

  ReadPixels: packed,
  ReadnPixels: packed,
  GetTexImage: packed,
  GetnTexImage: packed,
  GetTextureImage: packed,
  GetTextureSubImage: packed,
  GetCompressedTexImage: packed,
  GetnCompressedTexImage: packed,
  GetCompressedTextureImage: packed,
  GetCompressedTextureSubImage: packed,

  BufferData: boundBuffer,
  BufferSubData: boundBuffer,
  BufferStorage: boundBuffer,
  BufferPageCommitment: boundBuffer,
  ClearBufferData: boundBuffer,
  ClearBufferSubData: boundBuffer,
  UnmapBuffer: boundBuffer,
  FlushMappedBufferRange: boundBuffer,
  MapBuffer: (b, a) => (mapsForWriting(a[1]) ? one('buffer', b.buffer(number(a[0]))) : nothing),
  MapBufferRange: (b, a) => (mapsForWriting(a[3]) ? one('buffer', b.buffer(number(a[0]))) : nothing),
  MapNamedBuffer: (_, a) => (mapsForWriting(a[1]) ? one('buffer', number(a[0])) : nothing),
  MapNamedBufferRange: (_, a) => (mapsForWriting(a[3]) ? one('buffer', number(a[0])) : nothing),
  CopyBufferSubData: (b, a) => one('buffer', b.buffer(number(a[1]))),
  CopyNamedBufferSubData: named(1),
  NamedCopyBufferSubData: named(1),
  GetQueryBufferObjectiv: named(1),
  GetQueryBufferObjectuiv: named(1),
  GetQueryBufferObjecti64v: named(1),
  GetQueryBufferObjectui64v: named(1),
  GetQueryObjectiv: queried,
  GetQueryObjectuiv: queried,
  GetQueryObjecti64v: queried,
  GetQueryObjectui64v: queried,

  CopyImageSubData: (_, a) => one(number(a[7]) === GL.RENDERBUFFER ? 'renderbuffer' : 'texture', number(a[6])),
  GenerateMipmap: boundTexture,
  GenerateTextureMipmap: named(0),
  GenerateMultiTexMipmap: unitTexture,
  EGLImageTargetTexture2D: boundTexture,
  TextureBarrier: () => nothing,
  EGLImageTargetRenderbufferStorage: (b) => one('renderbuffer', b.renderbuffer),

  BindBuffer: (b, a) => (number(a[0]) === GL.ELEMENT_ARRAY_BUFFER ? always('vertexArray', b.vertexArray) : nothing),
  BindBufferBase: indexedBinding,
  BindBufferRange: indexedBinding,
  BindBufferOffset: indexedBinding,
  BindBuffersBase: indexedBinding,
  BindBuffersRange: indexedBinding,
  BindVertexBuffer: currentVertexArray,
  BindVertexBuffers: currentVertexArray,
  EnableVertexAttribArray: currentVertexArray,
  DisableVertexAttribArray: currentVertexArray,
  EnableVertexArrayAttrib: named(0, true),
  DisableVertexArrayAttrib: named(0, true),
  EnableClientState: currentVertexArray,
  DisableClientState: currentVertexArray,

  BeginTransformFeedback: currentFeedback,
  EndTransformFeedback: currentFeedback,
  PauseTransformFeedback: currentFeedback,
  ResumeTransformFeedback: currentFeedback,
  BeginQuery: named(1),
  BeginQueryIndexed: named(2),
  EndQuery: (b, a) => one('query', b.activeQuery(number(a[0]))),
  EndQueryIndexed: (b, a) => one('query', b.activeQuery(number(a[0]), number(a[1]))),
  QueryCounter: named(0),

  ProgramString: (b, a) => one('assemblyProgram', b.assemblyPrograms.get(number(a[0])) ?? 0),
  AttachShader: named(0),
  DetachShader: named(0),
  LinkProgram: named(0),
  BindAttribLocation: named(0),
  BindFragDataLocation: named(0),
  BindFragDataLocationIndexed: named(0),
  TransformFeedbackVaryings: named(0),
  UniformBlockBinding: named(0),
  gpuprofUniformBlockBinding: named(0),
  gpuprofShaderStorageBlockBinding: named(0),
  ShaderStorageBlockBinding: named(0),
  UniformSubroutinesuiv: () => nothing,
  CompileShader: named(0),
  ShaderSource: named(0),
  ShaderBinary: named(1),
  SpecializeShader: named(0),
  UseProgramStages: named(0),
  ActiveShaderProgram: named(0),
  DrawBuffer: (b) => always('framebuffer', b.drawFramebuffer),
  DrawBuffers: (b) => always('framebuffer', b.drawFramebuffer),
  ReadBuffer: (b) => always('framebuffer', b.readFramebuffer),
};

const uniformSetter: Writer = (b) => one('program', b.activeProgram());

/** Families of commands, tried in this order for names not listed above. */
const families: readonly (readonly [RegExp, Writer])[] = [
  [drawCommand, draw],
  [/^(Compressed|Copy)?Tex(Sub)?Image[123]D/, boundTexture],
  [/^(Compressed|Copy)?MultiTex(Sub)?Image[123]D/, unitTexture],
  [/^MultiTex(Buffer|Parameter)/, unitTexture],
  [/^Tex(Storage|Parameter|Buffer|PageCommitment)/, boundTexture],
  [/^(Compressed|Copy)?Texture(Sub)?Image[123]D/, named(0)],
  [/^Texture(Storage|Parameter|Buffer|PageCommitment|View)/, named(0)],
  [/^(ClearTex(Sub)?Image|InvalidateTex(Sub)?Image)$/, named(0)],
  [/^NamedFramebuffer/, named(0, true)],
  [/^(Named(Buffer|Renderbuffer)|ClearNamedBuffer|UnmapNamedBuffer|FlushMappedNamedBuffer)/, named(0)],
  [/^InvalidateBuffer(Sub)?Data$/, named(0)],
  [/^RenderbufferStorage/, (b) => one('renderbuffer', b.renderbuffer)],
  [/^Framebuffer(Draw|Read)Buffer/, named(0, true)],
  [
    /^Framebuffer(Renderbuffer|Texture|Parameter|SampleLocations)/,
    (b, a) => always('framebuffer', b.boundFramebuffer(number(a[0]))),
  ],
  [/^Uniform(Matrix)?[1234](x[234])?(i|ui|f|d|i64|ui64)?v?/, uniformSetter],
  [/^UniformHandle/, uniformSetter],
  [/^Program(Uniform|Parameteri|Binary)/, named(0)],
  [/^(VertexAttrib[IL]?(Pointer|Format|Binding|Divisor)|VertexBindingDivisor)/, currentVertexArray],
  [
    /^(Vertex|Normal|Color|TexCoord|FogCoord|SecondaryColor|Index|EdgeFlag|Interleaved)(Pointer|Arrays)$/,
    currentVertexArray,
  ],
  [/^VertexArray/, named(0, true)],
  [/^SamplerParameter/, named(0)],
  [/^TransformFeedbackBuffer/, named(0, true)],
  [/^Delete(Shader|Program|Sync)$/, named(0)],
  [/^Delete(?!Lists)\w+s$/, named(1)],
  [/^ProgramLocalParameter/, (b, a) => one('assemblyProgram', b.assemblyPrograms.get(number(a[0])) ?? 0)],
];

function writerFor(name: string): Writer | null {
  const base = baseName(name);
  if (Object.hasOwn(exact, base)) return exact[base];
  return families.find(([pattern]) => pattern.test(base))?.[1] ?? null;
}

const writerOf = perSignature(({ name }) => writerFor(name));

/** Whether calls of this signature may change any object. */
export const mayWrite = (signature: Signature): boolean => writerOf(signature) !== null;

/** Whether what calls of this signature change depends on the bindings alone, so that it stays while they do. */
export const writesByBindings = (signature: Signature): boolean => {
  const writer = writerOf(signature);
  return writer === draw || writer === uniformSetter;
};

/** Whether calls of this signature set uniforms of the program in use, and change nothing else. */
export const setsUniforms = (signature: Signature): boolean => writerOf(signature) === uniformSetter;

/**
 * The objects whose contents or parameters this call may change, each once, given the bindings before it: at least those
 * it changes, perhaps more (a draw "changes" every storage buffer bound). Deleted objects count, created ones do not (they
 * are in the call). Framebuffer 0 stands for the canvas's contents and buffers. Calls it does not know change nothing.
 */
export function writes(call: Call, bindings: Bindings): readonly ObjectRef[] {
  const writer = writerOf(call.signature);
  return writer === null ? nothing : writer(bindings, call.args, call.signature);
}
