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
import { indexBytes } from '../../model/texel-sizes.ts';
import { glEnums } from '../constants.ts';
import { type BufferIndices, bufferIndices } from './buffer-indices.ts';
import {
  type BufferArray,
  type BytesOf,
  bufferArray,
  type ClientArray,
  clientArray,
  greatestInstance,
  greatestVertex,
  interleaved,
  legacyPointers,
} from './client-arrays.ts';
import { commandOf } from './vertex-commands.ts';

const e = glEnums(
  'GL_V2F',
  'GL_VERTEX_ARRAY',
  'GL_NORMAL_ARRAY',
  'GL_COLOR_ARRAY',
  'GL_INDEX_ARRAY',
  'GL_EDGE_FLAG_ARRAY',
  'GL_FOG_COORD_ARRAY',
  'GL_SECONDARY_COLOR_ARRAY',
  'GL_TEXTURE_COORD_ARRAY',
  'GL_PRIMITIVE_RESTART_NV',
);

/** An array of the compatibility profile. */
type LegacyArray = ClientArray | BufferArray;

interface LegacyArrays {
  readonly arrays: Map<number, LegacyArray>;
  readonly enabled: Set<number>;
}

/** Texture coordinates have an array for each unit, numbered above all of GL's enums. */
export const textureKey = (unit: number) => 0x10000 + unit;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const none: readonly number[] = [];

/** Follows the client arrays of a capture and refuses draws that would read beyond them. */
export class VertexChecks {
  /** Client arrays by attribute; only the default vertex array can have them. */
  readonly #client = new Map<number, ClientArray>();
  /** Arrays of the compatibility profile, by vertex array. */
  readonly #legacy = new Map<number, LegacyArrays>();
  /** Divisors of the attributes that advance by instance. */
  readonly #divisors = new Map<number, number>();
  readonly #saved: (() => void)[] = [];
  readonly #bufferBytes: (buffer: number) => number;
  #unit = 0;
  #restartIndex: number | null = null;
  #restarts = 0;
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
    return this.#unit;
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
    const owners = new Set<object>();
    for (const array of this.#client.values()) owners.add(array.owner);
    for (const { arrays } of this.#legacy.values())
      for (const array of arrays.values()) if ('owner' in array) owners.add(array.owner);
    return owners;
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
    const a = call.args;
    if (role !== 'draw') this.#clear = null;
    switch (role) {
      case null:
        return;
      case 'pointer':
        this.#pointer(call, bindings, owner);
        return;
      case 'legacy':
        this.#legacyPointer(name, call, bindings, owner);
        return;
      case 'interleaved':
        this.#interleaved(call, bindings, owner);
        return;
      case 'client state':
        this.#enable(Number(a[0]), name === 'EnableClientState', bindings);
        return;
      case 'client unit':
        this.#unit = Number(a[0]) - GL.TEXTURE0;
        return;
      case 'restart':
        this.#restart(Number(a[0]), name === 'Enable');
        return;
      case 'restart index':
        this.#restartIndex = Number(a[0]);
        return;
      case 'divisor':
        if (Number(a[1]) > 0) this.#divisors.set(Number(a[0]), Number(a[1]));
        else this.#divisors.delete(Number(a[0]));
        return;
      case 'save':
        this.#save(bindings);
        return;
      case 'put back':
        this.#saved.pop()?.();
        return;
      case 'draw':
        if (isIndexed) this.#indices(name, call, bindings, bytesOf);
        if (this.#clear === bindings && this.#clearVersion === bindings.version) return;
        this.#read(name, call, bindings, bytesOf);
        return;
      default:
        this.#read(name, call, bindings, bytesOf);
    }
  }

  #arraysOf(vertexArray: number): LegacyArrays {
    let arrays = this.#legacy.get(vertexArray);
    if (!arrays) {
      arrays = { arrays: new Map(), enabled: new Set() };
      this.#legacy.set(vertexArray, arrays);
    }
    return arrays;
  }

  #key(array: number): number {
    return array === e.GL_TEXTURE_COORD_ARRAY ? textureKey(this.#unit) : array;
  }

  #enable(array: number, on: boolean, { vertexArray }: Bindings): void {
    if (array === e.GL_PRIMITIVE_RESTART_NV) {
      this.#restart(GL.PRIMITIVE_RESTART, on);
      return;
    }
    const { enabled } = this.#arraysOf(vertexArray);
    if (on) enabled.add(this.#key(array));
    else enabled.delete(this.#key(array));
  }

  #restart(cap: number, on: boolean): void {
    const bit = cap === GL.PRIMITIVE_RESTART ? 1 : cap === GL.PRIMITIVE_RESTART_FIXED_INDEX ? 2 : 0;
    if (bit !== 0) this.#restarts = on ? this.#restarts | bit : this.#restarts & ~bit;
  }

  /** The index that restarts primitives. */
  #restartFor(type: number): number | null {
    if (this.#restarts & 2) return 2 ** ((indexBytes(type) ?? 4) * 8) - 1;
    return this.#restarts & 1 ? (this.#restartIndex ?? 0) : null;
  }

  #save({ vertexArray }: Bindings): void {
    const { arrays, enabled } = this.#arraysOf(vertexArray);
    const kept = { arrays: new Map(arrays), enabled: new Set(enabled) };
    const [client, unit, restarts, index] = [new Map(this.#client), this.#unit, this.#restarts, this.#restartIndex];
    if (this.#saved.length >= 64) return;
    this.#saved.push(() => {
      this.#legacy.set(vertexArray, kept);
      this.#client.clear();
      for (const [attribute, array] of client) this.#client.set(attribute, array);
      this.#unit = unit;
      this.#restarts = restarts;
      this.#restartIndex = index;
    });
  }

  #refuseMismatch(call: Call, bindings: Bindings): void {
    const data = call.args[call.args.length - 1] as DataArgument;
    const isClient = data?.kind === 'inline' || data?.kind === 'resource';
    const { name } = call.signature;
    if (isClient && bindings.buffer(GL.ARRAY_BUFFER) !== 0)
      throw new GpuprofError('bad-capture', `${name} has data although an array buffer is bound`);
    if (data?.kind === 'offset' && data.offset !== 0 && bindings.buffer(GL.ARRAY_BUFFER) === 0)
      throw new GpuprofError('bad-capture', `${name} has an offset, but no array buffer is bound`);
  }

