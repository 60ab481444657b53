/** How far the elements of a Snappy block reach. */
export interface SnappyExtent {
  /** What the block says it unpacks to; -1 when it does not. */
  readonly declaredBytes: number;
  /** Where the first element begins. */
  readonly firstElement: number;
  /** Elements before this byte are whole. */
  readonly wholeBytes: number;
  /** What those unpack to. */
  readonly unpackedBytes: number;
  /** Where the bytes of a literal begin that the block's end cuts; `wholeBytes` when there is none. */
  readonly literalStart: number;
}

/** Length of a copy element by its kind, the two lowest bits of its tag. */
const copyBytes = [0, 2, 3, 5];

/**
 * Walks over a block without unpacking it (google/snappy, format_description.txt): the library neither says how far it
 * came in a block that is cut off, nor survives a literal of 2^31 bytes, nor minds a block that unpacks to less.
 */
export function measureSnappy(block: Uint8Array): SnappyExtent {
  const [declaredBytes, firstElement] = declaredLength(block);
  const end = block.length;
  let at = firstElement;
  let unpackedBytes = 0;
  let literalStart = -1;
  while (at < end) {
    const tag = block[at];
    const kind = tag & 3;
    if (kind !== 0) {
      if (at + copyBytes[kind] > end) break;
      at += copyBytes[kind];
      unpackedBytes += kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
      continue;
    }
    const code = tag >>> 2;
    const start = code < 60 ? at + 1 : at + code - 58;
    if (start > end) break;
    const length = code < 60 ? code + 1 : longLength(block, at + 1, start);
    if (start + length > end) {
      literalStart = start;
      break;
    }
    at = start + length;
    unpackedBytes += length;
  }
  return {
    declaredBytes,
    firstElement,
    wholeBytes: at,
    unpackedBytes,
    literalStart: literalStart < 0 ? at : literalStart,
  };
}

/** A literal's length that stands in bytes of its own. */
function longLength(block: Uint8Array, from: number, to: number): number {
  let length = 1;
  for (let at = from; at < to; at++) length += block[at] * 2 ** (8 * (at - from));
  return length;
}

function declaredLength(block: Uint8Array): [length: number, end: number] {
  let length = 0;
  for (let at = 0; at < Math.min(5, block.length); at++) {
    length += (block[at] & 0x7f) * 2 ** (7 * at);
    if (block[at] < 0x80) return [length, at + 1];
  }
  return [-1, block.length];
}
