import koffi from 'koffi';
import type { Api, ContextRequest } from './context.ts';
import { noteCurrent } from './current.ts';
import { Scratch } from './native.ts';

/** Handles are addresses; 0 is EGL's "none". */
type Handle = number;

/** The EGL calls that gpuprof makes, of the system's libEGL or of ANGLE's. */
export interface EglLibrary {
  getProcAddress(name: string): unknown;
  queryString(display: Handle, name: number): string | null;
  getCurrentDisplay(): Handle;
  getPlatformDisplay(platform: number, native: number, attributes: number): Handle;
  initialize(display: Handle, major: number, minor: number): number;
  bindApi(api: number): number;
  createContext(display: Handle, config: Handle, share: Handle, attributes: Int32Array): Handle;
  makeCurrent(display: Handle, draw: Handle, read: Handle, context: Handle): number;
  destroyContext(display: Handle, context: Handle): number;
  chooseConfig(display: Handle, attributes: Int32Array, configs: number, size: number, count: number): number;
}

/** Opens a libEGL by file name or path; throws what the loader says when there is none. */
export function openEgl(path: string): EglLibrary {
  const library = koffi.load(path);
  const call = (declaration: string) => library.func(declaration);
  return {
    getProcAddress: call('void *eglGetProcAddress(const char *)'),
    queryString: call('const char *eglQueryString(uintptr_t, int32_t)'),
    getCurrentDisplay: call('uintptr_t eglGetCurrentDisplay()'),
    getPlatformDisplay: call('uintptr_t eglGetPlatformDisplay(uint32_t, uintptr_t, uintptr_t)'),
    initialize: call('uint32_t eglInitialize(uintptr_t, uintptr_t, uintptr_t)'),
    bindApi: call('uint32_t eglBindAPI(uint32_t)'),
    createContext: call('uintptr_t eglCreateContext(uintptr_t, uintptr_t, uintptr_t, int32_t *)'),
    makeCurrent: call('uint32_t eglMakeCurrent(uintptr_t, uintptr_t, uintptr_t, uintptr_t)'),
    destroyContext: call('uint32_t eglDestroyContext(uintptr_t, uintptr_t)'),
    chooseConfig: call('uint32_t eglChooseConfig(uintptr_t, int32_t *, uintptr_t, int32_t, uintptr_t)'),
  } as unknown as EglLibrary;
}

const EGL_OPENGL_ES_API = 0x30a0;
const EGL_OPENGL_API = 0x30a2;
const EGL_CONTEXT_MAJOR_VERSION = 0x3098;
const EGL_CONTEXT_MINOR_VERSION = 0x30fb;
const EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30fd;
const EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 1;
const EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT = 2;
const EGL_CONTEXT_OPENGL_ROBUST_ACCESS = 0x31b2;
const EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY = 0x31bd;
const EGL_LOSE_CONTEXT_ON_RESET = 0x31bf;
const EGL_NONE = 0x3038;
const EGL_EXTENSIONS = 0x3055;

const newestFirst: Record<Api, readonly (readonly [number, number])[]> = {
  es: [
    [3, 2],
    [3, 1],
    [3, 0],
    [2, 0],
  ],
  gl: [
    [4, 6],
    [4, 5],
    [4, 3],
    [4, 1],
    [3, 3],
    [3, 2],
    [3, 0],
  ],
};

/** A config for displays that insist on one (ANGLE's), else 0: contexts here draw to framebuffer objects only. */
function anyConfig(egl: EglLibrary, display: Handle): Handle {
  if (egl.queryString(display, EGL_EXTENSIONS)?.includes('EGL_KHR_no_config_context')) return 0;
  const out = new Scratch(64);
  const found = egl.chooseConfig(display, new Int32Array([EGL_NONE]), out.address, 1, out.address + 8);
  return found && out.i32[2] > 0 ? Number(out.u64[0]) : 0;
}

/**
 * Creates the newest context of the asked kind without a surface and makes it current. Contexts with robust buffer
 * access are tried first, so that an out-of-range draw in a capture cannot read foreign memory; among them, those that say
 * when the GPU was reset (EGL 1.5, section 3.7.1).
 * Returns the context, or undefined when the display offers none that is new enough.
 */
export function createContext(egl: EglLibrary, display: Handle, request: ContextRequest): Handle | undefined {
  const config = anyConfig(egl, display);
  const [major, minor] = request.version ?? [0, 0];
  if (!egl.bindApi(request.api === 'es' ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return undefined;
  const profile =
    request.profile === 'core' ? EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT : EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT;
  const versions = newestFirst[request.api].filter((v) => v[0] > major || (v[0] === major && v[1] >= minor));
  const robust = [EGL_CONTEXT_OPENGL_ROBUST_ACCESS, 1];
  const notified = [...robust, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET];
  for (const more of [notified, robust, []])
    for (const version of versions) {
      const attributes = [EGL_CONTEXT_MAJOR_VERSION, version[0], EGL_CONTEXT_MINOR_VERSION, version[1]];
      if (request.api === 'gl') attributes.push(EGL_CONTEXT_OPENGL_PROFILE_MASK, profile);
      attributes.push(...more);
      const context = egl.createContext(display, config, 0, new Int32Array([...attributes, EGL_NONE]));
      if (!context) continue;
      if (egl.makeCurrent(display, 0, 0, context)) {
        noteCurrent(egl, display, context);
        return context;
      }
      egl.destroyContext(display, context);
    }
  return undefined;
}
