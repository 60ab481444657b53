import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GlContext } from '../../src/gl/context.ts';
import { constants as c } from '../../src/gl/webgl2/constants.ts';
import { buffer, type Gl, link, texels } from './programs/kit.ts';
import { play, record, webgl2 } from './replaying.ts';

/**
 * Each row changes one piece of state before the frame. What GL itself then reads in the program's context must be what
 * it reads in the replay's context after the setup.
 */
interface Row {
  readonly name: string;
  readonly change: (gl: Gl) => void;
  /** Looks at GL, not at WebGL: names of objects differ between contexts, so what they are is read instead. */
  readonly read: (context: GlContext, replayed?: boolean) => unknown;
  /** What the program does after the state has been read. */
  readonly after?: (gl: Gl) => void;
}

type Name = keyof typeof c;

/** Memory that a GL query has filled; queries that raise an error leave zeros. */
function query(context: GlContext, ask: (address: number) => void, as: 'f32' | 'i32' = 'i32'): number[] {
  context.scratch.i32.fill(0, 0, 8);
  ask(context.scratch.address);
  return Array.from(context.scratch[as].subarray(0, 4));
}

const parameter = (name: Name, change: (gl: Gl) => void): Row => ({
  name,
  change,
  read: (context) => query(context, (at) => void context.gl.glGetFloatv(c[name], at), 'f32'),
});
const capability = (name: Name): Row => ({
  name,
  change: (gl) => (name === 'DITHER' ? gl.disable(c[name]) : gl.enable(c[name])),
  read: ({ gl }) => gl.glIsEnabled(c[name]),
});

const capabilities: readonly Name[] = [
  'BLEND',
  'CULL_FACE',
  'DEPTH_TEST',
  'DITHER',
  'POLYGON_OFFSET_FILL',
  'SAMPLE_ALPHA_TO_COVERAGE',
  'SAMPLE_COVERAGE',
  'SCISSOR_TEST',
  'STENCIL_TEST',
  'RASTERIZER_DISCARD',
];

/** State of extensions, of which Mesa's OpenGL ES has these. */
const extensionRows: readonly Row[] = [
  {
    name: 'blending and colour mask by draw buffer',
    change(gl) {
      const indexed = gl.getExtension('OES_draw_buffers_indexed');
      gl.blendFunc(gl.ONE, gl.ONE);
      indexed.enableiOES(gl.BLEND, 1);
      indexed.disableiOES(gl.BLEND, 2);
      indexed.blendFuncSeparateiOES(1, gl.ZERO, gl.SRC_ALPHA, gl.ONE, gl.DST_ALPHA);
      indexed.blendEquationiOES(2, gl.FUNC_SUBTRACT);
      indexed.colorMaskiOES(0, true, false, true, false);
    },
    read: (context) =>
      [0, 1, 2, 3].map((buffer) => [
        context.gl.glIsEnabledi(c.BLEND, buffer),
        [c.BLEND_SRC_RGB, c.BLEND_DST_RGB, c.BLEND_SRC_ALPHA, c.BLEND_DST_ALPHA, c.BLEND_EQUATION_RGB].map(
          (name) => query(context, (at) => void context.gl.glGetIntegeri_v(name, buffer, at))[0],
        ),
        query(context, (at) => void context.gl.glGetBooleani_v(c.COLOR_WRITEMASK, buffer, at))[0],
      ]),
  },
  {
    name: 'clip control',
    change: (gl) => gl.getExtension('EXT_clip_control').clipControlEXT(0x8ca2, 0x935f),
    read: (context) => [0x935c, 0x935d].map((name) => context.integer(name)),
  },
  {
    name: 'polygon offset clamp',
    change: (gl) => gl.getExtension('EXT_polygon_offset_clamp').polygonOffsetClampEXT(3, 4, 0.5),
    read: (context) =>
      [0x8038, 0x2a00, 0x8e1b].map((name) => query(context, (at) => void context.gl.glGetFloatv(name, at), 'f32')[0]),
  },
  ...[['EXT_depth_clamp', 0x864f] as const, ['WEBGL_clip_cull_distance', 0x3002] as const].map(
    ([extension, cap]): Row => ({
      name: extension,
      change(gl) {
        gl.getExtension(extension);
        gl.enable(cap);
      },
      read: ({ gl }) => gl.glIsEnabled(cap),
    }),
  ),
];

