import koffi from 'koffi';
import { GpuprofError } from '../errors.ts';
import { type ContextRequest, GlContext } from './context.ts';
import { destroyContext, makeCurrent, releaseOther } from './current.ts';
import { createContext, type EglLibrary, openEgl } from './egl-library.ts';
import { addressOf } from './native.ts';

const EGL_EXTENSIONS = 0x3055;
const EGL_PLATFORM_DEVICE_EXT = 0x313f;
const EGL_PLATFORM_SURFACELESS_MESA = 0x31dd;

const install = 'install it: apt-get install libegl1 libgl1-mesa-dri libgles2';

function devices(egl: EglLibrary): number[] {
  const pointer = egl.getProcAddress('eglQueryDevicesEXT');
  if (!pointer) return [];
  const query = koffi.decode(
    pointer,
    koffi.proto('uint32_t gpuprof_eglQueryDevicesEXT(int32_t, uintptr_t, uintptr_t)'),
  );
  const handles = new BigUint64Array(32);
  const count = new Int32Array(32);
  if (!query(handles.length, addressOf(handles), addressOf(count))) return [];
  return Array.from(handles.subarray(0, count[0]), Number);
}

/** Displays that need no window system, best first: surfaceless, then each EGL device. */
function* displays(egl: EglLibrary): Generator<number> {
  const extensions = egl.queryString(0, EGL_EXTENSIONS) ?? '';
  if (extensions.includes('EGL_MESA_platform_surfaceless'))
    yield egl.getPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, 0, 0);
  if (extensions.includes('EGL_EXT_platform_device') || extensions.includes('EGL_EXT_device_base'))
    for (const device of devices(egl)) yield egl.getPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, 0);
}

let library: EglLibrary | undefined;

/**
 * A context of the system's EGL, without a window system.
 * Throws GpuprofError `gl-unavailable` with the command that would install what is missing.
 */
export function openEglContext(request: ContextRequest): GlContext {
  try {
    library ??= openEgl('libEGL.so.1');
  } catch (cause) {
    throw new GpuprofError('gl-unavailable', 'the egl driver needs libEGL.so.1, which is not installed', {
      hint: install,
      cause,
    });
  }
  const egl = library;
  releaseOther(egl);
  let initialised = false;
  for (const display of displays(egl)) {
    if (!display || !egl.initialize(display, 0, 0)) continue;
    initialised = true;
    const context = createContext(egl, display, request);
    if (!context) continue;
    return new GlContext({
      driver: 'egl',
      api: request.api,
      lookup: (name) => egl.getProcAddress(name),
      makeCurrent: () => makeCurrent(egl, display, context),
      destroy: () => destroyContext(egl, display, context),
    });
  }
  const kind = request.api === 'es' ? 'OpenGL ES' : `OpenGL ${request.profile ?? 'compatibility'} profile`;
  const version = request.version ? ` ${request.version.join('.')}` : '';
  throw initialised
    ? new GpuprofError('gl-unavailable', `no EGL display here offers an ${kind}${version} context`, {
        hint: 'try --api or --driver; `gpuprof doctor` lists what there is',
      })
    : new GpuprofError('gl-unavailable', 'EGL is installed but no display without a window system starts', {
        hint: install,
      });
}
