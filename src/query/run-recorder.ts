import { hostNs, hostOriginNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { ClockPair, DeviceTimes, RunRecord } from '../model/timeline.ts';
import type { BracketHooks } from '../replay/frame-replay.ts';
import { DeviceClock, deviceClockMissing } from './clock-pairs.ts';
import { Latency } from './latency.ts';
import type { TimerMethod } from './timer-method.ts';
import { GL_TIMESTAMP, TimerQueries } from './timer-queries.ts';

/** Which clock a run's events are timed by, or why there is none. */
export type RecordedClock = { readonly clock: 'device' | 'host' } | { readonly clock: 'none'; readonly reason: string };

/**
 * The clock for runs that are measured by `method`. A finish on both sides of a bracket makes the host's clock the GPU's
 * where the method rests on it; timestamps are only taken where the trust check found them to be true.
 */
export function recordedClock(context: GlContext, method: TimerMethod, timestampsTrusted: boolean): RecordedClock {
  if (method.isolate && method.bits === null) return { clock: 'host' };
  const missing = deviceClockMissing(context);
  if (missing) return { clock: 'none', reason: missing };
  if (!timestampsTrusted && !method.isolate)
    return { clock: 'none', reason: 'its timestamps cannot be trusted; `--timer finish` times by the host clock' };
  return { clock: 'device' };
}

/** Clocks drift unevenly: those of a longer run are read again about this often. */
const pairingNs = 1e9;

/** Timestamps around brackets, and the readings of the clock that go with them. */
class DeviceRecorder {
  readonly #queries: TimerQueries;
  readonly #clock: DeviceClock;
  readonly #bits: number;
  readonly #brackets: number;
  readonly #names: Uint32Array;
  #readings: (readonly ClockPair[])[] = [];
  #nextPairingNs = 0;

  constructor(context: GlContext, brackets: number) {
    this.#queries = new TimerQueries(context);
    this.#clock = new DeviceClock(context);
    this.#bits = this.#queries.timestampBits();
    this.#brackets = brackets;
    this.#names = this.#queries.reserve(2 * brackets);
  }

  begin(): void {
    this.#readings = [];
    this.pair();
  }

  pair(): void {
    this.#readings.push(this.#clock.pairs());
    this.#nextPairingNs = hostNs() + pairingNs;
  }

  /** Reads the clocks again if they were last read a while before `nowNs`. */
  keepPairing(nowNs: number): void {
    if (nowNs >= this.#nextPairingNs) this.pair();
  }

  stamp(index: number): void {
    this.#queries.counter(this.#names[index], GL_TIMESTAMP);
  }

  read(): DeviceTimes {
    const queries = this.#queries;
    const shown = (ticks: bigint) => BigInt.asUintN(this.#bits, ticks);
    const results: (bigint | null)[] = [];
    queries.reading(() => {
      for (let index = 0; index < 2 * this.#brackets; index++) {
        const ticks = queries.timestamp(this.#names[index]);
        results.push(ticks === null ? null : shown(ticks));
      }
    });
    return {
      clock: 'device',
      bits: this.#bits,
      begins: results.filter((_, index) => index % 2 === 0),
      ends: results.filter((_, index) => index % 2 === 1),
      readings: this.#readings.map((pairs) => pairs.map((pair) => ({ ...pair, ticks: shown(pair.ticks) }))),
    };
  }

  dispose(): void {
    this.#queries.dispose();
  }
}

/** Records when a run's brackets were submitted, executed and finished. Its hooks allocate nothing. */
export class RunRecorder {
  readonly #recorded: RecordedClock;
  readonly #device: DeviceRecorder | undefined;
  readonly #latency: Latency | undefined;
  readonly #isolate: boolean;
  readonly #submitStartNs: Float64Array;
  readonly #submitEndNs: Float64Array;
  readonly #finishNs: Float64Array;
  readonly #beginsNs: Float64Array;
  readonly #endsNs: Float64Array;
  #startNs = 0;
  #submittedNs = 0;
  #finishedNs = 0;

  constructor(context: GlContext, { isolate }: TimerMethod, recorded: RecordedClock, brackets: number) {
    this.#recorded = recorded;
    this.#device = recorded.clock === 'device' ? new DeviceRecorder(context, brackets) : undefined;
    this.#latency = deviceClockMissing(context) === null ? new Latency(context) : undefined;
    this.#isolate = isolate;
    const times = () => new Float64Array(brackets);
    this.#submitStartNs = times();
    this.#submitEndNs = times();
    this.#finishNs = times();
    this.#beginsNs = times();
    this.#endsNs = times();
  }

  /** The timer's hooks with the record around them: outside its readings but for timestamps between two finishes. */
  around(timed: BracketHooks): BracketHooks {
    const device = this.#device;
    const isolate = this.#isolate;
    return {
      begin: (bracket) => {
        this.#submitStartNs[bracket] = hostNs();
        if (!isolate) device?.stamp(2 * bracket);
        timed.begin(bracket);
        if (isolate) device?.stamp(2 * bracket);
        this.#beginsNs[bracket] = hostNs();
      },
      end: (bracket) => {
        this.#submitEndNs[bracket] = hostNs();
        if (isolate) device?.stamp(2 * bracket + 1);
        timed.end(bracket);
        if (!isolate) device?.stamp(2 * bracket + 1);
        this.#endsNs[bracket] = hostNs();
        this.#finishNs[bracket] = this.#endsNs[bracket];
        device?.keepPairing(this.#endsNs[bracket]);
      },
    };
  }

  /** The GPU is idle; whatever is submitted from now on, but for a lead, is the run's. */
  idle(): void {
    this.#device?.begin();
  }

  started(): void {
    this.#startNs = hostNs();
  }

  submitted(): void {
    this.#submittedNs = hostNs();
    this.#latency?.ask();
  }

  finished(): void {
    this.#finishedNs = hostNs();
    if (!this.#isolate) this.#finishNs.fill(this.#finishedNs);
    this.#device?.pair();
  }

  /** What the last run recorded. */
  read(): RunRecord {
    const times =
      this.#recorded.clock === 'none'
        ? this.#recorded
        : (this.#device?.read() ?? {
            clock: 'host' as const,
            beginsNs: this.#beginsNs.slice(),
            endsNs: this.#endsNs.slice(),
          });
    return {
      originNs: hostOriginNs(),
      startNs: this.#startNs,
      submittedNs: this.#submittedNs,
      finishedNs: this.#finishedNs,
      submitStartNs: this.#submitStartNs.slice(),
      submitEndNs: this.#submitEndNs.slice(),
      finishNs: this.#finishNs.slice(),
      latencyNs: this.#latency?.read() ?? null,
      times,
    };
  }

  dispose(): void {
    this.#device?.dispose();
    this.#latency?.dispose();
  }
}
