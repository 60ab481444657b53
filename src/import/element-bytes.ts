import type { ElementType } from '../model/signature.ts';

const arrays = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  enum: Uint32Array,
} as const;

const whole = (value: number | bigint): bigint =>
  typeof value === 'bigint' ? value : BigInt(Number.isFinite(value) ? Math.trunc(value) : 0);

/** Numbers as the memory that a command reads; those of 64 bits wrap, as a cast does. */
export function elementBytes(values: readonly (number | bigint)[], element: ElementType): Uint8Array {
  if (element === 'i64' || element === 'u64' || element === 'pointer')
    return new Uint8Array(BigUint64Array.from(values, (value) => BigInt.asUintN(64, whole(value))).buffer);
  const list = new arrays[element](values.length);
  for (let index = 0; index < values.length; index++) list[index] = Number(values[index]);
  return new Uint8Array(list.buffer);
}
