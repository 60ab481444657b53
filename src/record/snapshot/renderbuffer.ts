import { constants as c } from '../../gl/webgl2/constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { layoutOf } from '../../model/texture-formats.ts';
import type { RenderbufferShadow } from '../observe/shadows.ts';
import { encodeTexels } from '../read-back/texel-encode.ts';
import { type Aspect, attachmentOf, bits, contentsLayout, isPlain, missingFrom, readByBlit } from './blit.ts';
import { leftOutNote, resolvedNote } from './notes.ts';
import type { SnapshotContext } from './snapshot.ts';

/** Sized formats of renderbuffers that WebGL 1 names without a size. */
const sizedFormats = new Map<number, number>([[c.DEPTH_STENCIL, c.DEPTH24_STENCIL8]]);

/** Stencil alone has no texture format in WebGL 2: it is read through a renderbuffer of the recorder's own. */
function readStencilOnly(
  { target, reader, through }: SnapshotContext,
  shadow: RenderbufferShadow,
  width: number,
  height: number,
  samples: number,
): Aspect[] {
  const { gl } = target;
  const attach = (handle: object, point: number = c.FRAMEBUFFER) =>
    gl.framebufferRenderbuffer(point, c.STENCIL_ATTACHMENT, c.RENDERBUFFER, handle);
  let readable = shadow.handle;
  const reached = through.get(shadow.handle);
  if (samples > 0 || reached) {
    readable = gl.createRenderbuffer();
    gl.bindRenderbuffer(c.RENDERBUFFER, readable);
    gl.renderbufferStorage(c.RENDERBUFFER, c.STENCIL_INDEX8, width, height);
    const [from, to] = [gl.createFramebuffer(), gl.createFramebuffer()];
    if (reached) reached.read((bind) => bind());
    else {
      gl.bindFramebuffer(c.READ_FRAMEBUFFER, from);
      attach(shadow.handle, c.READ_FRAMEBUFFER);
    }
    gl.bindFramebuffer(c.DRAW_FRAMEBUFFER, to);
    attach(readable, c.DRAW_FRAMEBUFFER);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, c.STENCIL_BUFFER_BIT, c.NEAREST);
    gl.deleteFramebuffer(from);
    gl.deleteFramebuffer(to);
  }
  const pixels = reader.stencil(width, height, () => attach(readable));
  if (readable !== shadow.handle) gl.deleteRenderbuffer(readable);
  return [{ aspect: c.STENCIL, format: c.RED_INTEGER, type: c.UNSIGNED_BYTE, pixels }];
}

/** WebGL 1: colour through a framebuffer, stencil by test; depth cannot be read there and is left as the GL clears it. */
function readWebGl1(
  { target: { gl }, reader }: SnapshotContext,
  shadow: RenderbufferShadow,
  internalformat: number,
  width: number,
  height: number,
): Aspect[] {
  const point = attachmentOf(internalformat);
  const attach = () => gl.framebufferRenderbuffer(c.FRAMEBUFFER, point, c.RENDERBUFFER, shadow.handle);
  if (point === c.DEPTH_ATTACHMENT) return [];
  if (point !== c.COLOR_ATTACHMENT0)
    return [
      {
        aspect: c.STENCIL,
        format: c.RED_INTEGER,
        type: c.UNSIGNED_BYTE,
        pixels: reader.stencil(width, height, attach),
      },
    ];
  const layout = contentsLayout(layoutOf(internalformat, c.RGBA, c.UNSIGNED_BYTE));
  reader.bindEmpty(attach);
  const texels = new Uint8Array(width * height * texelBytes(layout.format, layout.type));
  encodeTexels(reader.readColour(width, height, layout.numbers, 0), layout, texels, 0);
  reader.detach();
  return [{ aspect: c.COLOR, format: layout.format, type: layout.type, pixels: texels }];
}

function readRenderbuffer(context: SnapshotContext, shadow: RenderbufferShadow): Aspect[] {
  const { target, reader } = context;
  const storage = shadow.storage as NonNullable<RenderbufferShadow['storage']>;
  const { width, height, samples } = storage;
  const internalformat = sizedFormats.get(storage.internalformat) ?? storage.internalformat;
  if (target.version === 1) return readWebGl1(context, shadow, internalformat, width, height);
  if (internalformat === c.STENCIL_INDEX8) return readStencilOnly(context, shadow, width, height, samples);
  const { gl } = target;
  const through = context.through.get(shadow.handle);
  if (through) return through.read((bind) => readByBlit(target, reader, internalformat, width, height, bind)) ?? [];
  const source = gl.createFramebuffer();
  const aspects = readByBlit(target, reader, internalformat, width, height, () => {
    gl.bindFramebuffer(c.READ_FRAMEBUFFER, source);
    gl.framebufferRenderbuffer(c.READ_FRAMEBUFFER, attachmentOf(internalformat), c.RENDERBUFFER, shadow.handle);
  });
  gl.deleteFramebuffer(source);
  return aspects ?? [];
}

/** Creates the renderbuffer with its contents. */
export function setUpRenderbuffer(context: SnapshotContext, shadow: RenderbufferShadow): void {
  const { calls } = context;
  const { id, storage } = shadow;
  calls.add('glGenRenderbuffers', [1, [id]]);
  calls.add('glBindRenderbuffer', [c.RENDERBUFFER, id]);
  if (!storage) return;
  const { internalformat, width, height, samples } = storage;
  const format = sizedFormats.get(internalformat) ?? internalformat;
  if (samples > 0) calls.add('glRenderbufferStorageMultisample', [c.RENDERBUFFER, samples, format, width, height]);
  else calls.add('glRenderbufferStorage', [c.RENDERBUFFER, format, width, height]);
  if (width * height === 0) return;
  const aspects = readRenderbuffer(context, shadow);
  const missing = missingFrom(aspects, bits(format));
  if (missing.length > 0) context.note(leftOutNote(`renderbuffer ${id}`, missing));
  if (samples > 0 && !aspects.every((each) => isPlain(each, width * height)))
    context.note(resolvedNote(`renderbuffer ${id}`, samples));
  for (const { aspect, format: pixelFormat, type, pixels } of aspects)
    calls.add('gpuprofRenderbufferContents', [id, aspect, width, height, pixelFormat, type, calls.data(pixels)]);
}
