/** The arrays of vertices that a capture gives GL, followed call by call. */
import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import { getOrAdd } from '../../model/get-or-add.ts';
import { GL } from '../../model/gl-constants.ts';
import { firstObject, numberNamed } from '../../model/named-arguments.ts';
import { glEnums } from '../constants.ts';
import {
  type BufferArray,
  bufferArray,
  type ClientArray,
  clientArray,
  interleaved,
  legacyPointers,
} from './client-arrays.ts';
import { PrimitiveRestart } from './primitive-restart.ts';
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
);

const GL_CLIENT_VERTEX_ARRAY_BIT = 2;

export type Source = ClientArray | BufferArray;

/** What a vertex array has. */
interface Arrays {
  /** By attribute, as the last glVertexAttribPointer left them; those that other commands have moved are not known. */
  readonly attributes: Map<number, Source>;
  /** Divisors of the attributes that advance by instance. */
  readonly divisors: Map<number, number>;
  /** Those of the compatibility profile, by what glEnableClientState calls them. */
  readonly legacy: Map<number, Source>;
  readonly enabled: Set<number>;
}

/** Texture coordinates have an array for each unit, numbered above all of GL's enums. */
export const textureKey = (unit: number) => 0x10000 + unit;

/** What all vertex arrays have, and what is kept with them. */
export class ArrayState {
  readonly restart = new PrimitiveRestart();
  /** The unit whose texture coordinates glEnableClientState means, from 0. */
  unit = 0;
  readonly #arrays = new Map<number, Arrays>();
  readonly #saved: ((() => void) | null)[] = [];

  /** What owns the client arrays that draws may still read. */
  owners(): Set<object> {
    const owners = new Set<object>();
    for (const { attributes, legacy } of this.#arrays.values())
      for (const array of [...attributes.values(), ...legacy.values()]) if ('owner' in array) owners.add(array.owner);
    return owners;
  }

  /** To be told every call that has a part in it, before the bindings are; `owner` keeps its data alive. */
  follow(call: Call, bindings: Bindings, owner: object): void {
    const { name, role } = commandOf(call.signature);
    const a = call.args;
    switch (role) {
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
      case 'unit state':
        this.#enable(Number(a[0]), name.startsWith('Enable'), bindings, Number(a[1]));
        return;
      case 'client unit':
        this.unit = Number(a[0]) - GL.TEXTURE0;
        return;
      case 'restart':
        this.restart.enable(Number(a[0]), name === 'Enable', bindings);
        return;
      case 'restart index':
        this.restart.setIndex(Number(a[0]), bindings);
        return;
      case 'divisor':
        this.#divide(call, bindings);
        return;
      case 'moved':
        this.#move(call, bindings);
        return;
      case 'save':
        this.#save(Number(a[0]), bindings);
        return;
      case 'put back':
        this.#saved.pop()?.();
        return;
    }
  }

  /** Of a vertex array. */
  of(vertexArray: number): Arrays {
    return getOrAdd(this.#arrays, vertexArray, () => ({
      attributes: new Map(),
      divisors: new Map(),
      legacy: new Map(),
      enabled: new Set(),
    }));
  }

  /** Those of the vertex array that the command names, or that is bound. */
  #arraysFor(call: Call, { vertexArray }: Bindings): Arrays {
    return this.of(firstObject(call, 'vertexArray') ?? vertexArray);
  }

  #key(array: number, unit: number): number {
    return array === e.GL_TEXTURE_COORD_ARRAY ? textureKey(unit) : array;
  }

  #enable(array: number, on: boolean, bindings: Bindings, unit = this.unit): void {
    const { enabled } = this.of(bindings.vertexArray);
    this.restart.enable(array, on, bindings);
    if (on) enabled.add(this.#key(array, unit));
    else enabled.delete(this.#key(array, unit));
  }

  #divide(call: Call, bindings: Bindings): void {
    const { divisors } = this.#arraysFor(call, bindings);
    divisors.set(numberNamed(call, 'index', 'bindingindex') ?? 0, numberNamed(call, 'divisor') ?? 0);
  }

  #move(call: Call, bindings: Bindings): void {
    const { attributes } = this.#arraysFor(call, bindings);
    const first = numberNamed(call, 'attribindex', 'bindingindex', 'index', 'first') ?? 0;
    const count = numberNamed(call, 'count') ?? 1;
    for (const attribute of attributes.keys())
      if (attribute >= first && attribute < first + count) attributes.delete(attribute);
  }

  /** Of the vertex array that is bound, everything. */
  #save(mask: number, { vertexArray }: Bindings): void {
    if (this.#saved.length >= 64) return;
    if ((mask & GL_CLIENT_VERTEX_ARRAY_BIT) === 0) {
      this.#saved.push(null);
      return;
    }
    const { attributes, divisors, legacy, enabled } = this.of(vertexArray);
    const kept = {
      attributes: new Map(attributes),
      divisors: new Map(divisors),
      legacy: new Map(legacy),
      enabled: new Set(enabled),
    };
    const unit = this.unit;
    const restart = this.restart.saved();
    this.#saved.push(() => {
      this.#arrays.set(vertexArray, kept);
      this.unit = unit;
      restart();
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
    const { attributes } = this.of(bindings.vertexArray);
    const array = this.#arrayOf(call, 4, bindings, owner);
    if (array) attributes.set(Number(call.args[0]), array);
    else attributes.delete(Number(call.args[0]));
  }

  #legacyPointer(name: string, call: Call, bindings: Bindings, owner: object): void {
    this.#refuseMismatch(call, bindings);
    const [array, components] = legacyPointers[name];
    const unit = name.startsWith('Multi') ? Number(call.args[0]) - GL.TEXTURE0 : this.unit;
    this.#setLegacy(array, this.#arrayOf(call, components, bindings, owner), bindings, unit);
  }

  #arrayOf(call: Call, components: number, bindings: Bindings, owner: object): Source | undefined {
    const buffer = bindings.buffer(GL.ARRAY_BUFFER);
    return clientArray(call, components, owner) ?? (buffer === 0 ? undefined : bufferArray(call, components, buffer));
  }

  #setLegacy(array: number, source: Source | undefined, bindings: Bindings, unit = this.unit): void {
    const { legacy } = this.of(bindings.vertexArray);
    if (source) legacy.set(this.#key(array, unit), source);
    else legacy.delete(this.#key(array, unit));
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
}
