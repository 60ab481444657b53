import type { Report, Warning } from '../../model/report.ts';
import { selectCounters } from '../../query/select-counters.ts';
import type { Progress } from '../progress.ts';
import { quietCore } from './quiet-core.ts';
import { kindOfSide, readReport } from './read-report.ts';
import type { CompareSettings, SideRequest } from './requests.ts';
import { SideProcess } from './side-process.ts';
import type { SittingSide } from './sitting.ts';

/** What a side's process is asked for beside the capture. */
export type SideSettings = Pick<CompareSettings, 'counters' | 'readCounters' | 'countersOnly' | 'metric'>;

const sideNames = ['base', 'new'];

/** What llvmpipe takes its worker threads from; who sets it for a side means it. */
const threadVariable = 'LP_NUM_THREADS';

/** The report with no other counters than these patterns mean. */
function withCounters({ counters = [], resources, ...report }: Report, patterns: readonly string[]): Report {
  const kept = new Set(
    selectCounters(counters, patterns).selected.flatMap((each) => each.counters.map(({ id }) => id)),
  );
  const sets = counters
    .map((set) => ({ ...set, counters: set.counters.filter(({ id }) => kept.has(id)) }))
    .filter((set) => set.counters.length > 0);
  const hasMemory = sets.some(({ source }) => source === 'memory');
  return { ...report, ...(sets.length > 0 && { counters: sets }), ...(hasMemory && resources && { resources }) };
}

/** What is replayed, on a core that all sides share, or read. */
export class OpenSides {
  readonly sides: readonly SittingSide[];
  readonly warnings: readonly Warning[];

  private constructor(sides: readonly SittingSide[]) {
    this.sides = sides;
    const reasons = sides.flatMap(({ process, ...side }) =>
      process && 'opened' in side && side.opened.unpinned !== null ? [side.opened.unpinned] : [],
    );
    this.warnings = [...new Set(reasons)].map((reason) => ({
      code: 'not-pinned',
      message: `the replays do not keep to one core: ${reason}; cores differ by more than frames do`,
    }));
  }

  /**
   * Starts a process for each side that is a capture, and reads those that are reports. Throws GpuprofError for a side
   * that cannot be opened; then none is left running.
   */
  static async open(
    requests: readonly SideRequest[],
    { readCounters, ...settings }: SideSettings,
    progress: Progress,
  ): Promise<OpenSides> {
    const kinds = await Promise.all(requests.map(({ file }) => kindOfSide(file)));
    const core = kinds.includes('capture') && !settings.countersOnly ? await quietCore() : null;
    const names = requests.map(({ label }, index) => (requests.length > 1 ? `${sideNames[index]} (${label})` : label));
    // All start at once; then one after another works, so that none disturbs another's check of the timers.
    const processes = requests.map((request, index) =>
      kinds[index] === 'capture'
        ? new SideProcess(names[index], request, (text) => progress.update(`${names[index]}: ${text}`))
        : null,
    );
    // Both at once: one is read from the disk while the other is parsed.
    const reports = requests.map(({ file }, index) =>
      kinds[index] === 'report' ? readReport(file, settings.metric) : null,
    );
    for (const report of reports) report?.catch(() => {});
    try {
      const sides: SittingSide[] = [];
      for (const [index, process] of processes.entries()) {
        const { file, env, replay } = requests[index];
        if (process) {
          const softwareThreads = threadVariable in env ? 'default' : replay.softwareThreads;
          const request = { ...replay, softwareThreads, ...settings, file, core };
          sides.push({ process, opened: await process.ask('open', request, 'opening the capture') });
        } else {
          const report = (await reports[index])!;
          sides.push({ process, report: readCounters ? withCounters(report, readCounters) : report });
        }
      }
      return new OpenSides(sides);
    } catch (error) {
      await Promise.all(processes.map((process) => process?.end()));
      throw error;
    }
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    await Promise.all(this.sides.map((side) => side.process?.end()));
  }
}
