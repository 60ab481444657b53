/** Reads an attachment of the bound draw framebuffer between two calls, and leaves all state as found. */
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
interface Image {
  readonly width: number;
  readonly height: number;
  readonly internalFormat: number;
}

function renderbufferImage({ gl, scratch }: GlContext, name: number): Image {
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

function textureImage(shapes: TextureShapes, { id, level }: Attachment): Image {
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

const clearErrors = ({ gl }: GlContext): boolean => {
  let isClean = true;
  for (let left = 8; left > 0 && gl.glGetError() !== 0; left--) isClean = false;
  return isClean;
};

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

/** What the bound draw framebuffer has, in GL's order. */
function attached({ bindings, canvas }: ReplayState): readonly string[] {
  const points =
    bindings.drawFramebuffer === 0
      ? [
          GL.COLOR_ATTACHMENT0,
          ...(canvas.hasDepth ? [GL.DEPTH_ATTACHMENT] : []),
          ...(canvas.hasStencil ? [GL.STENCIL_ATTACHMENT] : []),
        ]
      : [...bindings.framebuffer(bindings.drawFramebuffer).attachments.keys()];
  return points.sort((a, b) => a - b).map(nameOf);
}

function refuseUnreadable({ bindings }: ReplayState): void {
  const inside = bindings.insideBegin ? 'between glBegin and glEnd' : bindings.lists.isOpen && 'inside a display list';
  if (inside) throw new GpuprofError('bad-usage', `nothing can be read ${inside}`, { hint: 'name a later event' });
}

function imageOf(state: ReplayState, shapes: TextureShapes, attachment: string): Image {
  const { bindings, canvas, context, objects } = state;
  if (bindings.drawFramebuffer === 0) {
    const isColor = attachment.startsWith('COLOR');
    return renderbufferImage(context, isColor ? canvas.color : canvas.depthStencil);
  }
  const found = bindings.framebuffer(bindings.drawFramebuffer).attachments.get(pointOf(attachment));
  if (!found) throw new GpuprofError('bad-input', `framebuffer ${bindings.drawFramebuffer} has no ${attachment}`);
  if (found.kind === 'renderbuffer') return renderbufferImage(context, objects.names.renderbuffer[found.id]);
  return textureImage(shapes, found);
}

/**
 * Reads `asked` (COLOR0 and on, depth, stencil), or the first attachment there is. Multisampled targets are resolved; of
 * several layers the first is read. Throws GpuprofError `bad-input` when there is nothing to read, `bad-usage` where
 * nothing can be, `missing-feature` for what this context cannot read.
 */
export function readTarget(state: ReplayState, shapes: TextureShapes, asked: string | undefined): TargetValues {
  refuseUnreadable(state);
  const { context, bindings, objects } = state;
  const { gl, scratch } = context;
  const id = bindings.drawFramebuffer;
  const framebuffer = id === 0 ? 'the canvas' : `framebuffer ${id}`;
  const names = attached(state);
  const attachment = asked ?? names[0];
  if (attachment === undefined || !names.includes(attachment)) {
    const what = attachment ?? 'attachment';
    throw new GpuprofError('bad-input', `${framebuffer} has no ${what}`, {
      hint: names.length > 0 ? `it has ${names.join(', ')}` : undefined,
    });
  }
  const name = objects.names.framebuffer[id];
  const point = pointOf(attachment);
  let read: TargetValues | undefined;
  let failure: unknown;
  // State is put back whatever happens.
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      failure = error;
    }
  };
  doInternalWork(context, () =>
    attempt(() => {
      clearErrors(context);
      gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, name);
      gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, name);
      if (gl.glCheckFramebufferStatus(GL.DRAW_FRAMEBUFFER) !== e.GL_FRAMEBUFFER_COMPLETE)
        throw new GpuprofError('bad-input', `${framebuffer} is incomplete, so that nothing can be read from it`);
      const image = imageOf(state, shapes, attachment);
      scratch.i32[0] = 0;
      const isColor = attachment.startsWith('COLOR');
      if (isColor)
        gl.glGetFramebufferAttachmentParameteriv(
          GL.DRAW_FRAMEBUFFER,
          point,
          e.GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
          scratch.address,
        );
      const ways = readings(attachment, scratch.i32[0]);
      const readBuffer = context.integer(e.GL_READ_BUFFER);
      if (isColor) gl.glReadBuffer(point);
      attempt(() =>
        withResolved(context, attachment, image, () => {
          const { width, height } = image;
          read = { attachment, framebuffer, width, height, ...readValues(context, attachment, ways, image) };
        }),
      );
      gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, name);
      gl.glReadBuffer(readBuffer);
      clearErrors(context);
    }),
  );
  if (!read) throw failure;
  return read;
}
