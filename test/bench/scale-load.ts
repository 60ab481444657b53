/**
 * How long does a fresh process take to load a capture's calls, to make its first frame ready, and to play it once more? Prints
 * JSON: [seconds, CPU seconds] of each, without the start of the process, and the memory that they took.
 *   tsx test/bench/scale-load.ts CAPTURE
 */
import { openCapture } from '../../src/capture/open.ts';
import { openContext } from '../../src/gl/open.ts';
import { Replayer } from '../../src/replay/replayer.ts';

/** Of a part of the load: wall time and CPU time in seconds. */
type Lap = readonly [wallS: number, cpuS: number];

export interface Load {
  readonly calls: number;
  /** Of the calls themselves. */
  readonly wordsMb: number;
  /** What the process grew by while it read and checked them. */
  readonly readMb: number;
  readonly read: Lap;
  readonly setup: Lap;
  readonly frame: Lap;
  readonly play: Lap;
  readonly peakMb: number;
}

const peakMb = () => process.resourceUsage().maxRSS / 1024;

async function timed<T>(work: () => Promise<T>): Promise<[T, Lap]> {
  const [start, startCpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(startCpu);
  return [result, [(performance.now() - start) / 1000, (user + system) / 1e6]];
}

async function load(path: string): Promise<Load> {
  const beforeMb = peakMb();
  const [{ capture, streams }, read] = await timed(async () => {
    const capture = await openCapture(path);
    return { capture, streams: [await capture.setup(), await capture.frame(1)] };
  });
  const readMb = peakMb() - beforeMb;
  const context = await openContext('egl', { api: 'es' });
  const [replayer, setup] = await timed(() => Replayer.create(context, capture));
  const [loaded, frame] = await timed(() => replayer.loadFrame(1));
  // The first run looks for errors after every call.
  loaded.play();
  loaded.restore();
  const [, play] = await timed(async () => {
    loaded.play();
    context.gl.glFinish();
  });
  const wordsMb = streams.reduce((sum, { words }) => sum + words.byteLength, 0) / 1e6;
  const calls = streams.reduce((sum, { length }) => sum + length, 0);
  return { calls, wordsMb, readMb, read, setup, frame, play, peakMb: peakMb() };
}

process.stdout.write(`${JSON.stringify(await load(process.argv[2]))}\n`);
// What the driver has started does not hold the process.
process.exit();
