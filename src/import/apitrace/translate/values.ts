/** Values of a trace as arguments of a capture. */
import type { ElementType } from '../../../model/signature.ts';
import { elementBytes } from '../../element-bytes.ts';
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

/** The bytes that an array stands for, as the machine has them. */
export function bytesOf(value: readonly TraceValue[], element: ElementType): Uint8Array {
  const isWide = element === 'i64' || element === 'u64' || element === 'pointer';
  const numbers: readonly (number | bigint)[] = value.map(isWide ? wideOf : numberOf);
  return elementBytes(numbers, element);
}
