/** Follows buffers: how big they are, and what each is for, which is the binding it was first given. */
import { inlineWords } from '../argument-values.ts';
import type { Bindings } from '../bindings.ts';
import type { Call } from '../call.ts';
import { baseName, GL } from '../gl-constants.ts';
import { argumentNamed, firstObject, numberNamed } from '../named-arguments.ts';
import type { MemoryClass } from './classes.ts';
import { amount } from './image-bytes.ts';

const roles = new Map<number, MemoryClass>([
  [GL.ARRAY_BUFFER, 'vertex'],
  [GL.ELEMENT_ARRAY_BUFFER, 'index'],
  [GL.UNIFORM_BUFFER, 'uniform'],
  [GL.TEXTURE_BUFFER, 'texture'],
]);
/** Bindings that only move bytes say nothing of what a buffer is for. */
const silent: ReadonlySet<number> = new Set([GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER]);

/** The buffer a command works on: the one it names, else the one bound to its target; 0 for none. */
export const bufferOf = (call: Call, bindings: Bindings): number =>
  firstObject(call, 'buffer') ?? bindings.buffer(numberNamed(call, 'target') ?? 0);

export const defining = /^(Named)?Buffer(Data|Storage)$/;
const binding = /^BindBuffer(Base|Range|Offset)?$/;
const bindingSeveral = /^BindBuffers(Base|Range)$/;
const vertexBinding =
  /^(BindVertexBuffers?|VertexArray(Vertex|BindVertex)Buffers?|VertexArrayVertexAttrib[IL]?Offset)$/;

export class Buffers {
  readonly #sizes = new Map<number, number>();
  readonly #roles = new Map<number, MemoryClass>();

  static follows(name: string): boolean {
    return [defining, binding, bindingSeveral, vertexBinding, /^VertexArrayElementBuffer$/].some((p) => p.test(name));
  }

  /** To be called with each call that {@link follows} names. */
  observe(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    const target = numberNamed(call, 'target') ?? 0;
    const one = numberNamed(call, 'buffer') ?? 0;
    const several = argumentNamed(call, 'buffers');
    const named = Array.isArray(several) ? (several as readonly number[]) : [one];
    if (defining.test(name)) this.#sizes.set(bufferOf(call, bindings), amount(numberNamed(call, 'size') ?? 0));
    else if (vertexBinding.test(name)) this.#give(named, 'vertex');
    else if (name === 'VertexArrayElementBuffer') this.#give(named, 'index');
    else if (!silent.has(target)) this.#give(named, roles.get(target) ?? 'storage');
  }

  #give(buffers: readonly number[], role: MemoryClass): void {
    for (const id of buffers) if (id && !this.#roles.has(id)) this.#roles.set(id, role);
  }

  /** Bytes of its storage; 0 when it has none, as far as the capture shows. */
  sizeBytes(id: number): number {
    return this.#sizes.get(id) ?? 0;
  }

  role(id: number): MemoryClass {
    return this.#roles.get(id) ?? 'storage';
  }
}

/** A list of 64-bit numbers stored inline. */
export function wideNumbers(value: Parameters<typeof inlineWords>[0]): readonly number[] {
  const words = inlineWords(value);
  return Array.from({ length: words.length >> 1 }, (_, index) => words[index * 2] + words[index * 2 + 1] * 2 ** 32);
}
