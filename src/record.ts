/**
 * `gpuprof/record`: for Node programs that record frames of their own. Importing it starts no GL.
 *
 *     import { observe, recordFrame } from 'gpuprof/record';
 *     const gl = observe(createGL(640, 480));
 *     ... load, compile, draw ...
 *     await recordFrame(gl, 'frame.cap', () => drawScene());
 */
import { GpuprofError } from './errors.ts';
import { attachProgramRecorder } from './record/attach-program.ts';
import type { CallRecorder } from './record/call-recorder.ts';
import { recordFrames } from './record/record-program.ts';
import { version } from './version.ts';

export { type ErrorCode, GpuprofError } from './errors.ts';

/** Methods that an observed context has besides its own; they draw nothing, and become groups of the event tree. */
export interface Markers {
  /** Begins a group: what follows belongs to it, until {@link popGroupMarkerEXT}. Groups nest. */
  pushGroupMarkerEXT(name: string): void;
  popGroupMarkerEXT(): void;
  /** A label between two calls. */
  insertEventMarkerEXT(name: string): void;
}

export interface ObserveOptions {
  /** Where the context comes from, for the capture's origin: `headless-gl` unless it says otherwise. */
  readonly driver?: string;
}

export interface RecordFrameOptions {
  /** How many frames, 1 by default: `draw` is called for each. */
  readonly frames?: number;
}

interface Observed {
  readonly recorder: CallRecorder;
  actions: number;
  recording: boolean;
}

const observed = new WeakMap<object, Observed>();

/** headless-gl calls its WebGL 2 "WebGL 1.0", and says in the attributes what it is. */
function versionOf(gl: object): 2 | undefined {
  const { getContextAttributes } = gl as { getContextAttributes?: () => { createWebGL2Context?: unknown } | null };
  return getContextAttributes?.call(gl)?.createWebGL2Context ? 2 : undefined;
}

const isContext = (gl: unknown): gl is object =>
  typeof gl === 'object' && gl !== null && 'getParameter' in gl && typeof gl.getParameter === 'function';

/**
 * Watches a WebGL context from now on, so that frames of it can be recorded. To be called right after the context is made:
 * of what came before, nothing is known. Returns the same context, with {@link Markers} on it; results and errors stay its
 * own. Works with headless-gl's contexts and with those of `createWebGL2Context`. Throws GpuprofError `bad-usage` for what
 * is no context, such as the null of a createGL that failed.
 */
export function observe<Context extends object>(gl: Context, options: ObserveOptions = {}): Context & Markers {
  if (!isContext(gl))
    throw new GpuprofError('bad-usage', `observe needs a WebGL context, not ${gl === null ? 'null' : typeof gl}`, {
      hint: 'headless-gl returns null when it cannot make one: without an X display, or for a size below 1',
    });
  if (!observed.has(gl)) {
    const { driver = 'headless-gl' } = options;
    const webglVersion = versionOf(gl);
    const state: Observed = {
      recorder: attachProgramRecorder(gl, {
        producer: { producer: `gpuprof ${version}`, driver },
        ...(webglVersion && { version: webglVersion }),
        beforeCall: (action) => {
          if (action) state.actions++;
        },
      }),
      actions: 0,
      recording: false,
    };
    observed.set(gl, state);
  }
  return gl as Context & Markers;
}

/**
 * Records what `draw` draws, with all that it needs, into a capture at `path`. Returns the capture's notes: what it does not
 * hold as it was, in plain sentences. Nothing is left at `path` when something fails, `draw` included.
 * Throws GpuprofError `bad-usage` for a context that was not given to {@link observe} or is being recorded already,
 * `bad-input` when `draw` drew nothing in it, and `output-failed` when the file cannot be written.
 */
export async function recordFrame(
  gl: object,
  path: string,
  draw: () => void | Promise<void>,
  { frames = 1 }: RecordFrameOptions = {},
): Promise<{ readonly notes: readonly string[] }> {
  const state = observed.get(gl);
  if (!state)
    throw new GpuprofError('bad-usage', 'recordFrame needs a context that was observed from its first call', {
      hint: 'call observe(gl) right after creating it',
    });
  if (state.recording)
    throw new GpuprofError('bad-usage', 'a frame of this context is being recorded already', {
      hint: 'await recordFrame before the next',
    });
  state.recording = true;
  try {
    return await recordFrames(state.recorder, {
      path,
      frame: 1,
      frames,
      step: async () => {
        const before = state.actions;
        await draw();
        if (state.actions === before)
          throw new GpuprofError('bad-input', 'draw() drew nothing in this context', {
            hint: 'no draw, clear or blit was called on the context that is recorded',
          });
      },
    });
  } finally {
    state.recording = false;
  }
}
