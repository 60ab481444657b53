import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GpuprofError } from '../errors.ts';
import { chromiumFolder, swiftShaderLibrary } from './chromium-folder.ts';
import { type ContextRequest, GlContext } from './context.ts';
import { destroyContext, makeCurrent, releaseOther } from './current.ts';
import { createContext, type EglLibrary, openEgl } from './egl-library.ts';
import { angleFolder } from './headless-gl.ts';
import { Scratch } from './native.ts';
import { swiftShaderThreads } from './software-threads.ts';

const EGL_PLATFORM_ANGLE_ANGLE = 0x3202;
const EGL_PLATFORM_ANGLE_TYPE_ANGLE = 0x3203;
const EGL_PLATFORM_ANGLE_TYPE_VULKAN_ANGLE = 0x3450;
const EGL_PLATFORM_ANGLE_DEVICE_TYPE_ANGLE = 0x3209;
const EGL_PLATFORM_ANGLE_DEVICE_TYPE_SWIFTSHADER_ANGLE = 0x3487;
const EGL_NONE = 0x3038;

const platform = [
  ...[EGL_PLATFORM_ANGLE_TYPE_ANGLE, EGL_PLATFORM_ANGLE_TYPE_VULKAN_ANGLE],
  ...[EGL_PLATFORM_ANGLE_DEVICE_TYPE_ANGLE, EGL_PLATFORM_ANGLE_DEVICE_TYPE_SWIFTSHADER_ANGLE],
  EGL_NONE,
];

/** Whether a browser keeps its ANGLE in libraries. Debian's has it in the program, and stubs with nothing in them. */
function hasAngle(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'libEGL.so')).includes('eglGetPlatformDisplay');
  } catch {
    return false;
  }
}

/**
 * Puts together what ANGLE looks for in its own folder: itself, the Vulkan loader, SwiftShader and its settings. ANGLE is
 * copied, since a library that is loaded already (headless-gl's) would keep its first folder; the rest is linked.
 */
function layOut(folder: string, browser: string): void {
  const angle = hasAngle(browser) ? browser : angleFolder();
  for (const name of ['libEGL.so', 'libGLESv2.so']) copyFileSync(join(angle, name), join(folder, name));
  for (const name of ['libvulkan.so.1', swiftShaderLibrary]) symlinkSync(join(browser, name), join(folder, name));
  const driver = { library_path: `./${swiftShaderLibrary}`, api_version: '1.0.5' };
  writeFileSync(join(folder, 'vk_swiftshader_icd.json'), JSON.stringify({ file_format_version: '1.0.0', ICD: driver }));
  writeFileSync(join(folder, 'SwiftShader.ini'), `[Processor]\nThreadCount=${swiftShaderThreads()}\n`);
}

interface Angle {
  readonly browser: string;
  readonly egl: EglLibrary;
  readonly display: number;
}
let started: Angle | undefined;

function startAngle(browser: string): Angle {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'gpuprof-swiftshader-'));
    layOut(folder, browser);
    const egl = openEgl(join(folder, 'libEGL.so'));
    const attributes = new Scratch(256);
    attributes.i64.set(platform.map(BigInt));
    const display = egl.getPlatformDisplay(EGL_PLATFORM_ANGLE_ANGLE, 0, attributes.address);
    if (!display || !egl.initialize(display, 0, 0)) throw new Error('ANGLE does not start on it');
    return { browser, egl, display };
  } catch (cause) {
    if (cause instanceof GpuprofError) throw cause;
    throw new GpuprofError(
      'gl-unavailable',
      `the SwiftShader of ${browser} does not load: ${(cause as Error).message}`,
      {
        hint: 'name another browser with --browser, or use --driver egl',
        cause,
      },
    );
  } finally {
    // By now everything is loaded, or never will be.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A context of ANGLE over the SwiftShader that an installed Chromium draws with, so that what it recorded can be replayed
 * on the same renderer. ANGLE is the browser's own where it comes as a library, else headless-gl's.
 * Throws GpuprofError `gl-unavailable`, or `bad-usage` for a `request.browser` without SwiftShader.
 */
export function openSwiftShaderContext(request: ContextRequest): GlContext {
  if (request.api !== 'es')
    throw new GpuprofError('gl-unavailable', 'SwiftShader offers OpenGL ES only', {
      hint: 'use --driver egl for desktop OpenGL',
    });
  const browser = chromiumFolder(request.browser);
  if (started && started.browser !== browser)
    throw new GpuprofError('gl-unavailable', `this process already draws with the SwiftShader of ${started.browser}`);
  releaseOther(started?.egl);
  started ??= startAngle(browser);
  const { egl, display } = started;
  const context = createContext(egl, display, request);
  if (!context)
    throw new GpuprofError(
      'gl-unavailable',
      `the SwiftShader of ${browser} offers no OpenGL ES ${request.version?.join('.') ?? ''} context`,
      { hint: 'use --driver egl' },
    );
  return new GlContext({
    driver: 'swiftshader',
    api: 'es',
    lookup: (name) => egl.getProcAddress(name),
    makeCurrent: () => makeCurrent(egl, display, context),
    destroy: () => destroyContext(egl, display, context),
  });
}
