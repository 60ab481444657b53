import { GpuprofError } from '../errors.ts';
import type { Api, DriverName, GlContext } from '../gl/context.ts';
import { openContext } from '../gl/open.ts';
import type { Environment } from '../model/report.ts';
import type { TrustCheck } from '../model/sample.ts';
import { describeEnvironment } from './environment.ts';
import { checkTrust } from './trust-check.ts';

/** What one driver gives on this machine. */
export interface Probe {
  readonly driver: DriverName;
  readonly api: Api;
  /** Why there is no context, or null. */
  readonly problem: string | null;
  /** What to do about it: mostly the command that installs what is missing. */
  readonly hint: string | null;
  readonly environment: Environment | null;
  readonly trust: TrustCheck | null;
  /** What the context has beyond timers that gpuprof makes use of. */
  readonly extras: readonly string[];
}

/** Every driver and API there is to try. */
export const probeTargets: readonly { readonly driver: DriverName; readonly api: Api }[] = [
  { driver: 'headless-gl', api: 'es' },
  { driver: 'egl', api: 'es' },
  { driver: 'egl', api: 'gl' },
  { driver: 'swiftshader', api: 'es' },
];

const anyExtension = (context: GlContext, names: readonly string[]) =>
  names.some((name) => context.extensions.has(name));

function extrasOf(context: GlContext): string[] {
  const extras: string[] = [];
  if (context.api === 'gl' && (context.atLeast(4, 6) || anyExtension(context, ['GL_ARB_pipeline_statistics_query'])))
    extras.push('pipeline statistics');
  if (context.find('glCopyImageSubData')) extras.push('copy image');
  if (anyExtension(context, ['GL_KHR_debug']) || context.find('glPushDebugGroup')) extras.push('debug groups');
  if (anyExtension(context, ['GL_INTEL_performance_query'])) extras.push('Intel performance queries');
  if (anyExtension(context, ['GL_AMD_performance_monitor'])) extras.push('AMD performance monitor');
  return extras;
}

/** A probe of a driver that gave no context. */
export function failedProbe(driver: DriverName, api: Api, error: unknown): Probe {
  return {
    driver,
    api,
    problem: error instanceof Error ? error.message : String(error),
    hint: (error instanceof GpuprofError && error.hint) || null,
    environment: null,
    trust: null,
    extras: [],
  };
}

/**
 * Opens a driver and checks its timers; `browser` is for the swiftshader driver. One probe a process: a second X client of the same process can end it.
 * Never throws; what went wrong is in the probe.
 */
export async function probeDriver(driver: DriverName, api: Api, browser?: string): Promise<Probe> {
  let context: GlContext;
  try {
    context = await openContext(driver, { api, browser });
  } catch (error) {
    return failedProbe(driver, api, error);
  }
  const environment = describeEnvironment(context);
  const extras = extrasOf(context);
  try {
    return { driver, api, problem: null, hint: null, environment, trust: checkTrust(context), extras };
  } catch (error) {
    return { ...failedProbe(driver, api, error), environment, extras };
  }
}
