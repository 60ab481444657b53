import { type FileHandle, open } from 'node:fs/promises';
import { readFailure } from '../../../capture/read-failure.ts';
import { GpuprofError } from '../../../errors.ts';

/** One section of an `.rdc`. */
export interface RdcSection {
  /** `renderdoc/internal/framecapture`. */
  readonly name: string;
  readonly type: number;
  readonly version: number;
  /** 2: LZ4; 4: Zstandard. */
  readonly flags: number;
  /** Where its bytes begin in the file. */
  readonly offset: number;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
}

/** What an `.rdc` says of itself, open for its sections to be read. */
export interface RdcFile {
  readonly path: string;
  readonly file: FileHandle;
  /** Of the container: 0x102, say. */
  readonly version: number;
  /** The RenderDoc that wrote it: `1.24 NO_GIT`. */
  readonly program: string;
  /** `OpenGL`. */
  readonly driver: string;
  /** A hash of what the machine is. */
  readonly machine: bigint;
  /** In pixels; null when it has none. */
  readonly thumbnail: { readonly width: number; readonly height: number } | null;
  readonly sections: readonly RdcSection[];
  close(): Promise<void>;
}

export const frameCapture = 1;
const versions: ReadonlySet<number> = new Set([0x100, 0x101, 0x102]);
const mostThumbnailBytes = 10 * 2 ** 20;
const mostNameBytes = 2048;
const mostSections = 1024;
/** Longest line of a section written as text. */
const mostLineBytes = 4096;

/** Reads a file from its beginning, never past its end. */
class Reader {
  at = 0;
  readonly size: number;
  readonly path: string;
  readonly #file: FileHandle;

  constructor(path: string, file: FileHandle, size: number) {
    this.path = path;
    this.#file = file;
    this.size = size;
  }

  fault(problem: string): never {
    throw new GpuprofError('bad-input', `${this.path}: offset ${this.at}: ${problem}`);
  }

  async take(length: number, what: string): Promise<DataView> {
    if (this.at + length > this.size) this.fault(`the file ends within ${what}`);
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, this.at);
    if (bytesRead !== length) this.fault(`the file ends within ${what}`);
    this.at += length;
    return new DataView(bytes.buffer);
  }

  async text(length: number, what: string): Promise<string> {
    const bytes = new Uint8Array((await this.take(length, what)).buffer);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  async line(what: string): Promise<string> {
    for (let text = ''; text.length <= mostLineBytes; ) {
      const byte = (await this.take(1, what)).getUint8(0);
      if (byte === 0x0a) return text;
      text += String.fromCharCode(byte);
    }
    return this.fault(`${what} is too long`);
  }

  skip(length: number, what: string): void {
    if (!(length >= 0 && this.at + length <= this.size)) this.fault(`the file ends within ${what}`);
    this.at += length;
  }
}

const long = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

async function binarySection(reader: Reader): Promise<RdcSection> {
  const head = await reader.take(39, 'a section header');
  const [type, flags, nameLength] = [head.getUint32(3, true), head.getUint32(31, true), head.getUint32(35, true)];
  const [compressedBytes, uncompressedBytes, version] = [long(head, 7), long(head, 15), long(head, 23)];
  if (nameLength < 1 || nameLength > mostNameBytes) reader.fault(`a section's name of ${nameLength} bytes`);
  const name = await reader.text(nameLength, "a section's name");
  const section = { name, type, version, flags, offset: reader.at, compressedBytes, uncompressedBytes };
  reader.skip(compressedBytes, `section ${JSON.stringify(name)} of ${compressedBytes} bytes`);
  return section;
}

/** Sections that people appended by hand. */
async function textSection(reader: Reader): Promise<RdcSection> {
  const number = async (): Promise<number> => {
    const line = await reader.line('a section header');
    return /^\d{1,15}$/.test(line) ? Number(line) : reader.fault(`${JSON.stringify(line.slice(0, 30))} is no number`);
  };
  if ((await reader.line('a section header')) !== '') reader.fault('a text section without its line break');
  const [bytes, type, version] = [await number(), await number(), await number()];
  const name = await reader.line("a section's name");
  const section = {
    name,
    type,
    version,
    flags: 0,
    offset: reader.at,
    compressedBytes: bytes,
    uncompressedBytes: bytes,
  };
  reader.skip(bytes, `section ${JSON.stringify(name)}`);
  return section;
}

async function readSections(reader: Reader): Promise<RdcSection[]> {
  const sections: RdcSection[] = [];
  while (reader.at < reader.size) {
    if (sections.length >= mostSections) reader.fault(`more than ${mostSections} sections`);
    const kind = (await reader.take(1, 'a section header')).getUint8(0);
    if (kind === 0) sections.push(await binarySection(reader));
    else if (kind === 0x41) sections.push(await textSection(reader));
    else reader.fault(`a section of kind ${kind}`);
  }
  return sections;
}

async function readHeader(reader: Reader): Promise<Omit<RdcFile, 'path' | 'file' | 'sections' | 'close'>> {
  const head = await reader.take(16, 'the header');
  if (head.getUint32(0, true) !== 0x434f4452) {
    reader.at = 0;
    reader.fault('is no RenderDoc capture');
  }
  const [version, headerLength] = [head.getUint32(8, true), head.getUint32(12, true)];
  if (!versions.has(version))
    throw new GpuprofError(
      'unsupported-version',
      `${reader.path}: the RenderDoc container has version 0x${version.toString(16)}`,
      {
        hint: 'versions 0x100 to 0x102 can be read',
      },
    );
  const program = await reader.text(16, 'the header');
  const picture = await reader.take(8, 'the thumbnail');
  const [width, height, length] = [picture.getUint16(0, true), picture.getUint16(2, true), picture.getUint32(4, true)];
  if (length > mostThumbnailBytes) reader.fault(`a thumbnail of ${length} bytes`);
  reader.skip(length, 'the thumbnail');
  const about = await reader.take(13, 'the header');
  const driver = await reader.text(about.getUint8(12), "the driver's name");
  if (headerLength < reader.at || headerLength > reader.size) reader.fault(`a header of ${headerLength} bytes`);
  reader.at = headerLength;
  const thumbnail = width > 0 && height > 0 ? { width, height } : null;
  return { version, program, driver, machine: about.getBigUint64(0, true), thumbnail };
}

/** Opens an `.rdc`. Throws GpuprofError `bad-input` with the offset, `unsupported-version` for containers before 1.0. */
export async function openRdc(path: string): Promise<RdcFile> {
  const file = await open(path, 'r').catch((error) => {
    throw readFailure(path, error);
  });
  try {
    const status = await file.stat();
    if (!status.isFile()) throw readFailure(path, new Error('it is not a regular file'));
    const reader = new Reader(path, file, status.size);
    const header = await readHeader(reader);
    return { ...header, path, file, sections: await readSections(reader), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
