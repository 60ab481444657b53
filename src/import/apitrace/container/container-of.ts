import type { TraceContainer } from '../trace.ts';

/** What packs a trace, by the first bytes of the file; Brotli has none of its own. */
export function containerOf(start: Uint8Array): TraceContainer {
  const [first, second, third, fourth] = start;
  if (first === 0x61 && second === 0x74) return 'snappy';
  if (first === 0x1f && second === 0x8b) return 'gzip';
  // A file may begin with a frame that is to be skipped (0x184d2a50 to 0x184d2a5f).
  if (second === 0xb5 && third === 0x2f && fourth === 0xfd && first === 0x28) return 'zstd';
  if (second === 0x2a && third === 0x4d && fourth === 0x18 && (first & 0xf0) === 0x50) return 'zstd';
  return 'brotli';
}
