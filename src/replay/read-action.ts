/** Reads what an action wrote, right after it. */
import { GpuprofError } from '../errors.ts';
import { Scratch } from '../gl/native.ts';
import { type ActionTarget, actionTarget, type ImageTarget } from '../model/action-target.ts';
import type { Call } from '../model/call.ts';
import type { ActionKind } from '../model/event-tree.ts';
import { GL } from '../model/gl-constants.ts';
import type { TargetValues } from '../model/target-values.ts';
import type { TextureShapes } from '../model/texture-shapes.ts';
import type { ReplayState } from './compile/site.ts';
import { glEnums } from './constants.ts';
import {
  clearErrors,
  internally,
  readBound,
  readTarget,
  refuseUnreadable,
  renderbufferImage,
  textureImage,
} from './read-target.ts';

const e = glEnums('GL_COLOR_WRITEMASK', 'GL_DEPTH_WRITEMASK', 'GL_STENCIL_WRITEMASK', 'GL_FRAMEBUFFER_COMPLETE');

/** Attachment points to try for an image of unknown format. */
const points = [
  [GL.COLOR_ATTACHMENT0, GL.COLOR_ATTACHMENT0],
  [GL.DEPTH_ATTACHMENT, GL.DEPTH_ATTACHMENT],
  [GL.DEPTH_STENCIL_ATTACHMENT, GL.DEPTH_ATTACHMENT],
  [GL.STENCIL_ATTACHMENT, GL.STENCIL_ATTACHMENT],
] as const;

const layered: ReadonlySet<number> = new Set([
  GL.TEXTURE_3D,
  GL.TEXTURE_1D_ARRAY,
  GL.TEXTURE_2D_ARRAY,
  GL.TEXTURE_CUBE_MAP_ARRAY,
  GL.TEXTURE_2D_MULTISAMPLE_ARRAY,
]);

/** Attaches an image to the framebuffer that is bound for drawing; a wrong point raises a GL error. */
function attach(
  { context, objects }: ReplayState,
  shapes: TextureShapes,
  point: number,
  { class: kind, id, level, layer }: ImageTarget,
): void {
  const { gl } = context;
  const name = objects.names[kind][id];
  if (kind === 'renderbuffer') {
    gl.glFramebufferRenderbuffer(GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, name);
    return;
  }
  const target = shapes.shape(id)?.target ?? GL.TEXTURE_2D;
  if (layered.has(target)) gl.glFramebufferTextureLayer(GL.DRAW_FRAMEBUFFER, point, name, level, layer);
  else if (target === GL.TEXTURE_1D) gl.glFramebufferTexture1D(GL.DRAW_FRAMEBUFFER, point, target, name, level);
  else {
    const face = target === GL.TEXTURE_CUBE_MAP ? GL.TEXTURE_CUBE_MAP_POSITIVE_X + layer : target;
    gl.glFramebufferTexture2D(GL.DRAW_FRAMEBUFFER, point, face, name, level);
  }
}

function readImage(state: ReplayState, shapes: TextureShapes, target: ImageTarget): TargetValues {
  const { context, objects } = state;
  const { gl } = context;
  const { class: kind, id, level, layer } = target;
  const attachment = `level ${level}${layer > 0 ? `, layer ${layer}` : ''}`;
  const names =
    kind === 'texture'
      ? { attachment, framebuffer: `texture ${id}` }
      : { attachment: 'COLOR0', framebuffer: `renderbuffer ${id}` };
  if (!objects.names[kind][id]) throw new GpuprofError('bad-input', `${names.framebuffer} is not there any more`);
  const own = new Scratch(64);
  return internally(context, () => {
    gl.glGenFramebuffers(1, own.address);
    try {
      for (const binding of [GL.DRAW_FRAMEBUFFER, GL.READ_FRAMEBUFFER]) gl.glBindFramebuffer(binding, own.u32[0]);
      for (const [point, readPoint] of points) {
        clearErrors(context);
        attach(state, shapes, point, target);
        const isComplete = gl.glCheckFramebufferStatus(GL.DRAW_FRAMEBUFFER) === e.GL_FRAMEBUFFER_COMPLETE;
        if (clearErrors(context) && isComplete)
          return readBound(context, names, readPoint, () =>
            kind === 'texture' ? textureImage(shapes, target) : renderbufferImage(context, objects.names[kind][id]),
          );
        gl.glFramebufferRenderbuffer(GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, 0);
      }
      throw new GpuprofError('missing-feature', `${context.renderer} cannot read ${names.framebuffer}`);
    } finally {
      gl.glDeleteFramebuffers(1, own.address);
    }
  });
}

/** What the state now lets draws, or clears, write. */
function masksOf({ context }: ReplayState, kind: ActionKind) {
  const { gl, scratch } = context;
  gl.glGetIntegerv(e.GL_COLOR_WRITEMASK, scratch.address);
  const color = scratch.i32.subarray(0, 4).some((channel) => channel !== 0);
  // A draw tests what it writes.
  const isOn = (test: number) => kind !== 'draw' || gl.glIsEnabled(test) !== 0;
  const masks = {
    color,
    depth: context.integer(e.GL_DEPTH_WRITEMASK) !== 0 && isOn(GL.DEPTH_TEST),
    stencil: context.integer(e.GL_STENCIL_WRITEMASK) !== 0 && isOn(GL.STENCIL_TEST),
  };
  return { masks, discards: gl.glIsEnabled(GL.RASTERIZER_DISCARD) !== 0 };
}

/**
 * What an action has just written, given its (last) call; null when that is no picture. Throws GpuprofError as
 * {@link readTarget} does.
 */
export function readAction(
  state: ReplayState,
  shapes: TextureShapes,
  kind: ActionKind,
  call: Call,
): TargetValues | null {
  const { bindings, manifest } = state;
  refuseUnreadable(state);
  const target: ActionTarget | null = actionTarget(kind, call, bindings, manifest.canvas, masksOf(state, kind));
  if (target === null) return null;
  return target.class === 'framebuffer'
    ? readTarget(state, shapes, target.attachment, target.id)
    : readImage(state, shapes, target);
}
