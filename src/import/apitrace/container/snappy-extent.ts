/** How much of a Snappy block is sound, and what that unpacks to. */
export interface SnappyExtent {
  /** What the block says it unpacks to; -1 when even that is cut off. */
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

const lengthMasks = [0, 0xff, 0xffff, 0xffffff, 0xffffffff];

/**
 * Walks over a block without unpacking it (google/snappy, format_description.txt), since the library neither says how
 * far it came in a block that is cut off, nor survives every wrong length.
 */
export function measureSnappy(block: Uint8Array): SnappyExtent {
  const [declaredBytes, firstElement] = declaredLength(block);
  let at = firstElement;
  let unpackedBytes = 0;
  let literalStart = -1;
  while (at < block.length) {
    const tag = block[at];
    const kind = tag & 3;
    if (kind === 0) {
      const code = tag >>> 2;
      const lengthBytes = code < 60 ? 0 : code - 59;
      const start = at + 1 + lengthBytes;
      if (start > block.length) break;
      const length = lengthBytes === 0 ? code + 1 : littleEndian(block, at + 1, lengthBytes) + 1;
      if (start + length > block.length) {
        literalStart = start;
        break;
      }
      at = start + length;
      unpackedBytes += length;
    } else {
      const offsetBytes = kind === 3 ? 4 : kind;
      if (at + 1 + offsetBytes > block.length) break;
      const low = littleEndian(block, at + 1, offsetBytes);
      const distance = kind === 1 ? low + ((tag >>> 5) << 8) : low;
      if (distance === 0 || distance > unpackedBytes) break;
      unpackedBytes += kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
      at += 1 + offsetBytes;
    }
  }
  return {
    declaredBytes,
    firstElement,
    wholeBytes: at,
    unpackedBytes,
    literalStart: literalStart < 0 ? at : literalStart,
  };
}

function declaredLength(block: Uint8Array): [length: number, end: number] {
  let length = 0;
  for (let at = 0; at < Math.min(5, block.length); at++) {
    length += (block[at] & 0x7f) * 2 ** (7 * at);
    if (block[at] < 0x80) return [length, at + 1];
  }
  return [-1, block.length];
}

function littleEndian(bytes: Uint8Array, at: number, count: number): number {
  const value = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  return (value & lengthMasks[count]) >>> 0;
}
