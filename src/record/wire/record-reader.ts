import { defaultLimits } from '../../capture/limits.ts';
import { GpuprofError } from '../../errors.ts';
import { paddedBytes, recordHeaderBytes } from './records.ts';

/** Cuts a stream of bytes into records, whatever the pieces it comes in. */
export class RecordReader {
  readonly #header = new Uint8Array(recordHeaderBytes);
  #headerFilled = 0;
  #payload: Uint8Array | undefined;
  #payloadFilled = 0;
  #kind = 0;
  #byteLength = 0;

  /** The records that these bytes complete: kind and payload. Throws `bad-input` for one that is too large. */
  *read(bytes: Uint8Array): Generator<readonly [kind: number, payload: Uint8Array]> {
    for (let at = 0; at < bytes.length || this.#isWhole(); ) {
      if (!this.#payload) {
        const part = bytes.subarray(at, at + recordHeaderBytes - this.#headerFilled);
        this.#header.set(part, this.#headerFilled);
        this.#headerFilled += part.length;
        at += part.length;
        if (this.#headerFilled === recordHeaderBytes) this.#begin();
        continue;
      }
      const part = bytes.subarray(at, at + this.#payload.length - this.#payloadFilled);
      this.#payload.set(part, this.#payloadFilled);
      this.#payloadFilled += part.length;
      at += part.length;
      if (!this.#isWhole()) continue;
      const record = [this.#kind, this.#payload.subarray(0, this.#byteLength)] as const;
      this.#payload = undefined;
      this.#headerFilled = 0;
      yield record;
    }
  }

  #isWhole(): boolean {
    return this.#payload !== undefined && this.#payloadFilled === this.#payload.length;
  }

  #begin(): void {
    const view = new DataView(this.#header.buffer);
    this.#kind = view.getUint32(0, true);
    this.#byteLength = view.getUint32(4, true);
    if (this.#byteLength > defaultLimits.resourceBytes)
      throw new GpuprofError(
        'bad-input',
        `the recorded program sent a record of ${this.#byteLength} bytes; at most ${defaultLimits.resourceBytes}`,
      );
    this.#payload = new Uint8Array(paddedBytes(this.#byteLength));
    this.#payloadFilled = 0;
  }
}
