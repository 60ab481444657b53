import { GL } from '../../../model/gl-constants.ts';
import { texelBytes } from '../../../model/texel-sizes.ts';
import { blockOf } from '../../../model/texture-formats.ts';
import type { Fields } from '../node.ts';
import { texelLayout } from '../texel-layout.ts';
import { Inexpressible, type Translation } from '../translation.ts';

const faces = Array.from({ length: 6 }, (_, index) => GL.TEXTURE_CUBE_MAP_POSITIVE_X + index);
/** Targets whose last dimension is layers, which do not shrink from level to level. */
const layered: ReadonlySet<number> = new Set([GL.TEXTURE_2D_ARRAY, GL.TEXTURE_CUBE_MAP_ARRAY]);
const multisampled: ReadonlySet<number> = new Set([GL.TEXTURE_2D_MULTISAMPLE, GL.TEXTURE_2D_MULTISAMPLE_ARRAY]);
const maxLevels = 32;

interface Image {
  readonly target: number;
  readonly level: number;
  /** Width, and as many more as the texture has dimensions. */
  readonly size: readonly number[];
  readonly bytes: Uint8Array;
}

function sizeOf(state: Fields, target: number, level: number): number[] {
  const half = (name: string) => Math.max(1, state.number(name) >> level);
  const whole = (name: string) => Math.max(1, state.number(name));
  const height = target === GL.TEXTURE_1D_ARRAY ? whole('height') : half('height');
  const depth = layered.has(target) ? whole('depth') : half('depth');
  return [half('width'), height, depth].slice(0, state.number('dim'));
}

/** The images, level by level, of a cube map face by face, as RenderDoc writes them. */
function* images(contents: Fields, state: Fields, target: number): Generator<Image> {
  const stored = contents.nodes.filter(({ name }) => name === 'SubresourceContents');
  const targets = target === GL.TEXTURE_CUBE_MAP ? faces : [target];
  const levels = state.number('mips');
  if (levels < 1 || levels > maxLevels) contents.fault(`has ${levels} levels`);
  for (let level = 0; level < levels; level++)
    for (const [face, each] of targets.entries()) {
      const node = stored[level * targets.length + face];
      if (!node) return contents.fault(`lacks texels of level ${level}`);
      if (node.bytes) yield { target: each, level, size: sizeOf(state, target, level), bytes: node.bytes };
    }
}

function checkLength({ bytes, size, level }: Image, expected: number, contents: Fields): void {
  if (bytes.length < expected)
    contents.fault(`has ${bytes.length} bytes for level ${level} of ${size.join('x')} texels, which takes ${expected}`);
}

function uploadCompressed(
  t: Translation,
  texture: number,
  internalformat: number,
  image: Image,
  contents: Fields,
): void {
  const { target, level, size, bytes } = image;
  const [blockWidth, blockHeight, blockBytes] = blockOf(internalformat) ?? [1, 1, 1];
  const [width, height = 1, depth = 1] = size;
  const length = Math.ceil(width / blockWidth) * Math.ceil(height / blockHeight) * depth * blockBytes;
  checkLength(image, length, contents);
  const data = t.data(bytes.subarray(0, length));
  const offsets = size.map(() => 0);
  if (t.textures.has(texture, target, level))
    t.call(`glCompressedTexSubImage${size.length}D`, [
      target,
      level,
      ...offsets,
      ...size,
      internalformat,
      length,
      data,
    ]);
  else {
    t.textures.define(texture, target, level);
    t.call(`glCompressedTexImage${size.length}D`, [target, level, internalformat, ...size, 0, length, data]);
  }
}

interface Layout {
  readonly format: number;
  readonly type: number;
}

function uploadPlain(
  t: Translation,
  texture: number,
  internalformat: number,
  { format, type }: Layout,
  image: Image,
  contents: Fields,
): void {
  const { target, level, size, bytes } = image;
  const length = size.reduce((product, side) => product * side, texelBytes(format, type));
  checkLength(image, length, contents);
  const data = t.data(bytes.subarray(0, length));
  const offsets = size.map(() => 0);
  if (t.textures.has(texture, target, level))
    t.call(`glTexSubImage${size.length}D`, [target, level, ...offsets, ...size, format, type, data]);
  else {
    t.textures.define(texture, target, level);
    t.call(`glTexImage${size.length}D`, [target, level, internalformat, ...size, 0, format, type, data]);
  }
}

function upload(t: Translation, texture: number, internalformat: number, image: Image, contents: Fields): void {
  const layout = texelLayout(internalformat);
  if (layout === undefined)
    throw new Inexpressible(`the layout of format 0x${internalformat.toString(16)} is not known`);
  if (layout === null) uploadCompressed(t, texture, internalformat, image, contents);
  else uploadPlain(t, texture, internalformat, layout, image, contents);
}

