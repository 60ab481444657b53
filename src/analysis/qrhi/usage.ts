import type { QrhiLine, QrhiRecord } from '../../model/qrhi/line.ts';
import type { QrhiOpNumber } from '../../model/qrhi/ops.ts';
import type { QrhiAllocator, QrhiFault, QrhiUsage } from '../../model/qrhi/usage.ts';
import { DoublesTally } from './doubles.ts';
import { EventTimesTally } from './event-times.ts';
import { bySize, Largest } from './largest.ts';
import { mostLive, QrhiLedger } from './ledger.ts';
import { usageNotes } from './notes.ts';
import { ViewerModel } from './viewer.ts';
import { timesOf, WindowTally } from './windows.ts';

const faultsKept = 100;

/** Adds a stream up line by line. Holds what is live and a few figures, whatever the stream's length. */
export class QrhiUsageTally {
  readonly #ledger = new QrhiLedger();
  readonly #viewer = new ViewerModel();
  readonly #largest: Largest;
  readonly #events = new Map<QrhiOpNumber, number>();
  readonly #faults: QrhiFault[] = [];
  readonly #swapchains = new Set<bigint>();
  readonly #eventTimes = new EventTimesTally();
  readonly #doubles = new DoublesTally();
  readonly #windows = {
    gpuFrame: new WindowTally(),
    gpuOther: new WindowTally(),
    frameToFrame: new WindowTally(),
    frameBuild: new WindowTally(),
  };
  #lines = 0;
  #malformed = 0;
  #isCut = false;
  #firstMs: bigint | null = null;
  #lastMs: bigint | null = null;
  #clockSteps = 0;
  #allocator: QrhiAllocator | null = null;

  /** `largest` is how many of the largest resources are kept. */
  constructor(largest: number) {
    this.#largest = new Largest(largest);
  }

  /** Lines so far that were entries. */
  get entries(): number {
    return this.#lines - this.#malformed;
  }

  get malformed(): number {
    return this.#malformed;
  }

  /** Whether it can be told for a stream: an entry came, or the start of one, cut off, and nothing else. */
  get isStream(): boolean {
    return this.entries > 0 || (this.#isCut && this.#lines === 1);
  }

  add(line: QrhiLine): void {
    this.#lines++;
    if (line.record) {
      this.#viewer.add(line.record);
      this.#count(line.record);
      return;
    }
    this.#malformed++;
    this.#isCut = line.isCut;
    if (line.lenient) this.#viewer.add(line.lenient);
    if (this.#faults.length < faultsKept) this.#faults.push({ line: line.line, fault: line.fault, text: line.text });
  }

  /** What the stream says so far. */
  figures(): QrhiUsage {
    const ledger = this.#ledger;
    const figures = {
      lines: this.#lines,
      malformed: this.#malformed,
      faults: [...this.#faults],
      firstMs: this.#firstMs,
      lastMs: this.#lastMs,
      clockSteps: this.#clockSteps,
      events: new Map([...this.#events].sort(([left], [right]) => left - right)),
      memory: new Map([...ledger.tallies].map(([kind, tally]) => [kind, tally.snapshot()])),
      total: ledger.total.snapshot(),
      allocator: this.#allocator,
      largest: this.#largest.figures().map((created) => ({ ...created, isLive: ledger.isLive(created) })),
      live: [...ledger.live()].sort(bySize).map((created) => ({ ...created, isLive: true })),
      gpuFrame: this.#windows.gpuFrame.figures(),
      frameToFrame: this.#windows.frameToFrame.figures(),
      frameBuild: this.#windows.frameBuild.figures(),
      gpuOther: this.#windows.gpuOther.figures(),
      eventTimes: this.#eventTimes.figures(),
      viewer: this.#viewer.figures(),
    };
    return { ...figures, notes: usageNotes(figures, ledger, this.#doubles, this.#eventTimes) };
  }

  #count(record: QrhiRecord): void {
    const { op, timestampMs, res } = record;
    this.#events.set(op, (this.#events.get(op) ?? 0) + 1);
    if (this.#lastMs !== null && timestampMs < this.#lastMs) this.#clockSteps++;
    this.#firstMs ??= timestampMs;
    this.#lastMs = timestampMs;
    this.#doubles.add(record);
    if (this.#eventTimes.take(record)) return;
    if (op === 15) this.#allocate(record);
    else if (op === 16) this.#windows[this.#swapchains.has(res) ? 'gpuFrame' : 'gpuOther'].add(timesOf(record));
    else if (op === 17) this.#windows.frameToFrame.add(timesOf(record));
    else if (op === 18) this.#windows.frameBuild.add(timesOf(record));
    else {
      if (op === 11 && this.#swapchains.size < mostLive) this.#swapchains.add(res);
      const created = this.#ledger.add(record);
      if (created && created.kind !== 'readback') this.#largest.add(created);
    }
  }

  #allocate({ ints }: QrhiRecord): void {
    const usedBytes = ints.total_size;
    const peak = this.#allocator?.peakUsedBytes ?? 0n;
    this.#allocator = {
      reports: (this.#allocator?.reports ?? 0) + 1,
      blocks: ints.real_alloc_count ?? null,
      allocations: ints.sub_alloc_count ?? null,
      usedBytes,
      unusedBytes: ints.unused_size ?? null,
      peakUsedBytes: usedBytes > peak ? usedBytes : peak,
    };
  }
}
