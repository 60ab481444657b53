import type { CounterDataType } from '../model/counter.ts';

/** How a type of a vendor extension stands in a result. */
export interface ValueType {
  readonly dataType: CounterDataType;
  readonly sizeBytes: 4 | 8;
}

/** A value as it stands at an offset of a result, as a column takes it; booleans have four bytes and read 0 or 1. */
export function readValue(view: DataView, at: number, { dataType }: ValueType): number | bigint {
  if (dataType === 'u64') return view.getBigUint64(at, true);
  if (dataType === 'f64') return view.getFloat64(at, true);
  if (dataType === 'f32') return view.getFloat32(at, true);
  const value = view.getUint32(at, true);
  return dataType === 'bool' ? Number(value !== 0) : value;
}
