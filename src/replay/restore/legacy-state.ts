/** State of the compatibility profile: saved by GL's own attribute stack, and what that leaves out by asking. */
import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import type { Manifest } from '../../model/capture.ts';
import { GL } from '../../model/gl-constants.ts';
import { glEnums } from '../constants.ts';
import { evaluators, pixelMaps, programParameters } from './legacy-tables.ts';
import type { Restore } from './state-readers.ts';

const e = glEnums(
  'GL_ALL_ATTRIB_BITS',
  'GL_ATTRIB_STACK_DEPTH',
  'GL_MAX_ATTRIB_STACK_DEPTH',
  'GL_CLIENT_ATTRIB_STACK_DEPTH',
  'GL_CLIENT_ACTIVE_TEXTURE',
  'GL_CONTEXT_PROFILE_MASK',
  'GL_CURRENT_COLOR',
  'GL_ACTIVE_TEXTURE',
  'GL_MATRIX_MODE',
  'GL_MODELVIEW',
  'GL_MODELVIEW_MATRIX',
  'GL_MODELVIEW_STACK_DEPTH',
  'GL_PROJECTION',
  'GL_PROJECTION_MATRIX',
  'GL_PROJECTION_STACK_DEPTH',
  'GL_TEXTURE',
  'GL_TEXTURE_MATRIX',
  'GL_TEXTURE_STACK_DEPTH',
  'GL_MAX_TEXTURE_COORDS',
  'GL_RENDER_MODE',
);
const GL_CONTEXT_COMPATIBILITY_PROFILE_BIT = 2;
const matrixBytes = 64;

const known = new WeakMap<GlContext, boolean>();

