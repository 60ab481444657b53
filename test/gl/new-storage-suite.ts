/** WebGL promises that new storage holds zeros and depth 1. Each check gives a sentence for what it finds otherwise. */
import type { GlContext } from '../../src/gl/context.ts';
import { enumValue } from '../../src/gl/enums.ts';
import { addressOf } from '../../src/gl/native.ts';
import type { WebGLProgram } from '../../src/gl/webgl2/objects.ts';
import { createWebGL2Context, type WebGl2 } from '../../src/gl/webgl2-context.ts';
import { layoutOf } from '../../src/model/texture-formats.ts';

const size = 16;
const levels = 3;
const value = (name: string): number => enumValue(`GL_${name}`) as number;
const list = (names: string) => names.trim().split(/\s+/);

type Kind = 'float' | 'int' | 'uint' | 'depth';
interface Format {
  readonly name: string;
  readonly kind: Kind;
  readonly format: number;
}
const formatsOf = (kind: Kind, names: string): Format[] =>
  list(names).map((name) => ({ name, kind, format: value(name) }));

const textureFormats: readonly Format[] = [
  ...formatsOf(
    'float',
    `R8 RG8 RGB8 RGBA8 SRGB8 SRGB8_ALPHA8 R8_SNORM RG8_SNORM RGB8_SNORM RGBA8_SNORM RGB565 RGBA4 RGB5_A1 RGB10_A2
     R16F RG16F RGB16F RGBA16F R32F RG32F RGB32F RGBA32F R11F_G11F_B10F RGB9_E5`,
  ),
  ...formatsOf('int', 'R8I RG8I RGB8I RGBA8I R16I RG16I RGB16I RGBA16I R32I RG32I RGB32I RGBA32I'),
  ...formatsOf(
    'uint',
    'R8UI RG8UI RGB8UI RGBA8UI R16UI RG16UI RGB16UI RGBA16UI R32UI RG32UI RGB32UI RGBA32UI RGB10_A2UI',
  ),
  ...formatsOf('depth', 'DEPTH_COMPONENT16 DEPTH_COMPONENT24 DEPTH_COMPONENT32F DEPTH24_STENCIL8 DEPTH32F_STENCIL8'),
];
const renderbufferFormats: readonly Format[] = [
  ...formatsOf('float', 'RGBA8 RGB8 R8 RG8 SRGB8_ALPHA8 RGB565 RGBA4 RGB5_A1 RGB10_A2 RGBA16F RGBA32F R11F_G11F_B10F'),
  ...formatsOf('int', 'R8I RGBA8I RGBA16I RGBA32I'),
  ...formatsOf('uint', 'R8UI RGBA8UI RGBA16UI RGBA32UI RGB10_A2UI'),
  ...formatsOf('depth', 'DEPTH_COMPONENT16 DEPTH_COMPONENT24 DEPTH_COMPONENT32F DEPTH24_STENCIL8 DEPTH32F_STENCIL8'),
];

const fetches = {
  '2D': 'texelFetch(image, at, level)',
  '3D': 'texelFetch(image, ivec3(at, layer), level)',
  '2DArray': 'texelFetch(image, ivec3(at, layer), level)',
  Cube: `textureLod(image, vec3[6](vec3(1, d), vec3(-1, d), vec3(d.x, 1, d.y), vec3(d.x, -1, d.y), vec3(d, 1),
    vec3(d, -1))[layer], float(level))`,
} as const;
type Target = keyof typeof fetches;

const expected = ({ kind, name }: Format): string => {
  if (kind === 'depth') return 't.r == 1.';
  const zero = { float: 'vec3(0.01)', int: 'ivec3(0)', uint: 'uvec3(0u)' }[kind];
  const alpha = /A/.test(name) ? `t.a == ${{ float: '0.', int: '0', uint: '0u' }[kind]}` : 'true';
  return `${alpha} && all(lessThanEqual(${kind === 'uint' ? '' : 'abs'}(t.rgb), ${zero}))`;
};

const programs = new WeakMap<WebGl2, Map<string, WebGLProgram>>();

