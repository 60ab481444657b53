import { GpuprofError } from '../../errors.ts';
import type { QrhiLine } from '../../model/qrhi/line.ts';
import { LineSplitter } from './line-splitter.ts';
import { readLine } from './read-line.ts';

/** So much in a row without an entry is no stream's, and may have no end. */
const mostJunkBytes = 16 * 2 ** 20;

const byteOrderMark = '\u00ef\u00bb\u00bf';

/** Turns the bytes of a QRhiProfiler stream into its lines as they come, holding no more than the unfinished line. */
export class QrhiStreamReader {
  readonly #lines: LineSplitter;
  #line = 0;
  #bytes = 0;
  /** Where there has been no entry since. */
  #junkFrom = 0;
  #isOver = true;

  constructor(take: (line: QrhiLine) => void) {
    this.#lines = new LineSplitter((bytes, isEnded) => {
      this.#line++;
      const marked = this.#line === 1 && bytes?.startsWith(byteOrderMark);
      const line = readLine(this.#line, marked ? bytes!.slice(byteOrderMark.length) : bytes, isEnded);
      if (line.record) this.#junkFrom = this.#lines.offset;
      if (line.record || this.#isOver) take(line);
    });
  }

  /** Bytes taken so far. */
  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Throws GpuprofError `bad-input` when nothing has been an entry for too long: no more of it is to be read. */
  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#lines.push(chunk);
    if (this.#bytes - this.#junkFrom > mostJunkBytes)
      throw new GpuprofError('bad-input', `from byte ${this.#junkFrom} on there is no entry in 16 MiB`);
  }

  /**
   * Nothing more is read: a last line that no line feed ends is read as well. Where the stream is not over and only
   * the reading ends, an unfinished one is no fault, and passed over.
   */
  end(isOver = true): void {
    this.#isOver = isOver;
    this.#lines.end();
  }
}
