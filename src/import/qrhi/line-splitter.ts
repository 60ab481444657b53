const lineFeed = 10;

/** Longest line that is read; a longer one is passed over, so that what is held stays bounded. */
const longestLine = 2 ** 20;

/**
 * Told of each line without its line feed, as Latin-1 (a character a byte), and whether a line feed ended it; null
 * stands for one that is too long.
 */
export type LineTaker = (line: string | null, isEnded: boolean) => void;

/** Cuts a stream of bytes at line feeds. Holds the unfinished line only. */
export class LineSplitter {
  readonly #take: LineTaker;
  #parts: Buffer[] = [];
  #held = 0;
  #offset = 0;

  constructor(take: LineTaker) {
    this.#take = take;
  }

  /** The byte at which the unfinished line begins. */
  get offset(): number {
    return this.#offset;
  }

  /** The bytes are copied where they must outlast the call. */
  push(chunk: Buffer): void {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      if (this.#held === 0 && end - at <= longestLine) {
        this.#offset += end - at + 1;
        this.#take(chunk.toString('latin1', at, end), true);
      } else {
        this.#hold(chunk.subarray(at, end));
        this.#flush(true);
      }
      at = end + 1;
    }
    if (at < chunk.length) this.#hold(Buffer.from(chunk.subarray(at)));
  }

  /** Hands over the unfinished line, if there is one. */
  end(): void {
    if (this.#held > 0) this.#flush(false);
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held <= longestLine) this.#parts.push(part);
    else this.#parts = [];
  }

  #flush(isEnded: boolean): void {
    const line = this.#held > longestLine ? null : Buffer.concat(this.#parts).toString('latin1');
    this.#offset += this.#held + (isEnded ? 1 : 0);
    this.#parts = [];
    this.#held = 0;
    this.#take(line, isEnded);
  }
}
