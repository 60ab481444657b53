import { GL } from '../../model/gl-constants.ts';
import { wasWindow } from '../canvas.ts';
import type { Handler } from '../compile/site.ts';

const GL_FRAMEBUFFER_SRGB = 0x8db9;

/** Remembered while compiling; applied around transfers with buffer objects only (pixel-store.ts). */
const pixelStorei: Handler = ({ state, args }) => {
  state.pixelStore.remember(Number(args[0]), Number(args[1]));
  return null;
};

/** The names are plain numbers in the registry, objects by their target. */
const copyImage: Handler = (site) => {
  const { fn, args, state } = site;
  const values = args.map(Number);
  const source = values[1] === GL.RENDERBUFFER ? state.objects.names.renderbuffer : state.objects.names.texture;
  const target = values[7] === GL.RENDERBUFFER ? state.objects.names.renderbuffer : state.objects.names.texture;
  const [from, to] = [values[0], values[6]];
  return () => {
    values[0] = source[from] ?? 0;
    values[6] = target[to] ?? 0;
    fn(...values);
  };
};

/** A desktop program's window takes no part in sRGB until it asks for that. */
const enable: Handler = ({ args, plain, state: { bindings, canvas, manifest } }) => {
  const isDesktop = manifest.api === 'gl' && wasWindow(manifest);
  if (isDesktop && args[0] === GL_FRAMEBUFFER_SRGB && !bindings.lists.isOpen) canvas.needSrgb();
  return plain();
};

export const stateHandlers: Readonly<Record<string, Handler>> = {
  PixelStorei: pixelStorei,
  PixelStoref: pixelStorei,
  CopyImageSubData: copyImage,
  Enable: enable,
};
