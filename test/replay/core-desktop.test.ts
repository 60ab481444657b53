/** What OpenGL 4 brings beyond OpenGL ES: played ten times with the same picture, though each frame changes what it used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { bytes, CaptureBuilder, floats, inline, offset, words } from './memory-capture.ts';

const version = '#version 450\n';
const triangle = `${version}const vec2 at[3] = vec2[](vec2(-1, -1), vec2(3, -1), vec2(-1, 3));
void main() { gl_Position = vec4(at[gl_VertexID % 3], 0, 1); }`;
const wide = (...values: number[]) => inline(new BigInt64Array(values.map(BigInt)));

/** Shader ids are `id * 10` and following. */
function stages(b: CaptureBuilder, id: number, sources: readonly (readonly [number, string])[]): CaptureBuilder {
  b.made(id, 'glCreateProgram');
  for (const [index, [type, source]] of sources.entries())
    b.made(id * 10 + index, 'glCreateShader', type)
      .call('glShaderSource', id * 10 + index, 1, [version + source], null)
      .call('glCompileShader', id * 10 + index)
      .call('glAttachShader', id, id * 10 + index);
  return b.call('glLinkProgram', id);
}
const coloured = (b: CaptureBuilder, id: number, body: string) =>
  b.program(id, triangle, `${version}layout(location = 0) out vec4 o; ${body}`).call('glUseProgram', id);
const draw = (b: CaptureBuilder, mode = 4) => b.call('glDrawArrays', mode, 0, 3);

interface CoreCase {
  readonly name: string;
  readonly setup: (b: CaptureBuilder) => unknown;
  readonly frame: (b: CaptureBuilder) => unknown;
  readonly middle: readonly [number, number, number];
}

