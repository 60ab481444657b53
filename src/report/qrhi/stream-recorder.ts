/** Writes a replay as a QRhiProfiler stream while it goes on: each replay run is a frame of the swapchain. */
import type { CaptureLife, FrameLife } from '../../model/life/capture-life.ts';
import type { LifeEvent } from '../../model/life/resource.ts';
import { FrameClock, type FrameWindow, frameWindow, WindowSamples } from '../../model/qrhi/frame-windows.ts';
import type { QtNumbering } from '../../model/qrhi/texture-formats.ts';
import { type LineSink, LineWriter } from './line-writer.ts';
import { canvasRes, eventRes } from './res-numbers.ts';
import { type QrhiCanvas, ResourceLines } from './resource-lines.ts';

export interface RecorderOptions {
  /** Frames in a window; null for the number of measured runs, at most 120, which is known when they are over. */
  readonly interval: number | null;
  readonly numbering: QtNumbering;
  /** Monotonic clock, in nanoseconds. */
  readonly nowNs: () => number;
}

/** Times of one event over the runs, in nanoseconds. */
export interface EventTimes {
  readonly eventId: number;
  readonly name: string;
  readonly durationsNs: readonly number[];
}

/** frameTimingWriteInterval, unless there are fewer runs. */
const mostInterval = 120;
const canvasName = 'canvas';
/** Announced as a swapchain without pixels, since only swapchains have GPU times; one texel is the least there is. */
const eventSwapchain = [0, 0, 1, 0, 1, 4] as const;

/** The interval for so many measured runs. */
export const intervalFor = (runs: number): number => Math.min(Math.max(1, runs), mostInterval);

interface Frame {
  readonly deltaMs: number;
  readonly buildMs: number;
  /** The canvas changed its size before the frame's end, or after it. */
  readonly resizedBefore: boolean;
  resizedAfter: boolean;
}

interface Run {
  readonly frame: number;
  readonly beginNs: number;
  readonly endNs: number;
}

const windowValues = ({ min, max, average }: FrameWindow): number[] => [min, max, average];
const resizes = (events: readonly LifeEvent[]): boolean => events.some(({ kind }) => kind === 'canvas');

/** How many windows of times were written, and how many samples there were for them. */
export interface WindowCounts {
  /** Of ops 17 and 18. */
  readonly frames: number;
  readonly frameSamples: number;
  /** Of op 16. */
  readonly gpu: number;
  readonly gpuSamples: number;
}

export class StreamRecorder {
  readonly #options: RecorderOptions;
  readonly #life: CaptureLife;
  readonly #writer: LineWriter;
  readonly #resources: ResourceLines;
  readonly #clock = new FrameClock();
  readonly #gpuSamples = new WindowSamples();
  #interval: number;
  #counts = { frames: 0, frameSamples: 0, gpu: 0, gpuSamples: 0 };
  /** Samples that wait for the interval to be known. */
  #frames: Frame[] = [];
  #gpuMs: number[] = [];
  /** Of all the runs of the frame. */
  #frameGpuMs: number[] = [];
  #setupAt = 0;
  #beginNs = 0;
  #lastEndNs = 0;
  /** A run that has been played and not been told of. */
  #run: Run | null = null;
  /** The frame whose last run has been told of and not been undone. */
  #toUndo: number | null = null;

  /** Announces the canvas; the stream begins now. */
  constructor(life: CaptureLife, canvas: QrhiCanvas, sink: LineSink, options: RecorderOptions) {
    this.#options = options;
    this.#life = life;
    this.#interval = options.interval ?? mostInterval;
    const startNs = options.nowNs();
    this.#lastEndNs = startNs;
    this.#writer = new LineWriter(sink, () => (options.nowNs() - startNs) / 1e6);
    this.#resources = new ResourceLines(this.#writer, canvas, options.numbering);
    this.#writer.flush();
  }