const contextRows: readonly Row[] = [
  ...capabilities.map(capability),
  parameter('VIEWPORT', (gl) => gl.viewport(1, 2, 30, 40)),
  parameter('SCISSOR_BOX', (gl) => gl.scissor(3, 4, 50, 60)),
  parameter('BLEND_COLOR', (gl) => gl.blendColor(0.25, 0.5, 0.75, 1)),
  parameter('BLEND_EQUATION_RGB', (gl) => gl.blendEquationSeparate(gl.FUNC_SUBTRACT, gl.MAX)),
  parameter('BLEND_EQUATION_ALPHA', (gl) => gl.blendEquationSeparate(gl.FUNC_ADD, gl.MIN)),
  parameter('BLEND_SRC_RGB', (gl) => gl.blendFuncSeparate(gl.SRC_ALPHA, gl.DST_COLOR, gl.ZERO, gl.ONE)),
  parameter('BLEND_DST_RGB', (gl) => gl.blendFuncSeparate(gl.SRC_ALPHA, gl.DST_COLOR, gl.ZERO, gl.ONE)),
  parameter('BLEND_SRC_ALPHA', (gl) => gl.blendFuncSeparate(gl.ONE, gl.ONE, gl.CONSTANT_COLOR, gl.ONE)),
  parameter('BLEND_DST_ALPHA', (gl) => gl.blendFuncSeparate(gl.ONE, gl.ONE, gl.ONE, gl.ONE_MINUS_CONSTANT_ALPHA)),
  parameter('COLOR_CLEAR_VALUE', (gl) => gl.clearColor(0.125, 0.25, 0.5, 0.75)),
  parameter('DEPTH_CLEAR_VALUE', (gl) => gl.clearDepth(0.25)),
  parameter('STENCIL_CLEAR_VALUE', (gl) => gl.clearStencil(77)),
  parameter('COLOR_WRITEMASK', (gl) => gl.colorMask(true, false, true, false)),
  parameter('DEPTH_WRITEMASK', (gl) => gl.depthMask(false)),
  parameter('CULL_FACE_MODE', (gl) => gl.cullFace(gl.FRONT_AND_BACK)),
  parameter('FRONT_FACE', (gl) => gl.frontFace(gl.CW)),
  parameter('DEPTH_FUNC', (gl) => gl.depthFunc(gl.GEQUAL)),
  parameter('DEPTH_RANGE', (gl) => gl.depthRange(0.25, 0.5)),
  parameter('GENERATE_MIPMAP_HINT', (gl) => gl.hint(gl.GENERATE_MIPMAP_HINT, gl.NICEST)),
  parameter('FRAGMENT_SHADER_DERIVATIVE_HINT', (gl) => gl.hint(gl.FRAGMENT_SHADER_DERIVATIVE_HINT, gl.FASTEST)),
  parameter('POLYGON_OFFSET_FACTOR', (gl) => gl.polygonOffset(1.5, 2.5)),
  parameter('POLYGON_OFFSET_UNITS', (gl) => gl.polygonOffset(1.5, 2.5)),
  parameter('SAMPLE_COVERAGE_VALUE', (gl) => gl.sampleCoverage(0.5, true)),
  parameter('SAMPLE_COVERAGE_INVERT', (gl) => gl.sampleCoverage(0.5, true)),
  parameter('STENCIL_FUNC', (gl) => gl.stencilFuncSeparate(gl.FRONT, gl.LESS, 3, 0x0f)),
  parameter('STENCIL_REF', (gl) => gl.stencilFuncSeparate(gl.FRONT, gl.LESS, 3, 0x0f)),
  parameter('STENCIL_VALUE_MASK', (gl) => gl.stencilFuncSeparate(gl.FRONT, gl.LESS, 3, 0x0f)),
  parameter('STENCIL_BACK_FUNC', (gl) => gl.stencilFuncSeparate(gl.BACK, gl.GREATER, 4, 0xf0)),
  parameter('STENCIL_BACK_REF', (gl) => gl.stencilFuncSeparate(gl.BACK, gl.GREATER, 4, 0xf0)),
  parameter('STENCIL_BACK_VALUE_MASK', (gl) => gl.stencilFuncSeparate(gl.BACK, gl.GREATER, 4, 0xf0)),
  parameter('STENCIL_WRITEMASK', (gl) => gl.stencilMaskSeparate(gl.FRONT, 0x12)),
  parameter('STENCIL_BACK_WRITEMASK', (gl) => gl.stencilMaskSeparate(gl.BACK, 0x34)),
  parameter('STENCIL_FAIL', (gl) => gl.stencilOpSeparate(gl.FRONT, gl.INVERT, gl.INCR, gl.DECR)),
  parameter('STENCIL_PASS_DEPTH_FAIL', (gl) => gl.stencilOpSeparate(gl.FRONT, gl.INVERT, gl.INCR, gl.DECR)),
  parameter('STENCIL_PASS_DEPTH_PASS', (gl) => gl.stencilOpSeparate(gl.FRONT, gl.INVERT, gl.INCR, gl.DECR)),
  parameter('STENCIL_BACK_FAIL', (gl) => gl.stencilOpSeparate(gl.BACK, gl.ZERO, gl.INCR_WRAP, gl.DECR_WRAP)),
  parameter('STENCIL_BACK_PASS_DEPTH_FAIL', (gl) => gl.stencilOpSeparate(gl.BACK, gl.ZERO, gl.INCR_WRAP, gl.DECR_WRAP)),
  parameter('STENCIL_BACK_PASS_DEPTH_PASS', (gl) => gl.stencilOpSeparate(gl.BACK, gl.ZERO, gl.INCR_WRAP, gl.DECR_WRAP)),
  parameter('ACTIVE_TEXTURE', (gl) => gl.activeTexture(gl.TEXTURE7)),
];

