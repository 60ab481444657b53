import { hostNs, hostOriginNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { ClockPair, DeviceTimes, RunRecord } from '../model/timeline.ts';
import type { BracketHooks } from '../replay/frame-replay.ts';
import { DeviceClock } from './clock-pairs.ts';
import type { TimerMethod } from './timer-method.ts';
import { GL_TIMESTAMP, TimerQueries, timerQueriesMissing } from './timer-queries.ts';

/** Which clock a run's events are timed by, or why there is none. */
export type RecordedClock = { readonly clock: 'device' | 'host' } | { readonly clock: 'none'; readonly reason: string };

/**
 * The clock for runs that are measured by `method`. A finish on both sides of a bracket makes the host's clock the GPU's
 * where the method rests on it; timestamps are only taken where the trust check found them to be true.
 */
export function recordedClock(context: GlContext, method: TimerMethod, timestampsTrusted: boolean): RecordedClock {
  if (method.isolate && method.bits === null) return { clock: 'host' };
  const missing = timerQueriesMissing(context);
  if (missing) return { clock: 'none', reason: missing };
  if (!context.find('glGetInteger64v')) return { clock: 'none', reason: 'its clock can only be read by queries' };
  if (!timestampsTrusted && !method.isolate)
    return { clock: 'none', reason: 'its timestamps cannot be trusted; `--timer finish` times by the host clock' };
  return { clock: 'device' };
}

/** Timestamps around brackets, and the readings of the clock that go with them. */
class DeviceRecorder {
  readonly #queries: TimerQueries;
  readonly #clock: DeviceClock;
  readonly #bits: number;
  readonly #brackets: number;
  #names: Uint32Array;
  #before: readonly ClockPair[] = [];
  #after: readonly ClockPair[] = [];
  #submitted = 0n;

  constructor(context: GlContext, brackets: number) {
    this.#queries = new TimerQueries(context);
    this.#clock = new DeviceClock(context);
    this.#bits = Math.min(this.#queries.bits(GL_TIMESTAMP), this.#queries.wide ? 64 : 32);
    this.#brackets = brackets;
    this.#names = this.#queries.reserve(2 * brackets + 1);
  }

  before(): void {
    this.#before = this.#clock.pairs();
  }

  stamp(index: number): void {
    this.#queries.counter(this.#names[index], GL_TIMESTAMP);
  }

  submitted(): void {
    this.#submitted = this.#clock.now();
    this.stamp(2 * this.#brackets);
  }

  after(): void {
    this.#after = this.#clock.pairs();
  }

  read(): DeviceTimes {
    const queries = this.#queries;
    const shown = (ticks: bigint) => BigInt.asUintN(this.#bits, ticks);
    const results: (bigint | null)[] = [];
    queries.reading(() => {
      for (let index = 0; index <= 2 * this.#brackets; index++)
        results.push(
          queries.read(this.#names[index]) ? shown((BigInt(queries.high) << 32n) | BigInt(queries.low)) : null,
        );
    });
    const reached = results[2 * this.#brackets];
    const paired = (pairs: readonly ClockPair[]) => pairs.map((pair) => ({ ...pair, ticks: shown(pair.ticks) }));
    return {
      clock: 'device',
      bits: this.#bits,
      begins: results.filter((_, index) => index % 2 === 0).slice(0, this.#brackets),
      ends: results.filter((_, index) => index % 2 === 1),
      before: paired(this.#before),
      after: paired(this.#after),
      latency: reached === null ? null : { submitted: shown(this.#submitted), reached },
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
      },
    };
  }

  /** The GPU is idle; whatever is submitted from now on, but for a lead, is the run's. */
  idle(): void {
    this.#device?.before();
  }

  started(): void {
    this.#startNs = hostNs();
  }

  submitted(): void {
    this.#submittedNs = hostNs();
    this.#device?.submitted();
  }

  finished(): void {
    this.#finishedNs = hostNs();
    if (!this.#isolate) this.#finishNs.fill(this.#finishedNs);
    this.#device?.after();
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
      times,
    };
  }

  dispose(): void {
    this.#device?.dispose();
  }
}
