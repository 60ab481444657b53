/** One capture, measured by itself in processes of their own: a crash, or a driver's memory, stays there. */
import { poolReports } from '../../analysis/gate/pool-reports.ts';
import type { Report } from '../../model/report.ts';
import { quietCore } from '../compare/quiet-core.ts';
import { SideProcess } from '../compare/side-process.ts';
import type { Progress } from '../progress.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

/**
 * How many processes a baseline's times come from, and those of a second look. Processes of one capture differ by up to 2%
 * for good, and one sitting in thirty has one that differs by 10%: of three, the other two outvote it.
 */
export const freshProcesses = 3;

/** Of each process. */
const defaultSeconds = 5;
/** Six give a 95% interval that is no longer all of them. */
const fewestRuns = 6;
/** Of all processes together, which is what a baseline holds. */
const mostRuns = 200;

/** One of how many processes. */
interface Turn {
  readonly index: number;
  readonly count: number;
}

async function measureOnce(plan: GatePlan, capture: CapturePlan, { index, count }: Turn, progress: Progress) {
  const of = count === 1 ? '' : `process ${index + 1} of ${count}, `;
  const { file: label, env, replay } = capture;
  const file = pathOf(plan, label);
  const side = new SideProcess(label, { file, label, env, replay }, (text) =>
    progress.update(`${capture.name}: ${of}${text}`),
  );
  try {
    const core = capture.timing ? await quietCore() : null;
    const request = {
      ...replay,
      file,
      // Exact, so that once is enough.
      counters: index === 0 ? capture.counters : undefined,
      countersOnly: !capture.timing,
      metric: 'auto',
      core,
    } as const;
    const { frames } = await side.ask('open', request, 'opening it');
    const { timeBudget, runs } = capture;
    const seconds = (timeBudget === undefined ? defaultSeconds : timeBudget / count) / frames.length;
    for (const frame of frames) {
      await side.ask('load', frame, 'making the frame ready');
      const endMs = performance.now() + seconds * 1000;
      const isOver = (run: number) =>
        runs === undefined ? run >= mostRuns / count || (run >= fewestRuns && performance.now() >= endMs) : run >= runs;
      for (let run = 0; capture.timing && !isOver(run); run++) {
        progress.update(`${capture.name}: ${of}frame ${frame}, run ${run + 1}`);
        await side.ask('run', undefined, `run ${run + 1}`);
      }
    }
    await side.ask('count', undefined, 'counting');
    return await side.ask('report', 'all', 'reporting');
  } finally {
    await side.end();
  }
}

/**
 * The runs of so many processes, one after the other, each on the core that is quiet then. Throws GpuprofError for a
 * capture that cannot be replayed or measured here.
 */
export async function measure(
  plan: GatePlan,
  capture: CapturePlan,
  progress: Progress,
  processes = 1,
): Promise<Report> {
  const count = capture.timing ? processes : 1;
  const reports: Report[] = [];
  for (let index = 0; index < count; index++)
    reports.push(await measureOnce(plan, capture, { index, count }, progress));
  const report = poolReports(reports);
  // As the configuration names it, so that baselines of two checkouts are the same.
  return { ...report, capture: { ...report.capture, file: capture.file } };
}