const attributeNames: readonly Name[] = [
  'VERTEX_ATTRIB_ARRAY_ENABLED',
  'VERTEX_ATTRIB_ARRAY_SIZE',
  'VERTEX_ATTRIB_ARRAY_STRIDE',
  'VERTEX_ATTRIB_ARRAY_TYPE',
  'VERTEX_ATTRIB_ARRAY_NORMALIZED',
  'VERTEX_ATTRIB_ARRAY_DIVISOR',
  'VERTEX_ATTRIB_ARRAY_INTEGER',
];
const attributes = (context: GlContext) =>
  [0, 1, 2, 3].map((index) => [
    ...attributeNames.map((name) => query(context, (at) => void context.gl.glGetVertexAttribiv(index, c[name], at))),
    query(context, (at) => void context.gl.glGetVertexAttribPointerv(index, c.VERTEX_ATTRIB_ARRAY_POINTER, at)),
  ]);

function useAttributes(gl: Gl): void {
  buffer(gl, new Float32Array(64));
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, 3, gl.SHORT, true, 24, 8);
  gl.vertexAttribIPointer(2, 2, gl.UNSIGNED_BYTE, 12, 4);
  gl.vertexAttribDivisor(2, 3);
  gl.enableVertexAttribArray(3);
  buffer(gl, new Uint16Array(11), gl.ELEMENT_ARRAY_BUFFER);
}

const bufferSize = (context: GlContext, target: number) =>
  query(context, (at) => void context.gl.glGetBufferParameteriv(target, c.BUFFER_SIZE, at));

const bufferTargets: readonly Name[] = [
  'ARRAY_BUFFER',
  'COPY_READ_BUFFER',
  'COPY_WRITE_BUFFER',
  'PIXEL_PACK_BUFFER',
  'PIXEL_UNPACK_BUFFER',
  'UNIFORM_BUFFER',
  'TRANSFORM_FEEDBACK_BUFFER',
];

const textureParameters: readonly [Name, Name | number][] = [
  ['TEXTURE_MIN_FILTER', 'LINEAR_MIPMAP_LINEAR'],
  ['TEXTURE_MAG_FILTER', 'NEAREST'],
  ['TEXTURE_WRAP_S', 'CLAMP_TO_EDGE'],
  ['TEXTURE_WRAP_T', 'MIRRORED_REPEAT'],
  ['TEXTURE_WRAP_R', 'CLAMP_TO_EDGE'],
  ['TEXTURE_MIN_LOD', -3],
  ['TEXTURE_MAX_LOD', 5],
  ['TEXTURE_BASE_LEVEL', 1],
  ['TEXTURE_MAX_LEVEL', 2],
  ['TEXTURE_COMPARE_MODE', 'COMPARE_REF_TO_TEXTURE'],
  ['TEXTURE_COMPARE_FUNC', 'GREATER'],
];
const numberOf = (value: Name | number): number => (typeof value === 'number' ? value : c[value]);

