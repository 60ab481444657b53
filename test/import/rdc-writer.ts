/** Writes `.rdc` containers, as RenderDoc's rdcfile.cpp reads them. */

/** A container whose frame section is these bytes, packed or not. */
export function container(frame: Uint8Array, flags = 0, uncompressed = frame.length): Buffer {
  const driver = Buffer.from('OpenGL\0');
  const head = Buffer.alloc(32 + 8 + 13 + driver.length + 16);
  head.write('RDOC');
  head.writeUInt32LE(0x102, 8);
  head.writeUInt32LE(head.length, 12);
  head.write('1.0', 16);
  head.writeUInt8(driver.length, 52);
  driver.copy(head, 53);
  const section = Buffer.alloc(40);
  section.writeUInt32LE(1, 4);
  section.writeBigUInt64LE(BigInt(frame.length), 8);
  section.writeBigUInt64LE(BigInt(uncompressed), 16);
  section.writeUInt32LE(flags, 32);
  section.writeUInt32LE(1, 36);
  return Buffer.concat([head, section, Buffer.alloc(1), frame]);
}

/** One chunk of values, aligned. */
export function chunk(id: number, values: Uint8Array): Buffer {
  const bytes = Buffer.alloc(Math.ceil((8 + values.length) / 64) * 64);
  bytes.writeUInt32LE(id, 0);
  bytes.writeUInt32LE(values.length, 4);
  bytes.set(values, 8);
  return bytes;
}

/** A Zstandard frame of one raw block (RFC 8878). */
export function rawZstd(bytes: Uint8Array): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32LE(bytes.length, 5);
  head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  return Buffer.concat([head, bytes]);
}

/** A block as sections have them: behind its length. */
export const sized = (block: Uint8Array): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(block.length);
  return Buffer.concat([size, block]);
};
