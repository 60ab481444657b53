import type { GlContext } from '../gl/context.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { FrameMeasurement, PlainSample, RunSample } from '../model/sample.ts';
import { leafPlan, wholeFramePlan } from './brackets.ts';
import { GpuLead } from './gpu-lead.ts';
import { type PlayableFrame, RunMeter } from './run-meter.ts';
import type { RecordedClock } from './run-recorder.ts';
import type { TimerMethod } from './timer-method.ts';

export interface MeterOptions {
  readonly method: TimerMethod;
  /** Keep the GPU busy while a run is submitted (see {@link GpuLead}): for GPUs whose timestamps can be trusted. */
  readonly lead?: boolean;
  /** Record when each bracketed run's events happen, by this clock. */
  readonly recorded?: RecordedClock;
}

/** Questionable runs are measured again, this many times for a frame. */
const mostRepeats = 3;

/** The frame's own duration out of a run with one bracket around it; NaN when it could not be measured. */
function plainSample(run: RunSample): PlainSample {
  const durationNs = run.questionable === null ? Math.max(0, run.readingsNs[0] - run.floorNs) : Number.NaN;
  const cpuNs = run.cpuNs && run.cpuFloorNs !== null ? Math.max(0, run.cpuNs[0] - run.cpuFloorNs) : null;
  return { durationNs, cpuNs };
}

/** Measures a frame run by run and keeps what was measured; who uses it says when a run is, and of which kind. */
export class FrameMeter {
  readonly #context: GlContext;
  readonly #replay: PlayableFrame;
  readonly #lead: GpuLead | undefined;
  readonly #plainMeter: RunMeter;
  readonly #leafMeter: RunMeter;
  readonly #plain: PlainSample[] = [];
  readonly #runs: RunSample[] = [];
  #repeated = 0;
  #warmups = 0;

  constructor(context: GlContext, replay: PlayableFrame, tree: EventTree, options: MeterOptions) {
    const { method, lead, recorded } = options;
    const calls = replay.calls.length;
    const leaves = tree.leaves.length;
    this.#context = context;
    this.#replay = replay;
    this.#lead = lead ? new GpuLead(context) : undefined;
    this.#plainMeter = new RunMeter(context, replay, method, wholeFramePlan(calls), 1, this.#lead);
    this.#leafMeter = new RunMeter(context, replay, method, leafPlan(tree, calls), leaves, this.#lead, recorded);
  }

  /**
   * A frame's first play compiles shaders and looks for errors after every call: it is never measured. For a frame that no
   * {@link warmUp} plays first.
   */
  prepare(): void {
    this.#replay.restore();
    this.#replay.play();
    this.#context.gl.glFinish();
  }

  warmUp(): void {
    this.#warmups++;
    this.#leafMeter.run();
  }

  /** One bracket around the whole frame. */
  plainRun(): PlainSample {
    const sample = plainSample(this.#measure(this.#plainMeter));
    this.#plain.push(sample);
    return sample;
  }

  /** One bracket around every leaf. */
  leafRun(): RunSample {
    const run = this.#measure(this.#leafMeter);
    this.#runs.push(run);
    return run;
  }

  #measure(meter: RunMeter): RunSample {
    let sample = meter.run();
    while (sample.questionable !== null && this.#repeated < mostRepeats) {
      this.#repeated++;
      sample = meter.run();
    }
    return sample;
  }

  /** All runs so far. */
  measurement(): FrameMeasurement {
    return {
      frame: this.#replay.frame,
      plain: [...this.#plain],
      runs: [...this.#runs],
      repeated: this.#repeated,
      warmups: this.#warmups,
      problem: null,
    };
  }

  dispose(): void {
    this.#plainMeter.dispose();
    this.#leafMeter.dispose();
    this.#lead?.dispose();
  }
}
