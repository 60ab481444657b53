import { GpuprofError } from '../errors.ts';
import type { Api, DriverName, GlContext } from '../gl/context.ts';
import { openContext } from '../gl/open.ts';
import type { Manifest } from '../model/capture.ts';
import { nowDoing } from '../model/position.ts';
import { checkRequirements } from '../replay/checks/requirements.ts';
import type { ReplayOptions } from './replay-options.ts';

/** Drivers worth trying, best first: what the capture needs decides, then whether there is a display. */
export function driverOrder(asked: DriverName | 'auto', api: Api, hasDisplay: boolean): readonly DriverName[] {
  if (asked !== 'auto') return [asked];
  if (api === 'gl') return ['egl'];
  return hasDisplay ? ['headless-gl', 'egl'] : ['egl', 'headless-gl'];
}

async function openFor(driver: DriverName, api: Api, manifest: Manifest, browser?: string): Promise<GlContext> {
  const profile = api === 'gl' && manifest.profile ? { profile: manifest.profile } : {};
  const context = await openContext(driver, { api, browser, ...profile });
  try {
    checkRequirements(context, manifest);
    return context;
  } catch (error) {
    context.destroy();
    throw error;
  }
}

const isLacking = (error: unknown): boolean =>
  error instanceof GpuprofError && (error.code === 'gl-unavailable' || error.code === 'missing-feature');

/** Opens the first choice that will do; when none will, throws why the first one does not. */
async function firstOf<T>(choices: readonly T[], open: (choice: T) => Promise<GlContext>): Promise<GlContext> {
  nowDoing('opening a GL context');
  let first: unknown;
  for (const choice of choices) {
    try {
      return await open(choice);
    } catch (error) {
      if (!isLacking(error)) throw error;
      first ??= error;
    }
  }
  throw first;
}

const hasDisplay = (): boolean => Boolean(process.env.DISPLAY);

/** Opens the context to replay a capture on. `auto` goes on when a driver is not there or lacks what the capture needs. */
export async function openDriver(
  asked: Pick<ReplayOptions, 'driver' | 'api' | 'browser'>,
  manifest: Manifest,
): Promise<GlContext> {
  const api = asked.api ?? (manifest.api === 'gl' ? 'gl' : 'es');
  // Programs of OpenGL ES ran on the system's own driver, whether or not there is a display.
  const prefersAngle = hasDisplay() && manifest.api.startsWith('webgl');
  return firstOf(driverOrder(asked.driver, api, prefersAngle), (driver) =>
    openFor(driver, api, manifest, asked.browser),
  );
}

/** Opens a context for itself, of no capture: without an API, desktop OpenGL where a driver has it, else OpenGL ES. */
export async function openAny(asked: Pick<ReplayOptions, 'driver' | 'api' | 'browser'>): Promise<GlContext> {
  const apis: readonly Api[] = asked.api ? [asked.api] : ['gl', 'es'];
  const choices = apis.flatMap((api) =>
    driverOrder(asked.driver, api, hasDisplay()).map((driver) => ({ driver, api })),
  );
  return firstOf(choices, ({ driver, api }) => openContext(driver, { api, browser: asked.browser }));
}

/** Opens an OpenGL ES 3 context to record on; `auto` goes on to the next driver when one is not there. */
export async function openRecordingContext(asked: DriverName | 'auto'): Promise<GlContext> {
  return firstOf(driverOrder(asked, 'es', hasDisplay()), (driver) =>
    openContext(driver, { api: 'es', version: [3, 0] }),
  );
}
