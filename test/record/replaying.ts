import { createRequire } from 'node:module';
import { openCapture } from '../../src/capture/open.ts';
import type { DriverName, GlContext } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import { createWebGL2Context } from '../../src/gl/webgl2-context.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { attachProgramRecorder } from '../../src/record/attach-program.ts';
import { recordFrames } from '../../src/record/record-program.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import type { Gl, Program } from './programs/kit.ts';

const width = 96;
const height = 64;
const producer = { producer: 'gpuprof test', driver: 'headless-gl' };

/** Kept for the life of the process: a context that is collected as garbage leaves none current, whoever's that was. */
const kept: Gl[] = [];

/** headless-gl's own context, as a program gets it. */
export async function headlessGl(options: object = {}): Promise<Gl> {
  await ensureDisplay();
  const createGl = createRequire(import.meta.url)('gl');
  const gl = createGl(width, height, { stencil: true, ...options });
  gl.flush();
  kept.push(gl);
  return gl;
}

/** The context's drawing buffer, bottom row first. */
function pixelsOf(gl: Gl): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

/** Runs a program under a recorder and writes its frame `frame`; returns what it had drawn then, top row first. */
export async function record(gl: Gl, program: Program, frame: number, path: string, frames = 1): Promise<Uint8Array> {
  const recorder = attachProgramRecorder(gl, { producer });
  const step = program(gl);
  await recordFrames(recorder, { path, frame, frames, step });
  recorder.detach();
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const rows = pixelsOf(gl);
  const flipped = new Uint8Array(rows.length);
  for (let row = 0; row < height; row++)
    flipped.set(rows.subarray(row * width * 4, (row + 1) * width * 4), (height - 1 - row) * width * 4);
  return flipped;
}

export interface Played {
  readonly pixels: Uint8Array;
  readonly again: Uint8Array;
  readonly glErrors: readonly string[];
}

/** Plays a capture's last frame twice. `look` may look at the state before the frame. */
export async function play(path: string, driver: DriverName, look?: (context: GlContext) => void): Promise<Played> {
  const context = await openContext(driver, { api: 'es' });
  const capture = await openCapture(path);
  const replayer = await Replayer.create(context, capture, { skipApplicationQueries: false });
  look?.(context);
  const frame = await replayer.loadFrame(capture.manifest.frames.length);
  frame.play();
  const pixels = frame.readCanvas().data;
  frame.restore();
  frame.play();
  const again = frame.readCanvas().data;
  frame.collectErrors();
  const glErrors = replayer.glErrors.map((error) => JSON.stringify(error));
  replayer.destroy();
  await capture.close();
  context.destroy();
  return { pixels, again, glErrors };
}

/** Runs `work` on a WebGL 2 context over the egl driver. */
export async function webgl2<T>(work: (gl: Gl, context: GlContext) => Promise<T>, options: object = {}): Promise<T> {
  const context = await openContext('egl', { api: 'es' });
  try {
    return await work(
      createWebGL2Context(context, { width, height, stencil: true, antialias: false, ...options }),
      context,
    );
  } finally {
    context.destroy();
  }
}
