import type { GateCapture } from '../../model/gate.ts';
import type { CapturePlan, GatePlan } from './read-config.ts';
import { fileInRepository } from './repository.ts';

/** Stands in a result for what could not be looked at. */
export const unmeasured = (name: string, file: string, reason: string): GateCapture => ({
  name,
  file,
  environment: null,
  baseline: null,
  level: 'unmeasured',
  reason,
  checks: [],
  comparison: null,
  warnings: [],
  wallMs: 0,
});

/** What becomes of a capture that is not there: it is not measured, and the reports say so. */
export const missingCapture = (plan: GatePlan, { name, file }: CapturePlan, reason: string): GateCapture =>
  unmeasured(name, fileInRepository(plan, file), reason);