const cases: readonly CoreCase[] = [
  {
    name: 'direct state access: buffers, vertex arrays, textures and framebuffers',
    setup(b) {
      b.call('glCreateBuffers', 1, [1]).call('glNamedBufferStorage', 1, 24, floats(-1, -1, 3, -1, -1, 3), 0);
      b.call('glCreateVertexArrays', 1, [2]).call('glVertexArrayVertexBuffer', 2, 0, 1, 0, 8);
      b.call('glEnableVertexArrayAttrib', 2, 0).call('glVertexArrayAttribFormat', 2, 0, 2, 0x1406, 0, 0);
      b.call('glVertexArrayAttribBinding', 2, 0, 0).call('glBindVertexArray', 2);
      b.call('glCreateTextures', 0x0de1, 1, [1]).call('glTextureStorage2D', 1, 1, 0x8058, 16, 16);
      b.call('glCreateFramebuffers', 1, [1]).call('glNamedFramebufferTexture', 1, 0x8ce0, 1, 0);
      b.call('glClearNamedFramebufferfv', 1, 0x1800, 0, floats(0.2, 0.4, 0.6, 1));
      b.program(
        1,
        `${version}layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }`,
        `${version}uniform vec4 c; out vec4 o; void main() { o = c; }`,
      );
      b.call('glProgramUniform4f', 1, b.location(1, 'c'), 0, 0, 0.2, 1).call('glUseProgram', 1);
      b.call('glEnable', 0x0be2).call('glBlendFunc', 1, 1).call('glBindFramebuffer', 0x8d40, 1);
    },
    frame(b) {
      draw(b).call('glBlitNamedFramebuffer', 1, 0, 0, 0, 16, 16, 0, 0, 16, 16, 0x4000, 0x2600);
      b.call('glProgramUniform4f', 1, b.location(1, 'c'), 1, 0, 0, 1).call(
        'glNamedBufferSubData',
        1,
        0,
        8,
        floats(9, 9),
      );
      b.call('glDisableVertexArrayAttrib', 2, 0).call('glNamedFramebufferDrawBuffer', 1, 0);
      b.call('glNamedFramebufferDrawBuffer', 0, 0x0405);
    },
    middle: [51, 102, 204],
  },
  {
    name: 'separable programs, their uniforms and their pipeline',
    setup(b) {
      b.made(1, 'glCreateShaderProgramv', 0x8b31, 1, [
        `${version}out gl_PerVertex { vec4 gl_Position; }; ${triangle.slice(version.length)}`,
      ]);
      b.made(2, 'glCreateShaderProgramv', 0x8b30, 1, [
        `${version}uniform vec3 c[2]; out vec4 o; void main() { o = vec4(c[1], 1); }`,
      ]);
      b.made(3, 'glCreateShaderProgramv', 0x8b30, 1, [`${version}out vec4 o; void main() { o = vec4(1); }`]);
      b.call('glCreateProgramPipelines', 1, [1])
        .call('glUseProgramStages', 1, 1, 1)
        .call('glUseProgramStages', 1, 2, 2);
      b.call('glProgramUniform3fv', 2, b.location(2, 'c[1]'), 1, floats(0.2, 0.8, 0.4)).call(
        'glBindProgramPipeline',
        1,
      );
    },
    frame(b) {
      draw(b).call('glActiveShaderProgram', 1, 2).call('glUniform3f', b.location(2, 'c[1]'), 1, 0, 0);
      b.call('glUseProgramStages', 1, 2, 3);
    },
    middle: [51, 204, 102],
  },
  {
    name: 'tessellation and geometry shaders, patches and doubles',
    setup(b) {
      stages(b, 1, [
        [0x8b31, triangle.slice(version.length)],
        [
          0x8e88,
          'layout(vertices = 3) out; void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0; }',
        ],
        [
          0x8e87,
          'layout(triangles) in; void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position; }',
        ],
        [
          0x8dd9,
          'layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; void main() { for (int i = 0; i < 3; i++) { gl_Position = gl_in[i].gl_Position; EmitVertex(); } EndPrimitive(); }',
        ],
        [
          0x8b30,
          'uniform dvec3 c; uniform dmat2 m; out vec4 o; void main() { o = vec4(vec3(c) + vec3(m[0][0], m[1][1], 0), 1); }',
        ],
      ]);
      b.call('glUseProgram', 1)
        .call('glPatchParameteri', 0x8e72, 3)
        .call('glUniform3d', b.location(1, 'c'), 0.1, 0.2, 0.6);
      b.call('glUniformMatrix2dv', b.location(1, 'm'), 1, 0, inline(new Float64Array([0.1, 0, 0, 0.2])));
    },
    frame(b) {
      draw(b, 14).call('glPatchParameteri', 0x8e72, 4).call('glUniform3d', b.location(1, 'c'), 1, 0, 0);
      b.call('glUniformMatrix2dv', b.location(1, 'm'), 1, 0, inline(new Float64Array(4)));
    },
    middle: [51, 102, 153],
  },
  {
    name: 'compute with storage buffers, images and atomic counters',
    setup(b) {
      stages(b, 1, [
        [
          0x91b9,
          'layout(local_size_x = 1) in; layout(std430, binding = 0) buffer B { uint n[4]; }; layout(binding = 0) uniform atomic_uint a; layout(rgba8, binding = 0) uniform image2D i; void main() { n[0] += 1u; uint c = atomicCounterIncrement(a); imageStore(i, ivec2(0), vec4(float(n[0]) / 5.0, float(c) / 5.0, 0.2, 1)); }',
        ],
      ]);
      coloured(b, 2, 'layout(binding = 0) uniform sampler2D s; void main() { o = texelFetch(s, ivec2(0), 0); }');
      b.call('glCreateBuffers', 2, [1, 2]).call('glNamedBufferData', 1, 16, words(0, 0, 0, 0), 0x88e4);
      b.call('glNamedBufferData', 2, 4, words(2), 0x88e4)
        .call('glBindBuffersBase', 0x90d2, 0, 1, [1])
        .call('glBindBufferBase', 0x92c0, 0, 2);
      b.call('glCreateTextures', 0x0de1, 1, [1])
        .call('glTextureStorage2D', 1, 1, 0x8058, 1, 1)
        .call('glBindImageTextures', 0, 1, [1])
        .call('glBindTextures', 0, 1, [1]);
    },
    frame(b) {
      b.call('glUseProgram', 1).call('glDispatchCompute', 2, 1, 1).call('glMemoryBarrier', 0xffffffff);
      draw(b.call('glUseProgram', 2));
    },
    middle: [102, 153, 51],
  },
  {
    name: 'indirect draws, many, and counted in a buffer',
    setup(b) {
      coloured(b, 1, 'void main() { o = vec4(0.2); }').call('glEnable', 0x0be2).call('glBlendFunc', 1, 1);
      b.call('glCreateBuffers', 2, [1, 2]).call(
        'glNamedBufferStorage',
        1,
        48,
        words(3, 1, 0, 0, 3, 1, 0, 0, 3, 2, 0, 0),
        0,
      );
      b.call('glNamedBufferStorage', 2, 4, words(2), 0).call('glBindBuffer', 0x8f3f, 1).call('glBindBuffer', 0x80ee, 2);
    },
    frame(b) {
      b.call('glDrawArraysIndirect', 4, offset(32)).call('glMultiDrawArraysIndirect', 4, offset(0), 1, 0);
      b.call('glMultiDrawArraysIndirectCount', 4, offset(0), 0, 3, 16);
      b.call('glNamedBufferSubData', 1, 0, 8, words(0, 0)).call('glBindBuffer', 0x80ee, 0);
    },
    middle: [255, 255, 255],
  },
  {
    name: 'transform feedback that is drawn',
    setup(b) {
      b.program(1, triangle, `${version}out vec4 o; void main() { o = vec4(1); }`, (p) =>
        p.call('glTransformFeedbackVaryings', 1, 1, ['gl_Position'], 0x8c8c),
      );
      b.program(
        2,
        `${version}layout(location = 0) in vec4 p; void main() { gl_Position = p; }`,
        `${version}out vec4 o; void main() { o = vec4(0, 1, 0, 1); }`,
      );
      b.call('glCreateBuffers', 1, [1])
        .call('glNamedBufferStorage', 1, 48, null, 0)
        .call('glCreateTransformFeedbacks', 1, [1])
        .call('glTransformFeedbackBufferBase', 1, 0, 1);
      b.call('glEnableVertexAttribArray', 0)
        .call('glBindBuffer', 0x8892, 1)
        .call('glVertexAttribPointer', 0, 4, 0x1406, 0, 0, offset(0));
    },
    frame(b) {
      b.call('glBindTransformFeedback', 0x8e22, 1)
        .call('glUseProgram', 1)
        .call('glEnable', 0x8c89)
        .call('glDisableVertexAttribArray', 0);
      draw(b.call('glBeginTransformFeedback', 4))
        .call('glEndTransformFeedback')
        .call('glDisable', 0x8c89)
        .call('glEnableVertexAttribArray', 0);
      b.call('glUseProgram', 2)
        .call('glDrawTransformFeedback', 4, 1)
        .call('glClearNamedBufferData', 1, 0x8814, 0x1908, 0x1406, null);
    },
    middle: [0, 255, 0],
  },
  {
    name: 'cleared and copied images, and views of textures',
    setup(b) {
      coloured(b, 1, 'layout(binding = 0) uniform sampler2D s; void main() { o = texelFetch(s, ivec2(0), 0); }');
      b.call('glCreateTextures', 0x8c1a, 1, [1]).call('glTextureStorage3D', 1, 1, 0x8058, 1, 1, 2);
      b.call('glClearTexImage', 1, 0, 0x1908, 0x1401, bytes(10, 20, 30, 255)).call('glGenTextures', 2, [2, 3]);
      b.call('glTextureView', 2, 0x0de1, 1, 0x8058, 0, 1, 1, 1)
        .call('glBindTexture', 0x0de1, 3)
        .call('glTexStorage2D', 0x0de1, 1, 0x8058, 1, 1);
      b.call('glBindTextureUnit', 0, 2);
    },
    frame(b) {
      draw(b).call('glClearTexSubImage', 2, 0, 0, 0, 0, 1, 1, 1, 0x1908, 0x1401, bytes(200, 0, 0, 255));
      b.call('glCopyImageSubData', 2, 0x0de1, 0, 0, 0, 0, 3, 0x0de1, 0, 0, 0, 0, 1, 1, 1).call(
        'glBindTextureUnit',
        0,
        3,
      );
    },
    middle: [10, 20, 30],
  },
  {
    name: 'samplers by several at once, buffer textures and viewport arrays',
    setup(b) {
      coloured(
        b,
        1,
        'layout(binding = 0) uniform samplerBuffer s; layout(binding = 1) uniform sampler2D t; void main() { o = texelFetch(s, 1) + texture(t, vec2(2.0)); }',
      );
      b.call('glCreateBuffers', 1, [1]).call('glNamedBufferData', 1, 8, bytes(0, 0, 0, 0, 0, 51, 0, 255), 0x88e4);
      b.call('glCreateTextures', 0x8c2a, 1, [1]).call('glTextureBuffer', 1, 0x8058, 1);
      b.call('glCreateTextures', 0x0de1, 1, [2])
        .call('glTextureStorage2D', 2, 1, 0x8058, 1, 1)
        .call('glBindTextures', 0, 2, [1, 2]);
      b.call('glCreateSamplers', 1, [1]).call('glSamplerParameterfv', 1, 0x1004, floats(0.4, 0, 0.2, 1));
      for (const wrap of [0x2802, 0x2803]) b.call('glSamplerParameteri', 1, wrap, 0x812d);
      b.call('glSamplerParameteri', 1, 0x2801, 0x2600)
        .call('glBindSamplers', 1, 1, [1])
        .call('glViewportArrayv', 0, 1, floats(0, 0, 16, 16));
    },
    frame(b) {
      draw(b)
        .call('glSamplerParameterfv', 1, 0x1004, floats(0, 0, 0, 0))
        .call('glViewportIndexedf', 0, 0, 0, 1, 1);
      b.call('glBindSamplers', 1, 1, []).call('glNamedBufferSubData', 1, 4, 4, bytes(9, 9, 9, 9));
    },
    middle: [102, 51, 51],
  },
  {
    name: 'drawing on the condition of a query, and waiting for fences',
    setup(b) {
      coloured(b, 1, 'uniform vec4 c; void main() { o = c; }')
        .call('glUniform4f', b.location(1, 'c'), 0, 0, 1, 1)
        .call('glCreateQueries', 0x8c2f, 2, [1, 2]);
    },
    frame(b) {
      draw(b.call('glBeginQuery', 0x8c2f, 1)).call('glEndQuery', 0x8c2f);
      b.call('glEnable', 0x0c11).call('glScissor', 0, 0, 0, 0);
      draw(b.call('glBeginQuery', 0x8c2f, 2))
        .call('glEndQuery', 0x8c2f)
        .call('glDisable', 0x0c11);
      b.call('glUniform4f', b.location(1, 'c'), 0, 1, 1, 1);
      draw(b.call('glBeginConditionalRender', 1, 0x8e13)).call('glEndConditionalRender');
      b.call('glUniform4f', b.location(1, 'c'), 1, 0, 0, 1);
      draw(b.call('glBeginConditionalRender', 2, 0x8e13)).call('glEndConditionalRender');
      b.made(1, 'glFenceSync', 0x9117, 0)
        .call('glClientWaitSync', 1, 1, 1000)
        .call('glWaitSync', 1, 0, -1)
        .call('glDeleteSync', 1);
    },
    middle: [0, 255, 255],
  },
  {
    name: 'answers to queries that go to a buffer, which is drawn from',
    setup(b) {
      coloured(
        b,
        1,
        'layout(std140, binding = 0) uniform Q { uvec4 n; }; void main() { o = vec4(float(n.x) / 1280.0, 0.8, float(n.y) / 5.0, 1); }',
      );
      b.call('glCreateBuffers', 1, [1]).call('glNamedBufferData', 1, 16, words(0, 0, 0, 0), 0x88e4);
      b.call('glBindBufferBase', 0x8a11, 0, 1).call('glGenQueries', 3, [1, 2, 3]);
    },
    frame(b) {
      draw(b.call('glBeginQuery', 0x8914, 1)).call('glEndQuery', 0x8914);
      draw(draw(b.call('glBeginQuery', 0x8c87, 2))).call('glEndQuery', 0x8c87);
      // Times are for the recorded program: they are neither taken nor asked for.
      b.call('glQueryCounter', 3, 0x8e28).call('glGetQueryBufferObjectuiv', 3, 1, 0x8866, 0);
      b.call('glBindBuffer', 0x9192, 1).call('glGetQueryObjectuiv', 1, 0x8866, 0).call('glBindBuffer', 0x9192, 0);
      draw(b.call('glGetQueryBufferObjectuiv', 2, 1, 0x8866, 4));
    },
    middle: [51, 204, 102],
  },
  {
    name: 'attributes of doubles, which are switched off and on',
    setup(b) {
      b.program(
        1,
        `${version}layout(location = 0) in dvec2 p; void main() { gl_Position = vec4(p, 0, 1); }`,
        `${version}out vec4 o; void main() { o = vec4(0, 1, 1, 1); }`,
      );
      b.call('glUseProgram', 1).call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x8892, 1);
      b.call('glBufferData', 0x8892, 48, inline(new Float64Array([-1, -1, 3, -1, -1, 3])), 0x88e4);
      b.call('glVertexAttribLPointer', 0, 2, 0x140a, 0, offset(0)).call('glEnableVertexAttribArray', 0);
    },
    frame: (b) => draw(b).call('glDisableVertexAttribArray', 0),
    middle: [0, 255, 255],
  },
  {
    name: 'a vertex array that keeps buffers whose names are gone',
    setup(b) {
      b.program(
        1,
        `${version}layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }`,
        `${version}out vec4 o; void main() { o = vec4(1, 0, 1, 1); }`,
      );
      b.call('glUseProgram', 1).call('glGenBuffers', 2, [1, 2]).call('glBindBuffer', 0x8892, 1);
      b.call('glBufferData', 0x8892, 24, floats(-1, -1, 3, -1, -1, 3), 0x88e4).call('glBindBuffer', 0x8893, 2);
      b.call('glBufferData', 0x8893, 3, bytes(0, 1, 2), 0x88e4).call('glEnableVertexAttribArray', 0);
      b.call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0)).call('glBindVertexArray', 0);
      b.call('glDeleteBuffers', 2, [1, 2]).call('glBindVertexArray', 1);
    },
    frame: (b) => b.call('glDrawElements', 4, 3, 0x1401, offset(0)),
    middle: [255, 0, 255],
  },
  {
    name: 'subroutines, which are lost with the program',
    setup(b) {
      coloured(
        b,
        1,
        'subroutine vec4 S(); layout(location = 0) subroutine uniform S s; layout(index = 0) subroutine(S) vec4 r() { return vec4(1, 0, 0, 1); } layout(index = 1) subroutine(S) vec4 g() { return vec4(0, 1, 0, 1); } void main() { o = s(); }',
      );
      b.call('glUniformSubroutinesuiv', 0x8b30, 1, words(1));
    },
    frame: (b) => draw(b).call('glUniformSubroutinesuiv', 0x8b30, 1, words(0)),
    middle: [0, 255, 0],
  },
  {
    name: 'ranges of buffers bound at once, and immutable storage that is written',
    setup(b) {
      coloured(b, 1, 'layout(std140, binding = 3) uniform U { vec4 c; }; void main() { o = c; }');
      b.call('glCreateBuffers', 1, [1]).call('glNamedBufferStorage', 1, 512, inline(new Float32Array(128)), 0x42);
      b.call('glNamedBufferSubData', 1, 256, 16, floats(1, 0.6, 0.2, 1)).call(
        'glBindBuffersRange',
        0x8a11,
        3,
        1,
        [1],
        wide(256),
        wide(16),
      );
    },
    frame(b) {
      draw(b)
        .call('glNamedBufferSubData', 1, 256, 16, floats(0, 0, 0, 0))
        .call('glBindBuffersRange', 0x8a11, 3, 1, [1], wide(0), wide(16));
      b.call('glCopyNamedBufferSubData', 1, 1, 256, 0, 16).call('glInvalidateBufferData', 1);
    },
    middle: [255, 153, 51],
  },
];

