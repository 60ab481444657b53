/** Framebuffer 0 is a framebuffer object here, so the words that only a default framebuffer knows are translated. */
import { Scratch } from '../../gl/native.ts';
import { inlineWords } from '../../model/argument-values.ts';
import type { DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { canvasPoints } from '../canvas-points.ts';
import type { Handler, Site } from '../compile/site.ts';
import { withZerosAround } from './new-storage.ts';

/** A list of buffers in argument `at`, counted by the argument before it. */
const bufferList =
  (at: number, onCanvas: (site: Site) => boolean): Handler =>
  (site) => {
    if (!onCanvas(site) || (site.args[at] as DataArgument)?.kind !== 'inline') return site.plain();
    const count = Math.max(0, Number(site.args[at - 1]));
    const list = new Scratch(count * 4);
    const { fn, args, state } = site;
    const buffers = inlineWords(site.args[at]).slice(0, count);
    list.u32.set(buffers.map((buffer) => canvasPoints(state.canvas, buffer)[0]));
    const object = site.call.signature.params[0].type === 'object';
    const values = args.map((value, index) => (index === at ? list.address : Number(value)));
    return () => {
      if (object) values[0] = state.objects.names.framebuffer[Number(args[0])];
      fn(...values);
    };
  };

const oneBuffer =
  (at: number, onCanvas: (site: Site) => boolean): Handler =>
  (site) => {
    if (!onCanvas(site)) return site.plain();
    const { fn, state } = site;
    const { canvas } = state;
    const points = canvasPoints(canvas, Number(site.args[at]));
    if (points.length > 1 && !site.call.signature.name.includes('Read')) {
      const list = new Scratch(points.length * 4);
      list.u32.set(points);
      const { gl } = state.context;
      if (at === 0) return () => void gl.glDrawBuffers(points.length, list.address);
      return () => void gl.glNamedFramebufferDrawBuffers(canvas.framebuffer, points.length, list.address);
    }
    if (at === 0) return () => void fn(points[0]);
    return () => void fn(canvas.framebuffer, points[0]);
  };

const drawsToCanvas = ({ state }: Site) => state.bindings.drawFramebuffer === 0;
const readsFromCanvas = ({ state }: Site) => state.bindings.readFramebuffer === 0;
const targetIsCanvas = ({ state, args }: Site) => state.bindings.boundFramebuffer(Number(args[0])) === 0;
const namesCanvas = ({ args }: Site) => args[0] === 0;

/** GL refuses attachments to the default framebuffer; let it, and keep the canvas as it is. */
const attach: Handler = (site) => {
  const plain = site.plain();
  if (!targetIsCanvas(site)) return plain;
  const { context, canvas } = site.state;
  const target = Number(site.args[0]);
  return (at) => {
    context.gl.glBindFramebuffer(target, 0);
    plain(at);
    context.gl.glBindFramebuffer(target, canvas.framebuffer);
  };
};

/** The same by name: GL has an error for it, and must not find the canvas. */
const attachNamed: Handler = (site) => {
  if (!namesCanvas(site)) return site.plain();
  const { state, fn } = site;
  const values = site.args.map((value, index) => {
    const { type, objectClass } = site.call.signature.params[index];
    return type === 'object' && objectClass !== 'framebuffer'
      ? () => state.objects.names[objectClass!][Number(value)]
      : () => Number(value);
  });
  return () => void fn(...values.map((value) => value()));
};

/** Reads from a multisampled canvas see its resolved pixels. */
export function readingCanvas(site: Site, op: (at: number) => void): (at: number) => void {
  const { canvas, context, bindings, objects } = site.state;
  if (canvas.samples === 0 || bindings.readFramebuffer !== 0) return op;
  const draw = bindings.drawFramebuffer;
  const { gl } = context;
  return (at) => {
    canvas.resolve();
    gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, objects.names.framebuffer[draw]);
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, canvas.resolved);
    op(at);
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, canvas.framebuffer);
  };
}

const copy: Handler = (site) => readingCanvas(site, site.plain());
const copyImage: Handler = (site) => readingCanvas(site, withZerosAround(site));
/** Depth and stencil of a multisampled canvas have no resolved copy: those blits read the canvas itself. */
const blit: Handler = (site) =>
  (Number(site.args[8]) & GL.COLOR_BUFFER_BIT) !== 0 ? readingCanvas(site, site.plain()) : site.plain();

/** A blit by name from a multisampled canvas reads its resolved pixels. */
const blitNamed: Handler = (site) => {
  const { canvas, context, objects } = site.state;
  const { drawFramebuffer, readFramebuffer } = site.state.bindings;
  if (canvas.samples === 0 || site.args[0] !== 0 || (Number(site.args[10]) & GL.COLOR_BUFFER_BIT) === 0)
    return site.plain();
  const [, target, ...rest] = site.args.map(Number);
  const { gl } = context;
  const { fn } = site;
  return () => {
    canvas.resolve();
    gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, objects.names.framebuffer[drawFramebuffer]);
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, objects.names.framebuffer[readFramebuffer]);
    fn(canvas.resolved, objects.names.framebuffer[target], ...rest);
  };
};

export const canvasHandlers: Readonly<Record<string, Handler>> = {
  DrawBuffers: bufferList(1, drawsToCanvas),
  NamedFramebufferDrawBuffers: bufferList(2, namesCanvas),
  InvalidateFramebuffer: bufferList(2, targetIsCanvas),
  InvalidateSubFramebuffer: bufferList(2, targetIsCanvas),
  DiscardFramebuffer: bufferList(2, targetIsCanvas),
  InvalidateNamedFramebufferData: bufferList(2, namesCanvas),
  InvalidateNamedFramebufferSubData: bufferList(2, namesCanvas),
  DrawBuffer: oneBuffer(0, drawsToCanvas),
  ReadBuffer: oneBuffer(0, readsFromCanvas),
  NamedFramebufferDrawBuffer: oneBuffer(1, namesCanvas),
  NamedFramebufferReadBuffer: oneBuffer(1, namesCanvas),
  FramebufferRenderbuffer: attach,
  FramebufferTexture: attach,
  FramebufferTexture1D: attach,
  FramebufferTexture2D: attach,
  FramebufferTexture2DMultisample: attach,
  FramebufferTexture3D: attach,
  FramebufferTextureLayer: attach,
  FramebufferTextureMultiviewOVR: attach,
  FramebufferParameteri: attach,
  NamedFramebufferRenderbuffer: attachNamed,
  NamedFramebufferTexture: attachNamed,
  NamedFramebufferTexture1D: attachNamed,
  NamedFramebufferTexture2D: attachNamed,
  NamedFramebufferTexture3D: attachNamed,
  NamedFramebufferTextureLayer: attachNamed,
  NamedFramebufferParameteri: attachNamed,
  CopyTexImage1D: copy,
  CopyTexImage2D: copyImage,
  CopyTexSubImage1D: copy,
  CopyTexSubImage2D: copy,
  CopyTexSubImage3D: copy,
  CopyTextureSubImage1D: copy,
  CopyTextureSubImage2D: copy,
  CopyTextureSubImage3D: copy,
  CopyPixels: copy,
  BlitFramebuffer: blit,
  BlitNamedFramebuffer: blitNamed,
};
