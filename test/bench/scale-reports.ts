/** How long does each format take for the report of a large frame? Three runs whose readings are made up. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { analyseFrame } from '../../src/analysis/analyse-frame.ts';
import { openCapture } from '../../src/capture/open.ts';
import { FrameTrees } from '../../src/cli/frame-trees.ts';
import { captureLife } from '../../src/model/life/capture-life.ts';
import type { Report } from '../../src/model/report.ts';
import type { FrameMeasurement, RunSample } from '../../src/model/sample.ts';
import { formats } from '../../src/report/formats.ts';
import { defaultOptions } from '../../src/report/options.ts';
import { StreamRecorder } from '../../src/report/qrhi/stream-recorder.ts';
import { randomFrom } from '../helpers/random.ts';
import { softwareReport } from '../report/sample.ts';

const runs = 3;
const leafNs = 10_000;

/** What one step took, and the bytes that it wrote. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
}

function runOf(leaves: number, run: number, random: () => number): RunSample {
  const each = (value: (leaf: number) => number) => Float64Array.from({ length: leaves }, (_, leaf) => value(leaf));
  const startNs = run * leaves * 3 * leafNs;
  const begins = each((leaf) => startNs + leaf * 2 * leafNs);
  return {
    readingsNs: each(() => leafNs * (1 + random() / 10)),
    cpuNs: each(() => leafNs * (1 + random() / 10)),
    floorNs: 300,
    cpuFloorNs: 300,
    bracketedNs: leaves * 2 * leafNs,
    questionable: null,
    record: {
      originNs: 1e12,
      startNs,
      submittedNs: startNs + leaves * 2 * leafNs,
      finishedNs: startNs + leaves * 2 * leafNs,
      submitStartNs: begins,
      submitEndNs: begins.map((timeNs) => timeNs + 100),
      finishNs: begins.map((timeNs) => timeNs + leafNs),
      latencyNs: 1000,
      times: { clock: 'host', beginsNs: begins, endsNs: begins.map((timeNs) => timeNs + leafNs) },
    },
  };
}

/** Times the event tree of a capture's first frame, its analysis and its reports, which go to `output` one after the other. */
export async function timeReports(path: string, output: string): Promise<Step[]> {
  const steps: Step[] = [];
  const step = async <T>(name: string, work: (write: (text: string) => void) => T | Promise<T>): Promise<T> => {
    const file = openSync(output, 'w');
    let bytes = 0;
    const start = performance.now();
    const startCpu = process.cpuUsage();
    const result = await work((text) => {
      bytes += writeSync(file, text);
    });
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(startCpu);
    steps.push({ name, seconds, cpuSeconds: (user + system) / 1e6, bytes });
    closeSync(file);
    return result;
  };
  const capture = await openCapture(path);
  try {
    const tree = await step('event tree', async () => (await FrameTrees.create(capture)).build(1, 'draw'));
    const random = randomFrom(1);
    const plain = { durationNs: tree.leaves.length * leafNs, cpuNs: null };
    const measurement: FrameMeasurement = {
      frame: 1,
      plain: [plain, plain, plain],
      runs: Array.from({ length: runs }, (_, run) => runOf(tree.leaves.length, run, random)),
      repeated: 0,
      warmups: 1,
      problem: null,
    };
    const frame = await step('analysis', () => analyseFrame(tree, measurement));
    // Timelines are recorded only for those that show them.
    const timed: Report = { ...softwareReport, frames: [frame] };
    const report: Report = { ...softwareReport, frames: [{ ...frame, timeline: undefined }] };
    for (const [name, format] of Object.entries(formats))
      await step(name, (write) => {
        let text = '';
        for (const piece of format(name === 'perfetto' ? timed : report, defaultOptions)) {
          text += piece;
          if (text.length < 2 ** 16) continue;
          write(text);
          text = '';
        }
        write(text);
      });
    await step('qrhi', async (write) => {
      const options = { interval: 1, numbering: 5, nowNs: () => performance.now() * 1e6 } as const;
      const canvas = { ...capture.manifest.canvas, hasDepthStencil: false };
      const recorder = new StreamRecorder(await captureLife(capture, 1), canvas, write, options);
      recorder.setupDone();
      recorder.runBegins();
      recorder.runEnds(1);
      recorder.gpuTime(plain.durationNs);
      recorder.measured(1);
      recorder.events(
        frame.nodes.flatMap(({ eventId, path: name, samples }) =>
          eventId === null ? [] : [{ eventId, name, durationsNs: samples.durationNs.map(Number) }],
        ),
      );
      recorder.close();
    });
  } finally {
    await capture.close();
  }
  return steps;
}
