/** The QRhiProfiler stream of one replay: where it goes, what it is told, and how it ends. */
import { hostNs } from '../gl/clock.ts';
import type { Capture } from '../model/capture.ts';
import { captureLife } from '../model/life/capture-life.ts';
import { nowDoing } from '../model/position.ts';
import type { QtNumbering } from '../model/qrhi/texture-formats.ts';
import type { FrameReport, NodeReport } from '../model/report.ts';
import type { PlainSample } from '../model/sample.ts';
import type { ReplayListener } from '../replay/replay-listener.ts';
import { type EventTimes, intervalFor, StreamRecorder, type WindowCounts } from '../report/qrhi/stream-recorder.ts';
import { interruption } from './interruption.ts';
import type { ReplayOptions } from './replay-options.ts';
import type { Output } from './report-outputs.ts';
import { say } from './say.ts';
import { openTarget, type StreamTarget } from './stream-target.ts';
import { addressText, connectViewer, type ViewerAddress, ViewerConnection } from './viewer-connection.ts';

/** What the user asked of the stream. */
export interface QrhiOptions {
  /** Files, `-` for standard output. */
  readonly paths: readonly string[];
  readonly viewer: ViewerAddress | undefined;
  readonly lingerSeconds: number | undefined;
  readonly interval: number | undefined;
  readonly numbering: QtNumbering;
  readonly events: boolean;
  /** Measured runs of a frame, when that is known. */
  readonly runs: number | undefined;
}

/** Null when nobody asked for a stream. */
export function qrhiOptions(options: ReplayOptions, outputs: readonly Output[]): QrhiOptions | null {
  const paths = outputs.filter(({ format }) => format === 'qrhi').map(({ path }) => path);
  if (paths.length === 0 && !options.qrhiConnect) return null;
  return {
    paths,
    viewer: options.qrhiConnect,
    lingerSeconds: options.qrhiLinger,
    interval: options.qrhiInterval,
    numbering: options.qrhiQt === '6' ? 6 : 5,
    events: options.qrhiEvents ?? false,
    runs: options.runs,
  };
}

async function viewerAt(address: ViewerAddress): Promise<ViewerConnection | null> {
  const where = addressText(address);
  const socket = await connectViewer(address);
  if (typeof socket !== 'string')
    return new ViewerConnection(socket, (reason) => say(`lost the viewer at ${where}: ${reason}`));
  say(`no viewer at ${where}: ${socket}; replaying without it`);
  return null;
}

const sampled = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** What an interval that was too long for the runs leaves out; null when nothing. */
function missingWindows(interval: number, { frames, frameSamples, gpu, gpuSamples }: WindowCounts): string | null {
  if (frames > 0 && gpu > 0) return null;
  const ops = frames > 0 ? 'op 16' : gpu > 0 ? 'ops 17 and 18' : 'ops 16 to 18';
  const runs = `${Math.max(0, frameSamples - 1)} replay runs after the first, and ${gpuSamples} that count for op 16`;
  return `note: no window of ${interval} runs was filled, so that the stream has no lines of ${ops}: there were ${runs}`;
}

/** The frame itself is no event. */
const eventTimes = ({ eventId, path, samples }: NodeReport): EventTimes[] =>
  eventId === null ? [] : [{ eventId, name: path, durationsNs: sampled(samples.durationNs) }];

export class QrhiOutput {
  readonly #options: QrhiOptions;
  readonly #targets: readonly StreamTarget[];
  readonly #viewer: ViewerConnection | null;
  readonly #recorder: StreamRecorder;
  /** While it is held, a viewer is not told that everything goes: it would show nothing. */
  #keptForViewer: string | null = null;
  /** Files that cannot be written, told of at the end: the replay goes on. */
  readonly #failures = new Map<StreamTarget, unknown>();

  private constructor(
    options: QrhiOptions,
    targets: readonly StreamTarget[],
    viewer: ViewerConnection | null,
    recorder: (sink: (lines: string) => void) => StreamRecorder,
  ) {
    this.#options = options;
    this.#viewer = viewer;
    this.#targets = targets;
    this.#recorder = recorder((lines) => this.#write(lines));
  }

