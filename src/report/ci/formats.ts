import { gateBenchmark } from './benchmark.ts';
import { gateGithub } from './github.ts';
import { gateJson } from './json.ts';
import { gateJunit } from './junit.ts';
import { gateComment, gateStepSummary } from './markdown.ts';
import type { GateFormat } from './options.ts';
import { gateTable } from './table.ts';

/**
 * Every output format of a gate's result by its name: `github` for standard output of a GitHub step (workflow commands),
 * `summary` for $GITHUB_STEP_SUMMARY, `comment` for a pull request, `junit` for readers of JUnit XML, `benchmark` for
 * benchmark-tracking actions, `table` for people, `json` with everything.
 */
export const gateFormats = {
  table: gateTable,
  json: gateJson,
  github: gateGithub,
  summary: gateStepSummary,
  comment: gateComment,
  junit: gateJunit,
  benchmark: gateBenchmark,
} satisfies Record<string, GateFormat>;
export type GateFormatName = keyof typeof gateFormats;
