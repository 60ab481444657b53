import { Decompress } from 'fzstd';
import type { WatchedWork } from '../../watched-work.ts';

/** The library keeps a window in memory, as long as a frame asks for. */
const mostWindowBytes = 2 ** 23;

/** The window that a frame's header asks for (RFC 8878, section 3.1.1.1), or its content's size where it has no window. */
function windowBytes(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 8 || view.getUint32(0, true) !== 0xfd2fb528) throw new Error('a page is no Zstandard frame');
  const descriptor = view.getUint8(4);
  if ((descriptor & 0x20) === 0) {
    const log = 10 + (view.getUint8(5) >> 3);
    return 2 ** log + (2 ** log / 8) * (view.getUint8(5) & 7);
  }
  const at = 5 + [0, 1, 2, 4][descriptor & 3];
  const size = [
    () => view.getUint8(at),
    () => view.getUint16(at, true) + 256,
    () => view.getUint32(at, true),
    () => Number(view.getBigUint64(at, true)),
  ];
  return size[descriptor >> 6]();
}

/** Unpacks one frame of at most so many bytes. Throws what is wrong with it. */
export function unpackZstd(frame: Uint8Array, mostBytes: number, watched: WatchedWork): Uint8Array {
  if (windowBytes(frame) > mostWindowBytes) throw new Error('a page asks for too large a window');
  const parts: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((part) => {
    length += part.length;
    if (length > mostBytes) throw new Error('a page is too long');
    parts.push(part.slice());
  });
  watched.run(() => stream.push(frame, true));
  watched.earn(length);
  return new Uint8Array(Buffer.concat(parts));
}
