/** Contexts, windows and swaps, as GLX, EGL, WGL and CGL programs make them. */
import { GpuprofError } from '../../../errors.ts';
import type { TraceCall, TraceValue } from '../trace.ts';
import { Drawable, legacyProfile, type Profile } from './contexts.ts';
import type { Session, Translate } from './session.ts';
import { isList, numberOf, numbersOf } from './values.ts';

/** The value of a key in a list of pairs. */
function attribute(list: TraceValue, key: number, otherwise = 0): number {
  const pairs = isList(list) ? list : [];
  for (let at = 0; at + 1 < pairs.length; at += 2) if (numberOf(pairs[at]) === key) return numberOf(pairs[at + 1]);
  return otherwise;
}

// GLX_ and WGL_CONTEXT_*_ARB have the same values, and EGL's version keys others.
const CONTEXT_MAJOR = 0x2091;
const CONTEXT_MINOR = 0x2092;
const CONTEXT_PROFILE_MASK = 0x9126;
const EGL_CONTEXT_MAJOR = 0x3098;
const EGL_CONTEXT_MINOR = 0x30fb;
const EGL_CONTEXT_PROFILE_MASK = 0x30fd;
const CORE_BIT = 1;
const ES_BIT = 4;

function desktop(major: number, minor: number, mask: number, samples: number): Profile {
  const isCore = (major > 3 || (major === 3 && minor >= 2)) && (mask & CORE_BIT) !== 0;
  const isOld = major < 2 || (major === 2 && minor === 0);
  return { api: 'gl', version: isOld ? legacyProfile.version : [major, minor], isCore, samples };
}

/** Of glXCreateContextAttribsARB and wglCreateContextAttribsARB. */
function attribsProfile(list: TraceValue, samples: number): Profile {
  const [major, minor] = [attribute(list, CONTEXT_MAJOR, 1), attribute(list, CONTEXT_MINOR)];
  const mask = attribute(list, CONTEXT_PROFILE_MASK, CORE_BIT);
  return mask & ES_BIT
    ? { api: 'gles', version: [major, minor], isCore: false, samples }
    : desktop(major, minor, mask, samples);
}

/** A result that says that the call failed; traces of processes that ended early have none. */
const hasFailed = ({ result }: TraceCall): boolean => result !== undefined && result !== null && numberOf(result) === 0;

/** What the parts for each window system share. */
class Windows {
  readonly session: Session;
  /** Samples of the configurations that were asked for with any. */
  readonly samples = new Map<number, number>();

  constructor(session: Session, platform: string) {
    this.session = session;
    session.platform = platform;
  }

  create(call: TraceCall, share: TraceValue, profile: Profile): void {
    const address = numberOf(call.result ?? null);
    if (address !== 0) this.session.contexts.create(address, profile, numberOf(share));
  }

  makeCurrent(call: TraceCall, context: TraceValue, drawable: TraceValue, readable: TraceValue = drawable): void {
    if (hasFailed(call)) return;
    const { contexts } = this.session;
    contexts.makeCurrent(call.thread, numberOf(context), numberOf(drawable), numberOf(readable));
    const profile = contexts.current(call.thread)?.profile;
    if (profile?.api === 'gles' && profile.version[0] < 2)
      throw new GpuprofError('bad-input', 'the trace uses OpenGL ES 1', {
        hint: 'gpuprof replays OpenGL ES 2 and 3, and desktop OpenGL',
      });
    this.session.leave();
  }

  readonly swap: Translate = () => this.session.builder.endFrame();
}

