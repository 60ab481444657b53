import { gateJson } from './json.ts';
import type { GateFormat } from './options.ts';

/**
 * Every output format of a gate's result by its name: `github` for standard output of a GitHub step (workflow commands),
 * `summary` for $GITHUB_STEP_SUMMARY, `comment` for a pull request, `junit` for readers of JUnit XML, `benchmark` for
 * benchmark-tracking actions, `table` for people, `json` with everything.
 */
export const gateFormats = {
  table: gateJson,
  json: gateJson,
  github: gateJson,
  summary: gateJson,
  comment: gateJson,
  junit: gateJson,
  benchmark: gateJson,
} satisfies Record<string, GateFormat>;
export type GateFormatName = keyof typeof gateFormats;
