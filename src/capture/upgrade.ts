import { GpuprofError } from '../errors.ts';
import type { JsonObject } from './fields.ts';

/** The version this program writes, and the newest it reads. */
export const captureVersion = 1;

/** Turns a manifest of version n (the key) into one of version n + 1; every older version keeps its step for good. */
export type UpgradeSteps = Readonly<Record<number, (manifest: JsonObject) => JsonObject>>;

const upgradeSteps: UpgradeSteps = {};

/** Brings a parsed capture.json to the current version, one step a version; refuses what is newer or no capture. */
export function upgradeManifest(raw: unknown, steps = upgradeSteps, current = captureVersion): JsonObject {
  const manifest = raw as JsonObject | null;
  if (typeof manifest !== 'object' || manifest === null || manifest.format !== 'gpuprof-capture')
    throw new GpuprofError('bad-capture', 'format must be "gpuprof-capture"');
  const version = manifest.version;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new GpuprofError('bad-capture', `version must be a whole number from 1, got ${JSON.stringify(version)}`);
  if (version > current)
    throw new GpuprofError(
      'unsupported-version',
      `made by a newer gpuprof (capture version ${version}; this one reads up to ${current})`,
      { hint: 'update gpuprof' },
    );
  let upgraded = manifest;
  for (let from = version; from < current; from++) upgraded = { ...steps[from](upgraded), version: from + 1 };
  return upgraded;
}
