import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { RunSample } from '../model/sample.ts';
import type { BracketHooks, BracketPlan, FrameReplay } from '../replay/frame-replay.ts';
import { BracketQueries } from './brackets.ts';
import { cpuClockReader } from './clock-reader.ts';
import type { GpuLead } from './gpu-lead.ts';
import { QueryManager } from './query-manager.ts';
import { brokenInvariant } from './run-checks.ts';
import type { TimerMethod } from './timer-method.ts';
import { TimestampReader } from './timestamp-reader.ts';

/** The part of a frame's replay that measuring needs. */
export type PlayableFrame = Pick<FrameReplay, 'calls' | 'frame' | 'restore' | 'play'>;

/** Measures runs of one frame with one bracket plan. Names and arrays are made once; the hooks allocate nothing. */
export class RunMeter {
  readonly #context: GlContext;
  readonly #replay: PlayableFrame;
  readonly #plan: BracketPlan;
  readonly #queries: BracketQueries;
  readonly #manager: QueryManager;
  readonly #hooks: BracketHooks;
  readonly #lead: GpuLead | undefined;
  /** The GPU's own clock around the whole run; with a lead the host's would count the lead too. */
  readonly #whole: TimestampReader | undefined;
  #submissionNs: number | undefined;

  /** With a lead, the GPU is kept busy while the run is submitted, and the whole run is timed by the GPU's clock. */
  constructor(
    context: GlContext,
    replay: PlayableFrame,
    method: TimerMethod,
    plan: BracketPlan,
    brackets: number,
    lead?: GpuLead,
  ) {
    this.#context = context;
    this.#lead = lead;
    this.#whole = lead && new TimestampReader(context);
    this.#replay = replay;
    this.#plan = plan;
    const queries = new BracketQueries(brackets);
    const sources = [method.createReader()];
    if (context.software && method.isolate) sources.push(cpuClockReader());
    const manager = new QueryManager(context, sources, method.isolate);
    this.#queries = queries;
    this.#manager = manager;
    this.#hooks = {
      begin(bracket) {
        manager.begin(queries.query[bracket]);
      },
      end(bracket) {
        const query = queries.query[bracket];
        manager.end(query);
        for (let empty = 1; empty <= queries.empty[bracket]; empty++) {
          manager.begin(query + empty);
          manager.end(query + empty);
        }
      },
    };
  }

  /** Replays the frame and returns how long it took by the host clock until its last call was submitted, and done. */
  #play(): { submittedNs: number; doneNs: number } {
    const finish = this.#context.gl.glFinish;
    this.#replay.restore();
    this.#manager.subscribe(this.#queries.count);
    this.#whole?.subscribe(1);
    finish();
    if (this.#submissionNs !== undefined) this.#lead?.occupy(this.#submissionNs);
    const start = hostNs();
    this.#whole?.beginQuery(0);
    this.#replay.play(this.#plan, this.#hooks);
    this.#whole?.endQuery(0);
    const submittedNs = hostNs() - start;
    finish();
    return { submittedNs, doneNs: hostNs() - start };
  }

  /** Puts the frame's initial contents back and replays it once, measured. All results are read after the last call. */
  run(): RunSample {
    if (this.#lead && this.#submissionNs === undefined) {
      this.#submissionNs = this.#play().submittedNs;
      this.#manager.unsubscribe();
    }
    const { submittedNs, doneNs } = this.#play();
    this.#submissionNs = submittedNs;
    const [timer, cpu] = this.#manager.unsubscribe();
    const bracketedNs = this.#whole ? this.#whole.unsubscribe().values[0] : doneNs;
    const readingsNs = this.#queries.readings(timer.values);
    const floorNs = this.#queries.floor(timer.values);
    return {
      readingsNs,
      cpuNs: cpu ? this.#queries.readings(cpu.values) : null,
      floorNs,
      cpuFloorNs: cpu ? this.#queries.floor(cpu.values) : null,
      bracketedNs,
      questionable: timer.questionable ?? brokenInvariant(readingsNs, floorNs, Math.min(bracketedNs, doneNs)),
    };
  }

  dispose(): void {
    this.#manager.dispose();
    this.#whole?.dispose();
  }
}
