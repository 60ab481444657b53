import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Document } from '@gltf-transform/core';
import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import { createWebGL2Context } from '../../gl/webgl2-context.ts';
import { nowDoing, position, word } from '../../model/position.ts';
import { attachProgramRecorder } from '../attach-program.ts';
import { recordFrames } from '../record-program.ts';
import { loadModel } from './load.ts';
import { defaultOptions, type RenderOptions, SceneRenderer } from './renderer.ts';

/** How a document is drawn and captured. */
export interface RecordSceneOptions {
  /** Where the capture goes. */
  readonly output: string;
  /** The canvas, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** The time of the first frame in seconds; later ones follow at 60 a second. */
  readonly timeSeconds: number;
  /** Name and version of the program that records. */
  readonly producer: string;
  readonly render: Partial<RenderOptions>;
}

export interface RecordGltfOptions extends RecordSceneOptions {
  /** A .glb or .gltf file. */
  readonly model: string;
}

const framesPerSecond = 60;

export interface RecordedScene {
  /** In a frame. */
  readonly draws: number;
  /** What is not drawn as the model has it, and those of `recordFrames`. */
  readonly notes: readonly string[];
}

/** Draws a document on `context` and writes a capture of it. Throws as {@link recordGltf}. */
export async function recordScene(
  context: GlContext,
  document: Document,
  options: RecordSceneOptions,
): Promise<RecordedScene> {
  nowDoing('drawing the model');
  const at = position();
  const gl = createWebGL2Context(context, { width: options.width, height: options.height });
  const recorder = attachProgramRecorder(gl, {
    producer: { producer: options.producer, driver: context.driver },
    beforeCall: () => void at[word.event]++,
  });
  const scene = await SceneRenderer.create(gl, document, options.timeSeconds, {
    ...defaultOptions,
    ...options.render,
  });
  if (gl.getError() === gl.OUT_OF_MEMORY)
    throw new GpuprofError('missing-feature', `${context.renderer} has not the memory that the model needs`);
  let drawn = 0;
  const { notes } = await recordFrames(recorder, {
    path: options.output,
    frame: 1,
    frames: options.frames,
    step: async () => {
      if (drawn > 0) scene.moveTo(options.timeSeconds + drawn / framesPerSecond);
      scene.draw();
      drawn++;
      // Ctrl-C is to be heard.
      await nextTurn();
    },
  });
  nowDoing('');
  return { draws: scene.drawCount, notes: [...scene.notes, ...notes] };
}

/**
 * Draws a glTF model on `context` and writes a capture of it. Throws GpuprofError:
 * `bad-input` for a model that cannot be drawn, `missing-feature` when the context cannot draw it. They name the model.
 */
export async function recordGltf(context: GlContext, options: RecordGltfOptions): Promise<RecordedScene> {
  const { model } = options;
  nowDoing('reading the model');
  const document = await loadModel(model);
  try {
    return await recordScene(context, document, options);
  } catch (error) {
    if (!(error instanceof GpuprofError) || error.code === 'output-failed') throw error;
    const { code, message, hint } = error;
    throw new GpuprofError(code, `${model}: ${message}`, { hint, cause: error });
  }
}
