/** What the whole of a capture says of its objects: their names, and what buffers are used for. */

import { Bindings } from '../bindings.ts';
import type { Call } from '../call.ts';
import type { CallStream } from '../call-stream.ts';
import type { Capture } from '../capture.ts';
import { getOrAdd } from '../get-or-add.ts';
import { baseName, GL } from '../gl-constants.ts';
import { argumentNamed, numberNamed } from '../named-arguments.ts';
import type { BufferUse, LifeResource } from './resource.ts';

const uses = new Map<number, BufferUse>([
  [GL.ELEMENT_ARRAY_BUFFER, 'index'],
  [GL.UNIFORM_BUFFER, 'uniform'],
]);
/** Bindings that only move bytes. */
const silent: ReadonlySet<number> = new Set([GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER]);

const label = /^(ObjectLabel|LabelObject)$/;
const binding = /^BindBuffers?(Base|Range|Offset)?$/;
/** Pointers of attributes read the buffer that is bound when they are set. */
const pointer = /Pointer$/;
const vertexBuffer = /^(BindVertexBuffers?|VertexArray(Vertex|BindVertex)Buffers?|VertexArrayVertexAttrib[IL]?Offset)$/;
const others: Readonly<Record<string, BufferUse>> = {
  VertexArrayElementBuffer: 'index',
  TexBuffer: 'storage',
  TexBufferRange: 'storage',
  TextureBuffer: 'storage',
  TextureBufferRange: 'storage',
  TransformFeedbackBufferBase: 'storage',
  TransformFeedbackBufferRange: 'storage',
};

/** Classes that labels name, by identifier of glObjectLabel and type of glLabelObjectEXT. */
const labelled = new Map<number, LifeResource['class']>([
  [0x82e0, 'buffer'], // GL_BUFFER
  [0x9151, 'buffer'], // GL_BUFFER_OBJECT_EXT
  [0x1702, 'texture'], // GL_TEXTURE
  [GL.RENDERBUFFER, 'renderbuffer'],
]);

const order: readonly BufferUse[] = ['vertex', 'index', 'uniform', 'storage'];

export class ObjectFacts {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<number, Set<BufferUse>>();
  /** Buffers that only GL_ARRAY_BUFFER, by which WebGL's recorder fills every buffer, says something of. */
  readonly #filled = new Set<number>();
  readonly #bindings = new Bindings();
  readonly #isWebGl: boolean;

  private constructor(isWebGl: boolean) {
    this.#isWebGl = isWebGl;
  }

  /** Reads every call of the capture. */
  static async gather(capture: Capture): Promise<ObjectFacts> {
    const { api, frames } = capture.manifest;
    const facts = new ObjectFacts(api.startsWith('webgl'));
    facts.#follow(await capture.setup());
    for (let frame = 1; frame <= frames.length; frame++) facts.#follow(await capture.frame(frame));
    return facts;
  }

  /** The first label that the capture gives it, else class and id. */
  name(objectClass: LifeResource['class'], id: number): string {
    const key = `${objectClass} ${id}`;
    return this.#names.get(key) ?? key;
  }

  /** In a fixed order; buffers that are only filled count as vertices when GL_ARRAY_BUFFER is how, else as storage. */
  uses(buffer: number): readonly BufferUse[] {
    const found = this.#uses.get(buffer);
    if (found) return order.filter((use) => found.has(use));
    return this.#filled.has(buffer) ? ['vertex'] : ['storage'];
  }

  #follow(calls: CallStream): void {
    const wanted = calls.signatures.map((signature) => {
      const name = baseName(signature.name);
      return (
        Bindings.follows(signature) ||
        [label, binding, pointer, vertexBuffer].some((pattern) => pattern.test(name)) ||
        Object.hasOwn(others, name)
      );
    });
    for (let index = 0; index < calls.length; index++) {
      if (!wanted[calls.words[calls.starts[index]]]) continue;
      const call = calls.call(index);
      this.#observe(call);
      this.#bindings.apply(call);
    }
  }

  #observe(call: Call): void {
    const name = baseName(call.signature.name);
    const several = argumentNamed(call, 'buffers');
    const buffers = Array.isArray(several) ? (several as readonly number[]) : [numberNamed(call, 'buffer') ?? 0];
    if (label.test(name)) this.#label(call);
    else if (pointer.test(name)) this.#give([this.#bindings.buffer(GL.ARRAY_BUFFER)], 'vertex');
    else if (vertexBuffer.test(name)) this.#give(buffers, 'vertex');
    else if (Object.hasOwn(others, name)) this.#give(buffers, others[name]);
    else if (binding.test(name)) {
      const target = numberNamed(call, 'target') ?? 0;
      if (target === GL.ARRAY_BUFFER && this.#isWebGl) for (const id of buffers) this.#filled.add(id);
      else if (target === GL.ARRAY_BUFFER) this.#give(buffers, 'vertex');
      else if (!silent.has(target)) this.#give(buffers, uses.get(target) ?? 'storage');
    }
  }

  #label(call: Call): void {
    const objectClass = labelled.get(numberNamed(call, 'identifier', 'type') ?? 0);
    const text = argumentNamed(call, 'label');
    if (objectClass === undefined || typeof text !== 'string' || text === '') return;
    const key = `${objectClass} ${numberNamed(call, 'name', 'object') ?? 0}`;
    if (!this.#names.has(key)) this.#names.set(key, text);
  }

  #give(buffers: readonly number[], use: BufferUse): void {
    for (const id of buffers) if (id) getOrAdd(this.#uses, id, () => new Set()).add(use);
  }
}
