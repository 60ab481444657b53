/** Says in which way a block is no LZ4. */
class Lz4Error extends Error {}

const minMatch = 4;

/**
 * Unpacks one LZ4 block (LZ4 block format description, 2022) behind what was unpacked before it: matches may reach back into
 * `out[0, start)`. Returns where the unpacked bytes end. Throws Lz4Error for malformed blocks and those longer than `out`.
 */
export function unpackLz4(block: Uint8Array, out: Uint8Array, start: number): number {
  let from = 0;
  let to = start;
  const next = (): number => {
    if (from >= block.length) throw new Lz4Error('it ends within a sequence');
    return block[from++];
  };
  /** A length of 15 goes on in further bytes, the last of which is less than 255. */
  const extended = (length: number): number => {
    if (length < 15) return length;
    let total = length;
    for (let more = 255; more === 255; total += more) more = next();
    return total;
  };
  while (from < block.length) {
    const token = next();
    const literals = extended(token >> 4);
    if (from + literals > block.length || to + literals > out.length) throw new Lz4Error('its literals are too long');
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === block.length) break; // The last sequence has literals only.
    const distance = next() | (next() << 8);
    const length = extended(token & 15) + minMatch;
    if (distance === 0 || distance > to) throw new Lz4Error(`it goes back ${distance} bytes where there are ${to}`);
    if (to + length > out.length) throw new Lz4Error('a match is too long');
    if (distance >= length) out.copyWithin(to, to - distance, to - distance + length);
    else for (let index = to; index < to + length; index++) out[index] = out[index - distance];
    to += length;
  }
  return to;
}
