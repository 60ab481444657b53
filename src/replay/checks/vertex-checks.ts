/**
 * Client-side vertex arrays, attributes that are enabled but read from nowhere, and indices beyond the element buffer
 * (Mesa's llvmpipe reads on, robust context or not): all make a driver read memory that the capture does not own, so
 * draws are checked before GL sees them. Vertices in buffer objects are the driver's business (robust access).
 */
import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import type { Signature } from '../../model/signature.ts';
import { glEnums } from '../constants.ts';
import { ArrayState, type Source, textureKey } from './array-state.ts';
import { type BufferIndices, bufferIndices, refuseFarIndices } from './buffer-indices.ts';
import { type BytesOf, type ClientArray, greatestInstance, greatestVertex } from './client-arrays.ts';
import { commandOf } from './vertex-commands.ts';

const e = glEnums(
  'GL_VERTEX_ARRAY',
  'GL_NORMAL_ARRAY',
  'GL_COLOR_ARRAY',
  'GL_INDEX_ARRAY',
  'GL_EDGE_FLAG_ARRAY',
  'GL_FOG_COORD_ARRAY',
  'GL_SECONDARY_COLOR_ARRAY',
);

type Sized = Omit<ClientArray, 'owner'>;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const none: readonly number[] = [];

/** Follows the client arrays of a capture and refuses draws that would read beyond them. */
export class VertexChecks {
  readonly #state = new ArrayState();
  readonly #bufferBytes: (buffer: number) => number;
  /** The bindings, and their version, whose attributes are known to be there without a look at vertices. */
  #clear: Bindings | null = null;
  #clearVersion = 0;
  /** What is enabled but has no data, as the draw at hand found it. */
  #empty: readonly number[] = none;
  #inBuffer: BufferIndices | null = null;

  /** `bufferBytes` gives the size of a buffer by id. */
  constructor(bufferBytes: (buffer: number) => number) {
    this.#bufferBytes = bufferBytes;
  }

  /** Whether a call has a part in these checks; others need not be given to {@link check}. */
  static follows = (signature: Signature): boolean => commandOf(signature).role !== null;

  /** The unit whose texture coordinates glEnableClientState means, from 0. */
  get clientUnit(): number {
    return this.#state.unit;
  }

  /** What the draw checked last takes from the element buffer while it has vertices in client memory; null for none. */
  get inBuffer(): BufferIndices | null {
    return this.#inBuffer;
  }

  /** To be called when the size of a buffer changes. */
  buffersChanged(): void {
    this.#clear = null;
  }

  /** What owns the client arrays that draws may still read. */
  owners(): Set<object> {
    return this.#state.owners();
  }

  /**
   * To be called before the bindings see the call; `owner` keeps its data alive. Returns the arrays that a draw must not be
   * made with: programs enable some that nothing reads, and give them no data. They are attributes, or what
   * glEnableClientState names, or from {@link textureKey}(0) on texture coordinates by unit. Throws GpuprofError `bad-capture`.
   */
  check(call: Call, bindings: Bindings, bytesOf: BytesOf, owner: object): readonly number[] {
    this.#inBuffer = null;
    this.#follow(call, bindings, bytesOf, owner);
    return commandOf(call.signature).role === 'draw' ? this.#empty : none;
  }

  #follow(call: Call, bindings: Bindings, bytesOf: BytesOf, owner: object): void {
    const { name, role, isIndexed } = commandOf(call.signature);
    if (role !== 'draw') this.#clear = null;
    switch (role) {
      case null:
        return;
      case 'draw':
        if (isIndexed) this.#indices(name, call, bindings, bytesOf);
        if (this.#clear === bindings && this.#clearVersion === bindings.version && !bindings.lists.isOpen) return;
        this.#read(name, call, bindings, bytesOf);
        return;
      case 'element':
        this.#read(name, call, bindings, bytesOf);
        return;
      default:
        this.#state.follow(call, bindings, owner);
    }
  }