/** Parameters of both textures and samplers: state's name, GL's, whether they are floats, and what they are to begin with. */
const parameters: readonly (readonly [name: string, pname: number, float: boolean, initial: number])[] = [
  ['compareFunc', 0x884d, false, 0x203],
  ['compareMode', 0x884c, false, 0],
  ['minFilter', 0x2801, false, 0x2702],
  ['magFilter', 0x2800, false, 0x2601],
  ['minLod', 0x813a, true, -1000],
  ['maxLod', 0x813b, true, 1000],
  ['lodBias', 0x8501, true, 0],
  ['maxAniso', 0x84fe, true, 1],
];
const textureParameters = [
  ['baseLevel', 0x813c, false, 0],
  ['maxLevel', 0x813d, false, 1000],
  ['srgbDecode', 0x8a48, false, 0x8a49],
  ['depthMode', 0x90ea, false, 0],
  ['seamless', 0x884f, false, 0],
  ...parameters,
] as const;
const GL_DEPTH_COMPONENT = 0x1902;
const wraps = [0x8072, 0x2802, 0x2803];
const swizzles = [0x8e42, 0x8e43, 0x8e44, 0x8e45];
const GL_TEXTURE_BORDER_COLOR = 0x1004;
const lodBias = 0x8501;

/** What differs from a new texture's parameters is set, and what the creation chunks may have set otherwise. */
function setParameters(t: Translation, target: number, state: Fields): void {
  const rectangle = target === GL.TEXTURE_RECTANGLE;
  const sampled = !multisampled.has(target);
  for (const [name, pname, float, initial] of textureParameters) {
    const value = state.numberOr(name, initial);
    const rare = name === 'srgbDecode' || name === 'depthMode' || name === 'seamless' || name === 'maxAniso';
    if (rare && (value === initial || value < 1 || (name === 'depthMode' && value === GL_DEPTH_COMPONENT))) continue;
    if (pname === lodBias && t.api.es) continue;
    if (rectangle && /Level|Lod$/.test(name)) continue;
    if (!sampled && !/Level$/.test(name)) continue;
    t.call(float ? 'glTexParameterf' : 'glTexParameteri', [target, pname, value]);
  }
  const swizzle = state.numbers('swizzle');
  if (swizzle.length === 4 && !isLegacy(state.number('internalformat')))
    for (const [index, pname] of swizzles.entries()) t.call('glTexParameteri', [target, pname, swizzle[index]]);
  if (!sampled) return;
  for (const [index, wrap] of state.numbers('wrap').entries())
    if (wrap !== 0 && index < wraps.length) t.call('glTexParameteri', [target, wraps[index], wrap]);
  setBorder(t, 'glTexParameterfv', target, state);
}

/** Luminance and alpha formats, whose channels are not those of the swizzle. */
const isLegacy = (internalformat: number): boolean =>
  [0x1906, 0x1909, 0x190a, 0x803c, 0x8040, 0x8045, 0x8049].includes(internalformat);

function setBorder(t: Translation, name: string, subject: number, state: Fields): void {
  const border = state.numbers('border');
  if (border.length === 4 && border.some((value) => value !== 0))
    t.call(name, [subject, GL_TEXTURE_BORDER_COLOR, t.list(Float32Array.from(border))]);
}

/** Sets a sampler as it was. */
export function setSampler(t: Translation, sampler: number, state: Fields): void {
  for (const [name, pname, float, initial] of parameters) {
    const value = state.numberOr(name, initial);
    if ((pname === lodBias && t.api.es) || (name === 'maxAniso' && value <= 1)) continue;
    t.call(float ? 'glSamplerParameterf' : 'glSamplerParameteri', [sampler, pname, value]);
  }
  for (const [index, wrap] of state.numbers('wrap').entries())
    if (wrap !== 0 && index < wraps.length) t.call('glSamplerParameteri', [sampler, wraps[index], wrap]);
  setBorder(t, 'glSamplerParameterfv', sampler, state);
}

function bufferTexture(t: Translation, state: Fields, internalformat: number): void {
  const buffer = t.id(state.node('texBuffer').value, 'buffer');
  const [offset, size] = [state.numberOr('texBufOffs', 0), state.numberOr('texBufSize', 0)];
  if (buffer === 0) return;
  if (offset > 0 && size > 0) t.call('glTexBufferRange', [GL.TEXTURE_BUFFER, internalformat, buffer, offset, size]);
  else t.call('glTexBuffer', [GL.TEXTURE_BUFFER, internalformat, buffer]);
}

/** Gives a texture the images and parameters that it had when the frame began. */
export function setTexture(t: Translation, texture: number, contents: Fields): void {
  const state = contents.struct('TextureState');
  const internalformat = state.number('internalformat');
  const target = state.number('type');
  if (internalformat === 0 || target === 0) return;
  const isMultisampled = multisampled.has(target);
  t.withTexture(target, texture, () => {
    if (target === GL.TEXTURE_BUFFER) return bufferTexture(t, state, internalformat);
    if (state.number('isView') === 0 && !isMultisampled)
      for (const image of images(contents, state, target)) upload(t, texture, internalformat, image, contents);
    setParameters(t, target, state);
  });
  if (isMultisampled && contents.find('SubresourceContents'))
    throw new Inexpressible('GL cannot upload the samples of a multisampled texture');
}
