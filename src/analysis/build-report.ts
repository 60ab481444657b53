import type { Capture } from '../model/capture.ts';
import type { ResourceSize } from '../model/life/resource-sizes.ts';
import type {
  CounterSetReport,
  Environment,
  FrameReport,
  GlErrorReport,
  ProgramKeys,
  Report,
  States,
  Warning,
} from '../model/report.ts';
import type { TrustCheck } from '../model/sample.ts';
import { warningsOf } from './warnings.ts';

export interface ReportParts {
  /** Name and version of this program. */
  readonly producer: string;
  readonly capture: Pick<Capture, 'path' | 'manifest'>;
  readonly environment: Environment;
  readonly trust: TrustCheck;
  readonly settings: Report['settings'];
  /** Only when counters were asked for: the sets of all frames (counter-sets.ts). */
  readonly counters?: readonly CounterSetReport[];
  /** Of all programs of the capture. */
  readonly programs: ProgramKeys;
  readonly states: States;
  /** Only when memory was counted. */
  readonly resources?: readonly ResourceSize[];
  readonly frames: readonly FrameReport[];
  readonly glErrors: readonly GlErrorReport[];
  /** What the measuring itself had to say; stands first. */
  readonly warnings: readonly Warning[];
}

/** Keys of the programs that a frame's leaves use. */
function usedPrograms(frames: readonly FrameReport[], keys: ProgramKeys): ProgramKeys {
  const used = new Set<number>();
  for (const { nodes } of frames) for (const { program } of nodes) used.add(program);
  return Object.fromEntries(Object.entries(keys).filter(([id]) => used.has(Number(id))));
}

/** Puts a report together and adds the warnings that follow from its numbers. */
export function buildReport(parts: ReportParts): Report {
  const { path, manifest } = parts.capture;
  const report: Omit<Report, 'warnings'> = {
    format: 'gpuprof-report',
    version: 1,
    producer: parts.producer,
    capture: {
      file: path,
      api: manifest.api,
      canvas: manifest.canvas,
      origin: manifest.origin,
      frames: manifest.frames.length,
    },
    environment: parts.environment,
    trust: parts.trust,
    settings: parts.settings,
    ...(parts.counters && { counters: parts.counters }),
    programs: usedPrograms(parts.frames, parts.programs),
    states: parts.states,
    ...(parts.resources && { resources: parts.resources }),
    frames: parts.frames,
    glErrors: parts.glErrors,
  };
  return { ...report, warnings: [...parts.warnings, ...warningsOf(report)] };
}
