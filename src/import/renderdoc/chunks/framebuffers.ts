import { argumentNodes, emit } from '../arguments.ts';
import type { Node } from '../node.ts';
import { type ChunkHandler, type ChunkHandlers, direct, isDirect } from './handler.ts';

const targetNode = (node: Node, target: number): Node => ({ ...node, kind: 'enum', value: target });

/** Commands on a framebuffer's target: RenderDoc names the framebuffer in its place. */
const onTarget =
  (name: string): ChunkHandler =>
  (t, chunk) => {
    const [framebuffer, ...rest] = argumentNodes(chunk, 1);
    t.withFramebuffer(t.id(framebuffer.value, 'framebuffer'), (target) =>
      emit(t, name, [targetNode(framebuffer, target), ...rest]),
    );
  };

const orDirect =
  (bound: ChunkHandler): ChunkHandler =>
  (t, chunk) =>
    (isDirect(chunk) ? direct : bound)(t, chunk);

/** Commands on the framebuffer that is drawn to. */
const onDrawn =
  (name: string): ChunkHandler =>
  (t, chunk) => {
    const [framebuffer, ...rest] = argumentNodes(chunk, 1);
    t.withDrawFramebuffer(t.id(framebuffer.value, 'framebuffer'), () => emit(t, name, rest));
  };

const onRead: ChunkHandler = (t, chunk) => {
  const [framebuffer, mode] = argumentNodes(chunk, 2);
  t.withReadFramebuffer(t.id(framebuffer.value, 'framebuffer'), () => emit(t, 'glReadBuffer', [mode]));
};

const blit: ChunkHandler = (t, chunk) => {
  if (chunk.name === 'glBlitNamedFramebuffer') return direct(t, chunk);
  const [read, draw, ...rest] = argumentNodes(chunk, 2);
  t.withReadFramebuffer(t.id(read.value, 'framebuffer'), () =>
    t.withDrawFramebuffer(t.id(draw.value, 'framebuffer'), () => emit(t, 'glBlitFramebuffer', rest)),
  );
};

/** EXT_multisampled_render_to_texture: RenderDoc names both the framebuffer and the target. */
const texture2dMultisample: ChunkHandler = (t, chunk) => {
  const [framebuffer, target, ...rest] = argumentNodes(chunk, 2);
  t.withFramebuffer(t.id(framebuffer.value, 'framebuffer'), (at) =>
    emit(t, chunk.name, [targetNode(target, at), ...rest]),
  );
};

const handlers: Record<string, ChunkHandler> = {
  FramebufferTexture2DMultisample: texture2dMultisample,
  BlitFramebuffer: blit,
  BlitNamedFramebuffer: blit,
  ReadBuffer: onRead,
  FramebufferReadBuffer: onRead,
  NamedFramebufferReadBuffer: direct,
  DrawBuffer: onDrawn('glDrawBuffer'),
  FramebufferDrawBuffer: onDrawn('glDrawBuffer'),
  NamedFramebufferDrawBuffer: direct,
  DrawBuffers: onDrawn('glDrawBuffers'),
  FramebufferDrawBuffers: onDrawn('glDrawBuffers'),
  NamedFramebufferDrawBuffers: direct,
  InvalidateFramebuffer: onTarget('glInvalidateFramebuffer'),
  DiscardFramebuffer: onTarget('glInvalidateFramebuffer'),
  InvalidateSubFramebuffer: onTarget('glInvalidateSubFramebuffer'),
  InvalidateNamedFramebufferData: direct,
  InvalidateNamedFramebufferSubData: direct,
};

for (const what of ['Texture', 'Texture1D', 'Texture2D', 'Texture3D', 'Renderbuffer', 'TextureLayer', 'Parameteri']) {
  const bound = onTarget(`glFramebuffer${what}`);
  handlers[`Framebuffer${what}`] = bound;
  handlers[`NamedFramebuffer${what}`] = orDirect(bound);
}
for (const form of ['fv', 'iv', 'uiv', 'fi']) {
  handlers[`ClearBuffer${form}`] = onDrawn(`glClearBuffer${form}`);
  handlers[`ClearNamedFramebuffer${form}`] = direct;
}
for (const form of ['', 'Multisample']) {
  const bound: ChunkHandler = (t, chunk) => {
    const [renderbuffer, ...rest] = argumentNodes(chunk, 1);
    t.withRenderbuffer(t.id(renderbuffer.value, 'renderbuffer'), () =>
      // EXT_multisampled_render_to_texture's own form means another thing than the core one.
      emit(t, chunk.name === 'glRenderbufferStorageMultisampleEXT' ? chunk.name : `glRenderbufferStorage${form}`, [
        { ...renderbuffer, kind: 'enum', value: 0x8d41 },
        ...rest,
      ]),
    );
  };
  handlers[`RenderbufferStorage${form}`] = bound;
  handlers[`NamedRenderbufferStorage${form}`] = orDirect(bound);
}

export const framebufferHandlers: ChunkHandlers = handlers;
