/** Values of a trace as arguments of a capture. */
import type { ElementType } from '../../../model/signature.ts';
import { TracePointer, type TraceValue } from '../trace.ts';
import { LeftOut } from './session.ts';

/** A scalar; a pointer where a number is expected is its address, null is 0. */
export function numberOf(value: TraceValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  if (value === null) return 0;
  if (value instanceof TracePointer) return Number(value.address);
  if (Array.isArray(value) && value.length === 1) return numberOf(value[0]);
  throw new LeftOut('the trace has no number where one belongs');
}

/** A whole number of 64 bits. */
export function wideOf(value: TraceValue): number | bigint {
  if (typeof value === 'bigint') return value;
  const wide = value instanceof TracePointer ? value.address : numberOf(value);
  return typeof wide === 'bigint' || Number.isInteger(wide) ? wide : 0;
}

export const isList = (value: TraceValue): value is readonly TraceValue[] => Array.isArray(value);

/** The numbers of an array; none of a null pointer. */
export function numbersOf(value: TraceValue): number[] {
  if (value === null) return [];
  return isList(value) ? value.map(numberOf) : [numberOf(value)];
}

export function textOf(value: TraceValue): string | null {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (isList(value) && value.length === 1) return textOf(value[0]);
  throw new LeftOut('the trace has no text where some belongs');
}

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

const isWide = (element: ElementType): element is 'i64' | 'u64' | 'pointer' =>
  element === 'i64' || element === 'u64' || element === 'pointer';

/** The bytes that an array stands for, as the machine has them. */
export function bytesOf(value: readonly TraceValue[], element: ElementType): Uint8Array {
  if (isWide(element)) {
    const wide = BigUint64Array.from(value, (item) => BigInt.asUintN(64, BigInt(wideOf(item))));
    return new Uint8Array(wide.buffer);
  }
  const list = new arrays[element](value.length);
  for (let index = 0; index < value.length; index++) {
    const item = value[index];
    list[index] = typeof item === 'number' ? item : numberOf(item);
  }
  return new Uint8Array(list.buffer);
}
