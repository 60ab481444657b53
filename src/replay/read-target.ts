/** Reads attachments of framebuffers between two calls, and leaves all state as found. */
import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { addressOf } from '../gl/native.ts';
import type { Attachment } from '../model/bindings.ts';
import { GL } from '../model/gl-constants.ts';
import type { TargetValues } from '../model/target-values.ts';
import type { TextureShapes } from '../model/texture-shapes.ts';
import type { ReplayState } from './compile/site.ts';
import { glEnums } from './constants.ts';
import { doInternalWork } from './internal-work.ts';
import { withResolved } from './resolve-target.ts';

const e = glEnums(
  'GL_FRAMEBUFFER_COMPLETE',
  'GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE',
  'GL_RENDERBUFFER_INTERNAL_FORMAT',
  'GL_RENDERBUFFER_WIDTH',
  'GL_RENDERBUFFER_HEIGHT',
  'GL_READ_BUFFER',
  'GL_DRAW_FRAMEBUFFER_BINDING',
  'GL_RGBA',
  'GL_RGBA_INTEGER',
  'GL_DEPTH_COMPONENT',
  'GL_STENCIL_INDEX',
  'GL_UNSIGNED_BYTE',
  'GL_UNSIGNED_INT',
  'GL_INT',
  'GL_FLOAT',
  'GL_UNSIGNED_NORMALIZED',
);

function pointOf(name: string): number {
  if (name === 'depth') return GL.DEPTH_ATTACHMENT;
  return name === 'stencil' ? GL.STENCIL_ATTACHMENT : GL.COLOR_ATTACHMENT0 + Number(name.slice('COLOR'.length));
}

const nameOf = (point: number): string => {
  if (point === GL.DEPTH_ATTACHMENT) return 'depth';
  return point === GL.STENCIL_ATTACHMENT ? 'stencil' : `COLOR${point - GL.COLOR_ATTACHMENT0}`;
};

/** An attached image, as GL names it. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly internalFormat: number;
}

export function renderbufferImage({ gl, scratch }: GlContext, name: number): Image {
  gl.glBindRenderbuffer(GL.RENDERBUFFER, name);
  const get = (pname: number) => {
    gl.glGetRenderbufferParameteriv(GL.RENDERBUFFER, pname, scratch.address);
    return scratch.i32[0];
  };
  return {
    width: get(e.GL_RENDERBUFFER_WIDTH),
    height: get(e.GL_RENDERBUFFER_HEIGHT),
    internalFormat: get(e.GL_RENDERBUFFER_INTERNAL_FORMAT),
  };
}

export function textureImage(shapes: TextureShapes, { id, level }: Pick<Attachment, 'id' | 'level'>): Image {
  const shape = shapes.shape(id);
  const image = shape?.storage ?? [...(shape?.images.values() ?? [])].find((each) => each.level === level);
  if (!image) throw new GpuprofError('bad-input', `texture ${id} has no level ${level} that could be read`);
  const shrunk = (size: number) => (shape?.storage ? Math.max(1, size >> level) : size);
  return { width: shrunk(image.width), height: shrunk(image.height), internalFormat: image.internalFormat };
}

type Values = TargetValues['values'];
type Reading = readonly [kind: TargetValues['kind'], format: number, type: number, make: (count: number) => Values];

const bytes = (count: number) => new Uint8Array(count);
const floats = (count: number) => new Float32Array(count);
const unsigned = (count: number) => new Uint32Array(count);

/** Ways to read, the first that GL accepts is taken. */
function readings(attachment: string, componentType: number): readonly Reading[] {
  if (attachment === 'depth')
    return [
      ['depth', e.GL_DEPTH_COMPONENT, e.GL_FLOAT, floats],
      ['depth', e.GL_DEPTH_COMPONENT, e.GL_UNSIGNED_INT, unsigned],
    ];
  if (attachment === 'stencil') return [['stencil', e.GL_STENCIL_INDEX, e.GL_UNSIGNED_BYTE, bytes]];
  if (componentType === e.GL_INT) return [['integer', e.GL_RGBA_INTEGER, e.GL_INT, (count) => new Int32Array(count)]];
  if (componentType === e.GL_UNSIGNED_INT) return [['integer', e.GL_RGBA_INTEGER, e.GL_UNSIGNED_INT, unsigned]];
  const float: Reading = ['float', e.GL_RGBA, e.GL_FLOAT, floats];
  return componentType === e.GL_UNSIGNED_NORMALIZED
    ? [['normalized', e.GL_RGBA, e.GL_UNSIGNED_BYTE, bytes], float]
    : [float];
}

export const clearErrors = ({ gl }: GlContext): boolean => {
  let isClean = true;
  for (let left = 8; left > 0 && gl.glGetError() !== 0; left--) isClean = false;
  return isClean;
};

/** {@link doInternalWork} with a result: state is put back also when the work fails. */
export function internally<T>(context: GlContext, work: () => T): T {
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  doInternalWork(context, () => {
    try {
      outcome = { value: work() };
    } catch (error) {
      outcome = { error };
    }
  });
  if (outcome && 'value' in outcome) return outcome.value;
  throw outcome?.error;
}

