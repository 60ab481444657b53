import type { Call, DataArgument } from '../model/call.ts';
import type { ElementType, Param } from '../model/signature.ts';
import { enumName, enumNameInGroup } from './enums.ts';

/** Shortest decimal that is the same 32-bit float. */
export function float32Text(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short);
  }
  return String(value);
}

type Read = (view: DataView, at: number) => number | bigint;

const readers: Readonly<Record<ElementType, readonly [bytes: number, read: Read]>> = {
  i8: [1, (view, at) => view.getInt8(at)],
  u8: [1, (view, at) => view.getUint8(at)],
  i16: [2, (view, at) => view.getInt16(at, true)],
  u16: [2, (view, at) => view.getUint16(at, true)],
  i32: [4, (view, at) => view.getInt32(at, true)],
  u32: [4, (view, at) => view.getUint32(at, true)],
  enum: [4, (view, at) => view.getUint32(at, true)],
  f32: [4, (view, at) => view.getFloat32(at, true)],
  f64: [8, (view, at) => view.getFloat64(at, true)],
  i64: [8, (view, at) => view.getBigInt64(at, true)],
  u64: [8, (view, at) => view.getBigUint64(at, true)],
  pointer: [8, (view, at) => view.getBigUint64(at, true)],
};

/** The first `most` elements of inline data, and how many it has; bytes when it is not whole elements. */
export function inlineElements(
  data: Extract<DataArgument, { kind: 'inline' }>,
  element: ElementType = 'u8',
  most = Number.POSITIVE_INFINITY,
): { readonly values: readonly (number | bigint)[]; readonly count: number } {
  const { buffer, byteOffset, byteLength } = data.bytes;
  const [size, read] = byteLength % readers[element][0] === 0 ? readers[element] : readers.u8;
  const view = new DataView(buffer, byteOffset, byteLength);
  const count = byteLength / size;
  return { values: Array.from({ length: Math.min(count, most) }, (_, index) => read(view, index * size)), count };
}

const parameterGroups = /Texture|Sampler|TexEnv|TexGen|Fog|Light/;

/**
 * The enum's name, where a number given as an integer or float is one: parameters with a group that has the value
 * (`internalformat`), and values of texture and sampler parameters (`glTexParameteri`), whose plain numbers are small.
 */
export function hiddenEnumName(call: Call, param: Param, value: number | bigint): string | undefined {
  if (typeof value === 'bigint' || !Number.isInteger(value) || value < 0) return undefined;
  if (param.group !== undefined) {
    const name = enumNameInGroup(value, param.group);
    if (name) return name;
  }
  return parameterName(call, param, value);
}

function parameterName(call: Call, param: Param, value: number): string | undefined {
  if (param.name !== 'param' && param.name !== 'params') return undefined;
  const index = call.signature.params.findIndex(({ name }) => name === 'pname');
  const group = call.signature.params[index]?.group;
  if (group === undefined || !parameterGroups.test(group)) return undefined;
  const isFunction = enumName(Number(call.args[index]), group).endsWith('_FUNC');
  if (value < (isFunction ? 0x200 : 0x800)) return undefined;
  const name = enumName(value);
  return name.startsWith('GL_') ? name : undefined;
}