  /** Reads the capture up to its last replayed frame, connects to the viewer, and begins the stream. */
  static async open(capture: Capture, lastFrame: number, options: QrhiOptions): Promise<QrhiOutput> {
    const life = await captureLife(capture, lastFrame);
    const targets = await Promise.all(options.paths.map(openTarget));
    const viewer = options.viewer ? await viewerAt(options.viewer) : null;
    const { width, height, samples, depth, stencil } = capture.manifest.canvas;
    const canvas = { width, height, samples, hasDepthStencil: depth || stencil };
    const interval = options.interval ?? (options.runs === undefined ? null : intervalFor(options.runs));
    return new QrhiOutput(
      options,
      targets,
      viewer,
      (sink) => new StreamRecorder(life, canvas, sink, { interval, numbering: options.numbering, nowNs: hostNs }),
    );
  }

  /** For the replayer. */
  get listener(): ReplayListener {
    const recorder = this.#recorder;
    return {
      setupCall: (index) => {
        recorder.setupCall(index);
        return this.#ready();
      },
      runBegins: () => recorder.runBegins(),
      runEnds: (frame) => recorder.runEnds(frame),
      restored: () => recorder.restored(),
      frameLeft: () => recorder.frameLeft(),
      canvasRead: () => recorder.canvasRead(),
    };
  }

  setupDone(): void {
    this.#recorder.setupDone();
  }

  /** Between two runs; `plain` is of the one before, when that was a plain one. */
  betweenRuns(plain: PlainSample | null): Promise<void> | undefined {
    if (plain && !Number.isNaN(plain.durationNs)) this.#recorder.gpuTime(plain.durationNs);
    return this.#ready();
  }

  /** A frame has been measured, in so many runs. */
  measured(report: FrameReport, runs: number): void {
    this.#recorder.measured(runs);
    if (this.#options.events) this.#recorder.events(report.nodes.flatMap(eventTimes));
  }

  /** The replay is over: files are put in their places. Throws GpuprofError `output-failed`. */
  async finish(): Promise<void> {
    this.#keptForViewer = '';
    this.#recorder.close();
    const { interval } = this.#options;
    const missing = interval === undefined ? null : missingWindows(interval, this.#recorder.windows);
    if (missing) say(missing);
    for (const target of this.#targets)
      if (!this.#failures.has(target)) await target.end().catch((error) => this.#failures.set(target, error));
    for (const failure of this.#failures.values()) throw failure;
  }

  /** Leaves no file and no connection. */
  abandon(): void {
    for (const target of [this.#viewer, ...this.#targets]) target?.abandon();
  }

  /** Holds the connection to a viewer as long as it was asked to, or until interrupted; then ends the stream there. */
  async holdViewer(): Promise<void> {
    if (!this.#viewer?.isOpen || !this.#options.viewer) return;
    const { lingerSeconds } = this.#options;
    const until = lingerSeconds === undefined ? 'until interrupted' : `for ${lingerSeconds} s`;
    const { over, release } = interruption();
    say(`holding the connection to the viewer at ${addressText(this.#options.viewer)} ${until}`);
    const timer = { at: undefined as NodeJS.Timeout | undefined };
    const lingered = new Promise<void>((resolve) => {
      if (lingerSeconds !== undefined) timer.at = setTimeout(resolve, lingerSeconds * 1000);
    });
    try {
      await this.#viewer.hold(Promise.race([over, lingered]));
      this.#viewer.write(this.#keptForViewer ?? '');
      await this.#viewer.end();
    } finally {
      clearTimeout(timer.at);
      release();
    }
  }

  #write(lines: string): void {
    if (this.#keptForViewer === null) this.#viewer?.write(lines);
    else this.#keptForViewer += lines;
    for (const target of this.#targets)
      try {
        if (!this.#failures.has(target)) target.write(lines);
      } catch (error) {
        this.#failures.set(target, error);
      }
  }

  #ready(): Promise<void> | undefined {
    const waits = [this.#viewer, ...this.#targets]
      .map((target) => target?.ready())
      .filter((wait) => wait !== undefined);
    if (waits.length === 0) return undefined;
    // A replay that waits for a reader does not hang.
    nowDoing('');
    return Promise.all(waits).then(() => nowDoing('replaying'));
  }
}
