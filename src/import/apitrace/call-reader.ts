import type { Budget } from './budget.ts';
import { type ByteReader, endOfTrace } from './byte-reader.ts';
import type { Signatures } from './signatures.ts';
import type { TraceCall, TraceFunction, TraceValue } from './trace.ts';
import type { ValueReader } from './value-reader.ts';

const firstWithThreads = 4;
const mostThread = 2 ** 32 - 1;
const mostFrames = 2 ** 16;

/** A call while its details come in. */
class OpenCall implements TraceCall {
  readonly number: number;
  thread: number;
  readonly function: TraceFunction;
  readonly args: TraceValue[];
  result: TraceValue | undefined = undefined;
  /** Its share of the budget. */
  heapBytes = 0;
  blobBytes = 0;

  constructor(number: number, thread: number, signature: TraceFunction) {
    this.number = number;
    this.thread = thread;
    this.function = signature;
    this.args = new Array<TraceValue>(signature.args.length).fill(null);
  }
}

/** Puts the events of a trace together to calls. */
export class CallReader {
  private readonly bytes: ByteReader;
  private readonly budget: Budget;
  private readonly signatures: Signatures;
  private readonly values: ValueReader;
  private readonly hasThreads: boolean;
  private nextNumber = 0;
  /** The call entered last, while it is open; nearly always the next to return. */
  private newest: OpenCall | null = null;
  private readonly older = new Map<number, OpenCall>();
  /** Of the event being read, or of the first byte after the last. */
  eventOffsetBytes = 0;
  /** Whether the trace ends inside the event there. */
  isCutInside = false;

  constructor(bytes: ByteReader, budget: Budget, signatures: Signatures, values: ValueReader, formatVersion: number) {
    this.bytes = bytes;
    this.budget = budget;
    this.signatures = signatures;
    this.values = values;
    this.hasThreads = formatVersion >= firstWithThreads;
  }

  /** The next call that returns; null at the end of the trace. */
  next(): TraceCall | null {
    try {
      return this.nextReturned();
    } catch (error) {
      if (error !== endOfTrace) throw error;
      this.isCutInside = true;
      return null;
    }
  }

  /** Calls that were entered and have not returned, in order of entry. */
  openCalls(): readonly TraceCall[] {
    return this.newest === null ? [...this.older.values()] : [...this.older.values(), this.newest];
  }

  private nextReturned(): TraceCall | null {
    for (;;) {
      this.eventOffsetBytes = this.bytes.offsetBytes;
      if (this.bytes.isAtEnd()) return null;
      const event = this.bytes.u8();
      if (event === 0) this.enter();
      else if (event === 1) return this.leave();
      else throw this.bytes.fault(`an event of no known kind, ${event}`, this.eventOffsetBytes);
    }
  }

  private enter(): void {
    const thread = this.hasThreads ? this.bytes.count(mostThread, 'thread') : 0;
    const call = new OpenCall(this.nextNumber, thread, this.signatures.function());
    this.budget.slots(8 + call.function.args.length);
    call.heapBytes = (8 + call.function.args.length) * 32;
    this.details(call);
    this.nextNumber++;
    if (this.newest !== null) this.older.set(this.newest.number, this.newest);
    this.newest = call;
  }

  private leave(): TraceCall {
    const number = this.bytes.count(Number.MAX_SAFE_INTEGER, 'call number');
    const call = this.newest?.number === number ? this.newest : this.older.get(number);
    if (call === undefined) {
      const why = number < this.nextNumber ? 'which has returned before' : 'which was not entered';
      throw this.bytes.fault(`the return of call ${number}, ${why}`, this.eventOffsetBytes);
    }
    this.details(call);
    if (call === this.newest) this.newest = null;
    else this.older.delete(number);
    this.budget.heapBytes -= call.heapBytes;
    this.budget.blobBytes -= call.blobBytes;
    return call;
  }

  private details(call: OpenCall): void {
    const { heapBytes, blobBytes } = this.budget;
    for (let detail = this.bytes.u8(); detail !== 0; detail = this.bytes.u8()) this.detail(call, detail);
    call.heapBytes += this.budget.heapBytes - heapBytes;
    call.blobBytes += this.budget.blobBytes - blobBytes;
  }

  private detail(call: OpenCall, detail: number): void {
    switch (detail) {
      case 1:
        this.argument(call);
        break;
      case 2:
        call.result = this.values.value();
        break;
      case 3:
        call.thread = this.bytes.count(mostThread, 'thread');
        break;
      case 4:
        for (let rest = this.bytes.count(mostFrames, 'a backtrace of frames:'); rest > 0; rest--)
          this.signatures.frame();
        break;
      case 5:
        this.bytes.uint(); // Calls that the tracer made up are replayed like the others.
        break;
      default:
        throw this.bytes.fault(
          `a detail of no known kind, ${detail}, in call ${call.number} (${call.function.name})`,
          this.bytes.offsetBytes - 1,
        );
    }
  }

  private argument(call: OpenCall): void {
    const index = this.bytes.uint();
    if (typeof index !== 'number' || index >= call.args.length) {
      throw this.bytes.fault(
        `argument ${index} of call ${call.number}, and ${call.function.name} has ${call.args.length}`,
      );
    }
    call.args[index] = this.values.value();
  }
}