  /** A call of the setup has been made; `index` counts from 0. */
  setupCall(index: number): void {
    const { setup } = this.#life;
    for (; this.#setupAt < setup.length && setup[this.#setupAt].index <= index; this.#setupAt++)
      this.#resources.apply(setup[this.#setupAt].event);
  }

  setupDone(): void {
    this.setupCall(Number.POSITIVE_INFINITY);
    this.#resources.memory();
    this.#writer.flush();
  }

  runBegins(): void {
    this.#beginNs = this.#options.nowNs();
  }

  /** Only notes the time: lines are written when nothing is measured. */
  runEnds(frame: number): void {
    this.#run = { frame, beginNs: this.#beginNs, endNs: this.#options.nowNs() };
  }

  /** What a frame changes has been put back. */
  restored(): void {
    this.#tellRun();
    if (this.#toUndo === null) return;
    const { restore } = this.#lifeOf(this.#toUndo);
    this.#toUndo = null;
    for (const event of restore) this.#resources.apply(event);
    if (resizes(restore)) this.#resized();
    this.#writer.flush();
  }

  /** The next run is of another frame, with nothing put back. */
  frameLeft(): void {
    this.#tellRun();
    this.#toUndo = null;
    this.#frameGpuMs = [];
    this.#writer.flush();
  }

  /** What the GPU took for a run, in nanoseconds. */
  gpuTime(durationNs: number): void {
    this.#gpuMs.push(durationNs / 1e6);
    this.#frameGpuMs.push(durationNs / 1e6);
    if (this.#options.interval !== null) this.#drain();
    this.#writer.flush();
  }

  /** A frame's measurement is over; it took so many runs. */
  measured(runs: number): void {
    this.#tellRun();
    if (this.#options.interval === null) this.#interval = intervalFor(runs);
    this.#drain();
    this.#writer.flush();
  }

  canvasRead(): void {
    this.#tellRun();
    this.#resources.canvasReadback();
    this.#writer.flush();
  }

  /** A line for each event that has a time; the frame's own GPU time comes last, so that viewers end with it. */
  events(times: readonly EventTimes[]): void {
    const timed = times.filter(({ durationsNs }) => durationsNs.length > 0);
    for (const { eventId, name, durationsNs } of timed) {
      const res = eventRes(eventId);
      this.#writer.line(11, res, name, eventSwapchain);
      const average = durationsNs.reduce((sum, each) => sum + each, 0) / durationsNs.length;
      const [min, max] = [Math.min(...durationsNs), Math.max(...durationsNs)];
      this.#writer.line(16, res, name, [min / 1e6, max / 1e6, average / 1e6]);
      this.#writer.line(12, res, name);
    }
    if (timed.length > 0 && this.#frameGpuMs.length > 0)
      this.#writer.line(16, canvasRes, canvasName, windowValues(frameWindow(this.#frameGpuMs)));
    this.#writer.flush();
  }

  /** What has been written until now. */
  get windows(): WindowCounts {
    return this.#counts;
  }

  /** Releases everything. */
  close(): void {
    this.#tellRun();
    this.#drain();
    this.#resources.close();
    this.#writer.flush();
  }

  #lifeOf(frame: number): FrameLife {
    return this.#life.frames[frame - 1];
  }

  #tellRun(): void {
    const run = this.#run;
    if (!run) return;
    this.#run = null;
    this.#toUndo = run.frame;
    const { events } = this.#lifeOf(run.frame);
    for (const event of events) this.#resources.apply(event);
    this.#frames.push({
      deltaMs: Math.floor((run.endNs - this.#lastEndNs) / 1e6),
      buildMs: Math.floor((run.endNs - run.beginNs) / 1e6),
      resizedBefore: resizes(events),
      resizedAfter: false,
    });
    this.#lastEndNs = run.endNs;
    if (this.#options.interval !== null) this.#drain();
  }

  #resized(): void {
    const last = this.#frames[this.#frames.length - 1];
    if (last) last.resizedAfter = true;
    else this.#clock.resized();
  }

  #drain(): void {
    for (const { deltaMs, buildMs, resizedBefore, resizedAfter } of this.#frames) {
      if (resizedBefore) this.#clock.resized();
      const times = this.#clock.endFrame(deltaMs, buildMs, this.#interval);
      this.#counts.frameSamples++;
      if (resizedAfter) this.#clock.resized();
      if (!times) continue;
      this.#counts.frames++;
      const { framesSinceResize, delta, build } = times;
      this.#writer.line(17, canvasRes, canvasName, [framesSinceResize, ...windowValues(delta)]);
      this.#writer.line(18, canvasRes, canvasName, [framesSinceResize, ...windowValues(build)]);
      this.#resources.memory();
    }
    this.#frames = [];
    for (const sample of this.#gpuMs) {
      const window = this.#gpuSamples.add(sample, this.#interval);
      this.#counts.gpuSamples++;
      if (!window) continue;
      this.#counts.gpu++;
      this.#writer.line(16, canvasRes, canvasName, windowValues(window));
    }
    this.#gpuMs = [];
  }
}
