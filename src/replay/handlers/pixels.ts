import { GpuprofError } from '../../errors.ts';
import type { Argument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { shareOfMemory, tooLarge } from '../../model/memory-limit.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { dataKind, type Handler, type Site, wrapped } from '../compile/site.ts';
import { rewriteFormats } from '../desktop-formats.ts';
import { readingCanvas } from './canvas.ts';
import { withNewContents } from './new-storage.ts';

/** Uploads from memory are tight; from a buffer they follow the program's pixel storage modes. */
const upload: Handler = (site) => {
  if (site.state.esOnDesktop) rewriteFormats(site);
  const data = site.call.signature.params.findIndex((param) => param.type === 'data');
  const kind = dataKind(site, data);
  const fromBuffer = site.state.bindings.buffer(GL.PIXEL_UNPACK_BUFFER) !== 0;
  if (fromBuffer && (kind === 'inline' || kind === 'resource'))
    throw new GpuprofError('bad-capture', `${site.call.signature.name} has data although an unpack buffer is bound`);
  if (kind === 'none' && !fromBuffer) return withNewContents(site);
  if (kind !== 'offset') return site.plain();
  const { before, after } = site.state.pixelStore.around('unpack');
  return wrapped(site, before, after);
};

const n = (value: Argument): number => Math.max(0, Number(value));

/** Reads go to scratch memory, or, with a pack buffer bound, to the offset that `pixels` then is. */
const readPixels: Handler = (site) => {
  const { args, fn, state, memory, call } = site;
  const out = args[call.signature.params.length - 1] as number | null;
  const values = args.map((value) => Number(value ?? 0));
  const last = values.length - 1;
  if (state.bindings.buffer(GL.PIXEL_PACK_BUFFER) !== 0) {
    const { before, after } = state.pixelStore.around('pack');
    return readingCanvas(site, () => {
      before();
      fn(...values);
      after();
    });
  }
  if (out === null) throw new GpuprofError('bad-capture', `${call.signature.name} reads to nowhere`);
  const needed = n(args[2]) * n(args[3]) * (texelBytes(n(args[4]), n(args[5])) || 16);
  if (needed > out) throw new GpuprofError('bad-capture', `${call.signature.name} reads ${needed} bytes into ${out}`);
  const mostBytes = shareOfMemory(1 / 4);
  if (needed > mostBytes) throw tooLarge('bad-capture', `${call.signature.name} reads`, needed, mostBytes);
  memory.reserveOut(needed);
  if (last === 7) values[6] = needed;
  return readingCanvas(site, () => {
    values[last] = memory.outAddress;
    fn(...values);
  });
};

/** Images that the program reads into a buffer; in its own memory nobody looks at them. */
const packImage: Handler = ({ args, call, fn, state }) => {
  if (state.bindings.buffer(GL.PIXEL_PACK_BUFFER) === 0) return null;
  const { before, after } = state.pixelStore.around('pack');
  const { params } = call.signature;
  const names = params[0].type === 'object' ? state.objects.names.texture : undefined;
  const values = args.map((value) => Number(value ?? 0));
  const id = values[0];
  return () => {
    if (names) values[0] = names[id];
    before();
    fn(...values);
    after();
  };
};

const storage: Handler = (site: Site) => {
  if (site.state.esOnDesktop) rewriteFormats(site);
  return withNewContents(site);
};

export function pixelHandler(name: string): Handler | undefined {
  if (/^(Compressed)?(Multi)?Tex(ture)?(Sub)?Image[123]D$|^(DrawPixels|Bitmap|PolygonStipple|PixelMap\w+)$/.test(name))
    return upload;
  if (/^Getn?(Compressed)?(Multi)?Tex(ture)?(Sub)?Image$/.test(name)) return packImage;
  if (name === 'ReadPixels' || name === 'ReadnPixels') return readPixels;
  return /^(RenderbufferStorage|VertexAttribPointer$|TexStorage)/.test(name) ? storage : undefined;
}