/** Uses a program that draws green where the bound texture holds what it should. */
function look(gl: WebGl2, format: Format, target: Target): void {
  const prefix = format.kind === 'int' ? 'i' : format.kind === 'uint' ? 'u' : '';
  const sampler = `${prefix}sampler${target}`;
  const fragment = `precision highp float; precision highp int; precision highp ${sampler};
uniform ${sampler} image; uniform int level; uniform int layer; out vec4 o;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy) >> level;
  vec2 d = gl_FragCoord.xy / ${size / 2}. - 1.;
  ${prefix}vec4 t = ${fetches[target]};
  o = (${expected(format)}) ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);
}`;
  const known = programs.get(gl) ?? new Map<string, WebGLProgram>();
  programs.set(gl, known);
  const program = known.get(fragment) ?? link(gl, fragment);
  known.set(fragment, program);
  gl.useProgram(program);
}

function link(gl: WebGl2, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [
      gl.VERTEX_SHADER,
      'void main() { gl_Position = vec4(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1., 0., 1.); }',
    ],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, `#version 300 es\n${source}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(String(gl.getShaderInfoLog(shader)));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return program;
}

/** Whether every pixel of the read framebuffer is green. */
function isGreen(gl: WebGl2): boolean {
  const pixels = new Uint8Array(size * size * 4);
  gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels.every((component, at) => component === [0, 255, 0, 255][at % 4]);
}

/** Whether the program that looks finds nothing wrong. */
function looksRight(gl: WebGl2, level = 0, layer = 0): boolean {
  const program = gl.getParameter(gl.CURRENT_PROGRAM);
  gl.uniform1i(gl.getUniformLocation(program, 'level'), level);
  gl.uniform1i(gl.getUniformLocation(program, 'layer'), layer);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.clearColor(1, 1, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  return isGreen(gl);
}

function texture(gl: WebGl2, target: number) {
  const made = gl.createTexture();
  gl.bindTexture(target, made);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return made;
}

/** Leaves junk in memory that new storage may come from. */
function soil({ gl, scratch }: GlContext): void {
  const junk = new Uint8Array(256 * 256 * 4).fill(0xa5);
  const names = Array.from({ length: 4 }, () => {
    gl.glGenTextures(1, scratch.address);
    gl.glBindTexture(0x0de1, scratch.u32[0]);
    gl.glTexImage2D(0x0de1, 0, 0x8058, 256, 256, 0, 0x1908, 0x1401, addressOf(junk));
    return scratch.u32[0];
  });
  gl.glFinish();
  for (const name of names) {
    scratch.u32[0] = name;
    gl.glDeleteTextures(1, scratch.address);
  }
}

/** Whether storage that GL alone made holds junk: without that the checks prove little. */
export function isSoiled({ gl, scratch }: GlContext): boolean {
  gl.glGenTextures(1, scratch.address);
  const name = scratch.u32[0];
  gl.glBindTexture(0x0de1, name);
  gl.glTexStorage2D(0x0de1, 1, 0x8058, 64, 64);
  gl.glGenFramebuffers(1, scratch.address);
  gl.glBindFramebuffer(0x8d40, scratch.u32[0]);
  gl.glFramebufferTexture2D(0x8d40, 0x8ce0, 0x0de1, name, 0);
  const pixels = new Uint8Array(64 * 64 * 4);
  gl.glReadPixels(0, 0, 64, 64, 0x1908, 0x1401, addressOf(pixels));
  gl.glDeleteFramebuffers(1, scratch.address);
  return pixels.some((component) => component !== 0);
}

function textures2D(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  for (const format of textureFormats) {
    look(gl, format, '2D');
    soil(context);
    texture(gl, gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, levels, format.format, size, size);
    for (let level = 0; level < levels; level++)
      if (!looksRight(gl, level)) wrong.push(`texStorage2D ${format.name}, level ${level}`);
    soil(context);
    texture(gl, gl.TEXTURE_2D);
    const layout = layoutOf(format.format, 0, 0);
    for (let level = 0; level < 5; level++)
      gl.texImage2D(
        gl.TEXTURE_2D,
        level,
        format.format,
        size >> level,
        size >> level,
        0,
        layout.format,
        layout.type,
        null,
      );
    for (const level of [0, 4]) if (!looksRight(gl, level)) wrong.push(`texImage2D ${format.name}, level ${level}`);
    const error = gl.getError();
    if (error) wrong.push(`${format.name}: error 0x${error.toString(16)}`);
  }
  return wrong;
}

function layers(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer);
  gl.bufferData(gl.PIXEL_UNPACK_BUFFER, new Uint8Array(64).fill(255), gl.STATIC_DRAW);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  for (const name of ['RGBA8', 'RGBA8UI', 'R16F', 'DEPTH_COMPONENT24']) {
    const format = textureFormats.find((each) => each.name === name)!;
    for (const [target, sampler] of [
      [gl.TEXTURE_3D, '3D'],
      [gl.TEXTURE_2D_ARRAY, '2DArray'],
    ] as const) {
      if (sampler === '3D' && format.kind === 'depth') continue;
      look(gl, format, sampler);
      soil(context);
      texture(gl, target);
      gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer);
      gl.texStorage3D(target, levels, format.format, size, size, 5);
      for (const [level, layer] of [[0, 0], [0, 4], [2, 0], ...(sampler === '3D' ? [] : [[2, 4]])])
        if (!looksRight(gl, level, layer)) wrong.push(`texStorage3D ${sampler} ${name}, level ${level} layer ${layer}`);
      if (gl.getParameter(gl.PIXEL_UNPACK_BUFFER_BINDING) !== buffer) wrong.push('the unpack buffer is lost');
      gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
      soil(context);
      texture(gl, target);
      const layout = layoutOf(format.format, 0, 0);
      gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 40);
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 3);
      for (let level = 0; level < 5; level++)
        gl.texImage3D(
          target,
          level,
          format.format,
          size >> level,
          size >> level,
          2,
          0,
          layout.format,
          layout.type,
          null,
        );
      gl.texParameteri(target, gl.TEXTURE_MAX_LEVEL, 0);
      if (!looksRight(gl, 0, 1)) wrong.push(`texImage3D ${sampler} ${name}`);
      if (gl.getParameter(gl.UNPACK_ROW_LENGTH) !== 40) wrong.push('UNPACK_ROW_LENGTH is lost');
      gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 0);
    }
  }
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  return wrong;
}

function cubes(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  for (const name of ['RGBA8', 'RGBA16F', 'DEPTH_COMPONENT24']) {
    const format = textureFormats.find((each) => each.name === name)!;
    look(gl, format, 'Cube');
    soil(context);
    texture(gl, gl.TEXTURE_CUBE_MAP);
    gl.texStorage2D(gl.TEXTURE_CUBE_MAP, levels, format.format, size, size);
    for (let face = 0; face < 6; face++)
      if (!looksRight(gl, 2, face)) wrong.push(`texStorage2D cube ${name}, face ${face}`);
    soil(context);
    texture(gl, gl.TEXTURE_CUBE_MAP);
    gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    const layout = layoutOf(format.format, 0, 0);
    const junk =
      layout.type === gl.FLOAT ? new Float32Array(size * size * 4).fill(9) : new Uint32Array(size * size).fill(9);
    for (let face = 0; face < 6; face++)
      gl.texImage2D(
        gl.TEXTURE_CUBE_MAP_POSITIVE_X + face,
        0,
        format.format,
        size,
        size,
        0,
        layout.format,
        layout.type,
        face === 1 ? (layout.type === gl.UNSIGNED_BYTE ? new Uint8Array(junk.buffer) : junk) : null,
      );
    for (let face = 0; face < 6; face++)
      if (looksRight(gl, 0, face) !== (face !== 1)) wrong.push(`texImage2D cube ${name}, face ${face}`);
  }
  return wrong;
}

/** Renderbuffers are blitted into textures, which held something else, and looked at there. */
function renderbuffers(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  const state = [gl.COLOR_WRITEMASK, gl.DEPTH_WRITEMASK, gl.STENCIL_WRITEMASK, gl.STENCIL_BACK_WRITEMASK];
  const most = gl.getParameter(gl.MAX_SAMPLES);
  const told = () =>
    JSON.stringify([...state, gl.SCISSOR_TEST, gl.RASTERIZER_DISCARD].map((name) => gl.getParameter(name)));
  for (const format of renderbufferFormats)
    for (const samples of format.kind === 'int' || format.kind === 'uint' || most < 4 ? [0] : [0, 4]) {
      look(gl, format, '2D');
      const target = texture(gl, gl.TEXTURE_2D);
      gl.texStorage2D(gl.TEXTURE_2D, 1, format.format, size, size);
      const [from, to] = [gl.createFramebuffer(), gl.createFramebuffer()];
      const isDepth = format.kind === 'depth';
      const point = !isDepth
        ? gl.COLOR_ATTACHMENT0
        : /STENCIL/.test(format.name)
          ? gl.DEPTH_STENCIL_ATTACHMENT
          : gl.DEPTH_ATTACHMENT;
      gl.bindFramebuffer(gl.FRAMEBUFFER, to);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, target, 0);
      if (isDepth) gl.clearBufferfv(gl.DEPTH, 0, [0.25]);
      else if (format.kind === 'int') gl.clearBufferiv(gl.COLOR, 0, [7, 7, 7, 7]);
      else if (format.kind === 'uint') gl.clearBufferuiv(gl.COLOR, 0, [7, 7, 7, 7]);
      else gl.clearBufferfv(gl.COLOR, 0, [1, 1, 1, 1]);
      soil(context);
      gl.bindTexture(gl.TEXTURE_2D, target);
      gl.bindFramebuffer(gl.FRAMEBUFFER, from);
      const made = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, made);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(0, 0, 1, 1);
      gl.colorMask(false, true, false, false);
      gl.depthMask(false);
      gl.stencilMaskSeparate(gl.FRONT, 0x3c);
      gl.enable(gl.RASTERIZER_DISCARD);
      const before = told();
      if (samples > 0) gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format.format, size, size);
      else gl.renderbufferStorage(gl.RENDERBUFFER, format.format, size, size);
      if (told() !== before) wrong.push(`renderbufferStorage ${format.name} leaves ${told()} of ${before}`);
      gl.disable(gl.SCISSOR_TEST);
      gl.colorMask(true, true, true, true);
      gl.depthMask(true);
      gl.stencilMask(0xff);
      gl.disable(gl.RASTERIZER_DISCARD);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, made);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to);
      const mask = isDepth ? gl.DEPTH_BUFFER_BIT : gl.COLOR_BUFFER_BIT;
      gl.blitFramebuffer(0, 0, size, size, 0, 0, size, size, mask, gl.NEAREST);
      gl.bindTexture(gl.TEXTURE_2D, target);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      if (!looksRight(gl)) wrong.push(`renderbuffer ${format.name}, ${samples} samples`);
      const error = gl.getError();
      if (error) wrong.push(`renderbuffer ${format.name}, ${samples} samples: error 0x${error.toString(16)}`);
    }
  return wrong;
}

/** Draws green where the stencil of a new renderbuffer is 0. */
function stencil(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  for (const name of ['STENCIL_INDEX8', 'DEPTH24_STENCIL8']) {
    look(gl, textureFormats[0], '2D');
    texture(gl, gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8, size, size);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    for (const [point, format] of [
      [gl.COLOR_ATTACHMENT0, gl.RGBA8],
      [name === 'STENCIL_INDEX8' ? gl.STENCIL_ATTACHMENT : gl.DEPTH_STENCIL_ATTACHMENT, value(name)],
    ] as const) {
      if (point !== gl.COLOR_ATTACHMENT0) soil(context);
      const made = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, made);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, size, size);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, made);
    }
    const plain = gl.getParameter(gl.TEXTURE_BINDING_2D);
    if (!plain) texture(gl, gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 0xff);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.STENCIL_TEST);
    if (!isGreen(gl)) wrong.push(`stencil of ${name}`);
  }
  return wrong;
}

function compressed(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  for (const [extension, format, sides] of [
    ['WEBGL_compressed_texture_s3tc', 0x83f0, 16],
    ['WEBGL_compressed_texture_etc', 0x9274, 16],
    ['EXT_texture_compression_bptc', 0x8e8c, 16],
    ['WEBGL_compressed_texture_astc', 0x93b0, 16],
  ] as const) {
    if (!gl.getExtension(extension)) continue;
    const isOpaque = { name: 'RGB8', kind: 'float', format: 0 } as const;
    look(gl, isOpaque, '2D');
    soil(context);
    texture(gl, gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, levels, format, sides, sides);
    // What a block of zeros decodes to in ASTC is an error colour, by the specification.
    for (let level = 0; level < levels; level++)
      if (!looksRight(gl, level) && !/astc/.test(extension)) wrong.push(`texStorage2D ${extension}, level ${level}`);
    const error = gl.getError();
    if (error) wrong.push(`texStorage2D ${extension}: error 0x${error.toString(16)}`);
  }
  return wrong;
}

/** glCopyTexImage2D that reads beyond the lower left and the upper right of a white source. */
function copies(gl: WebGl2, context: GlContext): string[] {
  const wrong: string[] = [];
  const sources: Record<string, () => void> = {
    canvas: () => gl.bindFramebuffer(gl.FRAMEBUFFER, null),
    renderbuffer() {
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      const made = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, made);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, size, size);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, made);
    },
    'level of a cube map'() {
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      const made = texture(gl, gl.TEXTURE_CUBE_MAP);
      gl.texStorage2D(gl.TEXTURE_CUBE_MAP, 2, gl.RGBA8, size * 2, size * 2);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_CUBE_MAP_POSITIVE_X + 3, made, 1);
    },
    'layer of an array'() {
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      const made = texture(gl, gl.TEXTURE_2D_ARRAY);
      gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.RGBA8, size, size, 3);
      gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, made, 0, 2);
    },
  };
  for (const [name, bind] of Object.entries(sources))
    for (const [x, y] of [
      [-4, -6],
      [5, 3],
      [40, 0],
      [0, 0],
    ]) {
      bind();
      gl.clearColor(1, 1, 1, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      soil(context);
      const target = texture(gl, gl.TEXTURE_2D);
      gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, x, y, size, size, 0);
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
      const pixels = new Uint8Array(size * size * 4);
      gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const isInside = (at: number) => {
        const [px, py] = [x + (at % size), y + Math.floor(at / size)];
        return px >= 0 && py >= 0 && px < size && py < size;
      };
      if (!pixels.every((component, at) => component === (isInside(at >> 2) ? 255 : 0)))
        wrong.push(`copyTexImage2D of a ${name} from ${x}, ${y}`);
    }
  return wrong;
}

function buffers(gl: WebGl2): string[] {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, 100_000, gl.STATIC_DRAW);
  const bytes = new Uint8Array(100_000).fill(1);
  gl.getBufferSubData(gl.ARRAY_BUFFER, 0, bytes);
  return bytes.every((byte) => byte === 0) ? [] : ['bufferData of a size'];
}

/** A refused allocation gives the program its own error and no other. */
function refused(gl: WebGl2): string[] {
  texture(gl, gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, -1, 4);
  const errors = [gl.getError(), gl.getError()];
  return errors[0] === gl.INVALID_VALUE && errors[1] === 0 ? [] : [`a refused texStorage2D gives errors ${errors}`];
}

/** What new storage of a WebGL 2 context holds that it should not. */
export function problemsOfNewStorage(context: GlContext): string[] {
  const gl = createWebGL2Context(context, { width: size, height: size });
  for (const name of ['EXT_color_buffer_float', 'OES_texture_float_linear']) gl.getExtension(name);
  const checks = [textures2D, layers, cubes, renderbuffers, stencil, compressed, copies, buffers, refused];
  return checks.flatMap((check) => {
    const problems = check(gl, context);
    const error = gl.getError();
    return error ? [...problems, `${check.name}: error 0x${error.toString(16)}`] : problems;
  });
}
