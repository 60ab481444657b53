import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import { GL } from '../../model/gl-constants.ts';
import type { ReplayState } from '../compile/site.ts';
import { glEnums } from '../constants.ts';
import type { Saved } from './buffers.ts';
import type { ImageCopier } from './image-copy.ts';
import { drawTexture } from './image-draw.ts';

const e = glEnums(
  'GL_RENDERBUFFER_INTERNAL_FORMAT',
  'GL_RENDERBUFFER_WIDTH',
  'GL_RENDERBUFFER_HEIGHT',
  'GL_RENDERBUFFER_SAMPLES',
  'GL_RENDERBUFFER_DEPTH_SIZE',
  'GL_RENDERBUFFER_STENCIL_SIZE',
  'GL_TEXTURE_2D',
  'GL_NEAREST',
  'GL_DEPTH_STENCIL_TEXTURE_MODE',
  'GL_STENCIL_INDEX',
  'GL_DEPTH_COMPONENT',
  'GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE',
  'GL_INT',
  'GL_UNSIGNED_INT',
  'GL_FRAMEBUFFER_SRGB',
);

interface Layout {
  readonly format: number;
  readonly width: number;
  readonly height: number;
  readonly samples: number;
}

function layoutOf({ context }: ReplayState, name: number): Layout & { depth: boolean; stencil: boolean } {
  const { gl, scratch } = context;
  gl.glBindRenderbuffer(GL.RENDERBUFFER, name);
  const get = (pname: number) => {
    gl.glGetRenderbufferParameteriv(GL.RENDERBUFFER, pname, scratch.address);
    return scratch.i32[0];
  };
  return {
    format: get(e.GL_RENDERBUFFER_INTERNAL_FORMAT),
    width: get(e.GL_RENDERBUFFER_WIDTH),
    height: get(e.GL_RENDERBUFFER_HEIGHT),
    samples: get(e.GL_RENDERBUFFER_SAMPLES),
    depth: get(e.GL_RENDERBUFFER_DEPTH_SIZE) > 0,
    stencil: get(e.GL_RENDERBUFFER_STENCIL_SIZE) > 0,
  };
}

/** Gives the bound renderbuffer this layout. */
function store({ context: { gl } }: ReplayState, { format, width, height, samples }: Layout): void {
  if (samples > 0) gl.glRenderbufferStorageMultisample(GL.RENDERBUFFER, samples, format, width, height);
  else gl.glRenderbufferStorage(GL.RENDERBUFFER, format, width, height);
}

const firstWithSamples = 27278;

/**
 * Whether samples can be copied. ANGLE 2.1.24078 over Vulkan, which is headless-gl's, resolves only one sample of every
 * pixel once glCopyImageSubData has read a renderbuffer; 2.1.27278 is known not to.
 */
function copiesSamples(context: GlContext): boolean {
  const angle = /^ANGLE .*Vulkan/.test(context.renderer) && /ANGLE 2\.1\.(\d+)/.exec(context.versionText);
  if (angle && Number(angle[1]) < firstWithSamples) return false;
  return context.find('glCopyImageSubData') !== undefined;
}

/** Keeps a copy of a renderbuffer; null when it has no storage yet. */
export function saveRenderbuffer(state: ReplayState, copier: ImageCopier, name: number): Saved | null {
  const layout = layoutOf(state, name);
  if (layout.width === 0 || layout.height === 0) return null;
  const contents =
    layout.samples > 0 && !copiesSamples(state.context)
      ? saveResolved(state, name, layout)
      : saveCopy(state, copier, name, layout);
  return {
    restore() {
      const now = layoutOf(state, name);
      const changed = (['format', 'width', 'height', 'samples'] as const).some((key) => now[key] !== layout[key]);
      if (changed) store(state, layout);
      contents.restore();
    },
    destroy: contents.destroy,
  };
}

