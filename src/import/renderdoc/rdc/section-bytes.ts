import type { FileHandle } from 'node:fs/promises';
import { GpuprofError } from '../../../errors.ts';
import { WatchedWork } from '../../watched-work.ts';
import type { RdcFile, RdcSection } from './container.ts';
import { unpackLz4 } from './lz4.ts';
import { unpackZstd } from './zstd-page.ts';

const lz4Page = 2 ** 20;
/** LZ4 may make bytes that do not pack longer by this much. */
const lz4Bound = lz4Page + Math.ceil(lz4Page / 255) + 16;
const zstdPage = 2 ** 17;
const zstdBound = zstdPage + (zstdPage >> 7) + 512;
/** As long as damaged pages may take. */
const mostZstdMs = 5000;
const plainPage = 2 ** 18;

const LZ4 = 0x2;
const ZSTD = 0x4;

type Unpack = (block: Uint8Array) => Uint8Array;

/** LZ4 pages refer to the page before, which is kept in front of the one being unpacked. */
function lz4Unpacker(): Unpack {
  const window = new Uint8Array(2 * lz4Page);
  let history = 0;
  let length = 0;
  return (block) => {
    window.copyWithin(0, history, history + length);
    history = length;
    const end = unpackLz4(block, window.subarray(0, history + lz4Page), history);
    length = end - history;
    return window.slice(history, end);
  };
}

function zstdUnpacker(): Unpack {
  const watched = new WatchedWork(mostZstdMs);
  return (block) => unpackZstd(block, zstdPage, watched);
}

/**
 * The unpacked bytes of a section, page by page, as many as it declares. Throws GpuprofError `bad-input` with the offset in
 * the file.
 */
export async function* sectionBytes(rdc: RdcFile, section: RdcSection): AsyncGenerator<Uint8Array> {
  const { file, path } = rdc;
  const { offset, compressedBytes, uncompressedBytes, flags } = section;
  const end = offset + compressedBytes;
  let left = uncompressedBytes;
  const fault = (at: number, problem: string): never => {
    throw new GpuprofError('bad-input', `${path}: offset ${at}: section ${JSON.stringify(section.name)} ${problem}`);
  };
  const packed = flags & (LZ4 | ZSTD);
  const unpack = packed === 0 ? null : flags & LZ4 ? lz4Unpacker() : zstdUnpacker();
  const bound = flags & LZ4 ? lz4Bound : zstdBound;
  for (let at = offset; left > 0; ) {
    if (unpack === null) {
      if (at >= end) fault(at, 'is shorter than it says');
      const page = await read(file, at, Math.min(plainPage, end - at, left));
      at += page.length;
      left -= page.length;
      yield page;
      continue;
    }
    if (at + 4 > end) fault(at, `ends ${left} bytes early`);
    const size = new DataView((await read(file, at, 4)).buffer).getUint32(0, true);
    if (size === 0 || size > bound || at + 4 + size > end) fault(at, `has a block of ${size} bytes`);
    const block = await read(file, at + 4, size);
    let page: Uint8Array;
    try {
      page = unpack(block);
    } catch (error) {
      return fault(at, `is damaged: ${(error as Error).message}`);
    }
    if (page.length === 0) fault(at, 'has an empty block');
    at += 4 + size;
    const used = page.length > left ? page.subarray(0, left) : page;
    left -= used.length;
    yield used;
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytesRead === length ? bytes : bytes.slice(0, bytesRead);
}
