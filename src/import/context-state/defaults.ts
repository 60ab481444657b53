/**
 * What a fresh context has, for families (families.ts) that only the other context has set.
 * Source: OpenGL 4.6 compatibility profile, chapter 23 "State tables".
 */
import type { Argument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';

/** A command's full name and its arguments. */
export type NamedCall = readonly [name: string, ...args: Argument[]];

const floats = (...values: number[]): Argument => ({
  kind: 'inline',
  bytes: new Uint8Array(Float32Array.from(values).buffer),
});

const [ONE, ZERO, ALWAYS, LESS, KEEP, FRONT_AND_BACK] = [1, 0, 0x207, 0x201, 0x1e00, 0x408];
const [DITHER, MULTISAMPLE, DONT_CARE, MODULATE] = [0xbd0, 0x809d, 0x1100, 0x2100];
const allBits = 0xffffffff;

/** Families without a number in their name. */
const whole: Readonly<Record<string, readonly NamedCall[]>> = {
  ClearColor: [['glClearColor', 0, 0, 0, 0]],
  ClearDepth: [['glClearDepthf', 1]],
  ClearStencil: [['glClearStencil', 0]],
  ClearIndex: [['glClearIndex', 0]],
  ClearAccum: [['glClearAccum', 0, 0, 0, 0]],
  CullFace: [['glCullFace', GL.BACK]],
  FrontFace: [['glFrontFace', 0x901]],
  LineWidth: [['glLineWidth', 1]],
  PointSize: [['glPointSize', 1]],
  LogicOp: [['glLogicOp', 0x1503]],
  SampleCoverage: [['glSampleCoverage', 1, 0]],
  MinSampleShading: [['glMinSampleShading', 0]],
  PrimitiveRestartIndex: [['glPrimitiveRestartIndex', 0]],
  ProvokingVertex: [['glProvokingVertex', 0x8e4e]],
  ClipControl: [['glClipControl', 0x8ca1, 0x935e]],
  DepthFunc: [['glDepthFunc', LESS]],
  DepthMask: [['glDepthMask', 1]],
  DepthRange: [['glDepthRangef', 0, 1]],
  BlendColor: [['glBlendColor', 0, 0, 0, 0]],
  BlendFunc: [['glBlendFunc', ONE, ZERO]],
  BlendEquation: [['glBlendEquation', 0x8006]],
  ColorMask: [['glColorMask', 1, 1, 1, 1]],
  PolygonOffset: [['glPolygonOffset', 0, 0]],
  PolygonMode: [['glPolygonMode', FRONT_AND_BACK, 0x1b02]],
  StencilFunc: [['glStencilFunc', ALWAYS, 0, allBits]],
  StencilMask: [['glStencilMask', allBits]],
  StencilOp: [['glStencilOp', KEEP, KEEP, KEEP]],
  AlphaFunc: [['glAlphaFunc', ALWAYS, 0]],
  ShadeModel: [['glShadeModel', 0x1d01]],
  LineStipple: [['glLineStipple', 1, 0xffff]],
  PolygonStipple: [['glPolygonStipple', { kind: 'inline', bytes: new Uint8Array(128).fill(255) }]],
  ColorMaterial: [['glColorMaterial', FRONT_AND_BACK, 0x1602]],
  IndexMask: [['glIndexMask', allBits]],
  PixelZoom: [['glPixelZoom', 1, 1]],
  ListBase: [['glListBase', 0]],
  UseProgram: [['glUseProgram', 0]],
  BindProgramPipeline: [['glBindProgramPipeline', 0]],
  BindVertexArray: [['glBindVertexArray', 0]],
  BindRenderbuffer: [['glBindRenderbuffer', GL.RENDERBUFFER, 0]],
  DrawFramebuffer: [['glBindFramebuffer', GL.DRAW_FRAMEBUFFER, 0]],
  ReadFramebuffer: [['glBindFramebuffer', GL.READ_FRAMEBUFFER, 0]],
  ElementBuffer: [['glBindBuffer', GL.ELEMENT_ARRAY_BUFFER, 0]],
  DrawBuffers: [['glDrawBuffer', GL.BACK]],
  ReadBuffer: [['glReadBuffer', GL.BACK]],
  Color: [['glColor4f', 1, 1, 1, 1]],
  SecondaryColor: [['glSecondaryColor3f', 0, 0, 0]],
  Normal: [['glNormal3f', 0, 0, 1]],
  FogCoord: [['glFogCoordf', 0]],
  Index: [['glIndexi', 1]],
  EdgeFlag: [['glEdgeFlag', 1]],
  RasterPos: [['glWindowPos3f', 0, 0, 0]],
};

const GL_LIGHT0 = 0x4000;
const pixelAlignments: ReadonlySet<number> = new Set([0xcf5, 0xd05]);
const pixelScales: ReadonlySet<number> = new Set([0xd14, 0xd16, 0xd18, 0xd1a, 0xd1e]);

function light(source: number, name: number): NamedCall {
  const first = source === GL_LIGHT0 ? 1 : 0;
  const values: Readonly<Record<number, readonly number[]>> = {
    0x1200: [0, 0, 0, 1],
    0x1201: [first, first, first, 1],
    0x1202: [first, first, first, 1],
    0x1203: [0, 0, 1, 0],
    0x1204: [0, 0, -1],
    0x1206: [180],
    0x1207: [1],
  };
  return ['glLightfv', source, name, floats(...(values[name] ?? [0]))];
}

const materials: Readonly<Record<number, readonly number[]>> = {
  0x1200: [0.2, 0.2, 0.2, 1],
  0x1201: [0.8, 0.8, 0.8, 1],
  0x1602: [0.8, 0.8, 0.8, 1],
  0x1603: [0, 1, 1],
  0x1601: [0],
};
const fogs: Readonly<Record<number, readonly number[]>> = {
  0xb62: [1],
  0xb64: [1],
  0xb65: [0x800],
  0xb66: [0, 0, 0, 0],
};
const lightModels: Readonly<Record<number, readonly number[]>> = { 0xb53: [0.2, 0.2, 0.2, 1], 0x81f8: [0x81f9] };
const points: Readonly<Record<number, readonly number[]>> = {
  0x8126: [0],
  0x8127: [2048],
  0x8128: [1],
  0x8129: [1, 0, 0],
};

/** Families with numbers, by their first word; the numbers are handed over, and the indexes that were set of the family. */
const numbered: Readonly<Record<string, (n: readonly number[], indexes: readonly string[]) => readonly NamedCall[]>> = {
  Enable: ([cap]) => [[cap === DITHER || cap === MULTISAMPLE ? 'glEnable' : 'glDisable', cap]],
  ClientState: ([array]) => [['glDisableClientState', array]],
  Hint: ([target]) => [['glHint', target, DONT_CARE]],
  ClampColor: ([target]) => [['glClampColor', target, target === 0x891c ? 0x891d : 1]],
  PixelStore: ([name]) => [['glPixelStorei', name, pixelAlignments.has(name) ? 4 : 0]],
  PixelTransfer: ([name]) => [['glPixelTransferf', name, pixelScales.has(name) ? 1 : 0]],
  PointParameter: ([name]) => (points[name] ? [['glPointParameterfv', name, floats(...points[name])]] : []),
  PatchParameter: ([name]) => (name === 0x8e72 ? [['glPatchParameteri', name, 3]] : []),
  Fog: ([name]) => [['glFogfv', name, floats(...(fogs[name] ?? [0]))]],
  LightModel: ([name]) => [['glLightModelfv', name, floats(...(lightModels[name] ?? [0]))]],
  Light: ([source, name]) => [light(source, name)],
  Material: ([name]) => [['glMaterialfv', FRONT_AND_BACK, name, floats(...(materials[name] ?? [0, 0, 0, 1]))]],
  ClipPlane: ([plane]) => [['glClipPlane', plane, { kind: 'inline', bytes: new Uint8Array(32) }]],
  TexEnv: ([, target, name]) => (name === 0x2200 ? [['glTexEnvi', target, name, MODULATE]] : []),
  Texture: ([, target]) => [['glBindTexture', target, 0]],
  TextureUnit: ([unit]) => [['glBindTextureUnit', unit, 0]],
  Buffer: ([target]) => [['glBindBuffer', target, 0]],
  Buffers: ([target], indexes) =>
    indexes.map((index): NamedCall => ['glBindBufferBase', target, Number.parseInt(index, 10), 0]),
  BindTransformFeedback: ([target]) => [['glBindTransformFeedback', target, 0]],
  AttributeEnable: ([attribute]) => [['glDisableVertexAttribArray', attribute]],
  AttributeDivisor: ([attribute]) => [['glVertexAttribDivisor', attribute, 0]],
  VertexAttrib: ([attribute]) => [['glVertexAttrib4f', attribute, 0, 0, 0, 1]],
  TexCoord: ([unit]) => [['glMultiTexCoord4f', GL.TEXTURE0 + unit, 0, 0, 0, 1]],
};

const byIndex: Readonly<Record<string, (index: number) => NamedCall>> = {
  Sampler: (index) => ['glBindSampler', index, 0],
  Image: (index) => ['glBindImageTexture', index, 0, 0, 0, 0, GL.READ_ONLY, 0x8229],
  SampleMask: (index) => ['glSampleMaski', index, allBits],
};

/** The calls that put a family back to what a fresh context has; none for what only matters once it is set again. */
export function defaultsOf(family: string, indexes: readonly string[]): readonly NamedCall[] {
  if (whole[family]) return whole[family];
  const eachIndex = byIndex[family];
  if (eachIndex) return indexes.map((index) => eachIndex(Number.parseInt(index, 10)));
  const [head, ...rest] = family.split(' ');
  return numbered[head]?.(rest.map(Number), indexes) ?? [];
}
