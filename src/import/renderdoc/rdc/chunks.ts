import { GpuprofError } from '../../../errors.ts';
import { frameCapture, type RdcFile } from './container.ts';
import { glChunkNames } from './gl-chunk-names.ts';
import { sectionBytes } from './section-bytes.ts';

/** One chunk of the frame section. */
export interface RdcChunk {
  readonly name: string;
  /** Bytes of its values. */
  readonly sizeBytes: number;
  /** Where its values begin in the unpacked section. */
  readonly offset: number;
  /** The first bytes of its values, as many as a name takes. */
  readonly start: Uint8Array;
}

const alignment = 64;
const keptBytes = 4096;
const mostFrames = 4096;
const firstDriverChunk = 1000;
const callstack = 0x10000;
const threadId = 0x20000;
const duration = 0x40000;
const timestamp = 0x80000;
const longSize = 0x100000;

const systemChunks = [
  '',
  'Internal::Driver Initialisation Parameters',
  'Internal::List of Initial Contents Resources',
  'Internal::Initial Contents',
  'Internal::Beginning of Capture',
  'Internal::Frame Metadata',
  'Internal::End of Capture',
];

function chunkName(id: number, isGl: boolean): string {
  const name = id < firstDriverChunk ? systemChunks[id] : isGl ? glChunkNames[id - firstDriverChunk] : undefined;
  return name || `chunk ${id}`;
}

/** Bytes in order out of pages, of which one is held. */
class PageReader {
  at = 0;
  readonly #pages: AsyncIterator<Uint8Array>;
  #page: Uint8Array = new Uint8Array();
  #used = 0;

  constructor(pages: AsyncIterator<Uint8Array>) {
    this.#pages = pages;
  }

  /** Whether there is more. */
  async more(): Promise<boolean> {
    while (this.#used === this.#page.length) {
      const next = await this.#pages.next();
      if (next.done) return false;
      this.#page = next.value;
      this.#used = 0;
    }
    return true;
  }

  /** Takes bytes, of which `into` gets as many as it has room for; false when there are too few. */
  async take(length: number, into: Uint8Array = new Uint8Array()): Promise<boolean> {
    for (let left = length; left > 0; ) {
      if (!(await this.more())) return false;
      const count = Math.min(left, this.#page.length - this.#used);
      const room = into.length - (length - left);
      if (room > 0) into.set(this.#page.subarray(this.#used, this.#used + Math.min(count, room)), length - left);
      this.#used += count;
      this.at += count;
      left -= count;
    }
    return true;
  }
}

/**
 * The chunks of a capture's frame section in order. Their values are written without types, so that only a schema for each
 * could tell them. Throws GpuprofError `bad-input` with the offset in the unpacked section.
 */
export async function* rdcChunks(rdc: RdcFile): AsyncGenerator<RdcChunk> {
  const section = rdc.sections.find(({ type }) => type === frameCapture);
  if (!section) throw new GpuprofError('bad-input', `${rdc.path} has no frame in it`);
  const isGl = rdc.driver.startsWith('OpenGL');
  const pages = new PageReader(sectionBytes(rdc, section)[Symbol.asyncIterator]());
  const fault = (problem: string): never => {
    throw new GpuprofError('bad-input', `${rdc.path}: offset ${pages.at} of the unpacked frame: ${problem}`);
  };
  const take = async (length: number): Promise<DataView> => {
    const bytes = new Uint8Array(length);
    if (!(await pages.take(length, bytes))) fault('it ends within a chunk');
    return new DataView(bytes.buffer);
  };
  while (await pages.more()) {
    const head = (await take(4)).getUint32(0, true);
    if ((head & 0xffff) === 0) fault('a chunk without a number');
    if (head & callstack) {
      const frames = (await take(4)).getUint32(0, true);
      if (frames > mostFrames) fault(`a call stack of ${frames} frames`);
      await take(frames * 8);
    }
    for (const flag of [threadId, duration, timestamp]) if (head & flag) await take(8);
    const sizeBytes =
      head & longSize ? Number((await take(8)).getBigUint64(0, true)) : (await take(4)).getUint32(0, true);
    const offset = pages.at;
    if (offset + sizeBytes > section.uncompressedBytes) fault(`a chunk of ${sizeBytes} bytes`);
    const start = new Uint8Array(Math.min(sizeBytes, keptBytes));
    if (!(await pages.take(sizeBytes, start))) fault('it ends within a chunk');
    yield { name: chunkName(head & 0xffff, isGl), sizeBytes, offset, start };
    const padding = (alignment - (pages.at % alignment)) % alignment;
    if (pages.at + padding < section.uncompressedBytes) await pages.take(padding);
    else if (padding > 0) await pages.take(section.uncompressedBytes - pages.at);
  }
}

/** The text of a chunk that opens a debug group: source, id, length, then a counted string; null for other chunks. */
export function groupName({ name, start }: RdcChunk): string | null {
  if (!/^gl(PushDebugGroup|PushGroupMarker)/.test(name)) return null;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  if (start.length < 16) return '';
  const length = Math.min(view.getUint32(12, true), start.length - 16);
  return new TextDecoder().decode(start.subarray(16, 16 + length));
}

export const closesGroup = ({ name }: RdcChunk): boolean => /^gl(PopDebugGroup|PopGroupMarker)/.test(name);
