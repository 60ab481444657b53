/** Measures what a counter plan asks for, frame by frame, and adds it to the frames' reports. */
import { countFrame } from '../analysis/analyse-counters.ts';
import { mergeSets } from '../analysis/counter-sets.ts';
import type { GlContext } from '../gl/context.ts';
import type { Capture } from '../model/capture.ts';
import type { SetMeasurement } from '../model/counter-sample.ts';
import type { EventTree } from '../model/event-tree.ts';
import { type ResourceSize, resourceSizes } from '../model/life/resource-sizes.ts';
import { FrameMemory } from '../model/memory/frame-memory.ts';
import type { CounterSetReport, FrameReport, Warning } from '../model/report.ts';
import { type CounterRequest, type CountersProgress, measureCounters } from '../query/measure-counters.ts';
import { memorySet, memorySource } from '../query/memory.ts';
import type { FrameReplay } from '../replay/frame-replay.ts';
import { Replayer } from '../replay/replayer.ts';
import type { CounterPlan } from './counter-plan.ts';
import type { Progress } from './progress.ts';

interface FrameSoFar {
  /** From 1. */
  readonly frame: number;
  readonly tree: EventTree;
  readonly measurements: SetMeasurement[];
}

/** What the counters add to a report. */
export interface CountedReport {
  readonly frames: readonly FrameReport[];
  readonly sets: readonly CounterSetReport[];
  readonly warnings: readonly Warning[];
  /** Null where no memory is counted. */
  readonly resources: readonly ResourceSize[] | null;
}

/** Frames must be added in rising order. */
export class CountedFrames {
  readonly #plan: CounterPlan;
  readonly #capture: Capture;
  readonly #memory: FrameMemory | null;
  readonly #runs: number | undefined;
  readonly #progress: Progress;
  readonly #frames: FrameSoFar[] = [];
  readonly #warnings: Warning[];
  #resources: readonly ResourceSize[] | null = null;

  private constructor(
    plan: CounterPlan,
    capture: Capture,
    memory: FrameMemory | null,
    runs: number | undefined,
    progress: Progress,
  ) {
    this.#plan = plan;
    this.#capture = capture;
    this.#memory = memory;
    this.#runs = runs;
    this.#progress = progress;
    this.#warnings = [...plan.warnings];
  }

  static async create(
    plan: CounterPlan,
    capture: Capture,
    runs: number | undefined,
    progress: Progress,
  ): Promise<CountedFrames> {
    const memory = plan.memory.length > 0 ? await FrameMemory.create(capture) : null;
    return new CountedFrames(plan, capture, memory, runs, progress);
  }

  /** Measures what is measured on the context of the times, while the frame is loaded there. */
  async add(context: GlContext, replay: FrameReplay, tree: EventTree): Promise<void> {
    const { frame } = replay;
    const requests = [...this.#plan.requests, ...(await this.#memoryRequest(frame, tree))];
    const measurements = await this.#measure(context, replay, tree, requests);
    this.#frames.push({ frame, tree, measurements });
  }

  /** Puts the counters into the reports of the frames that were added, in that order. */
  addTo(reports: readonly FrameReport[]): CountedReport {
    const { shown, lost } = this.#plan;
    const counted = this.#frames.map(({ tree, measurements }, at) =>
      countFrame(tree, reports[at], measurements, shown),
    );
    return {
      frames: counted.map(({ frame }) => frame),
      sets: [...mergeSets(counted), ...lost],
      warnings: this.#warnings,
      resources: this.#resources,
    };
  }

  #measure(context: GlContext, replay: FrameReplay, tree: EventTree, requests: readonly CounterRequest[]) {
    const onProgress = ({ set, run, runs }: CountersProgress) =>
      this.#progress.update(`frame ${replay.frame}: ${set.id}, run ${run} of ${runs}`);
    return measureCounters(context, replay, tree, requests, { runs: this.#runs, onProgress });
  }

  async #memoryRequest(frame: number, tree: EventTree): Promise<CounterRequest[]> {
    if (!this.#memory) return [];
    const source = memorySource(await this.#memory.leaves(frame, tree));
    return [{ source, set: memorySet, counters: this.#plan.memory }];
  }

  /** After the last frame, once: measures the rest, on a context of its own, which stays current. */
  async complete(): Promise<void> {
    const { elsewhere } = this.#plan;
    const last = this.#frames.at(-1);
    if (this.#memory && last) this.#resources = await resourceSizes(this.#capture, last.frame);
    if (!elsewhere) return;
    const { context, requests } = elsewhere;
    this.#progress.update('building the live objects once more, to count');
    const replayer = await Replayer.create(context, this.#capture);
    for (const { frame, tree, measurements } of this.#frames) {
      const replay = await replayer.loadFrame(frame);
      measurements.unshift(...(await this.#measure(context, replay, tree, requests)));
    }
    const errors = replayer.glErrors;
    replayer.destroy();
    if (errors.length === 0) return;
    const [{ call, error }] = errors;
    const more = errors.length > 1 ? `, one of ${errors.length} calls that do` : '';
    this.#warnings.push({
      code: 'counters-gl-errors',
      message: `where the statistics were counted, ${call} raised ${error}${more}`,
    });
  }
}