  /** The array with the bytes that it has; undefined when those are not enough for one vertex. */
  #sized(source: Source | undefined): Sized | undefined {
    if (!source || 'owner' in source) return source;
    const lengthBytes = this.#bufferBytes(source.buffer) - source.offsetBytes;
    return lengthBytes < source.elementBytes ? undefined : { ...source, lengthBytes };
  }

  /** Indices at an offset must lie inside the element buffer. */
  #indices(name: string, call: Call, bindings: Bindings, bytesOf: BytesOf): void {
    const a = call.args;
    const sizeBytes = this.#bufferBytes(bindings.buffer(GL.ELEMENT_ARRAY_BUFFER));
    const check = (count: number, type: number, offset: number) =>
      refuseFarIndices(call, count, type, offset, sizeBytes);
    if (name.startsWith('Multi')) {
      const counts = viewOf(bytesOf(a[1]));
      const offsets = viewOf(bytesOf(a[3]));
      const draws = Math.min(counts.byteLength / 4, offsets.byteLength / 8);
      for (let draw = 0; draw + 1 <= draws; draw++)
        check(counts.getInt32(draw * 4, true), Number(a[2]), Number(offsets.getBigUint64(draw * 8, true)));
      return;
    }
    const ranged = name.startsWith('DrawRange') ? 2 : 0;
    const data = a[3 + ranged] as DataArgument;
    const offset = data?.kind === 'offset' ? data.offset : 0;
    if (data === null || data.kind === 'offset') check(Number(a[1 + ranged]), Number(a[2 + ranged]), offset);
    else if (bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) !== 0)
      throw new GpuprofError('bad-capture', `${call.signature.name} has indices although an element buffer is bound`);
  }

  /** What the draw reads must be there. */
  #read(name: string, call: Call, bindings: Bindings, bytesOf: BytesOf): void {
    const { vertexArray } = bindings;
    const { attributes, divisors, legacy, enabled } = this.#state.of(vertexArray);
    const restart = this.#state.restart.indexFor(Number(name.startsWith('DrawRange') ? call.args[4] : call.args[2]));
    const indices = bufferIndices(name, call);
    const isElement = name === 'ArrayElement';
    // Vertices that go into a display list are read by Mesa's own loops, which know of no buffer's end.
    const isCopied = isElement || bindings.lists.isOpen;
    let greatest: number | undefined;
    let mostVertex = Number.POSITIVE_INFINITY;
    const within = (array: Sized, what: string, divisor = 0) => {
      greatest ??= indices ? -1 : greatestVertex(name, call, bytesOf, restart);
      if (indices && divisor === 0)
        mostVertex = Math.min(mostVertex, Math.floor((array.lengthBytes - array.elementBytes) / array.strideBytes));
      const reached = divisor === 0 ? greatest : greatestInstance(call, divisor);
      if (reached >= 0 && reached * array.strideBytes + array.elementBytes > array.lengthBytes)
        throw new GpuprofError('bad-capture', `${call.signature.name} reads beyond the ${what}`);
    };
    const empty: number[] = [];
    const isEmpty = (key: number) => {
      // Inside glBegin and glEnd no array can be switched off.
      if (isElement)
        throw new GpuprofError('bad-capture', `${call.signature.name} reads the ${arrayName(key)}, which have no data`);
      empty.push(key);
    };
    const inBuffers: [array: Sized, what: string][] = [];
    for (const attribute of bindings.vertexArrayBindings().enabled) {
      const buffer = bindings.attributeBuffer(attribute);
      const source = attributes.get(attribute);
      if (buffer === 0 && vertexArray === 0 && source && 'owner' in source)
        within(source, `client array of vertex attribute ${attribute}`, divisors.get(attribute));
      else if (buffer === 0 || this.#bufferBytes(buffer) === 0) isEmpty(attribute);
      else if (isCopied) {
        const what = `buffer of vertex attribute ${attribute}`;
        const array = source && 'buffer' in source && source.buffer === buffer ? this.#sized(source) : undefined;
        if (!array) throw new GpuprofError('bad-capture', `${call.signature.name} may read beyond the ${what}`);
        inBuffers.push([array, what]);
      }
    }
    for (const key of enabled) {
      const source = legacy.get(key);
      // NVIDIA's driver takes a buffer without storage for memory at address 0.
      const array = this.#sized(source);
      if (array === undefined) isEmpty(key);
      else if (source && 'owner' in source) within(array, `client array of the ${arrayName(key)}`);
      else inBuffers.push([array, `buffer of the ${arrayName(key)}`]);
    }
    // Beside client arrays NVIDIA's driver reads buffers itself, and on beyond their end.
    if (greatest !== undefined || isCopied) for (const [array, what] of inBuffers) within(array, what);
    this.#empty = empty;
    if (indices && mostVertex < Number.POSITIVE_INFINITY) this.#inBuffer = { ...indices, restart, mostVertex };
    if (greatest !== undefined || isCopied) return;
    this.#clear = bindings;
    this.#clearVersion = bindings.version;
  }
}

const legacyNames = new Map<number, string>([
  [e.GL_VERTEX_ARRAY, 'vertices'],
  [e.GL_NORMAL_ARRAY, 'normals'],
  [e.GL_COLOR_ARRAY, 'colours'],
  [e.GL_INDEX_ARRAY, 'colour indices'],
  [e.GL_EDGE_FLAG_ARRAY, 'edge flags'],
  [e.GL_FOG_COORD_ARRAY, 'fog coordinates'],
  [e.GL_SECONDARY_COLOR_ARRAY, 'secondary colours'],
]);

/** By attribute, or as {@link VertexChecks.check} has them. */
const arrayName = (key: number): string =>
  key >= textureKey(0)
    ? `texture coordinates ${key - textureKey(0)}`
    : (legacyNames.get(key) ?? `values of vertex attribute ${key}`);
