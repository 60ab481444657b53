/** Files that a gate reads, and that none of its results may replace. */
import { captureFiles } from './capture-files.ts';
import type { ConfigFile } from './config-file.ts';
import { type GatePlan, pathOf } from './read-config.ts';

/** Absolute: the configuration, captures, what they are compared with, and baselines of any renderer. */
export function inputsOf(config: Pick<ConfigFile, 'path'>, plan: GatePlan): string[] {
  const named = plan.captures.flatMap(({ file, baseline }) =>
    baseline === null || baseline === 'auto' ? [file] : [file, baseline],
  );
  const written = captureFiles(plan.folder, `${plan.baselines}/*/*.json`);
  return [config.path, ...[...named, ...written].map((path) => pathOf(plan, path))];
}
