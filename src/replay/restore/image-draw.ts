/** Writes pixels into any attachment by drawing: the only way into multisampled storage, and into depth and stencil. */
import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import { GL } from '../../model/gl-constants.ts';
import { glEnums } from '../constants.ts';
import { doInternalWork } from '../internal-work.ts';

const e = glEnums(
  'GL_TEXTURE_2D',
  'GL_TEXTURE_MIN_FILTER',
  'GL_TEXTURE_MAG_FILTER',
  'GL_TEXTURE_MAX_LEVEL',
  'GL_NEAREST',
  'GL_RGBA',
  'GL_RGB',
  'GL_RG',
  'GL_RED',
  'GL_RGBA_INTEGER',
  'GL_RGB_INTEGER',
  'GL_RG_INTEGER',
  'GL_RED_INTEGER',
  'GL_DEPTH_COMPONENT',
  'GL_UNSIGNED_BYTE',
  'GL_UNSIGNED_SHORT',
  'GL_UNSIGNED_INT',
  'GL_INT',
  'GL_SHORT',
  'GL_BYTE',
  'GL_FLOAT',
  'GL_HALF_FLOAT',
  'GL_R8UI',
  'GL_RGBA8',
  'GL_SRGB8_ALPHA8',
  'GL_RGBA16F',
  'GL_RGBA32F',
  'GL_DEPTH_COMPONENT16',
  'GL_DEPTH_COMPONENT24',
  'GL_DEPTH_COMPONENT32F',
  'GL_VERTEX_SHADER',
  'GL_FRAGMENT_SHADER',
  'GL_LINK_STATUS',
  'GL_STENCIL_TEST',
  'GL_DEPTH_TEST',
  'GL_ALWAYS',
  'GL_KEEP',
  'GL_REPLACE',
  'GL_FRONT_AND_BACK',
  'GL_TRIANGLES',
  'GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING',
  'GL_SRGB',
  'GL_FRAMEBUFFER_SRGB',
);

/** Pixels at a native address, tightly packed, bottom row first. */
export interface NativeImage {
  readonly width: number;
  readonly height: number;
  readonly format: number;
  readonly type: number;
  readonly address: number;
}