function uniformRow(type: string, set: (gl: Gl, location: object) => void): Row {
  const size = type.startsWith('mat')
    ? Number(type[3]) * Number(type[5] ?? type[3])
    : Number(/[234]$/.exec(type)?.[0] ?? 1);
  return {
    name: `uniform ${type}`,
    change: (gl) => {
      const program = link(
        gl,
        `#version 300 es\nprecision highp float; uniform ${type} value[2]; flat out ${type} passed; void main() { passed = value[1]; gl_Position = vec4(float(value[0]${size > 1 ? (type.startsWith('mat') ? '[0][0]' : '[0]') : ''})); }`,
        '#version 300 es\nprecision highp float; out vec4 colour; void main() { colour = vec4(1.0); }',
      );
      gl.useProgram(program);
      set(gl, gl.getUniformLocation(program, 'value'));
    },
    read: (context) => {
      const [program] = query(context, (at) => void context.gl.glGetIntegerv(c.CURRENT_PROGRAM, at));
      const location = context.gl.glGetUniformLocation(program, context.scratch.cString('value[0]'));
      context.scratch.f32.fill(0, 0, 16);
      if (location >= 0 && program > 0) context.gl.glGetUniformfv(program, location, context.scratch.address);
      return Array.from(context.scratch.f32.subarray(0, 16));
    },
  };
}

