/**
 * Which families glPushAttrib and glPushClientAttrib save for each bit of their mask.
 * Source: OpenGL 4.6 compatibility profile, section 21.6 and the "attribute" column of chapter 23.
 */

const bit = {
  current: 0x1,
  point: 0x2,
  line: 0x4,
  polygon: 0x8,
  polygonStipple: 0x10,
  pixelMode: 0x20,
  lighting: 0x40,
  fog: 0x80,
  depth: 0x100,
  accum: 0x200,
  stencil: 0x400,
  viewport: 0x800,
  transform: 0x1000,
  enable: 0x2000,
  color: 0x4000,
  hint: 0x8000,
  list: 0x20000,
  texture: 0x40000,
  scissor: 0x80000,
  multisample: 0x20000000,
} as const;

const heads: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'Color SecondaryColor Normal TexCoord FogCoord Index EdgeFlag RasterPos VertexAttrib': bit.current,
    'PointSize PointParameter': bit.point,
    'LineWidth LineStipple': bit.line,
    'CullFace FrontFace PolygonMode PolygonOffset': bit.polygon,
    PolygonStipple: bit.polygonStipple,
    'PixelTransfer PixelZoom ReadBuffer': bit.pixelMode,
    'Light LightModel Material ShadeModel ColorMaterial ProvokingVertex': bit.lighting,
    Fog: bit.fog,
    'DepthFunc DepthMask ClearDepth': bit.depth,
    ClearAccum: bit.accum,
    'StencilFunc StencilMask StencilOp ClearStencil': bit.stencil,
    'Viewport DepthRange': bit.viewport,
    ClipPlane: bit.transform,
    'AlphaFunc BlendFunc BlendEquation BlendColor ColorMask IndexMask ClearColor ClearIndex LogicOp DrawBuffers ClampColor':
      bit.color,
    Hint: bit.hint,
    ListBase: bit.list,
    'TexEnv TexGen Texture': bit.texture,
    Scissor: bit.scissor,
    'SampleCoverage SampleMask MinSampleShading': bit.multisample,
  }).flatMap(([names, group]) => names.split(' ').map((name): [string, number] => [name, group])),
);

/** Groups of glEnable's caps, beside GL_ENABLE_BIT. */
const caps: ReadonlyMap<number, number> = new Map([
  [0xb10, bit.point],
  [0x8861, bit.point],
  [0x8642, bit.point],
  [0xb20, bit.line],
  [0xb24, bit.line],
  [0xb41, bit.polygon],
  [0xb44, bit.polygon],
  [0x2a01, bit.polygon],
  [0x2a02, bit.polygon],
  [0x8037, bit.polygon],
  [0xb42, bit.polygon],
  [0xb50, bit.lighting],
  [0xb57, bit.lighting],
  [0xb60, bit.fog],
  [0xb71, bit.depth],
  [0xb90, bit.stencil],
  [0xba1, bit.transform],
  [0x803a, bit.transform],
  [0x864f, bit.transform],
  [0xbc0, bit.color],
  [0xbd0, bit.color],
  [0xbe2, bit.color],
  [0xbf1, bit.color],
  [0xbf2, bit.color],
  [0x8db9, bit.color],
  [0xc11, bit.scissor],
  [0x809d, bit.multisample],
  [0x809e, bit.multisample],
  [0x809f, bit.multisample],
  [0x80a0, bit.multisample],
]);
const isLight = (cap: number): boolean => cap >= 0x4000 && cap <= 0x4007;
const isClipPlane = (cap: number): boolean => cap >= 0x3000 && cap <= 0x3007;

function capGroup(cap: number, isOfUnit: boolean): number {
  if (isOfUnit) return bit.texture;
  if (isLight(cap)) return bit.lighting;
  return isClipPlane(cap) ? bit.transform : (caps.get(cap) ?? 0);
}

/** Mask of glPushAttrib that saves MatrixMode. */
export const transformBit = bit.transform;
/** Mask of glPushAttrib that saves the active texture unit. */
export const textureBit = bit.texture;

/** Whether glPushAttrib with this mask saves the family. */
export function isSaved(family: string, mask: number): boolean {
  const [head, first, word] = family.split(' ');
  if (head === 'Enable') return (mask & (bit.enable | capGroup(Number(first), word === 'unit'))) !== 0;
  return (mask & (heads.get(head) ?? 0)) !== 0;
}

const pixelStoreBit = 1;
const vertexArrayBit = 2;
const clientVertexArrays =
  /^(ClientState|Attribute(Enable|Pointer|Divisor)|\w+Pointer|ElementBuffer|BindVertexArray|PrimitiveRestartIndex|Buffer 34962$)/;

/** Whether glPushClientAttrib with this mask saves the family. */
export function isSavedOnClient(family: string, mask: number): boolean {
  if (family.startsWith('PixelStore ')) return (mask & pixelStoreBit) !== 0;
  return (mask & vertexArrayBit) !== 0 && clientVertexArrays.test(family);
}