function glx(session: Session): Readonly<Record<string, Translate>> {
  const windows = new Windows(session, 'glx');
  const { samples } = windows;
  const GLX_SAMPLE_BUFFERS = 100000;
  const GLX_SAMPLES = 100001;
  const samplesOf = (config: TraceValue) => samples.get(numberOf(config)) ?? 0;
  const configAttribute: Translate = ({ args }) => {
    if (numberOf(args[2]) === GLX_SAMPLES && args[3] !== null) samples.set(numberOf(args[1]), numberOf(args[3]));
  };
  return {
    glXChooseFBConfig: ({ args, result }) => {
      const count = attribute(args[2], GLX_SAMPLE_BUFFERS) ? attribute(args[2], GLX_SAMPLES) : 0;
      if (count > 0) for (const config of numbersOf(result ?? null)) samples.set(config, count);
    },
    glXGetFBConfigAttrib: configAttribute,
    glXGetFBConfigAttribSGIX: configAttribute,
    glXCreateContext: (call) => windows.create(call, call.args[2], legacyProfile),
    glXCreateNewContext: (call) =>
      windows.create(call, call.args[3], { ...legacyProfile, samples: samplesOf(call.args[1]) }),
    glXCreateContextAttribsARB: (call) =>
      windows.create(call, call.args[2], attribsProfile(call.args[4], samplesOf(call.args[1]))),
    glXDestroyContext: ({ args }) => session.contexts.destroy(numberOf(args[1])),
    glXMakeCurrent: (call) => windows.makeCurrent(call, call.args[2], call.args[1]),
    glXMakeContextCurrent: (call) => windows.makeCurrent(call, call.args[3], call.args[1], call.args[2]),
    glXMakeCurrentReadSGI: (call) => windows.makeCurrent(call, call.args[3], call.args[1], call.args[2]),
    glXCreatePbuffer: ({ args, result }) => {
      const size = { width: attribute(args[2], 0x8041), height: attribute(args[2], 0x8040) };
      session.contexts.addDrawable(numberOf(result ?? null), new Drawable(size));
    },
    glXDestroyPbuffer: ({ args }) => session.contexts.destroyDrawable(numberOf(args[1])),
    glXSwapBuffers: windows.swap,
    glXSwapBuffersMscOML: windows.swap,
  };
}

function egl(session: Session): Readonly<Record<string, Translate>> {
  const windows = new Windows(session, 'egl');
  const { samples } = windows;
  const EGL_OPENGL_API = 0x30a2;
  const EGL_SAMPLES = 0x3031;
  const apis: number[] = [];
  const makeSurface: Translate = ({ result }) => session.contexts.addDrawable(numberOf(result ?? null), new Drawable());
  return {
    eglBindAPI: (call) => {
      if (!hasFailed(call)) apis[call.thread] = numberOf(call.args[0]);
    },
    eglChooseConfig: ({ args }) => {
      const count = attribute(args[1], EGL_SAMPLES);
      if (count > 0) for (const config of numbersOf(args[2])) samples.set(config, count);
    },
    eglCreateContext: (call) => {
      const [, config, share, attributes] = call.args;
      const major = attribute(attributes, EGL_CONTEXT_MAJOR, 1);
      const minor = attribute(attributes, EGL_CONTEXT_MINOR);
      const count = samples.get(numberOf(config)) ?? 0;
      const mask = attribute(attributes, EGL_CONTEXT_PROFILE_MASK, CORE_BIT);
      const isDesktop = apis[call.thread] === EGL_OPENGL_API;
      windows.create(
        call,
        share,
        isDesktop
          ? desktop(major, minor, mask, count)
          : { api: 'gles', version: [major, minor], isCore: false, samples: count },
      );
    },
    eglDestroyContext: ({ args }) => session.contexts.destroy(numberOf(args[1])),
    eglMakeCurrent: (call) => windows.makeCurrent(call, call.args[3], call.args[1]),
    eglReleaseThread: ({ thread }) => {
      session.contexts.makeCurrent(thread, 0, 0);
      session.leave();
    },
    eglCreateWindowSurface: makeSurface,
    eglCreatePbufferSurface: makeSurface,
    eglCreatePlatformWindowSurface: makeSurface,
    eglCreatePlatformWindowSurfaceEXT: makeSurface,
    eglDestroySurface: ({ args }) => session.contexts.destroyDrawable(numberOf(args[1])),
    eglSwapBuffers: windows.swap,
    eglSwapBuffersWithDamageEXT: windows.swap,
    eglSwapBuffersWithDamageKHR: windows.swap,
  };
}

