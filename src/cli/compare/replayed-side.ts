import { analyseFrame } from '../../analysis/analyse-frame.ts';
import type { Pixels } from '../../analysis/image-difference.ts';
import { GpuprofError } from '../../errors.ts';
import { pinToCore } from '../../gl/host-process.ts';
import type { EventTree } from '../../model/event-tree.ts';
import type { FrameReport, Report } from '../../model/report.ts';
import type { NoTimer, TimerChoice } from '../../query/choose-timer.ts';
import { FrameMeter } from '../../query/frame-meter.ts';
import { Replayer } from '../../replay/replayer.ts';
import { FrameTrees } from '../frame-trees.ts';
import { note } from '../isolation/notebook.ts';
import { openAnyCapture } from '../open-capture.ts';
import type { Progress } from '../progress.ts';
import { type ReplaySetUp, reportOf, setUpReplay, untimed } from '../replay-setup.ts';
import type { Opened, OpenRequest, SideWork } from './protocol.ts';

/** V8 has compiled what a run needs by then, and the driver its shaders. */
const defaultWarmups = 3;

interface LoadedFrame {
  readonly frame: number;
  readonly tree: EventTree;
  /** Null for a frame that is not timed. */
  readonly meter: FrameMeter | null;
}

interface OpenSide {
  readonly request: OpenRequest;
  readonly setUp: ReplaySetUp;
  readonly timer: TimerChoice | NoTimer;
  readonly replayer: Replayer;
  readonly trees: FrameTrees;
}

/** A capture that is replayed run by run, as its parent asks (protocol.ts). */
export class ReplayedSide implements SideWork {
  readonly #progress: Progress;
  readonly #finished: FrameReport[] = [];
  #side: OpenSide | undefined;
  #loaded: LoadedFrame | undefined;
  #isCounted = false;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  /** Throws GpuprofError for a capture that cannot be replayed here, and `cannot-measure` where nothing can time it. */
  async open(request: OpenRequest): Promise<Opened> {
    const { counters, countersOnly, core } = request;
    const capture = await openAnyCapture(request.file);
    const options = {
      ...request,
      timing: !countersOnly,
      metric: request.metric === 'cpu' ? 'cpu' : 'duration',
    } as const;
    let unpinned: string | null = null;
    // By now the environment has been described with all its cores. A GPU's own clock has nothing from a core, and the
    // driver's threads would stand in each other's way.
    const setUp = await setUpReplay(capture, { ...options, counters }, this.#progress, (context) => {
      if (context.software && !countersOnly)
        unpinned = core === null ? 'this system does not tell its cores' : pinToCore(core);
    });
    const { timer, context, environment, frames } = setUp;
    if (!timer) throw new GpuprofError('bad-usage', 'neither times nor counters are asked for');
    if (!countersOnly && timer.method === null)
      throw new GpuprofError('cannot-measure', timer.why, { hint: '--counters-only compares work alone' });
    note({ what: 'set-up', environment, timer: { ...timer, method: timer.method && { name: timer.method.name } } });
    this.#progress.update('building the live objects');
    const replayer = await Replayer.create(context, capture);
    this.#side = { request, setUp, timer, replayer, trees: await FrameTrees.create(capture) };
    return { environment, frames, unpinned };
  }

  async load(frame: number): Promise<void> {
    this.#finish();
    const { request, setUp, timer, replayer, trees } = this.#open();
    const tree = await trees.build(frame, request.per);
    const replay = await replayer.loadFrame(frame);
    await setUp.counting?.add(setUp.context, replay, tree);
    const meter = timer.method && replay.calls.length > 0 ? new FrameMeter(setUp.context, replay, tree, timer) : null;
    this.#loaded = { frame, tree, meter };
    meter?.prepare();
    const warmups = request.warmup ?? defaultWarmups;
    for (let warmup = 1; meter && warmup <= warmups; warmup++) {
      this.#progress.update(`frame ${frame}: warm-up ${warmup} of ${warmups}`);
      meter.warmUp();
    }
  }

  run(): void {
    if (!this.#loaded?.meter) return;
    const { frame, meter } = this.#loaded;
    const [plain, run] = [meter.plainRun(), meter.leafRun()];
    note({ what: 'sample', frame, sample: { plain } });
    note({ what: 'sample', frame, sample: { run } });
  }

  async canvas(): Promise<Pixels> {
    this.#finish();
    const { replayer } = this.#open();
    const last = this.#finished[this.#finished.length - 1];
    if (!last) throw new Error('no frame is loaded');
    await replayer.playThrough(last.frame);
    return replayer.readCanvas();
  }

  async count(): Promise<void> {
    this.#finish();
    await this.#open().setUp.counting?.complete();
    this.#isCounted = true;
  }

  report(which: 'loaded' | 'all'): Report {
    const { request, setUp, timer, replayer, trees } = this.#open();
    const loaded = this.#loaded ? [this.#reportLoaded(this.#loaded)] : [];
    return reportOf(which === 'all' && this.#isCounted ? setUp : { ...setUp, counting: null }, timer, replayer, {
      frames: which === 'all' ? [...this.#finished, ...loaded] : loaded,
      warmups: request.warmup ?? defaultWarmups,
      per: request.per,
      programs: trees.programKeys(),
      states: trees.states(),
    });
  }

  #open(): OpenSide {
    if (!this.#side) throw new Error('the side is not open');
    return this.#side;
  }

  #reportLoaded({ frame, tree, meter }: LoadedFrame): FrameReport {
    const { timer } = this.#open();
    const problem = timer.method === null ? timer.problem : 'it has no calls';
    return analyseFrame(tree, meter?.measurement() ?? untimed(frame, problem));
  }

  /** Keeps the loaded frame's report and frees what it held. */
  #finish(): void {
    if (!this.#loaded) return;
    this.#finished.push(this.#reportLoaded(this.#loaded));
    this.#loaded.meter?.dispose();
    this.#loaded = undefined;
  }
}