  #pointer(call: Call, bindings: Bindings, owner: object): void {
    this.#refuseMismatch(call, bindings);
    const array = clientArray(call, 4, owner);
    if (array) this.#client.set(Number(call.args[0]), array);
    else this.#client.delete(Number(call.args[0]));
  }

  #legacyPointer(name: string, call: Call, bindings: Bindings, owner: object): void {
    this.#refuseMismatch(call, bindings);
    const [array, components] = legacyPointers[name];
    this.#setLegacy(array, this.#arrayOf(call, components, bindings, owner), bindings);
  }

  #arrayOf(call: Call, components: number, bindings: Bindings, owner: object): LegacyArray | undefined {
    const buffer = bindings.buffer(GL.ARRAY_BUFFER);
    return clientArray(call, components, owner) ?? (buffer === 0 ? undefined : bufferArray(call, components, buffer));
  }

  #setLegacy(array: number, source: LegacyArray | undefined, bindings: Bindings): void {
    const { arrays } = this.#arraysOf(bindings.vertexArray);
    if (source) arrays.set(this.#key(array), source);
    else arrays.delete(this.#key(array));
  }

  /** The array with the bytes that it has; undefined when those are not enough for one vertex. */
  #sized(source: LegacyArray | undefined): Omit<ClientArray, 'owner'> | undefined {
    if (!source || 'owner' in source) return source;
    const lengthBytes = this.#bufferBytes(source.buffer) - source.offsetBytes;
    return lengthBytes < source.elementBytes ? undefined : { ...source, lengthBytes };
  }

  #interleaved(call: Call, bindings: Bindings, owner: object): void {
    this.#refuseMismatch(call, bindings);
    const format = interleaved[Number(call.args[0]) - e.GL_V2F];
    if (!format) throw new GpuprofError('bad-capture', `${call.signature.name} has a format that GL does not know`);
    const [elementBytes, others] = format;
    const whole = this.#arrayOf(call, 4, bindings, owner);
    const array = whole && { ...whole, elementBytes, strideBytes: Number(call.args[1]) || elementBytes };
    const used = [e.GL_VERTEX_ARRAY, ...others];
    for (const other of [e.GL_NORMAL_ARRAY, e.GL_COLOR_ARRAY, e.GL_INDEX_ARRAY, e.GL_TEXTURE_COORD_ARRAY])
      if (!used.includes(other)) this.#enable(other, false, bindings);
    for (const other of [e.GL_EDGE_FLAG_ARRAY, e.GL_FOG_COORD_ARRAY, e.GL_SECONDARY_COLOR_ARRAY])
      this.#enable(other, false, bindings);
    for (const each of used) {
      this.#enable(each, true, bindings);
      this.#setLegacy(each, array, bindings);
    }
  }

  /** Indices at an offset must lie inside the element buffer. */
  #indices(name: string, call: Call, bindings: Bindings, bytesOf: BytesOf): void {
    const a = call.args;
    const sizeBytes = this.#bufferBytes(bindings.buffer(GL.ELEMENT_ARRAY_BUFFER));
    const check = (count: number, type: number, offset: number) => {
      if (count > 0 && offset + count * (indexBytes(type) ?? 4) > sizeBytes)
        throw new GpuprofError(
          'bad-capture',
          `${call.signature.name} reads ${count} indices at ${offset}, beyond its element buffer of ${sizeBytes} bytes`,
        );
    };
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
    const { enabled } = bindings.vertexArrayBindings();
    const restart = this.#restartFor(Number(name.startsWith('DrawRange') ? call.args[4] : call.args[2]));
    const indices = bufferIndices(name, call);
    let greatest: number | undefined;
    let mostVertex = Number.POSITIVE_INFINITY;
    const within = (array: Omit<ClientArray, 'owner'>, what: string, divisor?: number) => {
      greatest ??= indices ? -1 : greatestVertex(name, call, bytesOf, restart);
      if (indices && divisor === undefined)
        mostVertex = Math.min(mostVertex, Math.floor((array.lengthBytes - array.elementBytes) / array.strideBytes));
      const reached = divisor === undefined ? greatest : greatestInstance(call, divisor);
      if (reached >= 0 && reached * array.strideBytes + array.elementBytes > array.lengthBytes)
        throw new GpuprofError('bad-capture', `${call.signature.name} reads beyond the ${what}`);
    };
    const empty: number[] = [];
    const inBuffers: [array: Omit<ClientArray, 'owner'>, what: string][] = [];
    for (const attribute of enabled) {
      const buffer = bindings.attributeBuffer(attribute);
      const array = buffer === 0 && bindings.vertexArray === 0 ? this.#client.get(attribute) : undefined;
      if (array) within(array, `client array of vertex attribute ${attribute}`, this.#divisors.get(attribute));
      else if (buffer === 0 || this.#bufferBytes(buffer) === 0) empty.push(attribute);
    }
    for (const key of this.#legacy.get(bindings.vertexArray)?.enabled ?? []) {
      const source = this.#legacy.get(bindings.vertexArray)?.arrays.get(key);
      // NVIDIA's driver takes a buffer without storage for memory at address 0.
      const array = this.#sized(source);
      const what =
        key >= textureKey(0) ? `texture coordinates ${key - textureKey(0)}` : (legacyNames.get(key) ?? `array ${key}`);
      // Inside glBegin and glEnd no array can be switched off.
      if (array === undefined && name === 'ArrayElement')
        throw new GpuprofError('bad-capture', `${call.signature.name} reads the ${what}, which have no data`);
      if (array === undefined) empty.push(key);
      else if (source && 'owner' in source) within(array, `client array of the ${what}`);
      else inBuffers.push([array, `buffer of the ${what}`]);
    }
    // Beside client arrays NVIDIA's driver reads buffers itself, and on beyond their end.
    if (greatest !== undefined) for (const [array, what] of inBuffers) within(array, what);
    this.#empty = empty;
    if (indices && mostVertex < Number.POSITIVE_INFINITY) this.#inBuffer = { ...indices, restart, mostVertex };
    if (greatest !== undefined) return;
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