const objectRows: readonly Row[] = [
  {
    name: 'draw buffer of the canvas',
    change: (gl) => gl.drawBuffers([gl.NONE]),
    read: (context) => context.integer(c.DRAW_BUFFER0),
  },
  {
    name: 'current vertex attributes',
    change: (gl) => {
      gl.vertexAttrib4f(2, 1, 2, 3, 4);
      gl.vertexAttribI4i(3, -1, 2, -3, 4);
      gl.vertexAttribI4ui(4, 5, 6, 7, 8);
    },
    read: (context) => [
      query(context, (at) => void context.gl.glGetVertexAttribfv(2, c.CURRENT_VERTEX_ATTRIB, at), 'f32'),
      query(context, (at) => void context.gl.glGetVertexAttribIiv(3, c.CURRENT_VERTEX_ATTRIB, at)),
      query(context, (at) => void context.gl.glGetVertexAttribIuiv(4, c.CURRENT_VERTEX_ATTRIB, at)),
    ],
  },
  {
    name: 'attributes without a vertex array',
    change: useAttributes,
    read: (context) => [attributes(context), bufferSize(context, c.ELEMENT_ARRAY_BUFFER)],
  },
  {
    name: 'attributes of a bound vertex array',
    change: (gl) => {
      gl.bindVertexArray(gl.createVertexArray());
      useAttributes(gl);
    },
    read: (context) => [attributes(context), bufferSize(context, c.ELEMENT_ARRAY_BUFFER)],
  },
  {
    name: 'attributes beneath a bound vertex array',
    change: useAttributes,
    after: (gl) => gl.bindVertexArray(gl.createVertexArray()),
    read: (context, replayed) => {
      if (replayed) context.gl.glBindVertexArray(0);
      return attributes(context);
    },
  },
  ...bufferTargets.map(
    (name, index): Row => ({
      name: `buffer bound to ${name}`,
      change: (gl) => {
        gl.bindBuffer(c[name], gl.createBuffer());
        gl.bufferData(c[name], 16 + index, gl.STREAM_COPY);
      },
      read: (context) => [
        bufferSize(context, c[name]),
        query(context, (at) => void context.gl.glGetBufferParameteriv(c[name], c.BUFFER_USAGE, at)),
      ],
    }),
  ),
  {
    name: 'indexed uniform buffers',
    change: (gl) => {
      const made = buffer(gl, new Uint8Array(1024), gl.UNIFORM_BUFFER);
      gl.bindBufferBase(gl.UNIFORM_BUFFER, 2, made);
      gl.bindBufferRange(gl.UNIFORM_BUFFER, 5, made, 256, 64);
    },
    read: (context) =>
      [2, 5].map((index) =>
        [c.UNIFORM_BUFFER_START, c.UNIFORM_BUFFER_SIZE].map((name) =>
          query(context, (at) => void context.gl.glGetInteger64i_v(name, index, at)),
        ),
      ),
  },
  {
    name: 'transform feedback, paused',
    change: (gl) => {
      const program = link(
        gl,
        '#version 300 es\nout float one; void main() { one = 1.0; gl_Position = vec4(0.0); }',
        '#version 300 es\nprecision highp float; void main() {}',
        (made) => gl.transformFeedbackVaryings(made, ['one'], gl.SEPARATE_ATTRIBS),
      );
      gl.useProgram(program);
      gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
      gl.bindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer(gl, new Uint8Array(64)), 16, 32);
      gl.beginTransformFeedback(gl.TRIANGLES);
      gl.pauseTransformFeedback();
    },
    read: (context) => [
      context.integer(c.TRANSFORM_FEEDBACK_ACTIVE),
      context.integer(c.TRANSFORM_FEEDBACK_PAUSED),
      query(context, (at) => void context.gl.glGetInteger64i_v(c.TRANSFORM_FEEDBACK_BUFFER_START, 0, at)),
      query(context, (at) => void context.gl.glGetInteger64i_v(c.TRANSFORM_FEEDBACK_BUFFER_SIZE, 0, at)),
    ],
  },
  ...(['TEXTURE_2D', 'TEXTURE_CUBE_MAP', 'TEXTURE_3D', 'TEXTURE_2D_ARRAY'] as const).map(
    (target, index): Row => ({
      name: `${target} on a unit, with its parameters`,
      change: (gl) => {
        gl.activeTexture(gl.TEXTURE0 + 3 + index);
        gl.bindTexture(c[target], gl.createTexture());
        for (const [name, value] of textureParameters)
          if (/LOD/.test(name)) gl.texParameterf(c[target], c[name], numberOf(value));
          else gl.texParameteri(c[target], c[name], numberOf(value));
      },
      read: (context) => {
        const active = context.integer(c.ACTIVE_TEXTURE);
        context.gl.glActiveTexture(c.TEXTURE0 + 3 + index);
        const values = textureParameters.map(([name]) =>
          query(context, (at) => void context.gl.glGetTexParameterfv(c[target], c[name], at), 'f32'),
        );
        context.gl.glActiveTexture(active);
        return [active, values];
      },
    }),
  ),
  {
    name: 'sampler with its parameters',
    change: (gl) => {
      const sampler = gl.createSampler();
      gl.bindSampler(9, sampler);
      for (const [name, value] of textureParameters)
        if (/LOD/.test(name)) gl.samplerParameterf(sampler, c[name], numberOf(value));
        else if (!/LEVEL/.test(name)) gl.samplerParameteri(sampler, c[name], numberOf(value));
    },
    read: (context) => {
      const active = context.integer(c.ACTIVE_TEXTURE);
      context.gl.glActiveTexture(c.TEXTURE0 + 9);
      const sampler = context.integer(c.SAMPLER_BINDING);
      context.gl.glActiveTexture(active);
      return textureParameters
        .filter(([name]) => !/LEVEL/.test(name))
        .map(([name]) =>
          query(context, (at) => void (sampler && context.gl.glGetSamplerParameterfv(sampler, c[name], at)), 'f32'),
        );
    },
  },
  {
    name: 'framebuffer with attachments, draw and read buffers',
    change: (gl) => {
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      const array = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D_ARRAY, array);
      gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 2, gl.RGBA8, 8, 8, 5);
      gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, array, 1, 4);
      const cube = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_CUBE_MAP, cube);
      gl.texStorage2D(gl.TEXTURE_CUBE_MAP, 3, gl.RGBA8, 16, 16);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT2, gl.TEXTURE_CUBE_MAP_NEGATIVE_Y, cube, 2);
      gl.bindTexture(gl.TEXTURE_CUBE_MAP, null);
      gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, 4, 4);
      gl.framebufferRenderbuffer(
        gl.FRAMEBUFFER,
        gl.DEPTH_STENCIL_ATTACHMENT,
        gl.RENDERBUFFER,
        gl.getParameter(gl.RENDERBUFFER_BINDING),
      );
      gl.drawBuffers([gl.NONE, gl.COLOR_ATTACHMENT1, gl.COLOR_ATTACHMENT2]);
      gl.readBuffer(gl.COLOR_ATTACHMENT2);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    },
    read: (context) => {
      const points: Name[] = [
        'COLOR_ATTACHMENT0',
        'COLOR_ATTACHMENT1',
        'COLOR_ATTACHMENT2',
        'DEPTH_ATTACHMENT',
        'STENCIL_ATTACHMENT',
      ];
      const names: Name[] = [
        'FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE',
        'FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL',
        'FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE',
        'FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER',
      ];
      const attachments = points.map((point) =>
        names.map((name) =>
          query(
            context,
            (at) => void context.gl.glGetFramebufferAttachmentParameteriv(c.DRAW_FRAMEBUFFER, c[point], c[name], at),
          ),
        ),
      );
      while (context.gl.glGetError());
      const draw = context.integer(c.DRAW_FRAMEBUFFER_BINDING);
      const read = context.integer(c.READ_FRAMEBUFFER_BINDING);
      context.gl.glBindFramebuffer(c.READ_FRAMEBUFFER, draw);
      const readBuffer = context.integer(c.READ_BUFFER);
      context.gl.glBindFramebuffer(c.READ_FRAMEBUFFER, read);
      return [
        draw === read,
        attachments,
        readBuffer,
        ...[0, 1, 2, 3].map((index) => context.integer(c.DRAW_BUFFER0 + index)),
      ];
    },
  },
  {
    name: 'renderbuffer binding',
    change: (gl) => {
      gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.RGBA4, 13, 7);
    },
    read: (context) =>
      [c.RENDERBUFFER_WIDTH, c.RENDERBUFFER_HEIGHT, c.RENDERBUFFER_SAMPLES].map((name) =>
        query(context, (at) => void context.gl.glGetRenderbufferParameteriv(c.RENDERBUFFER, name, at)),
      ),
  },
  {
    name: 'running query',
    change: (gl) => gl.beginQuery(gl.ANY_SAMPLES_PASSED_CONSERVATIVE, gl.createQuery()),
    read: (context) =>
      query(context, (at) => void context.gl.glGetQueryiv(c.ANY_SAMPLES_PASSED_CONSERVATIVE, c.CURRENT_QUERY, at)).some(
        (value) => value !== 0,
      ),
  },
  uniformRow('float', (gl, at) => gl.uniform1fv(at, [1.5, 2.5])),
  uniformRow('vec3', (gl, at) => gl.uniform3fv(at, new Float32Array([9, 1, 2, 3, 4, 5, 6]), 1)),
  uniformRow('ivec2', (gl, at) => gl.uniform2iv(at, [-1, 2, -3, 4])),
  uniformRow('uvec4', (gl, at) => gl.uniform4uiv(at, [1, 2, 3, 4, 5, 6, 7, 8])),
  uniformRow('mat3', (gl, at) =>
    gl.uniformMatrix3fv(
      at,
      true,
      Float32Array.from({ length: 18 }, (_, index) => index),
    ),
  ),
  uniformRow('mat2x4', (gl, at) =>
    gl.uniformMatrix2x4fv(
      at,
      false,
      Float32Array.from({ length: 16 }, (_, index) => index),
    ),
  ),
];

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-state-'));

