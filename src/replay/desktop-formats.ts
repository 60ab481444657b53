/** Formats that ES extensions name in their own way, in desktop GL's words. */
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
);

const float: Readonly<Record<number, readonly [full: number, half: number]>> = {
  [e.GL_RGBA]: [e.GL_RGBA32F, e.GL_RGBA16F],
  [e.GL_RGB]: [e.GL_RGB32F, e.GL_RGB16F],
  [e.GL_ALPHA]: [e.GL_ALPHA32F_ARB, e.GL_ALPHA16F_ARB],
  [e.GL_LUMINANCE]: [e.GL_LUMINANCE32F_ARB, e.GL_LUMINANCE16F_ARB],
  [e.GL_LUMINANCE_ALPHA]: [e.GL_LUMINANCE_ALPHA32F_ARB, e.GL_LUMINANCE_ALPHA16F_ARB],
};

/** Rewrites the words of one call; the compiler works on a copy of the stream. */
export function desktopFormats({ call, args, memory, positions }: Site): void {
  const place = (name: string) => call.signature.params.findIndex((param) => param.name === name);
  const type = place('type');
  const internal = place('internalformat');
  const set = (index: number, value: number) => {
    memory.words[positions[index]] = value;
  };
  let typeValue = type < 0 ? 0 : Number(args[type]);
  if (typeValue === e.GL_HALF_FLOAT_OES) {
    typeValue = e.GL_HALF_FLOAT;
    set(type, typeValue);
  }
  if (internal < 0 || !/Image/.test(baseName(call.signature.name))) return;
  const internalValue = Number(args[internal]);
  if (internalValue === e.GL_BGRA) set(internal, e.GL_RGBA8);
  const sized = float[internalValue];
  if (sized && typeValue === e.GL_FLOAT) set(internal, sized[0]);
  if (sized && typeValue === e.GL_HALF_FLOAT) set(internal, sized[1]);
}
