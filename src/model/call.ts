import type { Signature } from './signature.ts';

/** Bytes a call reads: none, bytes stored with the call, a part of a resource, or an offset into a bound GL buffer. */
export type DataArgument =
  | null
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'resource'; readonly resource: number; readonly byteOffset: number; readonly byteLength: number }
  | { readonly kind: 'offset'; readonly offset: number };

/**
 * One argument, by its parameter's type: numbers for scalars, enums, object ids, location indices and `out` (the size in
 * bytes, null for a null pointer); bigint for `i64`, `u64` and `pointer` beyond 2^53; number lists for `objects`.
 */
export type Argument = number | bigint | string | null | readonly string[] | readonly number[] | DataArgument;

/** One GL call of a capture, decoded. */
export interface Call {
  readonly signature: Signature;
  readonly args: readonly Argument[];
  /** The capture-local id of the object the call returned; 0 when it returns none. */
  readonly result: number;
}