for (const { name, change, read, after } of [...contextRows, ...extensionRows, ...objectRows])
  test(`state before the frame: ${name}`, async () => {
    const path = join(folder, 'state.cap');
    let before: unknown;
    let wanted: unknown;
    await webgl2((gl, context) => {
      const program = () => {
        gl.activeTexture(gl.TEXTURE0);
        before = read(context);
        change(gl);
        while (context.gl.glGetError());
        wanted = read(context);
        after?.(gl);
        return () => gl.flush();
      };
      return record(gl, program, 1, path);
    });
    assert.notDeepEqual(wanted, before, 'the row changes what it reads');
    let replayed: unknown;
    const played = await play(path, 'egl', (context) => {
      replayed = read(context, true);
    });
    assert.deepEqual(played.glErrors, []);
    assert.deepEqual(replayed, wanted);
  });

test('a look at the program leaves its own state as it was', async () => {
  await webgl2(async (gl, context) => {
    const rows = [
      ...contextRows,
      ...extensionRows,
      ...objectRows.filter(({ name }) => !/paused|without a vertex array|beneath|uniform /.test(name)),
    ];
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    let wanted: unknown[] = [];
    const program = () => {
      for (const { change } of rows) change(gl);
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(64));
      gl.generateMipmap(gl.TEXTURE_2D);
      while (gl.getError());
      wanted = rows.map(({ read }) => read(context));
      gl.enable(0x1234);
      return () => {
        for (const [index, { name, read }] of rows.entries())
          assert.deepEqual(read(context), wanted[index], `${name} is as it was`);
        assert.equal(gl.getError(), gl.INVALID_ENUM, "the program's own error waits for it");
        assert.equal(gl.getError(), gl.NO_ERROR);
      };
    };
    await record(gl, program, 1, join(folder, 'left.cap'));
  });
});
