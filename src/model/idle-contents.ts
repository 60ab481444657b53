/** Textures and buffers that a capture's setup fills and nothing looks at: a replay need not hold what is in them. */
import { Bindings, type VertexArrayBindings } from './bindings.ts';
import type { Call } from './call.ts';
import type { CallStream } from './call-stream.ts';
import { afterArgument, headerWords } from './call-words.ts';
import type { Capture } from './capture.ts';
import { DisplayLists } from './display-lists.ts';
import { getOrAdd } from './get-or-add.ts';
import { baseName, GL } from './gl-constants.ts';
import { perSignature } from './per-signature.ts';
import type { Signature } from './signature.ts';

const fillsTexture = /^(Compressed)?Tex(ture)?(Sub)?Image[123]D$|^Tex(ture)?Storage[123]D$|^Generate(Texture)?Mipmap$/;
const fillsBuffer = /^(Named)?Buffer(Sub)?Data$|^(Named)?BufferStorage$/;
/**
 * Commands that neither look at what textures and buffers hold nor put them where frames find them without naming them.
 * What a vertex array takes counts when the array does. Of any other command it is believed that it looks at all that is bound.
 */
const harmless = new RegExp(
  `^(${[
    'Bind(Texture|Buffer|VertexArray|Sampler|Framebuffer|Renderbuffer|AttribLocation)|ActiveTexture|UseProgram',
    'Gen(Textures|Buffers|VertexArrays|Samplers|Framebuffers|Renderbuffers|Queries)',
    'Create(Textures|Buffers|VertexArrays|Samplers|Framebuffers|Renderbuffers|Shader|Program)',
    'Delete(Textures|Buffers|VertexArrays|Samplers|Framebuffers|Renderbuffers|Shader|Program)',
    'Tex(ture)?Parameter[if]v?|SamplerParameter[if]v?|PixelStore[if]|ObjectLabel|LabelObject',
    '(Push|Pop)(DebugGroup|GroupMarker)|InsertEventMarker|Enable|Disable|Hint',
    'VertexAttribI?Pointer|(Enable|Disable)VertexAttribArray|VertexAttribDivisor|VertexAttrib(I?[1-4]u?[fi]v?)',
    'ShaderSource|CompileShader|(Attach|Detach)Shader|LinkProgram|(gpuprof)?UniformBlockBinding',
    'Uniform(Matrix)?[1-4](x[234])?u?[fi]v?|RenderbufferStorage(Multisample)?',
    'Viewport|Scissor|Clear(Color|Depthf?|Stencil)|Blend(Color|Equation|Func)(Separate)?|ColorMask|CullFace|FrontFace',
    'Depth(Func|Mask|Rangef?)|Stencil(Func|Mask|Op)(Separate)?|PolygonOffset|LineWidth|SampleCoverage',
  ].join('|')})$`,
);

/** With fewer bytes of resources than this, finding out takes more than it spares. */
const leastBytes = 256 * 2 ** 20;

type Role = 'texture' | 'buffer' | 'harmless' | 'copy' | 'other';

const roleOf = perSignature(({ name }): Role => {
  const base = baseName(name);
  if (fillsTexture.test(base)) return 'texture';
  if (fillsBuffer.test(base)) return 'buffer';
  if (base === 'CopyImageSubData') return 'copy';
  return harmless.test(base) ? 'harmless' : 'other';
});

/** Follows who uses what. */
class Uses {
  readonly bindings = new Bindings();
  readonly used = { texture: new Set<number>(), buffer: new Set<number>() };

  /** All that is bound, and what is in the vertex array that is. */
  bound(): void {
    const { bindings: b } = this;
    const { texture, buffer } = this.used;
    for (const unit of b.textures.values()) for (const id of unit.values()) texture.add(id);
    for (const image of b.images.values()) texture.add(image.texture);
    for (const id of b.buffers.values()) buffer.add(id);
    for (const places of b.indexedBuffers.values()) for (const place of places.values()) buffer.add(place.buffer);
    for (const place of b.transformFeedbackBindings().buffers.values()) buffer.add(place.buffer);
    this.#held(b.vertexArrayBindings());
  }

