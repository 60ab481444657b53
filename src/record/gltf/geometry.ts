import type { Accessor, Primitive } from '@gltf-transform/core';
import { GpuprofError } from '../../errors.ts';
import type { WebGl2 } from '../../gl/webgl2-context.ts';
import { elementCount, readFloats } from './accessors.ts';
import { locations } from './shader-inputs.ts';

type Buffer = ReturnType<WebGl2['createBuffer']>;
type VertexArray = ReturnType<WebGl2['createVertexArray']>;
type Semantic = Exclude<keyof typeof locations, 'INSTANCE'>;

const semantics = Object.keys(locations).filter((name) => name !== 'INSTANCE') as Semantic[];
const BYTE = 5120;
const UNSIGNED_INT = 5125;
const FLOAT = 5126;

/** One vertex attribute, ready to upload. */
interface Attribute {
  readonly accessor: Accessor;
  readonly size: number;
}

/** What of a primitive can be drawn: checked, so that no draw reads outside its buffers. */
export interface PrimitiveShape {
  readonly primitive: Primitive;
  readonly mode: number;
  readonly vertexCount: number;
  readonly indices: Uint8Array | Uint16Array | Uint32Array | null;
  readonly attributes: ReadonlyMap<Semantic, Attribute>;
}

/** A vertex array and how to draw it. */
export interface Drawable {
  readonly vertexArray: VertexArray;
  readonly mode: number;
  readonly count: number;
  /** 0 for non-indexed draws. */
  readonly indexType: number;
}

const wanted: Readonly<Record<Semantic, readonly number[]>> = {
  POSITION: [3],
  NORMAL: [3],
  TANGENT: [4],
  TEXCOORD_0: [2],
  TEXCOORD_1: [2],
  COLOR_0: [3, 4],
  JOINTS_0: [4],
  WEIGHTS_0: [4],
  JOINTS_1: [4],
  WEIGHTS_1: [4],
};

/**
 * Checks a primitive; null when it has nothing to draw (no positions, no vertices). `where` names it in errors.
 * Throws GpuprofError `bad-input` when indices point beyond the vertices.
 */
export function shapeOf(primitive: Primitive, where: string): PrimitiveShape | null {
  const position = primitive.getAttribute('POSITION');
  if (position?.getElementSize() !== 3) return null;
  const attributes = new Map<Semantic, Attribute>();
  const vertexCount = elementCount(position);
  for (const semantic of semantics) {
    const accessor = primitive.getAttribute(semantic);
    if (!accessor || !wanted[semantic].includes(accessor.getElementSize())) continue;
    if (elementCount(accessor) < vertexCount)
      throw new GpuprofError('bad-input', `${where}: ${semantic} has fewer elements than POSITION`);
    attributes.set(semantic, { accessor, size: accessor.getElementSize() });
  }
  const indices = indicesOf(primitive, vertexCount, where);
  if (vertexCount === 0 || indices?.length === 0) return null;
  return { primitive, mode: primitive.getMode(), vertexCount, indices, attributes };
}

function indicesOf(primitive: Primitive, vertexCount: number, where: string): PrimitiveShape['indices'] {
  const array = primitive.getIndices()?.getArray();
  if (!array) return null;
  const bytes = array.BYTES_PER_ELEMENT;
  if (!(array instanceof Uint8Array || array instanceof Uint16Array || array instanceof Uint32Array))
    throw new GpuprofError('bad-input', `${where}: its indices are no unsigned integers`);
  const restart = 2 ** (bytes * 8) - 1;
  for (const index of array)
    if (index >= vertexCount && index !== restart)
      throw new GpuprofError('bad-input', `${where}: index ${index} is beyond its ${vertexCount} vertices`);
  return array;
}

/** Uploads attribute and index data, each accessor once. */
export class GeometryStore {
  readonly #gl: WebGl2;
  readonly #buffers = new Map<object, Buffer>();

  constructor(gl: WebGl2) {
    this.#gl = gl;
  }

  #upload(target: number, key: object, data: () => ArrayBufferView): void {
    const gl = this.#gl;
    const present = this.#buffers.get(key);
    const buffer = present ?? gl.createBuffer();
    this.#buffers.set(key, buffer);
    gl.bindBuffer(target, buffer);
    if (!present) gl.bufferData(target, data(), gl.STATIC_DRAW);
  }

  #attribute(semantic: Semantic, { accessor, size }: Attribute, jointCount: number): void {
    const gl = this.#gl;
    const location = locations[semantic];
    gl.enableVertexAttribArray(location);
    if (semantic.startsWith('JOINTS')) {
      const last = Math.max(0, jointCount - 1);
      this.#upload(gl.ARRAY_BUFFER, accessor, () =>
        Uint16Array.from((accessor.getArray() ?? []) as Uint16Array, (joint) => Math.min(Math.max(0, joint), last)),
      );
      gl.vertexAttribIPointer(location, 4, gl.UNSIGNED_SHORT, 0, 0);
      return;
    }
    const type = accessor.getComponentType();
    const isInteger = type >= BYTE && type < UNSIGNED_INT;
    this.#upload(gl.ARRAY_BUFFER, accessor, () =>
      isInteger ? (accessor.getArray() as Int8Array) : readFloats(accessor),
    );
    gl.vertexAttribPointer(location, size, isInteger ? type : FLOAT, isInteger && accessor.getNormalized(), 0, 0);
  }

  /**
   * A vertex array of the primitive. `replaced` are float buffers (morphed attributes, tightly packed) that stand in for
   * the accessors'; `instances` holds one matrix an instance.
   */
  drawable(
    shape: PrimitiveShape,
    options: { replaced?: ReadonlyMap<string, Buffer>; instances?: Buffer; jointCount?: number },
  ): Drawable {
    const gl = this.#gl;
    const vertexArray = gl.createVertexArray();
    gl.bindVertexArray(vertexArray);
    for (const [semantic, attribute] of shape.attributes) {
      const replaced = options.replaced?.get(semantic);
      if (!replaced) this.#attribute(semantic, attribute, options.jointCount ?? 0);
      else {
        gl.bindBuffer(gl.ARRAY_BUFFER, replaced);
        gl.enableVertexAttribArray(locations[semantic]);
        gl.vertexAttribPointer(locations[semantic], attribute.size, gl.FLOAT, false, 0, 0);
      }
    }
    if (options.instances) {
      gl.bindBuffer(gl.ARRAY_BUFFER, options.instances);
      for (let column = 0; column < 4; column++) {
        gl.enableVertexAttribArray(locations.INSTANCE + column);
        gl.vertexAttribPointer(locations.INSTANCE + column, 4, gl.FLOAT, false, 64, column * 16);
        gl.vertexAttribDivisor(locations.INSTANCE + column, 1);
      }
    }
    const { indices, mode, vertexCount } = shape;
    if (indices) this.#upload(gl.ELEMENT_ARRAY_BUFFER, shape.primitive.getIndices() as Accessor, () => indices);
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    const indexTypes = { 1: gl.UNSIGNED_BYTE, 2: gl.UNSIGNED_SHORT, 4: gl.UNSIGNED_INT } as const;
    const indexType = indices ? indexTypes[indices.BYTES_PER_ELEMENT as 1 | 2 | 4] : 0;
    return { vertexArray, mode, count: indices?.length ?? vertexCount, indexType };
  }
}
