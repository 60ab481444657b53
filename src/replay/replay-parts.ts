import type { GlContext } from '../gl/context.ts';
import { Bindings } from '../model/bindings.ts';
import type { Capture } from '../model/capture.ts';
import { shareOfMemory } from '../model/memory-limit.ts';
import { CanvasFramebuffer, wasWindow } from './canvas.ts';
import { Lifetimes } from './checks/lifetimes.ts';
import { MemoryBudget } from './checks/memory-budget.ts';
import { VertexChecks } from './checks/vertex-checks.ts';
import type { Checks } from './compile/compiler.ts';
import type { ReplayState } from './compile/site.ts';
import { desktopDefaults } from './desktop-defaults.ts';
import { Followers } from './followers.ts';
import { GlErrors } from './gl-errors.ts';
import { LiveObjects } from './live-objects.ts';
import { PixelStore } from './pixel-store.ts';
import { Programs } from './programs.ts';
import type { ReplayListener } from './replay-listener.ts';

export interface ReplayOptions {
  /** Leave the program's own timer and occlusion queries out; true by default, as they disturb a measurement. */
  readonly skipApplicationQueries?: boolean;
  /** Most GPU memory a capture may ask for, as estimated from its calls; the memory limit by default, which is 4 GiB. */
  readonly maxGpuBytes?: number;
  readonly listener?: ReplayListener;
}

/** What all that plays a capture on a context shares. */
export interface ReplayParts {
  readonly capture: Capture;
  readonly state: ReplayState;
  readonly checks: Checks;
  readonly errors: GlErrors;
  readonly followers: Followers;
  readonly listener: ReplayListener | undefined;
}

const GL_PRIMITIVE_RESTART_FIXED_INDEX = 0x8d69;

function checksFor({ manifest }: Capture, maxGpuBytes = shareOfMemory(1)): Checks {
  const budget = new MemoryBudget(maxGpuBytes);
  const { width, height, samples } = manifest.canvas;
  budget.set('canvas', width * height * Math.max(1, samples) * 8, 'the canvas');
  const vertexChecks = new VertexChecks((buffer) => budget.bufferBytes(buffer));
  return { budget, vertexChecks, lifetimes: new Lifetimes() };
}

/** Makes the canvas, and sets what a context of the capture's kind begins with. Throws GpuprofError `bad-capture`. */
export function replayParts(context: GlContext, capture: Capture, options: ReplayOptions): ReplayParts {
  const { manifest } = capture;
  const { width, height } = manifest.canvas;
  const checks = checksFor(capture, options.maxGpuBytes);
  const objects = new LiveObjects(manifest);
  const esOnDesktop = context.api === 'gl' && manifest.api !== 'gl';
  const canvas = new CanvasFramebuffer(context, manifest.canvas, wasWindow(manifest));
  objects.names.framebuffer[0] = canvas.framebuffer;
  const state: ReplayState = {
    context,
    manifest,
    objects,
    canvas,
    programs: new Programs(context, objects, manifest, esOnDesktop),
    pixelStore: new PixelStore(context),
    bindings: new Bindings(),
    esOnDesktop,
    skipApplicationQueries: options.skipApplicationQueries ?? true,
    isMeasuring: false,
  };
  context.gl.glViewport(0, 0, width, height);
  context.gl.glScissor(0, 0, width, height);
  if (esOnDesktop) desktopDefaults(context);
  // WebGL 2 restarts primitives always, whatever is under it.
  if (manifest.api === 'webgl2') context.gl.glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  return {
    capture,
    state,
    checks,
    errors: new GlErrors(context, manifest),
    followers: new Followers(state.bindings, state.programs),
    listener: options.listener,
  };
}
