import { hostNs } from '../gl/clock.ts';
import type { GlContext } from '../gl/context.ts';
import type { RunSample } from '../model/sample.ts';
import type { BracketHooks, BracketPlan, FrameReplay } from '../replay/frame-replay.ts';
import { BracketQueries } from './brackets.ts';
import { cpuClockSource } from './clock-source.ts';
import { QueryManager } from './query-manager.ts';
import { brokenInvariant } from './run-checks.ts';
import type { TimerMethod } from './timer-method.ts';

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

  constructor(context: GlContext, replay: PlayableFrame, method: TimerMethod, plan: BracketPlan, brackets: number) {
    this.#context = context;
    this.#replay = replay;
    this.#plan = plan;
    const queries = new BracketQueries(brackets);
    const sources = [method.createSource()];
    if (context.software && method.isolate) sources.push(cpuClockSource());
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

  /** Puts the frame's initial contents back and replays it once, measured. All results are read after the last call. */
  run(): RunSample {
    const finish = this.#context.gl.glFinish;
    this.#replay.restore();
    this.#manager.subscribe(this.#queries.count);
    finish();
    const start = hostNs();
    this.#replay.play(this.#plan, this.#hooks);
    finish();
    const bracketedNs = hostNs() - start;
    const [timer, cpu] = this.#manager.unsubscribe();
    const readingsNs = this.#queries.readings(timer.values);
    const floorNs = this.#queries.floor(timer.values);
    return {
      readingsNs,
      cpuNs: cpu ? this.#queries.readings(cpu.values) : null,
      floorNs,
      cpuFloorNs: cpu ? this.#queries.floor(cpu.values) : null,
      bracketedNs,
      questionable: timer.questionable ?? brokenInvariant(readingsNs, floorNs, bracketedNs),
    };
  }

  dispose(): void {
    this.#manager.dispose();
  }
}