/** Whether a context has the fixed-function pipeline. */
export function isCompatibility(context: GlContext): boolean {
  let is = known.get(context);
  if (is === undefined) {
    is = context.api === 'gl';
    if (is && context.atLeast(3, 2))
      is = (context.integer(e.GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) !== 0;
    else if (is && context.atLeast(3, 1)) is = context.extensions.has('GL_ARB_compatibility');
    known.set(context, is);
  }
  return is;
}

/** Keeps the stack of one kind of matrix, of the texture unit that is active. */
function saveStack(context: GlContext, mode: number, matrix: number, depthName: number): Restore {
  const { gl } = context;
  gl.glMatrixMode(mode);
  const depth = context.integer(depthName);
  const kept = new Scratch(depth * matrixBytes);
  for (let level = depth - 1; level >= 0; level--) {
    gl.glGetFloatv(matrix, kept.address + level * matrixBytes);
    if (level > 0) gl.glPopMatrix();
  }
  const fill = () => {
    for (let level = 0; level < depth; level++) {
      if (level > 0) gl.glPushMatrix();
      gl.glLoadMatrixf(kept.address + level * matrixBytes);
    }
  };
  fill();
  return () => {
    gl.glMatrixMode(mode);
    for (let above = context.integer(depthName); above > 1; above--) gl.glPopMatrix();
    fill();
  };
}

function saveMatrices(context: GlContext): Restore {
  const { gl } = context;
  const mode = context.integer(e.GL_MATRIX_MODE);
  const unit = context.integer(e.GL_ACTIVE_TEXTURE);
  const restores: Restore[] = [
    saveStack(context, e.GL_MODELVIEW, e.GL_MODELVIEW_MATRIX, e.GL_MODELVIEW_STACK_DEPTH),
    saveStack(context, e.GL_PROJECTION, e.GL_PROJECTION_MATRIX, e.GL_PROJECTION_STACK_DEPTH),
  ];
  for (let each = 0; each < context.integer(e.GL_MAX_TEXTURE_COORDS); each++) {
    gl.glActiveTexture(GL.TEXTURE0 + each);
    const restore = saveStack(context, e.GL_TEXTURE, e.GL_TEXTURE_MATRIX, e.GL_TEXTURE_STACK_DEPTH);
    restores.push(() => {
      gl.glActiveTexture(GL.TEXTURE0 + each);
      restore();
    });
  }
  const end = () => {
    gl.glActiveTexture(unit);
    gl.glMatrixMode(mode);
  };
  end();
  return () => {
    for (const restore of restores) restore();
    end();
  };
}

/** What of the compatibility profile's state a frame may change, as it was before the frame. */
export class LegacyState {
  readonly #context: GlContext;
  readonly #others: readonly Restore[];
  readonly #clientDepth: number;
  readonly #clientUnit: number;
  readonly #renderMode: number;
  /** Depth of the attribute stack with what is saved here on top. */
  #depth = 0;

  /**
   * GL must be in the state before the frame. Throws GpuprofError `missing-feature` when the frame has left no room on
   * the attribute stack.
   */
  constructor(context: GlContext, manifest: Manifest) {
    this.#context = context;
    const uses = (pattern: RegExp) => manifest.signatures.some(({ name }) => pattern.test(name));
    this.#clientDepth = context.integer(e.GL_CLIENT_ATTRIB_STACK_DEPTH);
    this.#clientUnit = context.integer(e.GL_CLIENT_ACTIVE_TEXTURE);
    this.#renderMode = context.integer(e.GL_RENDER_MODE);
    this.#others = [
      saveMatrices(context),
      ...(uses(/^glPixelMap/) ? [pixelMaps(context)] : []),
      ...(uses(/^glMap[12][fd]/) ? [evaluators(context)] : []),
      ...(uses(/^glProgramEnvParameter/) ? [programParameters(context)] : []),
    ];
    this.save();
  }

  /** Saves the attributes; what is on the stack then is what {@link restore} puts back. */
  save(): void {
    const { gl } = this.#context;
    const depth = this.#context.integer(e.GL_ATTRIB_STACK_DEPTH);
    if (depth + 1 >= this.#context.integer(e.GL_MAX_ATTRIB_STACK_DEPTH))
      throw new GpuprofError(
        'missing-feature',
        'the attribute stack is full when the frame begins: glPushAttrib has no room',
        {
          hint: 'replay it with --no-timing, which plays each frame once',
        },
      );
    gl.glPushAttrib(e.GL_ALL_ATTRIB_BITS);
    this.#depth = depth + 1;
    // As when a program sets it: Mesa 22.3's glPopAttrib else forgets colours that are set later. Of other values its
    // glEvalMesh2 leaves a mesh's colours current.
    gl.glColor4f(...this.#currentColor());
  }

  /** Asking has one more effect: Mesa 22.3's glPopAttrib puts back only values that have reached the context. */
  #currentColor(): number[] {
    const { gl, scratch } = this.#context;
    gl.glGetFloatv(e.GL_CURRENT_COLOR, scratch.address);
    return [...scratch.f32.slice(0, 4)];
  }

  /** Puts everything back, and takes what was saved from the attribute stack. */
  restore(): void {
    const { gl } = this.#context;
    this.#currentColor();
    if (this.#context.integer(e.GL_RENDER_MODE) !== this.#renderMode) gl.glRenderMode(this.#renderMode);
    for (let above = this.#context.integer(e.GL_ATTRIB_STACK_DEPTH); above > this.#depth; above--) gl.glPopAttrib();
    if (this.#depth > 0) gl.glPopAttrib();
    this.#depth = 0;
    for (let above = this.#context.integer(e.GL_CLIENT_ATTRIB_STACK_DEPTH); above > this.#clientDepth; above--)
      gl.glPopClientAttrib();
    for (const restore of this.#others) restore();
  }

  /** Binds the client's texture unit again: last, since arrays are restored unit by unit. */
  restoreClientUnit(): void {
    this.#context.gl.glClientActiveTexture(this.#clientUnit);
  }

  /** Takes what was saved from the attribute stack. */
  destroy(): void {
    if (this.#depth > 0 && this.#context.integer(e.GL_ATTRIB_STACK_DEPTH) >= this.#depth)
      this.#context.gl.glPopAttrib();
    this.#depth = 0;
  }
}
