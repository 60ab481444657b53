/** Which one picture an action is best shown by: of what it writes, the first that can be looked at. */
import { actionFramebuffer } from './actions.ts';
import type { Bindings } from './bindings.ts';
import type { Call } from './call.ts';
import type { Canvas } from './capture.ts';
import type { ActionKind } from './event-tree.ts';
import { baseName, GL } from './gl-constants.ts';
import { numberNamed } from './named-arguments.ts';
import { textureOf } from './texture-shapes.ts';
import { writes } from './writes.ts';

/** An image of a texture, or a renderbuffer. */
export interface ImageTarget {
  readonly class: 'texture' | 'renderbuffer';
  readonly id: number;
  readonly level: number;
  /** Layer, slice or face. */
  readonly layer: number;
}

export interface AttachmentTarget {
  readonly class: 'framebuffer';
  /** 0 is the canvas. */
  readonly id: number;
  /** COLOR0 and on, depth or stencil. */
  readonly attachment: string;
}

export type ActionTarget = AttachmentTarget | ImageTarget;

/** What the state lets a draw or a clear write. */
export interface WriteMasks {
  readonly color: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
}

/** Everything that a framebuffer's draw buffers and depth and stencil attachments are, by name. */
function written(bindings: Bindings, id: number, canvas: Canvas) {
  const { attachments, drawBuffers } = bindings.framebuffer(id);
  if (id === 0) {
    const colors = drawBuffers.some((buffer) => buffer !== GL.NONE) ? ['COLOR0'] : [];
    return { colors, buffers: colors, depth: canvas.depth, stencil: canvas.stencil };
  }
  const buffers = drawBuffers.map((point) =>
    attachments.has(point) ? `COLOR${point - GL.COLOR_ATTACHMENT0}` : undefined,
  );
  return {
    colors: buffers.filter((name) => name !== undefined),
    buffers,
    depth: attachments.has(GL.DEPTH_ATTACHMENT),
    stencil: attachments.has(GL.STENCIL_ATTACHMENT),
  };
}

/** The first that is written and there: a colour, depth, stencil; `masks` says what may be. */
function firstWritten(bindings: Bindings, id: number, canvas: Canvas, masks: WriteMasks): AttachmentTarget | null {
  const { colors, depth, stencil } = written(bindings, id, canvas);
  const attachment =
    (masks.color && colors[0]) || (masks.depth && depth && 'depth') || (masks.stencil && stencil && 'stencil');
  return attachment ? { class: 'framebuffer', id, attachment } : null;
}

const all: WriteMasks = { color: true, depth: true, stencil: true };
const ofBits = (mask: number): WriteMasks => ({
  color: (mask & GL.COLOR_BUFFER_BIT) !== 0,
  depth: (mask & GL.DEPTH_BUFFER_BIT) !== 0,
  stencil: (mask & GL.STENCIL_BUFFER_BIT) !== 0,
});
const both = (one: WriteMasks, other: WriteMasks): WriteMasks => ({
  color: one.color && other.color,
  depth: one.depth && other.depth,
  stencil: one.stencil && other.stencil,
});

/** `glClearBuffer*` and `glClearNamedFramebuffer*`. */
function clearedBuffer(call: Call, bindings: Bindings, id: number, canvas: Canvas): AttachmentTarget | null {
  const buffer = numberNamed(call, 'buffer');
  if (buffer === GL.COLOR) {
    const attachment = written(bindings, id, canvas).buffers[numberNamed(call, 'drawbuffer') ?? 0];
    return attachment === undefined ? null : { class: 'framebuffer', id, attachment };
  }
  const isStencil = buffer === GL.STENCIL;
  return firstWritten(bindings, id, canvas, { color: false, depth: !isStencil, stencil: isStencil });
}

const faceOf = (target: number): number =>
  target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z
    ? target - GL.TEXTURE_CUBE_MAP_POSITIVE_X
    : 0;

/** The image that copying into a texture, or clearing one, changes; null for buffers. */
function changedImage(call: Call, bindings: Bindings): ImageTarget | null {
  const base = baseName(call.signature.name);
  if (base === 'CopyImageSubData') {
    const [object] = writes(call, bindings);
    const [level, layer] = [numberNamed(call, 'dstLevel') ?? 0, numberNamed(call, 'dstZ') ?? 0];
    return object?.class === 'texture' || object?.class === 'renderbuffer'
      ? { class: object.class, id: object.id, level, layer }
      : null;
  }
  if (!/^(Copy(Multi)?(Tex|Texture)(Sub)?Image|ClearTex)/.test(base)) return null;
  const layer = numberNamed(call, 'zoffset') ?? faceOf(numberNamed(call, 'target') ?? 0);
  return { class: 'texture', id: textureOf(call, bindings), level: numberNamed(call, 'level') ?? 0, layer };
}

/** The first image that shaders may store to. */
function storedImage(bindings: Bindings): ImageTarget | null {
  for (const { texture, level, layer, layered, access } of bindings.images.values())
    if (access !== GL.READ_ONLY && texture !== 0)
      return { class: 'texture', id: texture, level, layer: layered ? 0 : layer };
  return null;
}

/**
 * What to look at after an action, given the bindings around its (last) call; null when it writes nothing that is a
 * picture, buffers for one. `masks` are those of the state, and `discards` says whether rasterization is off.
 */
export function actionTarget(
  kind: ActionKind,
  call: Call,
  bindings: Bindings,
  canvas: Canvas,
  { masks, discards }: { readonly masks: WriteMasks; readonly discards: boolean },
): ActionTarget | null {
  if (kind === 'mipmap' || kind === 'upload') return null;
  if (kind === 'dispatch') return storedImage(bindings);
  if (baseName(call.signature.name) === 'CopyPixels')
    return firstWritten(bindings, bindings.drawFramebuffer, canvas, masks);
  const id = actionFramebuffer(kind, call, bindings);
  if (id === null) return changedImage(call, bindings);
  if (kind === 'draw') return (discards ? null : firstWritten(bindings, id, canvas, masks)) ?? storedImage(bindings);
  const mask = numberNamed(call, 'mask');
  if (kind === 'clear' && mask === undefined) return clearedBuffer(call, bindings, id, canvas);
  return firstWritten(
    bindings,
    id,
    canvas,
    both(mask === undefined ? all : ofBits(mask), kind === 'clear' ? masks : all),
  );
}
