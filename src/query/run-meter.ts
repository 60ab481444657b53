import { GpuprofError } from '../errors.ts';
import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { RunSample } from '../model/sample.ts';
import type { BracketHooks, BracketPlan, FrameReplay } from '../replay/frame-replay.ts';
import { BracketQueries } from './brackets.ts';
import type { GpuLead } from './gpu-lead.ts';
import { brokenInvariant } from './run-checks.ts';
import { type RecordedClock, RunRecorder } from './run-recorder.ts';
import { Timer } from './timer.ts';
import { type TimerMethod, timerMethod } from './timer-method.ts';

/** The part of a frame's replay that measuring needs. */
export type PlayableFrame = Pick<FrameReplay, 'calls' | 'frame' | 'restore' | 'play'>;

/** The GPU's own clock around a whole run. */
function timestamps(context: GlContext): Timer {
  const method = timerMethod(context, 'timestamp');
  if (typeof method !== 'string') return new Timer(context, method);
  throw new GpuprofError('cannot-measure', `${context.renderer} cannot be measured behind a lead: ${method}`);
}

/** Measures runs of one frame with one bracket plan. Names and arrays are made once; the hooks allocate nothing. */
export class RunMeter {
  readonly #context: GlContext;
  readonly #replay: PlayableFrame;
  readonly #plan: BracketPlan;
  readonly #queries: BracketQueries;
  readonly #timer: Timer;
  readonly #hooks: BracketHooks;
  readonly #lead: GpuLead | undefined;
  /** The GPU's own clock around the whole run; with a lead the host's would count the lead too. */
  readonly #whole: Timer | undefined;
  readonly #recorder: RunRecorder | undefined;
  #submissionNs: number | undefined;

  /** With a lead, the GPU is kept busy while the run is submitted, and the whole run is timed by the GPU's clock. With a clock to record by, samples say when things happened. */
  constructor(
    context: GlContext,
    replay: PlayableFrame,
    method: TimerMethod,
    plan: BracketPlan,
    brackets: number,
    lead?: GpuLead,
    recorded?: RecordedClock,
  ) {
    this.#context = context;
    this.#lead = lead;
    this.#whole = lead && timestamps(context);
    this.#replay = replay;
    this.#plan = plan;
    const queries = new BracketQueries(brackets);
    this.#queries = queries;
    this.#timer = new Timer(context, method);
    const { manager } = this.#timer;
    this.#recorder = recorded && new RunRecorder(context, method, recorded, brackets);
    const timed: BracketHooks = {
      begin(bracket) {
        manager.beginQuery(queries.query[bracket]);
      },
      end(bracket) {
        manager.endQuery(queries.query[bracket]);
      },
    };
    const { begin, end } = this.#recorder?.around(timed) ?? timed;
    this.#hooks = {
      begin,
      end(bracket) {
        end(bracket);
        const query = queries.query[bracket];
        for (let empty = 1; empty <= queries.empty[bracket]; empty++) {
          manager.beginQuery(query + empty);
          manager.endQuery(query + empty);
        }
      },
    };
  }

  /** Replays the frame and returns how long it took by the host clock until its last call was submitted, and done. */
  #play(): { submittedNs: number; doneNs: number } {
    const finish = this.#context.gl.glFinish;
    this.#replay.restore();
    this.#timer.subscribe(this.#queries.count);
    this.#whole?.subscribe(1);
    finish();
    this.#recorder?.idle();
    if (this.#submissionNs !== undefined) this.#lead?.occupy(this.#submissionNs);
    this.#recorder?.started();
    const start = hostNs();
    this.#whole?.manager.beginQuery(0);
    this.#replay.play(this.#plan, this.#hooks);
    this.#whole?.manager.endQuery(0);
    const submittedNs = hostNs() - start;
    this.#recorder?.submitted();
    finish();
    const doneNs = hostNs() - start;
    this.#recorder?.finished();
    return { submittedNs, doneNs };
  }

  /** Puts the frame's initial contents back and replays it once, measured. All results are read after the last call. */
  run(): RunSample {
    if (this.#lead && this.#submissionNs === undefined) {
      this.#submissionNs = this.#play().submittedNs;
      this.#timer.read();
      this.#whole?.read();
    }
    const { submittedNs, doneNs } = this.#play();
    this.#submissionNs = submittedNs;
    const { durationsNs, cpuNs, suspect } = this.#timer.read();
    const bracketedNs = this.#whole ? this.#whole.read().durationsNs[0] : doneNs;
    const readingsNs = this.#queries.readings(durationsNs);
    const floorNs = this.#queries.floor(durationsNs);
    return {
      readingsNs,
      cpuNs: cpuNs && this.#queries.readings(cpuNs),
      floorNs,
      cpuFloorNs: cpuNs && this.#queries.floor(cpuNs),
      bracketedNs,
      questionable: suspect ?? brokenInvariant(readingsNs, floorNs, Math.min(bracketedNs, doneNs)),
      ...(this.#recorder && { record: this.#recorder.read() }),
    };
  }

  dispose(): void {
    this.#timer.dispose();
    this.#whole?.dispose();
    this.#recorder?.dispose();
  }
}