function saveCopy(state: ReplayState, copier: ImageCopier, name: number, layout: Layout): Saved {
  const { gl } = state.context;
  const own = new Scratch(64);
  gl.glGenRenderbuffers(1, own.address);
  const from = { name, target: GL.RENDERBUFFER, level: 0 };
  const to = { name: own.u32[0], target: GL.RENDERBUFFER, level: 0 };
  gl.glBindRenderbuffer(GL.RENDERBUFFER, to.name);
  store(state, layout);
  const size = { width: layout.width, height: layout.height, depth: 1 };
  copier.accepts(from, to);
  copier.copy(from, to, size);
  return {
    restore: () => copier.copy(to, from, size),
    destroy: () => void gl.glDeleteRenderbuffers(1, own.address),
  };
}

/**
 * Where samples cannot be copied, as in ES without glCopyImageSubData: the resolved pixels are kept, and drawn into every sample. The first
 * run starts from that too (Replayer), so that all runs are alike.
 */
function saveResolved(state: ReplayState, name: number, layout: ReturnType<typeof layoutOf>): Saved {
  const { context } = state;
  const { gl, scratch } = context;
  const own = new Scratch(64);
  gl.glGenTextures(1, own.address);
  gl.glGenFramebuffers(2, own.address + 4);
  const [texture, read, draw] = own.u32.slice(0, 3);
  gl.glBindTexture(e.GL_TEXTURE_2D, texture);
  gl.glTexStorage2D(e.GL_TEXTURE_2D, 1, layout.format, layout.width, layout.height);
  const isColor = !layout.depth && !layout.stencil;
  const depthPoint = layout.stencil ? GL.DEPTH_STENCIL_ATTACHMENT : GL.DEPTH_ATTACHMENT;
  const point = isColor ? GL.COLOR_ATTACHMENT0 : depthPoint;
  const attach = (target: number, framebuffer: number) => {
    gl.glBindFramebuffer(target, framebuffer);
    gl.glFramebufferRenderbuffer(target, point, GL.RENDERBUFFER, name);
  };
  attach(GL.READ_FRAMEBUFFER, read);
  gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, draw);
  gl.glFramebufferTexture2D(GL.DRAW_FRAMEBUFFER, point, e.GL_TEXTURE_2D, texture, 0);
  const depthMask = (layout.depth ? GL.DEPTH_BUFFER_BIT : 0) | (layout.stencil ? GL.STENCIL_BUFFER_BIT : 0);
  const mask = isColor ? GL.COLOR_BUFFER_BIT : depthMask;
  const { width, height } = layout;
  gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, mask, e.GL_NEAREST);
  let kind: 'float' | 'int' | 'uint' = 'float';
  if (isColor) {
    gl.glGetFramebufferAttachmentParameteriv(
      GL.READ_FRAMEBUFFER,
      point,
      e.GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE,
      scratch.address,
    );
    if (scratch.i32[0] === e.GL_INT) kind = 'int';
    if (scratch.i32[0] === e.GL_UNSIGNED_INT) kind = 'uint';
  }
  return {
    restore() {
      attach(GL.DRAW_FRAMEBUFFER, read);
      if (isColor) {
        drawTexture(context, kind, texture, width, height);
        return;
      }
      const mode = (value: number) => {
        gl.glBindTexture(e.GL_TEXTURE_2D, texture);
        if (layout.stencil && layout.depth) gl.glTexParameteri(e.GL_TEXTURE_2D, e.GL_DEPTH_STENCIL_TEXTURE_MODE, value);
      };
      mode(e.GL_DEPTH_COMPONENT);
      if (layout.depth) drawTexture(context, 'depth', texture, width, height);
      mode(e.GL_STENCIL_INDEX);
      if (layout.stencil) drawTexture(context, 'stencil', texture, width, height);
    },
    destroy() {
      gl.glDeleteTextures(1, own.address);
      gl.glDeleteFramebuffers(2, own.address + 4);
    },
  };
}