function wgl(session: Session): Readonly<Record<string, Translate>> {
  const windows = new Windows(session, 'wgl');
  const swap: Translate = (call) => {
    if (!hasFailed(call)) windows.swap(call);
  };
  return {
    wglCreateContext: (call) => windows.create(call, null, legacyProfile),
    wglCreateLayerContext: (call) => windows.create(call, null, legacyProfile),
    wglCreateContextAttribsARB: (call) => windows.create(call, call.args[1], attribsProfile(call.args[2], 0)),
    wglDeleteContext: ({ args }) => session.contexts.destroy(numberOf(args[0])),
    wglMakeCurrent: (call) => windows.makeCurrent(call, call.args[1], call.args[0]),
    wglMakeContextCurrentARB: (call) => windows.makeCurrent(call, call.args[2], call.args[0], call.args[1]),
    wglShareLists: (call) => {
      if (hasFailed(call)) return;
      session.contexts.share(numberOf(call.args[0]), numberOf(call.args[1]));
      session.leave();
    },
    wglSwapBuffers: swap,
    wglSwapLayerBuffers: swap,
    wglSwapMultipleBuffers: swap,
  };
}

function cgl(session: Session): Readonly<Record<string, Translate>> {
  const windows = new Windows(session, 'cgl');
  const kCGLPFAOpenGLProfile = 99;
  const profiles = new Map<number, Profile>();
  return {
    CGLChoosePixelFormat: ({ args }) => {
      const list = numbersOf(args[0]);
      const at = list.indexOf(kCGLPFAOpenGLProfile);
      const version = at < 0 ? 0 : list[at + 1] >> 8;
      if (version >= 0x32) profiles.set(numberOf(args[1]), desktop(version >> 4, version & 15, CORE_BIT, 0));
    },
    CGLCreateContext: ({ args }) => {
      const profile = profiles.get(numberOf(args[0])) ?? legacyProfile;
      const address = numberOf(args[2]);
      if (address !== 0) session.contexts.create(address, profile, numberOf(args[1]));
    },
    CGLDestroyContext: ({ args }) => session.contexts.destroy(numberOf(args[0])),
    // A context of CGL's has one surface, which the trace does not name.
    CGLSetCurrentContext: ({ thread, args }) => {
      session.contexts.makeCurrent(thread, numberOf(args[0]), numberOf(args[0]));
      session.leave();
    },
    CGLFlushDrawable: windows.swap,
  };
}

const swaps = /^(?:(glX|egl)SwapBuffers|wglSwap(?:Layer)?Buffers$|CGLFlushDrawable$)/;

/** The window that a call shows at the end of a frame; null when it does not tell, undefined when it ends no frame. */
export function shownBy({ function: { name }, args }: TraceCall): number | null | undefined {
  const swap = swaps.exec(name);
  if (swap) return numberOf(args[swap[1] ? 1 : 0]);
  return /^(glFrameTerminatorGREMEDY|wglSwapMultipleBuffers)$/.test(name) ? null : undefined;
}

const systems = { glX: glx, egl, wgl, CGL: cgl } as const;

/** Commands of the window systems that would draw or copy; all others only ask or wait. */
const doesSomething =
  /^(glXUseXFont|glXCopy|glXBindTexImage|eglBindTexImage|eglCreateImage|eglCopyBuffers|wglUseFont|wglBindTexImage|wglCopy|CGLTexImage)/;

/** Translators of the window systems' functions: undefined for those of GL. */
export function windowTranslators(session: Session): (name: string) => Translate | undefined {
  const tables = new Map<keyof typeof systems, Readonly<Record<string, Translate>>>();
  return (name) => {
    const prefix = (Object.keys(systems) as (keyof typeof systems)[]).find((start) => name.startsWith(start));
    if (!prefix) return undefined;
    let table = tables.get(prefix);
    if (!table) {
      table = systems[prefix](session);
      tables.set(prefix, table);
    }
    if (Object.hasOwn(table, name)) return table[name];
    if (!doesSomething.test(name)) return () => {};
    return () => session.builder.drop(name, 'a capture has no window system');
  };
}
