import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { compress } from 'snappyjs';
import type { TraceContainer } from '../../src/import/apitrace/trace.ts';

export const containers: readonly TraceContainer[] = ['snappy', 'gzip', 'brotli', 'zstd'];

/** The best that it can do takes a hundred times as long. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Packs the contents of a trace, in pieces of at most `pieceBytes` where the container has such. */
export function pack(contents: Uint8Array, container: TraceContainer, pieceBytes = 2 ** 16): Buffer {
  if (container === 'gzip') return gzipSync(contents);
  if (container === 'brotli') return brotliCompressSync(contents, quick);
  const pieces: Buffer[] = [];
  for (let at = 0; at < contents.length; at += pieceBytes) {
    const piece = Buffer.from(contents.subarray(at, at + pieceBytes));
    pieces.push(container === 'snappy' ? snappyBlock(compress(piece)) : zstdFrame(piece));
  }
  return container === 'snappy'
    ? Buffer.concat([Buffer.from('at'), ...pieces])
    : Buffer.concat([...pieces, seekTable()]);
}

export function snappyBlock(packed: Uint8Array, lengthBytes = packed.length): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(lengthBytes);
  return Buffer.concat([length, packed]);
}

/** A frame of one block that is stored as it is (RFC 8878). */
function zstdFrame(bytes: Buffer): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  return Buffer.concat([head, zstdBlock(0, bytes.length, bytes)]);
}

/** Kinds: 0 stored, 1 one byte repeated, 2 compressed. */
export function zstdBlock(kind: number, size: number, body: Uint8Array, isLast = true): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE(size * 8 + kind * 2 + (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([head, body]);
}

/** What ends a seekable file: a frame that readers skip. */
function seekTable(): Buffer {
  const table = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0xb1, 0xea, 0x92, 0x8f]);
  return table;
}
