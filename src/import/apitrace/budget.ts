import { memoryHint } from '../../model/memory-limit.ts';
import type { ByteReader } from './byte-reader.ts';
import type { TraceLimits } from './limits.ts';

/** What V8 needs for a slot of an array with a small object in it, roughly. */
const slotBytes = 32;

/** Counts what a trace makes its reader hold, and refuses more before it is allocated. */
export class Budget {
  private readonly bytes: ByteReader;
  private readonly limits: TraceLimits;
  /** Held by the values of calls that have not returned. */
  heapBytes = 0;
  blobBytes = 0;
  private tableBytes = 0;

  constructor(bytes: ByteReader, limits: TraceLimits) {
    this.bytes = bytes;
    this.limits = limits;
  }

  slots(count: number): void {
    this.heapBytes += count * slotBytes;
    if (this.heapBytes > this.limits.heapBytes) throw this.refusal(`${count} values`, this.limits.heapBytes);
  }

  text(length: number): void {
    this.heapBytes += 2 * length + slotBytes;
    if (this.heapBytes > this.limits.heapBytes) throw this.refusal(`text of ${length} bytes`, this.limits.heapBytes);
  }

  blob(lengthBytes: number): void {
    this.blobBytes += lengthBytes;
    if (this.blobBytes > this.limits.blobBytes)
      throw this.refusal(`a blob of ${lengthBytes} bytes`, this.limits.blobBytes);
  }

  /** A name that is kept as long as the trace is read. */
  name(length: number): void {
    this.tableBytes += 2 * length + slotBytes;
    if (this.tableBytes > this.limits.tableBytes)
      throw this.refusal(`a name of ${length} bytes`, this.limits.tableBytes);
  }

  private refusal(what: string, limitBytes: number): Error {
    const problem = `${what} would make more than the ${limitBytes} bytes that a reader holds of such`;
    return this.bytes.fault(problem, undefined, memoryHint);
  }
}
