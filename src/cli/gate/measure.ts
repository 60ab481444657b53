/** One capture, measured by itself in a process of its own: a crash, or a driver's memory, stays there. */
import type { Report } from '../../model/report.ts';
import { quietCore } from '../compare/quiet-core.ts';
import { SideProcess } from '../compare/side-process.ts';
import type { Progress } from '../progress.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

const defaultSeconds = 5;
/** Six give a 95% interval that is no longer all of them. */
const fewestRuns = 6;
const mostRuns = 200;

/** Throws GpuprofError for a capture that cannot be replayed or measured here. */
export async function measure(plan: GatePlan, capture: CapturePlan, progress: Progress): Promise<Report> {
  const side = new SideProcess(capture.file, capture.env, (text) => progress.update(`${capture.name}: ${text}`));
  try {
    const core = capture.timing ? await quietCore() : null;
    const request = {
      ...capture.replay,
      file: pathOf(plan, capture.file),
      counters: capture.counters,
      countersOnly: !capture.timing,
      metric: 'auto',
      core,
    } as const;
    const { frames } = await side.ask('open', request, 'opening it');
    const seconds = (capture.timeBudget ?? defaultSeconds) / frames.length;
    for (const frame of frames) {
      await side.ask('load', frame, 'making the frame ready');
      const endMs = performance.now() + seconds * 1000;
      const isOver = (run: number) =>
        capture.runs === undefined
          ? run >= mostRuns || (run >= fewestRuns && performance.now() >= endMs)
          : run >= capture.runs;
      for (let run = 0; capture.timing && !isOver(run); run++) {
        progress.update(`${capture.name}: frame ${frame}, run ${run + 1}`);
        await side.ask('run', undefined, `run ${run + 1}`);
      }
    }
    await side.ask('count', undefined, 'counting');
    const report = await side.ask('report', 'all', 'reporting');
    // As the configuration names it, so that baselines of two checkouts are the same.
    return { ...report, capture: { ...report.capture, file: capture.file } };
  } finally {
    await side.end();
  }
}
