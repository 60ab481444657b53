import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { GpuprofError } from '../errors.ts';
import { type ContextRequest, GlContext } from './context.ts';
import { destroyContext, makeCurrent, noteCurrent, releaseOther } from './current.ts';
import { createContext, type EglLibrary, openEgl } from './egl-library.ts';
import { ensureDisplay } from './x-display.ts';

type CreateGl = (width: number, height: number, options: { createWebGL2Context: boolean }) => { flush(): void } | null;

const require = createRequire(import.meta.url);

interface Angle {
  readonly egl: EglLibrary;
  readonly display: number;
  /** Never used, but kept: when headless-gl's context is collected as garbage, every later GL call does nothing. */
  readonly keepAlive: unknown;
}
let angle: Angle | undefined;

const notInstalled = (cause: unknown): GpuprofError =>
  new GpuprofError(
    'gl-unavailable',
    'the headless-gl driver needs the npm package "gl", which is not installed or did not compile',
    { hint: 'install a compiler and try again: apt-get install python3 make g++ && npm install gl@9.0.0-rc.10', cause },
  );

/** Where headless-gl keeps its ANGLE; throws GpuprofError `gl-unavailable` when it is not installed. */
export function angleFolder(): string {
  try {
    return join(dirname(require.resolve('gl/package.json')), 'build', 'Release');
  } catch (cause) {
    throw notInstalled(cause);
  }
}

/**
 * headless-gl brings ANGLE up; the replay then uses a context of its own on ANGLE's display, because headless-gl's is
 * limited to WebGL (no swizzle, no mapped buffers) and its JavaScript layer cannot replay real frames (DESIGN section 4).
 */
function startAngle(): Angle {
  let createGl: CreateGl;
  try {
    createGl = require('gl') as CreateGl;
  } catch (cause) {
    throw notInstalled(cause);
  }
  const context = createGl(1, 1, { createWebGL2Context: true });
  if (!context)
    throw new GpuprofError('gl-unavailable', `ANGLE cannot open the display ${process.env.DISPLAY ?? '(none)'}`, {
      hint: 'unset DISPLAY, which starts an Xvfb, or apt-get install libgl1 libgl1-mesa-dri, or use --driver egl',
    });
  // Until the first real call headless-gl leaves a hidden second context current.
  context.flush();
  const egl = openEgl(join(angleFolder(), 'libEGL.so'));
  const display = egl.getCurrentDisplay();
  noteCurrent(egl, display, 0);
  // headless-gl ends ANGLE when the process exits, which makes a context of ANGLE's current once more.
  process.prependOnceListener('exit', () => releaseOther(egl));
  return { egl, display, keepAlive: context };
}

/**
 * A context of headless-gl's ANGLE. Starts an Xvfb for the life of the process when there is no display.
 * Throws GpuprofError `gl-unavailable` with what to install.
 */
export async function openHeadlessGlContext(request: ContextRequest): Promise<GlContext> {
  if (request.api !== 'es')
    throw new GpuprofError('gl-unavailable', 'headless-gl offers OpenGL ES only', {
      hint: 'use --driver egl for desktop OpenGL',
    });
  await ensureDisplay();
  releaseOther(angle?.egl);
  angle ??= startAngle();
  const { egl, display } = angle;
  const context = createContext(egl, display, request);
  if (!context)
    throw new GpuprofError(
      'gl-unavailable',
      `headless-gl's ANGLE offers no OpenGL ES ${request.version?.join('.') ?? ''} context here`,
      {
        hint: 'use --driver egl',
      },
    );
  return new GlContext({
    driver: 'headless-gl',
    api: 'es',
    lookup: (name) => egl.getProcAddress(name),
    makeCurrent: () => makeCurrent(egl, display, context),
    destroy: () => destroyContext(egl, display, context),
  });
}
