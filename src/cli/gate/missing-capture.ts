import { relative } from 'node:path';
import type { GateCapture } from '../../model/gate.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

/** What becomes of a capture that is not there: it is not measured, and the reports say so. */
export const missingCapture = (plan: GatePlan, { name, file }: CapturePlan, reason: string): GateCapture => ({
  name,
  // From the working folder, as of those that are measured.
  file: relative('', pathOf(plan, file)),
  environment: null,
  baseline: null,
  level: 'unmeasured',
  reason,
  checks: [],
  comparison: null,
  warnings: [],
  wallMs: 0,
});
