import { writeFileSync } from 'node:fs';
import { GpuprofError } from '../../src/errors.ts';
import type { TraceLimits } from '../../src/import/apitrace/limits.ts';
import { openTrace } from '../../src/import/apitrace/open-trace.ts';
import type { TraceCall, TraceEnding } from '../../src/import/apitrace/trace.ts';

export interface Outcome {
  readonly calls: readonly TraceCall[];
  readonly ending: TraceEnding | null;
  /** The refusal's message, without the path; undefined when there was none. */
  readonly problem: string | undefined;
}

/** Reads `file` as a trace at `path`. Whatever is thrown but a GpuprofError goes on. */
export function read(path: string, file: Uint8Array, limits: Partial<TraceLimits> = {}): Outcome {
  writeFileSync(path, file);
  const calls: TraceCall[] = [];
  let ending: TraceEnding | null = null;
  try {
    const trace = openTrace(path, limits);
    for (const call of trace.calls()) calls.push(call);
    ending = trace.ending;
  } catch (error) {
    if (!(error instanceof GpuprofError)) throw error;
    return { calls, ending, problem: error.message.replace(`${path}: `, '') };
  }
  return { calls, ending, problem: undefined };
}
