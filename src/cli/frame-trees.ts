import { Bindings, followCalls } from '../model/bindings.ts';
import type { CallStream } from '../model/call-stream.ts';
import type { Capture } from '../model/capture.ts';
import { coarsen } from '../model/coarsen.ts';
import { DrawStates } from '../model/draw-states.ts';
import { type FragmentFacts, fragmentFacts } from '../model/early-depth.ts';
import type { EventTree } from '../model/event-tree.ts';
import { buildEventTree } from '../model/event-tree-builder.ts';
import { getOrAdd } from '../model/get-or-add.ts';
import { ProgramSources } from '../model/program-keys.ts';
import type { ProgramKeys, States } from '../model/report.ts';
import type { BracketUnit } from '../model/sample.ts';

/** Event trees of a capture's frames, asked for in rising order: a frame's begins with the bindings the others left. */
export class FrameTrees {
  readonly #capture: Capture;
  readonly #bindings = new Bindings();
  readonly #programs = new ProgramSources();
  readonly #states: DrawStates;
  #applied = 0;

  private constructor(capture: Capture) {
    this.#capture = capture;
    this.#states = new DrawStates(capture.manifest.canvas);
  }

  static async create(capture: Capture): Promise<FrameTrees> {
    const trees = new FrameTrees(capture);
    trees.#follow(await capture.setup());
    return trees;
  }

  /** `frame` counts from 1; the leaves are what one bracket encloses. */
  async build(frame: number, per: BracketUnit): Promise<EventTree> {
    while (this.#applied < frame - 1) this.#follow(await this.#capture.frame(++this.#applied));
    const calls = await this.#capture.frame(frame);
    this.#applied = frame;
    this.#programs.follow(calls);
    const states = this.#states.follow(calls);
    const tree = coarsen(buildEventTree(this.#bindings, calls, this.#capture.manifest), per);
    return { ...tree, states: this.#states.ofLeaves(tree, states, this.#factsOf()) };
  }

  /** What programs are made of, at the end of the last frame that was asked for. */
  programKeys(): ProgramKeys {
    return this.#programs.keys();
  }

  /** What the numbers in the trees stand for. */
  states(): States {
    return this.#states.table();
  }

  /** Of programs as they are now. */
  #factsOf(): (program: number) => FragmentFacts | null {
    const isEs = this.#capture.manifest.api !== 'gl';
    const known = new Map<number, FragmentFacts | null>();
    return (program) => {
      const sources = this.#programs.fragmentSources(program);
      return getOrAdd(known, program, () => (sources ? fragmentFacts(sources, isEs) : null));
    };
  }

  #follow(calls: CallStream): void {
    followCalls(this.#bindings, calls);
    this.#programs.follow(calls);
    this.#states.follow(calls);
  }
}
