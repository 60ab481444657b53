/**
 * Which piece of context state a GL call sets. State comes in families: calls of one family set the same thing, the whole
 * of it (index '') or a part (one viewport, one face), so that a family's last whole call and the parts after it say what
 * the state is. Containers' own state (vertex arrays, framebuffers, programs) is not context state.
 * Source: OpenGL 4.6 compatibility profile, chapter 23 "State tables".
 */
import type { Argument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';

/** Where a context stands; some state belongs to what is selected here. */
export interface Selected {
  /** From 0. */
  unit: number;
  clientUnit: number;
  matrixMode: number;
  arrayBuffer: number;
  vertexArray: number;
  drawFramebuffer: number;
  readFramebuffer: number;
}

/** What has to be selected again before a call sets the same state. */
export type Need = 'unit' | 'clientUnit' | 'arrayBuffer' | 'matrices';

export interface Setting {
  readonly family: string;
  /** '' sets the whole family. */
  readonly index: string;
  readonly need?: Need;
}

type Args = readonly Argument[];
type Describe = (args: Args, at: Selected) => readonly Setting[];

const FRONT_AND_BACK = 0x408;
const TEXTURE_COORD_ARRAY = 0x8078;
const POSITION = 0x1203;
const SPOT_DIRECTION = 0x1204;
/** GL_TEXTURE_1D, _2D, _GEN_S to _Q, _3D, _RECTANGLE and _CUBE_MAP switch a unit's texturing. */
const unitCaps: ReadonlySet<number> = new Set([0xde0, 0xde1, 0x806f, 0x84f5, 0x8513, 0xc60, 0xc61, 0xc62, 0xc63]);

const whole = (family: string): Describe => {
  const settings = [{ family, index: '' }];
  return () => settings;
};
/** Each value of the first argument is a family of its own. */
const byFirst =
  (family: string, need?: Need): Describe =>
  (a) => [{ family: `${family} ${a[0]}`, index: '', ...(need && { need }) }];
/** The first argument is an index in the family. */
const indexed =
  (family: string): Describe =>
  (a) => [{ family, index: String(a[0]) }];
const face =
  (family: string): Describe =>
  (a) => [{ family, index: a[0] === FRONT_AND_BACK ? '' : String(a[0]) }];
const range =
  (family: string): Describe =>
  (a) => [{ family, index: `${a[0]}+${a[1]}` }];
const ofUnit =
  (family: string): Describe =>
  (a, { unit }) => [{ family: `${family} ${unit} ${a[0]}`, index: '', need: 'unit' }];
const byFirstTwo =
  (family: string): Describe =>
  (a) => [{ family: `${family} ${a[0]} ${a[1]}`, index: '' }];
const none: readonly Setting[] = [];

const enable: Describe = (a, { unit }) => {
  if (unitCaps.has(Number(a[0]))) return [{ family: `Enable ${a[0]} unit ${unit}`, index: '', need: 'unit' }];
  return [{ family: `Enable ${a[0]}`, index: '' }];
};
const enableIndexed: Describe = (a) => [{ family: `Enable ${a[0]}`, index: String(a[1]) }];
const clientState: Describe = (a, { clientUnit }) =>
  a[0] === TEXTURE_COORD_ARRAY
    ? [{ family: `ClientState ${a[0]} unit ${clientUnit}`, index: '', need: 'clientUnit' }]
    : [{ family: `ClientState ${a[0]}`, index: '' }];

const bindFramebuffer: Describe = (a) => {
  if (a[0] === GL.READ_FRAMEBUFFER) return [{ family: 'ReadFramebuffer', index: '' }];
  if (a[0] === GL.DRAW_FRAMEBUFFER) return [{ family: 'DrawFramebuffer', index: '' }];
  return [
    { family: 'DrawFramebuffer', index: '' },
    { family: 'ReadFramebuffer', index: '' },
  ];
};

const bindBuffer: Describe = (a, { vertexArray }) => {
  if (a[0] !== GL.ELEMENT_ARRAY_BUFFER) return [{ family: `Buffer ${a[0]}`, index: '' }];
  return vertexArray === 0 ? [{ family: 'ElementBuffer', index: '' }] : none;
};
const bindBufferIndexed: Describe = (a) => [
  { family: `Buffers ${a[0]}`, index: String(a[1]) },
  { family: `Buffer ${a[0]}`, index: '' },
];
const bindBuffers: Describe = (a) => [{ family: `Buffers ${a[0]}`, index: `${a[1]}+${a[2]}` }];

/** State of the default vertex array, which a context has for itself. */
const attribute =
  (family: string, need?: Need): Describe =>
  (a, { vertexArray }) =>
    vertexArray === 0 ? [{ family: `${family} ${a[0]}`, index: '', ...(need && { need }) }] : none;
const clientArray =
  (family: string): Describe =>
  (_, { vertexArray }) =>
    vertexArray === 0 ? [{ family, index: '', need: 'arrayBuffer' }] : none;
const texCoordArray: Describe = (_, { vertexArray, clientUnit }) =>
  vertexArray === 0 ? [{ family: `TexCoordPointer unit ${clientUnit}`, index: '', need: 'clientUnit' }] : none;

const canvasDrawBuffers: Describe = (_, { drawFramebuffer }) =>
  drawFramebuffer === 0 ? [{ family: 'DrawBuffers', index: '' }] : none;
const canvasReadBuffer: Describe = (_, { readFramebuffer }) =>
  readFramebuffer === 0 ? [{ family: 'ReadBuffer', index: '' }] : none;

const light: Describe = (a) => [
  {
    family: `Light ${a[0]} ${a[1]}`,
    index: '',
    ...((a[1] === POSITION || a[1] === SPOT_DIRECTION) && { need: 'matrices' as const }),
  },
];
const material: Describe = (a) => [{ family: `Material ${a[1]}`, index: a[0] === FRONT_AND_BACK ? '' : String(a[0]) }];
const ofUnitAndName =
  (family: string): Describe =>
  (a, { unit }) => [{ family: `${family} ${unit} ${a[0]} ${a[1]}`, index: '', need: 'unit' }];

/** Sets `describe` for every name. */
const rows = (names: string, describe: (family: string) => Describe): [string, Describe][] =>
  names.split(' ').map((name) => [name, describe(name)]);
const all = (names: string, describe: Describe): [string, Describe][] => rows(names, () => describe);

const byName: ReadonlyMap<string, Describe> = new Map([
  ...rows(
    'ClearColor ClearStencil ClearIndex ClearAccum CullFace FrontFace LineWidth PointSize LogicOp SampleCoverage ' +
      'MinSampleShading PrimitiveRestartIndex ProvokingVertex ClipControl DepthFunc DepthMask BlendColor AlphaFunc ' +
      'ShadeModel LineStipple PolygonStipple ColorMaterial IndexMask PixelZoom PrimitiveBoundingBox DepthBounds ListBase ' +
      'UseProgram BindProgramPipeline BindVertexArray BindRenderbuffer',
    whole,
  ),
  ...all('ClearDepth ClearDepthf', whole('ClearDepth')),
  ...all('PolygonOffset PolygonOffsetClamp', whole('PolygonOffset')),
  ...rows('Hint ClampColor BindTransformFeedback BindProgram', byFirst),
  ...all('PointParameterf PointParameterfv PointParameteri PointParameteriv', byFirst('PointParameter')),
  ...all('PatchParameteri PatchParameterfv', byFirst('PatchParameter')),
  ...all('PixelStorei PixelStoref', byFirst('PixelStore')),
  ...all('PixelTransferi PixelTransferf', byFirst('PixelTransfer')),
  ...all('PixelMapfv PixelMapuiv PixelMapusv', byFirst('PixelMap')),
  ...all('Fogf Fogfv Fogi Fogiv', byFirst('Fog')),
  ...all('LightModelf LightModelfv LightModeli LightModeliv', byFirst('LightModel')),
  ...all('Lightf Lightfv Lighti Lightiv', light),
  ...all('Materialf Materialfv Materiali Materialiv', material),
  ...all('TexEnvf TexEnvfv TexEnvi TexEnviv', ofUnitAndName('TexEnv')),
  ...all('TexGend TexGendv TexGenf TexGenfv TexGeni TexGeniv', ofUnitAndName('TexGen')),
  ...all('ClipPlane ClipPlanef', byFirst('ClipPlane', 'matrices')),
  ...all('BlendFunc BlendFuncSeparate', whole('BlendFunc')),
  ...all('BlendFunci BlendFuncSeparatei', indexed('BlendFunc')),
  ...all('BlendEquation BlendEquationSeparate', whole('BlendEquation')),
  ...all('BlendEquationi BlendEquationSeparatei', indexed('BlendEquation')),
  ['ColorMask', whole('ColorMask')],
  ...all('ColorMaski ColorMaskIndexed', indexed('ColorMask')),
  ['SampleMaski', indexed('SampleMask')],
  ['PolygonMode', face('PolygonMode')],
  ['Viewport', whole('Viewport')],
  ...all('ViewportIndexedf ViewportIndexedfv', indexed('Viewport')),
  ['ViewportArrayv', range('Viewport')],
  ['Scissor', whole('Scissor')],
  ...all('ScissorIndexed ScissorIndexedv', indexed('Scissor')),
  ['ScissorArrayv', range('Scissor')],
  ...all('DepthRange DepthRangef', whole('DepthRange')),
  ...all('DepthRangeIndexed DepthRangeIndexedf', indexed('DepthRange')),
  ...all('DepthRangeArrayv DepthRangeArrayfv', range('DepthRange')),
  ['StencilFunc', whole('StencilFunc')],
  ['StencilFuncSeparate', face('StencilFunc')],
  ['StencilMask', whole('StencilMask')],
  ['StencilMaskSeparate', face('StencilMask')],
  ['StencilOp', whole('StencilOp')],
  ['StencilOpSeparate', face('StencilOp')],
  ...all('Enable Disable', enable),
  ...all('Enablei Disablei EnableIndexed DisableIndexed', enableIndexed),
  ...all('EnableClientState DisableClientState', clientState),
  ['BindFramebuffer', bindFramebuffer],
  ['BindBuffer', bindBuffer],
  ...all('BindBufferBase BindBufferRange', bindBufferIndexed),
  ...all('BindBuffersBase BindBuffersRange', bindBuffers),
  ['BindTexture', ofUnit('Texture')],
  ['BindTextureUnit', byFirst('TextureUnit')],
  ['BindTextures', range('TextureUnits')],
  ['BindSampler', indexed('Sampler')],
  ['BindSamplers', range('Sampler')],
  ['BindImageTexture', indexed('Image')],
  ['BindImageTextures', range('Image')],
  ...all('EnableVertexAttribArray DisableVertexAttribArray', attribute('AttributeEnable')),
  ...all('VertexAttribPointer VertexAttribIPointer VertexAttribLPointer', attribute('AttributePointer', 'arrayBuffer')),
  ['VertexAttribDivisor', attribute('AttributeDivisor')],
  ...rows(
    'VertexPointer NormalPointer ColorPointer SecondaryColorPointer FogCoordPointer IndexPointer EdgeFlagPointer',
    clientArray,
  ),
  ['TexCoordPointer', texCoordArray],
  ...all('DrawBuffer DrawBuffers', canvasDrawBuffers),
  ['ReadBuffer', canvasReadBuffer],
  ...all(
    'ProgramEnvParameter4f ProgramEnvParameter4fv ProgramEnvParameter4d ProgramEnvParameter4dv',
    byFirstTwo('ProgramEnvParameter'),
  ),
]);

/** Current values: of generic attributes and of those with a name. */
const value =
  /^(VertexAttrib(?:[ILP]?)[1-4]?N?|Color[34]|SecondaryColor3|Normal3|TexCoord[1-4]|MultiTexCoord[1-4]|FogCoord|Index|EdgeFlag|RasterPos[234]|WindowPos[23])(?:b|s|i|f|d|h|ub|us|ui)?v?$/;

/** Whether calls of this base name set a value that is current until the next one, wherever it is set. */
export const isCurrentValue = (base: string): boolean =>
  value.test(base) && !/^(RasterPos|WindowPos)/.test(base) && !/Pointer|Divisor|Format|Binding/.test(base);

function currentValue(base: string): Describe | undefined {
  const name = value.exec(base)?.[1].replace(/[1-4]$/, '');
  if (!name || /Pointer|Divisor|Format|Binding/.test(base)) return undefined;
  if (/^VertexAttrib/.test(name)) return byFirst('VertexAttrib');
  if (name === 'MultiTexCoord') return (a) => [{ family: `TexCoord ${Number(a[0]) - GL.TEXTURE0}`, index: '' }];
  if (name === 'TexCoord') return whole('TexCoord 0');
  if (name === 'RasterPos') return () => [{ family: 'RasterPos', index: '', need: 'matrices' }];
  return whole(name === 'WindowPos' ? 'RasterPos' : name);
}

/** What calls of this base name (model/gl-constants.ts) set; undefined for those that set no context state. */
export const settingsOf = (base: string): Describe | undefined => byName.get(base) ?? currentValue(base);

export const freshSelection = (): Selected => ({
  unit: 0,
  clientUnit: 0,
  matrixMode: 0x1700,
  arrayBuffer: 0,
  vertexArray: 0,
  drawFramebuffer: 0,
  readFramebuffer: 0,
});

/** Commands that {@link select} knows. */
export const selects = /^(ActiveTexture|ClientActiveTexture|MatrixMode|Bind(VertexArray|Buffer|Framebuffer))$/;

/** Keeps track of what is selected. Arguments are the capture's. */
export function select(at: Selected, base: string, a: Args): void {
  switch (base) {
    case 'ActiveTexture':
      at.unit = Number(a[0]) - GL.TEXTURE0;
      break;
    case 'ClientActiveTexture':
      at.clientUnit = Number(a[0]) - GL.TEXTURE0;
      break;
    case 'MatrixMode':
      at.matrixMode = Number(a[0]);
      break;
    case 'BindVertexArray':
      at.vertexArray = Number(a[0]);
      break;
    case 'BindBuffer':
      if (a[0] === GL.ARRAY_BUFFER) at.arrayBuffer = Number(a[1]);
      break;
    case 'BindFramebuffer':
      if (a[0] !== GL.READ_FRAMEBUFFER) at.drawFramebuffer = Number(a[1]);
      if (a[0] !== GL.DRAW_FRAMEBUFFER) at.readFramebuffer = Number(a[1]);
      break;
  }
}
