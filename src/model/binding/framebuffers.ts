import { inlineWords } from '../argument-values.ts';
import type { Attachment, Bindings } from '../bindings.ts';
import type { Argument } from '../call.ts';
import { bindingTarget, GL } from '../gl-constants.ts';
import { type BindingCommand, type BindingCommands, deleting, number, setOrDelete } from './binding-command.ts';

function attach(b: Bindings, framebuffer: number, point: number, attachment: Attachment): void {
  const { attachments } = b.framebuffer(framebuffer);
  const points = point === GL.DEPTH_STENCIL_ATTACHMENT ? [GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT] : [point];
  for (const each of points) {
    if (attachment.id) attachments.set(each, attachment);
    else attachments.delete(each);
  }
}

type Attach = (args: readonly Argument[]) => Attachment;

const texture = (id: Argument, level: Argument, layer: number | null, textureTarget = 0): Attachment => ({
  kind: 'texture',
  id: number(id),
  level: number(level),
  layer,
  textureTarget,
});

const face = (target: number): number =>
  bindingTarget(target) === target ? 0 : target - GL.TEXTURE_CUBE_MAP_POSITIVE_X;

/** What each attaching command attaches; its arguments begin with a target or a framebuffer, then the point. */
const attachers: Readonly<Record<string, Attach>> = {
  Renderbuffer: (a) => ({ kind: 'renderbuffer', id: number(a[3]), level: 0, layer: 0, textureTarget: 0 }),
  Texture: (a) => texture(a[2], a[3], null),
  Texture1D: (a) => texture(a[3], a[4], 0, number(a[2])),
  Texture2D: (a) => texture(a[3], a[4], face(number(a[2])), number(a[2])),
  Texture2DMultisample: (a) => texture(a[3], a[4], face(number(a[2])), number(a[2])),
  Texture3D: (a) => texture(a[3], a[4], number(a[5]), number(a[2])),
  TextureLayer: (a) => texture(a[2], a[3], number(a[4])),
  TextureFace: (a) => texture(a[2], a[3], face(number(a[4])), number(a[4])),
  TextureMultiviewOVR: (a) => texture(a[2], a[3], null),
  TextureMultisampleMultiviewOVR: (a) => texture(a[2], a[3], null),
};

export function forgetAttachment(b: Bindings, kind: Attachment['kind'], id: number): void {
  for (const bound of new Set([b.drawFramebuffer, b.readFramebuffer]))
    for (const [point, attachment] of b.framebuffer(bound).attachments)
      if (attachment.kind === kind && attachment.id === id) b.framebuffer(bound).attachments.delete(point);
}

/** Framebuffers and renderbuffers. */
export const framebufferCommands: BindingCommands = {
  BindFramebuffer: (b, a) => {
    if (a[0] !== GL.READ_FRAMEBUFFER) b.drawFramebuffer = number(a[1]);
    if (a[0] !== GL.DRAW_FRAMEBUFFER) b.readFramebuffer = number(a[1]);
  },
  DeleteFramebuffers: deleting((b, id) => {
    if (b.drawFramebuffer === id) b.drawFramebuffer = 0;
    if (b.readFramebuffer === id) b.readFramebuffer = 0;
  }),
  DrawBuffers: (b, a) => {
    b.framebuffer(b.drawFramebuffer).drawBuffers = inlineWords(a[1]);
  },
  DrawBuffer: (b, a) => {
    b.framebuffer(b.drawFramebuffer).drawBuffers = [number(a[0])];
  },
  ReadBuffer: (b, a) => {
    b.framebuffer(b.readFramebuffer).readBuffer = number(a[0]);
  },
  NamedFramebufferDrawBuffers: (b, a) => {
    b.framebuffer(number(a[0])).drawBuffers = inlineWords(a[2]);
  },
  NamedFramebufferDrawBuffer: (b, a) => {
    b.framebuffer(number(a[0])).drawBuffers = [number(a[1])];
  },
  NamedFramebufferReadBuffer: (b, a) => {
    b.framebuffer(number(a[0])).readBuffer = number(a[1]);
  },
  BindRenderbuffer: (b, a) => {
    b.renderbuffer = number(a[1]);
  },
  RenderbufferStorage: (b) => setOrDelete(b.renderbufferSamples, b.renderbuffer, 0),
  RenderbufferStorageMultisample: (b, a) => setOrDelete(b.renderbufferSamples, b.renderbuffer, number(a[1])),
  NamedRenderbufferStorage: (b, a) => setOrDelete(b.renderbufferSamples, number(a[0]), 0),
  NamedRenderbufferStorageMultisample: (b, a) => setOrDelete(b.renderbufferSamples, number(a[0]), number(a[1])),
  DeleteRenderbuffers: deleting((b, id) => {
    if (b.renderbuffer === id) b.renderbuffer = 0;
    forgetAttachment(b, 'renderbuffer', id);
  }),
};

const attaching = /^(Named)?Framebuffer((?:Renderbuffer|Texture).*)$/;

/** What attaches an image, by the command's name; undefined for every other command. */
export function attachingCommand(name: string): BindingCommand | undefined {
  const match = attaching.exec(name);
  if (!match || !Object.hasOwn(attachers, match[2])) return undefined;
  const attacher = attachers[match[2]];
  if (match[1]) return (b, a) => attach(b, number(a[0]), number(a[1]), attacher(a));
  return (b, a) => attach(b, b.boundFramebuffer(number(a[0])), number(a[1]), attacher(a));
}
