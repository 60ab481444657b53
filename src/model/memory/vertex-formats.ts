/** Follows what vertex attributes look like in memory; which buffers they are in is the bindings' business. */

import { inlineWords } from '../argument-values.ts';
import type { Bindings } from '../bindings.ts';
import type { Call } from '../call.ts';
import { getOrAdd } from '../get-or-add.ts';
import { baseName, GL } from '../gl-constants.ts';
import { argumentNamed, dataLength, firstData, firstObject, numberNamed } from '../named-arguments.ts';
import { typeBytes } from '../texel-sizes.ts';
import { wideNumbers } from './buffers.ts';
import { amount } from './image-bytes.ts';

interface Attribute {
  readonly elementBytes: number;
  readonly relativeOffset: number;
}

/** A vertex buffer binding point; `strideBytes` 0: every vertex reads the same. */
interface Point {
  offset: number;
  strideBytes: number;
  divisor: number;
}

interface ClientArray {
  readonly key: string;
  readonly sizeBytes: number;
}

interface Formats {
  readonly attributes: Map<number, Attribute>;
  readonly points: Map<number, Point>;
  /** Arrays in client memory, by attribute. */
  readonly client: Map<number, ClientArray>;
}

/** One enabled attribute: where it is, and how its elements lie. `buffer` 0 with `client` null: nowhere. */
export interface VertexInput {
  readonly buffer: number;
  readonly client: ClientArray | null;
  readonly offset: number;
  readonly strideBytes: number;
  readonly elementBytes: number;
  /** 0: a new element each vertex; else each so many instances. */
  readonly divisor: number;
}

const [GL_DOUBLE, GL_FIXED, GL_BGRA, GL_INT_2_10_10_10_REV] = [0x140a, 0x140c, 0x80e1, 0x8d9f];
const GL_UNSIGNED_INT_2_10_10_10_REV = 0x8368;
const GL_UNSIGNED_INT_10F_11F_11F_REV = 0x8c3b;
const wholeTypes: ReadonlySet<number> = new Set([
  GL_INT_2_10_10_10_REV,
  GL_UNSIGNED_INT_2_10_10_10_REV,
  GL_UNSIGNED_INT_10F_11F_11F_REV,
]);

/** Bytes of one element of an attribute (OpenGL 4.6 table 10.3); 0 for a type that GL does not know. */
function attributeBytes(size: number, type: number): number {
  if (wholeTypes.has(type)) return 4;
  const count = size === GL_BGRA ? 4 : Math.min(4, Math.max(0, size));
  const component = type === GL_DOUBLE ? 8 : type === GL_FIXED ? 4 : typeBytes(type);
  return count * component;
}

const kinds = {
  pointer: /^(VertexAttrib[IL]?Pointer|VertexArrayVertexAttrib[IL]?Offset)$/,
  format: /^(VertexAttrib[IL]?|VertexArrayAttrib[IL]?|VertexArrayVertexAttrib[IL]?)Format$/,
  buffer: /^(BindVertexBuffer|VertexArrayVertexBuffer|VertexArrayBindVertexBuffer)$/,
  buffers: /^(BindVertexBuffers|VertexArrayVertexBuffers)$/,
  pointDivisor: /^(VertexBindingDivisor|VertexArrayBindingDivisor|VertexArrayVertexBindingDivisor)$/,
  divisor: /^(VertexAttribDivisor|VertexArrayVertexAttribDivisor)$/,
};

export class VertexFormats {
  readonly #arrays = new Map<number, Formats>();
  #clientArrays = 0;

  static follows(name: string): boolean {
    return Object.values(kinds).some((pattern) => pattern.test(name));
  }

  /** To be called with each call that {@link follows} names, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    const formats = this.#of(firstObject(call, 'vertexArray') ?? bindings.vertexArray);
    const index = numberNamed(call, 'index', 'attribindex') ?? 0;
    const point = numberNamed(call, 'bindingindex') ?? 0;
    if (kinds.pointer.test(name)) this.#pointer(formats, index, call, bindings);
    else if (kinds.format.test(name))
      formats.attributes.set(index, {
        elementBytes: attributeBytes(numberNamed(call, 'size') ?? 0, numberNamed(call, 'type') ?? 0),
        relativeOffset: numberNamed(call, 'relativeoffset') ?? 0,
      });
    else if (kinds.buffer.test(name))
      this.#place(formats, point, numberNamed(call, 'offset') ?? 0, numberNamed(call, 'stride') ?? 0);
    else if (kinds.buffers.test(name)) {
      const offsets = wideNumbers(argumentNamed(call, 'offsets') ?? null);
      const strides = inlineWords(argumentNamed(call, 'strides') ?? null);
      for (const [at, stride] of strides.entries())
        this.#place(formats, (numberNamed(call, 'first') ?? 0) + at, offsets[at] ?? 0, stride);
    } else if (kinds.pointDivisor.test(name)) this.#point(formats, point).divisor = numberNamed(call, 'divisor') ?? 0;
    else this.#point(formats, index).divisor = numberNamed(call, 'divisor') ?? 0;
  }

  #of(array: number): Formats {
    return getOrAdd(this.#arrays, array, () => ({ attributes: new Map(), points: new Map(), client: new Map() }));
  }

  #point(formats: Formats, index: number): Point {
    return getOrAdd(formats.points, index, () => ({ offset: 0, strideBytes: 16, divisor: 0 }));
  }

  #place(formats: Formats, index: number, offset: number, strideBytes: number): void {
    Object.assign(this.#point(formats, index), { offset: Math.max(0, offset), strideBytes: Math.max(0, strideBytes) });
  }

  #pointer(formats: Formats, index: number, call: Call, bindings: Bindings): void {
    const elementBytes = attributeBytes(numberNamed(call, 'size') ?? 0, numberNamed(call, 'type') ?? 0);
    const data = firstData(call);
    formats.attributes.set(index, { elementBytes, relativeOffset: 0 });
    const offset = numberNamed(call, 'offset') ?? (data?.kind === 'offset' ? data.offset : 0);
    this.#place(formats, index, offset, numberNamed(call, 'stride') || elementBytes);
    formats.client.delete(index);
    const sizeBytes = dataLength(data);
    if (sizeBytes !== null && bindings.buffer(GL.ARRAY_BUFFER) === 0)
      formats.client.set(index, { key: `client array ${++this.#clientArrays}`, sizeBytes });
  }

  /** The enabled attributes of the current vertex array. */
  inputs(bindings: Bindings): VertexInput[] {
    const array = bindings.vertexArrayBindings();
    const formats = this.#of(bindings.vertexArray);
    const inputs: VertexInput[] = [];
    for (const index of array.enabled) {
      const attribute = formats.attributes.get(index);
      if (!attribute) continue;
      const at = array.attributeBinding.get(index) ?? index;
      const point = this.#point(formats, at);
      const buffer = array.buffers.get(at) ?? 0;
      inputs.push({
        buffer,
        client: buffer === 0 ? (formats.client.get(index) ?? null) : null,
        offset: amount(point.offset + attribute.relativeOffset),
        strideBytes: point.strideBytes,
        elementBytes: attribute.elementBytes,
        divisor: point.divisor,
      });
    }
    return inputs;
  }
}