/** Of the bound read framebuffer. */
function readValues(context: GlContext, attachment: string, ways: readonly Reading[], { width, height }: Image) {
  const channels = attachment === 'depth' || attachment === 'stencil' ? 1 : 4;
  for (const [kind, format, type, make] of ways) {
    // GL may write rows that are padded to a word, and koffi wants memory of its own.
    const all = make(Math.max(1024, width * height * channels));
    context.gl.glReadPixels(0, 0, width, height, format, type, addressOf(all));
    if (!clearErrors(context)) continue;
    const values = all.subarray(0, width * height * channels);
    if (kind === 'depth' && values instanceof Uint32Array)
      return { kind, values: Float32Array.from(values, (value) => value / 0xffffffff) };
    return { kind, values };
  }
  const isEs = context.api === 'es';
  throw new GpuprofError(
    'missing-feature',
    `${context.renderer} cannot read ${attachment} in OpenGL${isEs ? ' ES' : ''}`,
    {
      hint: isEs ? 'add --api gl' : undefined,
    },
  );
}

/** What a framebuffer has, in GL's order. */
function attached({ bindings, canvas }: ReplayState, id: number): readonly string[] {
  const points =
    id === 0
      ? [
          GL.COLOR_ATTACHMENT0,
          ...(canvas.hasDepth ? [GL.DEPTH_ATTACHMENT] : []),
          ...(canvas.hasStencil ? [GL.STENCIL_ATTACHMENT] : []),
        ]
      : [...bindings.framebuffer(id).attachments.keys()];
  return points.sort((a, b) => a - b).map(nameOf);
}

export function refuseUnreadable({ bindings }: ReplayState): void {
  const inside = bindings.insideBegin ? 'between glBegin and glEnd' : bindings.lists.isOpen && 'inside a display list';
  if (inside) throw new GpuprofError('bad-usage', `nothing can be read ${inside}`, { hint: 'name a later event' });
}

function imageOf(state: ReplayState, shapes: TextureShapes, id: number, attachment: string): Image {
  const { bindings, canvas, context, objects } = state;
  if (id === 0) {
    const isColor = attachment.startsWith('COLOR');
    return renderbufferImage(context, isColor ? canvas.color : canvas.depthStencil);
  }
  const found = bindings.framebuffer(id).attachments.get(pointOf(attachment));
  if (!found) throw new GpuprofError('bad-input', `framebuffer ${id} has no ${attachment}`);
  if (found.kind === 'renderbuffer') return renderbufferImage(context, objects.names.renderbuffer[found.id]);
  return textureImage(shapes, found);
}

/**
 * Reads an attachment of the framebuffer object that is bound for drawing and reading. Within internal work; leaves that
 * framebuffer as found. Throws GpuprofError `bad-input` where it is incomplete, `missing-feature`.
 */
export function readBound(
  context: GlContext,
  names: Pick<TargetValues, 'attachment' | 'framebuffer'>,
  point: number,
  imageOf: () => Image,
): TargetValues {
  const { gl, scratch } = context;
  const framebuffer = context.integer(e.GL_DRAW_FRAMEBUFFER_BINDING);
  clearErrors(context);
  if (gl.glCheckFramebufferStatus(GL.DRAW_FRAMEBUFFER) !== e.GL_FRAMEBUFFER_COMPLETE)
    throw new GpuprofError('bad-input', `${names.framebuffer} is incomplete, so that nothing can be read from it`);
  const image = imageOf();
  const isColor = point !== GL.DEPTH_ATTACHMENT && point !== GL.STENCIL_ATTACHMENT;
  scratch.i32[0] = 0;
  if (isColor)
    gl.glGetFramebufferAttachmentParameteriv(
      GL.DRAW_FRAMEBUFFER,
      point,
      e.GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
      scratch.address,
    );
  const aspect = isColor ? names.attachment : nameOf(point);
  const ways = readings(aspect, scratch.i32[0]);
  const readBuffer = context.integer(e.GL_READ_BUFFER);
  // ANGLE reads no depth either where no colour is to be read.
  if (isColor || context.api === 'es') gl.glReadBuffer(isColor ? point : GL.COLOR_ATTACHMENT0);
  const { width, height } = image;
  try {
    return withResolved(context, aspect, image, () => ({
      ...names,
      width,
      height,
      ...readValues(context, aspect, ways, image),
    }));
  } finally {
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, framebuffer);
    gl.glReadBuffer(readBuffer);
    clearErrors(context);
  }
}

/**
 * Reads `asked` (COLOR0 and on, depth, stencil), or the first attachment there is, of a framebuffer (0 is the canvas; by
 * default the one bound for drawing). Multisampled targets are resolved; of several layers the first is read. Throws
 * GpuprofError `bad-input` when there is nothing to read, `bad-usage` where nothing can be, `missing-feature` for what
 * this context cannot read.
 */
export function readTarget(
  state: ReplayState,
  shapes: TextureShapes,
  asked?: string,
  id = state.bindings.drawFramebuffer,
): TargetValues {
  refuseUnreadable(state);
  const { context, objects } = state;
  const { gl } = context;
  const framebuffer = id === 0 ? 'the canvas' : `framebuffer ${id}`;
  const name = objects.names.framebuffer[id];
  if (!name) {
    const there = [...objects.names.framebuffer.keys()].filter((each) => objects.names.framebuffer[each] !== 0);
    throw new GpuprofError('bad-input', `there is no framebuffer ${id} then`, {
      hint: `there are ${there.map((each) => (each === 0 ? '0 (the canvas)' : each)).join(', ')}`,
    });
  }
  const names = attached(state, id);
  const attachment = asked ?? names[0];
  if (attachment === undefined || !names.includes(attachment)) {
    const what = attachment ?? 'attachment';
    throw new GpuprofError('bad-input', `${framebuffer} has no ${what}`, {
      hint: names.length > 0 ? `it has ${names.join(', ')}` : undefined,
    });
  }
  return internally(context, () => {
    gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, name);
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, name);
    return readBound(context, { attachment, framebuffer }, pointOf(attachment), () =>
      imageOf(state, shapes, id, attachment),
    );
  });
}