const vertexSource = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }`;
const fragment = (sampler: string, output: string, body: string) => `#version 300 es
precision highp float; precision highp int; precision highp ${sampler};
uniform ${sampler} image; uniform int bit;
${output}
void main() { ${body} }`;
const texel = 'texelFetch(image, ivec2(gl_FragCoord.xy), 0)';
const sources = {
  float: fragment('sampler2D', 'out vec4 color;', `color = ${texel};`),
  int: fragment('isampler2D', 'out ivec4 color;', `color = ${texel};`),
  uint: fragment('usampler2D', 'out uvec4 color;', `color = ${texel};`),
  depth: fragment('sampler2D', '', `gl_FragDepth = ${texel}.r;`),
  stencil: fragment('usampler2D', '', `if (((${texel}.r >> uint(bit)) & 1u) == 0u) discard;`),
};
type Kind = keyof typeof sources;

const programs = new WeakMap<GlContext, Map<Kind, number>>();

function programFor(context: GlContext, kind: Kind): number {
  const cache = programs.get(context) ?? new Map<Kind, number>();
  programs.set(context, cache);
  const made = cache.get(kind);
  if (made !== undefined) return made;
  const { gl, scratch } = context;
  const program = gl.glCreateProgram();
  for (const [type, source] of [
    [e.GL_VERTEX_SHADER, vertexSource],
    [e.GL_FRAGMENT_SHADER, sources[kind]],
  ] as const) {
    const shader = gl.glCreateShader(type);
    const pointer = new Scratch(8);
    pointer.u64[0] = BigInt(scratch.cString(source));
    gl.glShaderSource(shader, 1, pointer.address, 0);
    gl.glCompileShader(shader);
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader);
  }
  gl.glLinkProgram(program);
  gl.glGetProgramiv(program, e.GL_LINK_STATUS, scratch.address);
  if (scratch.i32[0] === 0) throw new Error(`the ${kind} image shader does not link`);
  cache.set(kind, program);
  return program;
}

const integerFormats: ReadonlySet<number> = new Set([
  e.GL_RGBA_INTEGER,
  e.GL_RGB_INTEGER,
  e.GL_RG_INTEGER,
  e.GL_RED_INTEGER,
]);
const signedTypes: ReadonlySet<number> = new Set([e.GL_INT, e.GL_SHORT, e.GL_BYTE]);

/** Sized formats by format and type (OpenGL ES 3.0 table 3.2). */
const sized: Readonly<Record<string, number>> = {
  [`${e.GL_RGBA_INTEGER}/${e.GL_UNSIGNED_BYTE}`]: 0x8d7c,
  [`${e.GL_RGBA_INTEGER}/${e.GL_BYTE}`]: 0x8d8e,
  [`${e.GL_RGBA_INTEGER}/${e.GL_UNSIGNED_SHORT}`]: 0x8d76,
  [`${e.GL_RGBA_INTEGER}/${e.GL_SHORT}`]: 0x8d88,
  [`${e.GL_RGBA_INTEGER}/${e.GL_UNSIGNED_INT}`]: 0x8d70,
  [`${e.GL_RGBA_INTEGER}/${e.GL_INT}`]: 0x8d82,
  [`${e.GL_RGBA}/${e.GL_UNSIGNED_BYTE}`]: e.GL_RGBA8,
  [`${e.GL_RGBA}/${e.GL_HALF_FLOAT}`]: e.GL_RGBA16F,
  [`${e.GL_RGBA}/${e.GL_FLOAT}`]: e.GL_RGBA32F,
  [`${e.GL_RGBA}/${0x8368}`]: 0x8059,
  [`${e.GL_RGBA}/${e.GL_UNSIGNED_SHORT}`]: 0x805b,
  [`${e.GL_RED}/${e.GL_UNSIGNED_BYTE}`]: 0x8229,
  [`${e.GL_RED}/${e.GL_HALF_FLOAT}`]: 0x822d,
  [`${e.GL_RED}/${e.GL_FLOAT}`]: 0x822e,
  [`${e.GL_RG}/${e.GL_UNSIGNED_BYTE}`]: 0x822b,
  [`${e.GL_RG}/${e.GL_HALF_FLOAT}`]: 0x822f,
  [`${e.GL_RG}/${e.GL_FLOAT}`]: 0x8230,
  [`${e.GL_RGB}/${e.GL_UNSIGNED_BYTE}`]: 0x8051,
  [`${e.GL_RGB}/${e.GL_HALF_FLOAT}`]: 0x881b,
  [`${e.GL_RGB}/${e.GL_FLOAT}`]: 0x8815,
  [`${e.GL_RGB}/${0x8c3b}`]: 0x8c3a,
  [`${e.GL_DEPTH_COMPONENT}/${e.GL_UNSIGNED_SHORT}`]: e.GL_DEPTH_COMPONENT16,
  [`${e.GL_DEPTH_COMPONENT}/${e.GL_UNSIGNED_INT}`]: e.GL_DEPTH_COMPONENT24,
  [`${e.GL_DEPTH_COMPONENT}/${e.GL_FLOAT}`]: e.GL_DEPTH_COMPONENT32F,
};

function kindOf(aspect: number, { format, type }: NativeImage): Kind {
  if (aspect === GL.DEPTH) return 'depth';
  if (aspect === GL.STENCIL) return 'stencil';
  if (!integerFormats.has(format)) return 'float';
  return signedTypes.has(type) ? 'int' : 'uint';
}

/**
 * Draws pixels over a renderbuffer's whole colour (GL_COLOR), depth (GL_DEPTH) or stencil (GL_STENCIL); every sample gets the
 * same. Leaves all state as found. Throws GpuprofError `bad-capture` for a format that no attachment can have.
 */
export function drawImage(context: GlContext, renderbuffer: number, aspect: number, image: NativeImage): void {
  const kind = kindOf(aspect, image);
  const internal = kind === 'stencil' ? e.GL_R8UI : sized[`${image.format}/${image.type}`];
  if (internal === undefined)
    throw new GpuprofError('bad-capture', `contents with format 0x${image.format.toString(16)} cannot be put back`);
  doInternalWork(context, () => {
    const { gl, scratch } = context;
    gl.glGenTextures(1, scratch.address);
    const texture = scratch.u32[0];
    withFramebuffer(context, renderbuffer, aspect, (srgb) => {
      gl.glBindTexture(e.GL_TEXTURE_2D, texture);
      const stored = srgb && internal === e.GL_RGBA8 ? e.GL_SRGB8_ALPHA8 : internal;
      const format = kind === 'stencil' ? e.GL_RED_INTEGER : image.format;
      gl.glTexStorage2D(e.GL_TEXTURE_2D, 1, stored, image.width, image.height);
      gl.glTexSubImage2D(e.GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, format, image.type, image.address);
      drawTexture(context, kind, texture, image.width, image.height);
    });
    scratch.u32[0] = texture;
    gl.glDeleteTextures(1, scratch.address);
  });
}

/** Draws the whole of a bound-able 2D texture into the bound draw framebuffer; to be called inside internal work. */
export function drawTexture(context: GlContext, kind: Kind, texture: number, width: number, height: number): void {
  const { gl } = context;
  const own = new Scratch(64);
  gl.glGenVertexArrays(1, own.address);
  gl.glBindVertexArray(own.u32[0]);
  gl.glBindTexture(e.GL_TEXTURE_2D, texture);
  gl.glTexParameteri(e.GL_TEXTURE_2D, e.GL_TEXTURE_MIN_FILTER, e.GL_NEAREST);
  gl.glTexParameteri(e.GL_TEXTURE_2D, e.GL_TEXTURE_MAG_FILTER, e.GL_NEAREST);
  const program = programFor(context, kind);
  gl.glUseProgram(program);
  gl.glViewport(0, 0, width, height);
  if (kind !== 'float' && kind !== 'int' && kind !== 'uint') gl.glColorMask(0, 0, 0, 0);
  if (kind === 'depth') {
    gl.glEnable(e.GL_DEPTH_TEST);
    gl.glDepthFunc(e.GL_ALWAYS);
  }
  if (kind === 'stencil') drawStencil(context, program);
  else gl.glDrawArrays(e.GL_TRIANGLES, 0, 3);
  gl.glColorMask(1, 1, 1, 1);
  gl.glDisable(e.GL_DEPTH_TEST);
  gl.glDisable(e.GL_STENCIL_TEST);
  gl.glDeleteVertexArrays(1, own.address);
}

/** Bit by bit: a fragment shader cannot write stencil values in ES. */
function drawStencil(context: GlContext, program: number): void {
  const { gl, scratch } = context;
  gl.glEnable(e.GL_STENCIL_TEST);
  gl.glStencilMaskSeparate(e.GL_FRONT_AND_BACK, 0xff);
  scratch.i32[0] = 0;
  gl.glClearBufferiv(GL.STENCIL, 0, scratch.address);
  gl.glStencilFuncSeparate(e.GL_FRONT_AND_BACK, e.GL_ALWAYS, 0xff, 0xff);
  gl.glStencilOpSeparate(e.GL_FRONT_AND_BACK, e.GL_KEEP, e.GL_REPLACE, e.GL_REPLACE);
  const location = gl.glGetUniformLocation(program, scratch.cString('bit'));
  for (let bit = 0; bit < 8; bit++) {
    gl.glUniform1i(location, bit);
    gl.glStencilMaskSeparate(e.GL_FRONT_AND_BACK, 1 << bit);
    gl.glDrawArrays(e.GL_TRIANGLES, 0, 3);
  }
}

const attachmentPoint = (aspect: number): number => {
  if (aspect === GL.DEPTH) return GL.DEPTH_ATTACHMENT;
  return aspect === GL.STENCIL ? GL.STENCIL_ATTACHMENT : GL.COLOR_ATTACHMENT0;
};

/** Binds the renderbuffer for drawing; tells whether its colour is stored as sRGB. */
function withFramebuffer(
  context: GlContext,
  renderbuffer: number,
  aspect: number,
  work: (srgb: boolean) => void,
): void {
  const { gl, scratch } = context;
  const own = new Scratch(64);
  const point = attachmentPoint(aspect);
  gl.glGenFramebuffers(1, own.address);
  gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, own.u32[0]);
  gl.glFramebufferRenderbuffer(GL.DRAW_FRAMEBUFFER, point, GL.RENDERBUFFER, renderbuffer);
  scratch.i32[0] = 0;
  if (aspect === GL.COLOR)
    gl.glGetFramebufferAttachmentParameteriv(
      GL.DRAW_FRAMEBUFFER,
      GL.COLOR_ATTACHMENT0,
      e.GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
      scratch.address,
    );
  const srgb = scratch.i32[0] === e.GL_SRGB;
  if (srgb && context.api === 'gl') gl.glEnable(e.GL_FRAMEBUFFER_SRGB);
  own.u32[4] = GL.COLOR_ATTACHMENT0;
  if (aspect === GL.COLOR) gl.glDrawBuffers(1, own.address + 16);
  work(srgb);
  gl.glDeleteFramebuffers(1, own.address);
}
