import { Scratch } from '../gl/native.ts';

const guardByte = 0xa5;
const guardBytes = 4096;
const guard = new Uint8Array(guardBytes).fill(guardByte);

/** Memory that a driver writes into, with a guard behind it that shows whether it wrote more than there was room for. */
export class GuardedBuffer {
  readonly sizeBytes: number;
  readonly address: number;
  /** The buffer without its guard. */
  readonly bytes: Uint8Array;
  /** For values at any offset; GL's values have the machine's byte order, little-endian wherever Node 20 runs GL. */
  readonly view: DataView;
  readonly #guard: Uint8Array;

  constructor(sizeBytes: number) {
    const memory = new Scratch(sizeBytes + guardBytes);
    this.sizeBytes = sizeBytes;
    this.address = memory.address;
    this.bytes = memory.u8.subarray(0, sizeBytes);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, sizeBytes);
    this.#guard = memory.u8.subarray(sizeBytes, sizeBytes + guardBytes);
    this.clear(0);
  }

  /** Fills the buffer, so that what a driver leaves untouched can be told, and renews the guard. */
  clear(fill: number): void {
    this.bytes.fill(fill);
    this.#guard.set(guard);
  }

  /** Whether the driver wrote behind the buffer since the last clear. */
  get overrun(): boolean {
    return Buffer.compare(this.#guard, guard) !== 0;
  }

  u32(offset: number): number {
    return this.view.getUint32(offset, true);
  }

  i32(offset: number): number {
    return this.view.getInt32(offset, true);
  }
}

const decoder = new TextDecoder();

/** Text that a driver wrote: up to its NUL, or all of it when there is none; control characters become spaces. */
export function driverText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const text = decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

/** Makes names unique: a repeated one gets ` (2)`, ` (3)` and so on. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let copy = 2; taken.has(unique); copy++) unique = `${name} (${copy})`;
    taken.add(unique);
    return unique;
  };
}
