/** Formats that ES extensions name in their own way, in desktop GL's words. */
import type { GlContext } from '../gl/context.ts';
import { baseName } from '../model/gl-constants.ts';
import type { Site } from './compile/site.ts';
import { glEnums } from './constants.ts';

const e = glEnums(
  'GL_FLOAT',
  'GL_HALF_FLOAT',
  'GL_HALF_FLOAT_OES',
  'GL_RGBA',
  'GL_RGB',
  'GL_ALPHA',
  'GL_LUMINANCE',
  'GL_LUMINANCE_ALPHA',
  'GL_BGRA',
  'GL_RGBA8',
  'GL_RGBA32F',
  'GL_RGB32F',
  'GL_RGBA16F',
  'GL_RGB16F',
  'GL_ALPHA32F_ARB',
  'GL_LUMINANCE32F_ARB',
  'GL_LUMINANCE_ALPHA32F_ARB',
  'GL_ALPHA16F_ARB',
  'GL_LUMINANCE16F_ARB',
  'GL_LUMINANCE_ALPHA16F_ARB',
  'GL_ETC1_RGB8_OES',
  'GL_COMPRESSED_RGB8_ETC2',
);

const float: Readonly<Record<number, readonly [full: number, half: number]>> = {
  [e.GL_RGBA]: [e.GL_RGBA32F, e.GL_RGBA16F],
  [e.GL_RGB]: [e.GL_RGB32F, e.GL_RGB16F],
  [e.GL_ALPHA]: [e.GL_ALPHA32F_ARB, e.GL_ALPHA16F_ARB],
  [e.GL_LUMINANCE]: [e.GL_LUMINANCE32F_ARB, e.GL_LUMINANCE16F_ARB],
  [e.GL_LUMINANCE_ALPHA]: [e.GL_LUMINANCE_ALPHA32F_ARB, e.GL_LUMINANCE_ALPHA16F_ARB],
};

interface Formats {
  readonly internalFormat: number;
  readonly type: number;
}

/** What desktop GL calls an image's internal format and type; for compressed images `type` is 0. */
export function desktopFormats({ internalFormat, type }: Formats, { extensions }: GlContext): Formats {
  // Every ETC1 image is an ETC2 image.
  if (internalFormat === e.GL_ETC1_RGB8_OES && !extensions.has('GL_OES_compressed_ETC1_RGB8_texture'))
    return { internalFormat: e.GL_COMPRESSED_RGB8_ETC2, type };
  const known = type === e.GL_HALF_FLOAT_OES ? e.GL_HALF_FLOAT : type;
  if (internalFormat === e.GL_BGRA) return { internalFormat: e.GL_RGBA8, type: known };
  const [full, half] = float[internalFormat] ?? [internalFormat, internalFormat];
  const sized = known === e.GL_FLOAT ? full : known === e.GL_HALF_FLOAT ? half : internalFormat;
  return { internalFormat: sized, type: known };
}

/** Rewrites the words of one call; the compiler works on a copy of the stream. */
export function rewriteFormats({ call, args, memory, positions, state }: Site): void {
  const place = (name: string) => call.signature.params.findIndex((param) => param.name === name);
  const name = baseName(call.signature.name);
  const type = place('type');
  const internal = /Compressed\w*Sub/.test(name) ? place('format') : place('internalformat');
  const formats = desktopFormats(
    {
      internalFormat: internal < 0 || !/Image/.test(name) ? 0 : Number(args[internal]),
      type: type < 0 ? 0 : Number(args[type]),
    },
    state.context,
  );
  if (type >= 0) memory.words[positions[type]] = formats.type;
  if (formats.internalFormat !== 0) memory.words[positions[internal]] = formats.internalFormat;
}