  /** What a call names, with what a vertex array holds at the moment. */
  named(words: Uint32Array, start: number, { params }: Signature): void {
    let next = start + headerWords;
    for (const param of params) {
      if (param.type === 'object') this.#use(param.objectClass, words[next]);
      else if (param.type === 'objects')
        for (let at = next + words[next]; at > next; at--) this.#use(param.objectClass, words[at]);
      next = afterArgument(words, next, param);
    }
  }

  /** Its ids stand among plain numbers; of what class they are does not matter. */
  copied({ args }: Call): void {
    this.used.texture.add(Number(args[0])).add(Number(args[6]));
  }

  #use(objectClass: Signature['params'][number]['objectClass'], id: number): void {
    if (objectClass === 'texture' || objectClass === 'buffer') this.used[objectClass].add(id);
    else if (objectClass === 'vertexArray') this.#held(this.bindings.vertexArrayBindings(id));
  }

  #held({ elementBuffer, buffers }: VertexArrayBindings): void {
    this.used.buffer.add(elementBuffer);
    for (const id of buffers.values()) this.used.buffer.add(id);
  }
}

/** The texture or buffer that a call fills. */
function filled(role: 'texture' | 'buffer', { signature, args }: Call, bindings: Bindings): number {
  if (signature.params[0]?.type === 'object') return Number(args[0]);
  return role === 'texture' ? bindings.texture(Number(args[0])) : bindings.buffer(Number(args[0]));
}

/** By object, the calls that fill it. */
function followSetup(setup: CallStream, uses: Uses): Record<'texture' | 'buffer', Map<number, number[]>> {
  const fills = { texture: new Map<number, number[]>(), buffer: new Map<number, number[]>() };
  const roles = setup.signatures.map(roleOf);
  const isBinding = setup.signatures.map(Bindings.follows);
  for (let index = 0; index < setup.length; index++) {
    const start = setup.starts[index];
    const signature = setup.words[start];
    const role = roles[signature];
    if (role === 'texture' || role === 'buffer') {
      const id = filled(role, setup.call(index), uses.bindings);
      // The default texture is everybody's.
      if (id !== 0) getOrAdd(fills[role], id, () => []).push(index);
      uses.used.buffer.add(uses.bindings.buffer(GL.PIXEL_UNPACK_BUFFER));
    } else if (role !== 'harmless') {
      uses.bound();
      uses.named(setup.words, start, setup.signatures[signature]);
      if (role === 'copy') uses.copied(setup.call(index));
    }
    if (isBinding[signature]) uses.bindings.apply(setup.call(index));
  }
  return fills;
}

/**
 * By call of the setup, 1 where it only fills a texture or a buffer that no frame and no later call of the setup can see.
 * Null where that cannot be told, since what display lists will look at is not known when they are compiled, and where the
 * capture has less than `worthBytes` of resources.
 */
export async function idleFills(capture: Capture, worthBytes = leastBytes): Promise<Uint8Array | null> {
  const { signatures, frames, resources } = capture.manifest;
  if (resources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) < worthBytes) return null;
  if (signatures.some(DisplayLists.follows)) return null;
  const setup = await capture.setup();
  const uses = new Uses();
  const fills = followSetup(setup, uses);
  uses.bound();
  const isCopy = signatures.map((signature) => roleOf(signature) === 'copy');
  const names = signatures.map(({ params }) => params.some(({ objectClass }) => objectClass !== undefined));
  for (let frame = 1; frame <= frames.length; frame++) {
    const calls = await capture.frame(frame);
    for (let index = 0; index < calls.length; index++) {
      const signature = calls.words[calls.starts[index]];
      if (names[signature]) uses.named(calls.words, calls.starts[index], signatures[signature]);
      if (isCopy[signature]) uses.copied(calls.call(index));
    }
  }
  const idle = new Uint8Array(setup.length);
  for (const role of ['texture', 'buffer'] as const)
    for (const [id, calls] of fills[role]) if (!uses.used[role].has(id)) for (const index of calls) idle[index] = 1;
  return idle;
}
