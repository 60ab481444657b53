/** How many bytes commands of the compatibility profile, and of extensions beside it, read (data-lengths.ts). */
import type { Argument } from '../../model/call.ts';
import { glEnums } from '../constants.ts';

type Args = readonly Argument[];
type Rule = (args: Args, at: number) => number;

const e = glEnums(
  'GL_AMBIENT',
  'GL_DIFFUSE',
  'GL_SPECULAR',
  'GL_POSITION',
  'GL_SPOT_DIRECTION',
  'GL_EMISSION',
  'GL_AMBIENT_AND_DIFFUSE',
  'GL_COLOR_INDEXES',
  'GL_LIGHT_MODEL_AMBIENT',
  'GL_FOG_COLOR',
  'GL_TEXTURE_ENV_COLOR',
  'GL_OBJECT_PLANE',
  'GL_EYE_PLANE',
  'GL_POINT_DISTANCE_ATTENUATION',
);

const n = (value: Argument): number => Math.max(0, Number(value));
const fixed =
  (bytes: number): Rule =>
  () =>
    bytes;
const counted =
  (index: number, scale: number): Rule =>
  (a) =>
    n(a[index]) * scale;

/** Values of each parameter that has more than one, by name. */
const vectors = new Map<number, number>([
  [e.GL_AMBIENT, 4],
  [e.GL_DIFFUSE, 4],
  [e.GL_SPECULAR, 4],
  [e.GL_POSITION, 4],
  [e.GL_SPOT_DIRECTION, 3],
  [e.GL_EMISSION, 4],
  [e.GL_AMBIENT_AND_DIFFUSE, 4],
  [e.GL_COLOR_INDEXES, 3],
  [e.GL_LIGHT_MODEL_AMBIENT, 4],
  [e.GL_FOG_COLOR, 4],
  [e.GL_TEXTURE_ENV_COLOR, 4],
  [e.GL_OBJECT_PLANE, 4],
  [e.GL_EYE_PLANE, 4],
  [e.GL_POINT_DISTANCE_ATTENUATION, 3],
]);
const named =
  (index: number, scale = 4): Rule =>
  (a) =>
    (vectors.get(n(a[index])) ?? 1) * scale;

const GL_MAP1_COLOR_4 = 0x0d90;
/** Values of a control point, by the map's place after GL_MAP1_COLOR_4 (GL_MAP2_COLOR_4). */
const mapValues = [4, 1, 3, 1, 2, 3, 4, 3, 4];
const map1 =
  (scale: number): Rule =>
  (a) => {
    const values = mapValues[n(a[0]) - GL_MAP1_COLOR_4] ?? 4;
    return (Math.max(0, n(a[4]) - 1) * n(a[3]) + values) * scale;
  };
const map2 =
  (scale: number): Rule =>
  (a) => {
    const values = mapValues[n(a[0]) - GL_MAP1_COLOR_4 - 0x20] ?? 4;
    return (Math.max(0, n(a[4]) - 1) * n(a[3]) + Math.max(0, n(a[8]) - 1) * n(a[7]) + values) * scale;
  };

/** Bytes of a list's name by type, from GL_BYTE to GL_4_BYTES. */
const listName = [1, 1, 2, 2, 4, 4, 4, 2, 3, 4];

export const legacyLengths: Readonly<Record<string, Rule>> = {
  CallLists: (a) => n(a[0]) * (listName[n(a[1]) - 0x1400] ?? 4),
  Bitmap: (a) => Math.ceil(n(a[0]) / 8) * n(a[1]),
  PolygonStipple: fixed(128),
  PixelMapfv: counted(1, 4),
  PixelMapuiv: counted(1, 4),
  PixelMapusv: counted(1, 2),
  Map1f: map1(4),
  Map1d: map1(8),
  Map2f: map2(4),
  Map2d: map2(8),
  EdgeFlagv: fixed(1),
  PointParameterfv: named(0),
  PointParameteriv: named(0),
  Fogfv: named(0),
  Fogiv: named(0),
  Lightfv: named(1),
  Lightiv: named(1),
  LightModelfv: named(0),
  LightModeliv: named(0),
  Materialfv: named(1),
  Materialiv: named(1),
  TexEnvfv: named(1),
  TexEnviv: named(1),
  MultiTexEnvfv: named(2),
  MultiTexEnviv: named(2),
  TexGenfv: named(1),
  TexGeniv: named(1),
  TexGendv: named(1, 8),
  MultiTexGenfv: named(2),
  MultiTexGeniv: named(2),
  MultiTexGendv: named(2, 8),
  ClipPlane: fixed(32),
  PrioritizeTextures: counted(0, 4),
  SetFragmentShaderConstantATI: fixed(16),
  ProgramString: counted(2, 1),
  NamedProgramString: counted(3, 1),
  ProgramEnvParameter4fv: fixed(16),
  ProgramEnvParameter4dv: fixed(32),
  ProgramEnvParameters4fv: counted(2, 16),
  ProgramLocalParameter4fv: fixed(16),
  ProgramLocalParameter4dv: fixed(32),
  ProgramLocalParameters4fv: counted(2, 16),
  NamedProgramLocalParameter4fv: fixed(16),
  NamedProgramLocalParameter4dv: fixed(32),
  NamedProgramLocalParameters4fv: counted(3, 16),
};

const bytesOf: Readonly<Record<string, number>> = { b: 1, ub: 1, s: 2, us: 2, i: 4, ui: 4, f: 4, d: 8, h: 2 };

export const legacyFamilies: readonly (readonly [RegExp, (match: RegExpMatchArray) => Rule])[] = [
  [/^(?:Load|Mult)(?:Transpose)?Matrix([fd])$/, (m) => fixed(16 * bytesOf[m[1]])],
  [/^Matrix(?:Load|Mult)(?:Transpose)?([fd])$/, (m) => fixed(16 * bytesOf[m[1]])],
  [
    /^(?:Vertex|Color|SecondaryColor|TexCoord|Normal|RasterPos|WindowPos|EvalCoord)([1-4])(b|ub|s|us|i|ui|f|d|h)v$/,
    (m) => fixed(Number(m[1]) * bytesOf[m[2]]),
  ],
  [/^MultiTexCoord([1-4])(s|i|f|d|h)v$/, (m) => fixed(Number(m[1]) * bytesOf[m[2]])],
  [/^(?:Vertex|TexCoord|MultiTexCoord|Normal|Color|SecondaryColor|VertexAttrib)P[1-4]?uiv$/, () => fixed(4)],
  [/^(?:Index|FogCoord)(ub|s|i|f|d|h)v$/, (m) => fixed(bytesOf[m[1]])],
  [/^Rect([dfis])v$/, (m) => fixed(2 * bytesOf[m[1]])],
];
