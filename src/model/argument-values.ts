import type { Argument, DataArgument } from './call.ts';

/** 32-bit words stored inline with a call; none for anything else. */
export function inlineWords(value: Argument): readonly number[] {
  const data = value as DataArgument;
  if (data?.kind !== 'inline') return [];
  const view = new DataView(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength & ~3);
  return Array.from({ length: view.byteLength / 4 }, (_, index) => view.getUint32(index * 4, true));
}
