import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Shadow } from '../observe/shadows.ts';
import type { SnapshotContext } from './snapshot.ts';
import { throughFramebuffer } from './through-framebuffer.ts';

/** How many colour attachments and draw buffers framebuffers have. */
function drawBufferCount({ gl, version, extensions }: SnapshotContext['target']): number {
  return version === 2 || extensions.has('webgl_draw_buffers') ? (gl.getParameter(c.MAX_DRAW_BUFFERS) as number) : 1;
}

function addAttachment(context: SnapshotContext, attachment: number): void {
  const { calls, target, shadows } = context;
  const { gl, version } = target;
  const read = (name: number) => gl.getFramebufferAttachmentParameter(c.FRAMEBUFFER, attachment, name);
  const kind = read(c.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE);
  if (kind !== c.TEXTURE && kind !== c.RENDERBUFFER) return;
  const handle = read(c.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME);
  const bound = gl.getParameter(c.FRAMEBUFFER_BINDING) as object;
  const id = context.id(handle);
  gl.bindFramebuffer(c.FRAMEBUFFER, bound);
  if (kind === c.RENDERBUFFER) {
    calls.add('glFramebufferRenderbuffer', [c.FRAMEBUFFER, attachment, c.RENDERBUFFER, id]);
    return;
  }
  const level = read(c.FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) as number;
  const texture = shadows.of('texture', handle);
  if (texture?.target === c.TEXTURE_3D || texture?.target === c.TEXTURE_2D_ARRAY) {
    const layer = version === 2 ? (read(c.FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) as number) : 0;
    calls.add('glFramebufferTextureLayer', [c.FRAMEBUFFER, attachment, id, level, layer]);
  } else {
    const face = read(c.FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) as number;
    calls.add('glFramebufferTexture2D', [c.FRAMEBUFFER, attachment, face || c.TEXTURE_2D, id, level]);
  }
}

/** Draw buffers of the framebuffer bound now; the canvas's when `canvas`. Nothing when they are as GL begins. */
export function addDrawBuffers({ calls, target }: SnapshotContext, canvas: boolean): void {
  const { gl, version } = target;
  const count = drawBufferCount(target);
  if (version === 1 && count === 1) return;
  const buffers = Array.from(
    { length: canvas ? 1 : count },
    (_, index) => gl.getParameter(c.DRAW_BUFFER0 + index) as number,
  );
  while (buffers.length > 1 && buffers[buffers.length - 1] === c.NONE) buffers.pop();
  // headless-gl's canvas is a framebuffer object and says so.
  if (buffers.length === 1 && (buffers[0] === c.COLOR_ATTACHMENT0 || (canvas && buffers[0] === c.BACK))) return;
  calls.add('glDrawBuffers', [buffers.length, calls.words(buffers, Uint32Array)]);
}

export function addReadBuffer({ calls, target: { gl, version } }: SnapshotContext, canvas: boolean): void {
  if (version === 1) return;
  const buffer = gl.getParameter(c.READ_BUFFER) as number;
  if (buffer !== c.COLOR_ATTACHMENT0 && !(canvas && buffer === c.BACK)) calls.add('glReadBuffer', [buffer]);
}

/** Creates the framebuffer with its attachments, draw buffers and read buffer. */
export function setUpFramebuffer(context: SnapshotContext, { handle, id }: Pick<Shadow, 'handle' | 'id'>): void {
  const { calls, target } = context;
  const { gl, version } = target;
  const outer = gl.getParameter(c.FRAMEBUFFER_BINDING) as object | null;
  gl.bindFramebuffer(c.FRAMEBUFFER, handle);
  const attachments = Array.from({ length: drawBufferCount(target) }, (_, index) => c.COLOR_ATTACHMENT0 + index);
  attachments.push(c.DEPTH_ATTACHMENT, c.STENCIL_ATTACHMENT);
  if (version === 1) attachments.push(c.DEPTH_STENCIL_ATTACHMENT);
  // What is attached comes first, so that its calls do not stand between those of this framebuffer.
  for (const attachment of attachments) {
    const attached = gl.getFramebufferAttachmentParameter(
      c.FRAMEBUFFER,
      attachment,
      c.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
    ) as object | null;
    if (!attached) continue;
    const through = throughFramebuffer(context, handle, attachment, attached);
    if (through) context.through.set(attached, through);
    context.id(attached);
    context.through.delete(attached);
    gl.bindFramebuffer(c.FRAMEBUFFER, handle);
  }
  calls.add('glGenFramebuffers', [1, [id]]);
  calls.add('glBindFramebuffer', [c.FRAMEBUFFER, id]);
  for (const attachment of attachments) addAttachment(context, attachment);
  addDrawBuffers(context, false);
  addReadBuffer(context, false);
  gl.bindFramebuffer(c.FRAMEBUFFER, outer);
}
