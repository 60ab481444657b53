import type { GateCapture } from '../../model/gate.ts';
import type { CapturePlan, GatePlan } from './read-config.ts';
import { fileInRepository } from './repository.ts';

/** What becomes of a capture that is not there: it is not measured, and the reports say so. */
export const missingCapture = (plan: GatePlan, { name, file }: CapturePlan, reason: string): GateCapture => ({
  name,
  file: fileInRepository(plan, file),
  environment: null,
  baseline: null,
  level: 'unmeasured',
  reason,
  checks: [],
  comparison: null,
  warnings: [],
  wallMs: 0,
});