for (const { name, setup, frame: build, middle } of cases)
  test(`core: ${name}`, async () => {
    const b = new CaptureBuilder({ api: 'gl', apiVersion: [4, 5], profile: 'core' });
    b.call('glGenVertexArrays', 1, [1]).call('glBindVertexArray', 1);
    setup(b);
    build(b.frame());
    const context = await openContext('egl', { api: 'gl', version: [4, 5], profile: 'core' });
    try {
      const replayer = await Replayer.create(context, b.capture());
      const frame = await replayer.loadFrame(1);
      for (let run = 1; run <= 10; run++) {
        frame.play();
        const { data } = frame.readCanvas();
        assert.deepEqual(replayer.glErrors, []);
        assert.deepEqual([...data.subarray((8 * 16 + 8) * 4, (8 * 16 + 8) * 4 + 3)], middle, `run ${run}`);
        frame.restore();
      }
      assert.deepEqual(replayer.glErrors, []);
      replayer.destroy();
    } finally {
      context.destroy();
    }
  });

test('core: attaching to the canvas is an error of GL and leaves the canvas as it is', async () => {
  const b = new CaptureBuilder({ api: 'gl', apiVersion: [4, 5], profile: 'core' }).frame();
  b.call('glNamedFramebufferTexture', 0, 0x8ce0, 0, 0).call('glFramebufferTexture', 0x8d40, 0x8ce0, 0, 0);
  b.call('glClearNamedFramebufferfv', 0, 0x1800, 0, floats(0, 1, 0, 1));
  const context = await openContext('egl', { api: 'gl', version: [4, 5], profile: 'core' });
  try {
    const replayer = await Replayer.create(context, b.capture());
    await replayer.playThrough(1);
    assert.deepEqual(
      replayer.glErrors.map(({ call, error }) => `${call.split('(')[0]} ${error}`),
      ['glNamedFramebufferTexture GL_INVALID_OPERATION', 'glFramebufferTexture GL_INVALID_OPERATION'],
    );
    assert.deepEqual([...replayer.readCanvas().data.subarray(0, 4)], [0, 255, 0, 255]);
  } finally {
    context.destroy();
  }
});

test('core: what cannot be replayed is refused by its name', async () => {
  const context = await openContext('egl', { api: 'gl', version: [4, 5], profile: 'core' });
  try {
    const refused = async (build: (b: CaptureBuilder) => unknown, message: RegExp) => {
      const b = new CaptureBuilder({ api: 'gl', apiVersion: [4, 5], profile: 'core' });
      build(b);
      await assert.rejects(Replayer.create(context, b.capture()), message);
    };
    await refused(
      (b) => b.call('glMakeTextureHandleResidentARB', 1),
      /^GpuprofError: setup call 1: glMakeTextureHandleResidentARB: bindless access cannot be replayed$/,
    );
    await refused(
      (b) => b.call('glBufferPageCommitmentARB', 0x8892, 0, 4096, 1),
      /glBufferPageCommitmentARB: sparse storage cannot be replayed/,
    );
    await refused((b) => b.call('glMultiDrawArraysIndirectCount', 4, offset(0), 0, 1, 0), /no buffer is bound/);
  } finally {
    context.destroy();
  }
});
