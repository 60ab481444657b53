/**
 * Frames that change what they read: each draws from an object and then changes it, so that playing it twice without
 * restoring gives another picture.
 */
import { bytes, CaptureBuilder, floats, inline, offset, words } from './memory-capture.ts';
import {
  additive,
  base,
  blitToCanvas,
  clear,
  color,
  constant,
  draw,
  fullScreen,
  GL,
  header,
  nearest,
  quad,
  type RestoreCase,
  renderTarget,
  rgba,
  sampled,
  sampling,
} from './restore-scene.ts';

interface Format {
  readonly name: string;
  readonly internal: number;
  readonly format: number;
  readonly type: number;
  readonly sampler?: string;
  readonly scale?: string;
  readonly before: ArrayBufferView;
  readonly after: ArrayBufferView;
}
const half = (one: number, two: number, three: number) => new Uint16Array([one, two, three, 0x3c00]);
const formats: readonly Format[] = [
  {
    name: 'RGBA8',
    internal: 0x8058,
    format: 0x1908,
    type: 0x1401,
    before: new Uint8Array([255, 0, 9, 255]),
    after: new Uint8Array([0, 255, 7, 255]),
  },
  {
    name: 'SRGB8_ALPHA8',
    internal: 0x8c43,
    format: 0x1908,
    type: 0x1401,
    before: new Uint8Array([200, 3, 90, 255]),
    after: new Uint8Array([20, 180, 7, 255]),
  },
  {
    name: 'RGB565',
    internal: 0x8d62,
    format: 0x1907,
    type: 0x8363,
    before: new Uint16Array([0xf81f]),
    after: new Uint16Array([0x07e0]),
  },
  {
    name: 'RGBA4',
    internal: 0x8056,
    format: 0x1908,
    type: 0x8033,
    before: new Uint16Array([0xf00f]),
    after: new Uint16Array([0x0f0f]),
  },
  {
    name: 'RGB10_A2',
    internal: 0x8059,
    format: 0x1908,
    type: 0x8368,
    before: new Uint32Array([0xc00003ff]),
    after: new Uint32Array([0xc00ffc00]),
  },
  {
    name: 'RGBA16F',
    internal: 0x881a,
    format: 0x1908,
    type: 0x140b,
    before: half(0x3800, 0, 0x3400),
    after: half(0, 0x3800, 0),
  },
  {
    name: 'RGBA32F',
    internal: 0x8814,
    format: 0x1908,
    type: 0x1406,
    before: new Float32Array([0.5, 0, 0.25, 1]),
    after: new Float32Array([0, 0.5, 1, 1]),
  },
  {
    name: 'R11F_G11F_B10F',
    internal: 0x8c3a,
    format: 0x1907,
    type: 0x1406,
    before: new Float32Array([0.5, 0, 0.25]),
    after: new Float32Array([0, 0.5, 1]),
  },
  {
    name: 'RGB9_E5',
    internal: 0x8c3d,
    format: 0x1907,
    type: 0x1406,
    before: new Float32Array([0.5, 0, 0.25]),
    after: new Float32Array([0, 0.5, 1]),
  },
  {
    name: 'RGBA8_SNORM',
    internal: 0x8f97,
    format: 0x1908,
    type: 0x1400,
    before: new Int8Array([100, 0, 50, 127]),
    after: new Int8Array([0, 100, 5, 127]),
  },
  {
    name: 'LUMINANCE',
    internal: 0x1909,
    format: 0x1909,
    type: 0x1401,
    before: new Uint8Array([200]),
    after: new Uint8Array([90]),
  },
  {
    name: 'R8UI',
    internal: 0x8232,
    format: 0x8d94,
    type: 0x1401,
    sampler: 'usampler2D',
    scale: '/ 255.0',
    before: new Uint8Array([200]),
    after: new Uint8Array([20]),
  },
  {
    name: 'RGBA32I',
    internal: 0x8d82,
    format: 0x8d99,
    type: 0x1404,
    sampler: 'isampler2D',
    scale: '/ 255.0',
    before: new Int32Array([200, 4, 5, 255]),
    after: new Int32Array([20, 200, 1, 255]),
  },
  {
    name: 'DEPTH_COMPONENT24',
    internal: 0x81a6,
    format: 0x1902,
    type: 0x1405,
    before: new Uint32Array([0x80000000]),
    after: new Uint32Array([0x20000000]),
  },
  {
    name: 'DEPTH_COMPONENT32F',
    internal: 0x8cac,
    format: 0x1902,
    type: 0x1406,
    before: new Float32Array([0.5]),
    after: new Float32Array([0.25]),
  },
  {
    name: 'DEPTH24_STENCIL8',
    internal: 0x88f0,
    format: 0x84f9,
    type: 0x84fa,
    before: new Uint32Array([0x80000001]),
    after: new Uint32Array([0x20000001]),
  },
];

const formatCases = formats.map(
  ({ name, internal, format, type, sampler = 'sampler2D', scale = '', before, after }): RestoreCase => ({
    name: `an upload into a texture of format ${name}`,
    capture() {
      const b = base(sampling(sampler, `vec4(texture(image, uv)) ${scale}`));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, internal, 1, 1, 0, format, type, inline(before));
      nearest(b, GL.TEXTURE_2D).frame();
      return draw(clear(b)).call('glTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 1, 1, format, type, inline(after));
    },
  }),
);

const volumes: RestoreCase[] = [
  { name: 'a slice of a 3D texture', target: GL.TEXTURE_3D, sampler: 'sampler3D' },
  { name: 'a layer of an array texture', target: GL.TEXTURE_2D_ARRAY, sampler: 'sampler2DArray' },
].map(({ name, target, sampler }) => ({
  name,
  capture() {
    const b = base(sampling(sampler, 'texelFetch(image, ivec3(0, 0, 1), 0)'));
    b.call('glGenTextures', 1, [1]).call('glBindTexture', target, 1);
    b.call('glTexStorage3D', target, 1, 0x8058, 1, 1, 2);
    b.call(
      'glTexSubImage3D',
      target,
      0,
      0,
      0,
      0,
      1,
      1,
      2,
      GL.RGBA,
      GL.UNSIGNED_BYTE,
      rgba(1, 2, 3, 4, 50, 60, 70, 255),
    );
    nearest(b, target).frame();
    draw(clear(b));
    return b.call('glTexSubImage3D', target, 0, 0, 0, 1, 1, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, rgba(150, 60, 70, 255));
  },
}));

export const restoreCases: readonly RestoreCase[] = [
  ...formatCases,
  ...volumes,
  {
    name: 'a face of a cube map',
    capture() {
      const b = base(sampling('samplerCube', 'texture(image, vec3(1.0, 0.1, 0.1))'));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_CUBE_MAP, 1);
      for (let face = 0; face < 6; face++)
        b.call(
          'glTexImage2D',
          0x8515 + face,
          0,
          GL.RGBA,
          1,
          1,
          0,
          GL.RGBA,
          GL.UNSIGNED_BYTE,
          rgba(face * 9, 99, 9, 255),
        );
      nearest(b, GL.TEXTURE_CUBE_MAP).frame();
      return draw(clear(b)).call(
        'glTexSubImage2D',
        0x8515,
        0,
        0,
        0,
        1,
        1,
        GL.RGBA,
        GL.UNSIGNED_BYTE,
        rgba(200, 1, 2, 255),
      );
    },
  },
  {
    name: 'a compressed upload',
    capture() {
      const b = base(sampled);
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glCompressedTexImage2D', GL.TEXTURE_2D, 0, 0x9274, 4, 4, 0, 8, bytes(200, 20, 20, 2, 0, 0, 0, 0));
      nearest(b, GL.TEXTURE_2D).frame();
      return draw(clear(b)).call(
        'glCompressedTexSubImage2D',
        GL.TEXTURE_2D,
        0,
        0,
        0,
        4,
        4,
        0x9274,
        8,
        bytes(20, 200, 20, 2, 0, 0, 0, 0),
      );
    },
  },
  {
    name: 'a texture specified anew with another size',
    capture() {
      const b = base(sampling('sampler2D', 'texture(image, uv) * float(textureSize(image, 0).x) * 0.25'));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, rgba(200, 100, 50, 255));
      nearest(b, GL.TEXTURE_2D).frame();
      const bigger = bytes(...new Array(8).fill(90));
      return draw(clear(b)).call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 2, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, bigger);
    },
  },
  {
    name: 'mipmap generation',
    capture() {
      const b = base(sampling('sampler2D', 'textureLod(image, uv, 1.0)'));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call(
        'glTexImage2D',
        GL.TEXTURE_2D,
        0,
        GL.RGBA,
        2,
        2,
        0,
        GL.RGBA,
        GL.UNSIGNED_BYTE,
        bytes(...new Array(16).fill(80)),
      );
      b.call('glGenerateMipmap', GL.TEXTURE_2D).frame();
      draw(clear(b));
      b.call(
        'glTexSubImage2D',
        GL.TEXTURE_2D,
        0,
        0,
        0,
        2,
        2,
        GL.RGBA,
        GL.UNSIGNED_BYTE,
        bytes(...new Array(16).fill(200)),
      );
      return b.call('glGenerateMipmap', GL.TEXTURE_2D);
    },
  },
  ...[
    ['RGBA8', 0x8058],
    ['RGBA16F', 0x881a],
  ].map(([name, internal]) => ({
    name: `blending that adds up in a ${name} texture`,
    capture() {
      const b = additive(renderTarget(base(), internal as number));
      color(b, 0.1, 0.05, 0.2, 0.1).frame();
      additive(b.call('glUseProgram', 1).call('glBindFramebuffer', GL.FRAMEBUFFER, 1));
      draw(b);
      if (name === 'RGBA8') return blitToCanvas(b);
      b.program(2, fullScreen, sampled).call('glUseProgram', 2).call('glBindFramebuffer', GL.FRAMEBUFFER, 0);
      return draw(b.call('glDisable', GL.BLEND));
    },
  })),
  {
    name: 'blending that adds up on the canvas',
    capture: () => draw(color(additive(base()), 0.1, 0.05, 0.2, 0.1).frame()),
  },
  {
    name: 'blending that adds up on a multisampled canvas',
    capture() {
      const b = quad(new CaptureBuilder({ canvas: { samples: 4 } })).program(1, fullScreen, constant);
      additive(b.call('glUseProgram', 1));
      return draw(color(b, 0.1, 0.05, 0.2, 0.1).frame());
    },
  },
  {
    name: 'blending that adds up in a multisampled renderbuffer',
    capture() {
      const b = base()
        .call('glGenRenderbuffers', 1, [1])
        .call('glBindRenderbuffer', GL.RENDERBUFFER, 1)
        .call('glRenderbufferStorageMultisample', GL.RENDERBUFFER, 4, 0x8058, 16, 16)
        .call('glGenFramebuffers', 1, [1])
        .call('glBindFramebuffer', GL.FRAMEBUFFER, 1)
        .call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 1)
        .call('glClear', GL.COLOR_BUFFER_BIT);
      color(additive(b), 0.1, 0.05, 0.2, 0.1).frame();
      return blitToCanvas(draw(b.call('glBindFramebuffer', GL.FRAMEBUFFER, 1)));
    },
  },
  ...[0, 4].map((samples) => ({
    name: `the depth buffer of a canvas with ${samples} samples`,
    capture() {
      const b = quad(new CaptureBuilder({ canvas: { samples } }))
        .program(1, fullScreen, constant)
        .call('glUseProgram', 1);
      color(b, 0, 1, 0, 1).call('glEnable', GL.DEPTH_TEST).frame();
      return draw(clear(b));
    },
  })),
  ...[0, 4].map((samples) => ({
    name: `the stencil buffer of a canvas with ${samples} samples`,
    capture() {
      const b = quad(new CaptureBuilder({ canvas: { samples } }))
        .program(1, fullScreen, constant)
        .call('glUseProgram', 1);
      color(b, 0, 1, 0, 1).call('glEnable', GL.STENCIL_TEST).call('glStencilFunc', 0x0202, 0, 0xff);
      b.call('glStencilOp', 0x1e00, 0x1e00, 0x1e02).frame();
      return draw(clear(b));
    },
  })),
  {
    name: 'part of a vertex buffer',
    capture: () =>
      draw(clear(color(base(), 1, 1, 0, 1).frame())).call('glBufferSubData', GL.ARRAY_BUFFER, 0, 8, floats(0, 0)),
  },
  {
    name: 'a vertex buffer specified anew with another size',
    capture: () =>
      draw(clear(color(base(), 1, 1, 0, 1).frame())).call(
        'glBufferData',
        GL.ARRAY_BUFFER,
        16,
        floats(0, 0, 0, 0),
        0x88e8,
      ),
  },
  { name: 'a uniform', capture: () => color(draw(clear(color(base(), 1, 0, 0, 1).frame())), 0, 1, 0, 1) },
  {
    name: 'an element of a uniform array of matrices',
    capture() {
      const b = base(
        `${header}uniform mat3 m[4]; uniform int i; out vec4 o; void main() { o = vec4(m[i + 2][1], 1.0); }`,
      );
      b.call('glUniformMatrix3fv', b.location(1, 'm[2]'), 1, 0, floats(0, 0, 0, 0.5, 0.25, 1, 0, 0, 0)).frame();
      return draw(clear(b)).call('glUniformMatrix3fv', b.location(1, 'm[2]'), 1, 0, floats(...new Array(9).fill(0.1)));
    },
  },
  {
    name: 'a uniform block binding',
    capture() {
      const b = base(`${header}layout(std140) uniform Block { vec4 c; }; out vec4 o; void main() { o = c; }`);
      b.call('glGenBuffers', 2, [2, 3]);
      for (const [id, value] of [
        [2, 0.75],
        [3, 0.25],
      ])
        b.call('glBindBuffer', GL.UNIFORM_BUFFER, id)
          .call('glBufferData', GL.UNIFORM_BUFFER, 16, floats(value, 0, value, 1), 0x88e4)
          .call('glBindBufferBase', GL.UNIFORM_BUFFER, id, id);
      b.call('gpuprofUniformBlockBinding', 1, 'Block', 2).frame();
      return draw(clear(b)).call('gpuprofUniformBlockBinding', 1, 'Block', 3);
    },
  },
  {
    name: 'an indexed buffer binding',
    capture() {
      const b = base(`${header}layout(std140) uniform Block { vec4 c; }; out vec4 o; void main() { o = c; }`);
      b.call('glGenBuffers', 2, [2, 3]);
      for (const id of [2, 3])
        b.call('glBindBuffer', GL.UNIFORM_BUFFER, id).call(
          'glBufferData',
          GL.UNIFORM_BUFFER,
          16,
          floats(id / 4, 0, 0, 1),
          0x88e4,
        );
      b.call('glBindBufferBase', GL.UNIFORM_BUFFER, 0, 2).frame();
      return draw(clear(b)).call('glBindBufferBase', GL.UNIFORM_BUFFER, 0, 3);
    },
  },
  {
    name: 'a vertex attribute pointer',
    capture: () =>
      draw(clear(color(base(), 1, 0, 1, 1).frame())).call('glVertexAttribPointer', 0, 2, 0x1406, 0, 8, offset(16)),
  },
  {
    name: 'an enabled vertex attribute and a constant one',
    capture: () =>
      draw(clear(color(base(), 1, 0, 1, 1).frame()))
        .call('glDisableVertexAttribArray', 0)
        .call('glVertexAttrib2f', 0, 0, 0),
  },
  {
    name: 'transform feedback into a buffer that is drawn from',
    capture() {
      const feedback = `${header}layout(location = 0) in vec2 p; out vec2 moved; void main() { moved = p * 0.8; gl_Position = vec4(p, 0.0, 1.0); }`;
      const b = quad(new CaptureBuilder()).program(1, fullScreen, constant);
      b.program(2, feedback, constant, (c) => c.call('glTransformFeedbackVaryings', 2, 1, ['moved'], 0x8c8c));
      b.call('glGenBuffers', 1, [2]).call('glBindBuffer', 0x8c8e, 2).call('glBufferData', 0x8c8e, 32, null, 0x88e8);
      b.call('glUseProgram', 1);
      color(b, 0, 1, 1, 1).frame();
      draw(clear(b));
      b.call('glUseProgram', 2).call('glEnable', 0x8c89).call('glBindBufferBase', 0x8c8e, 0, 2);
      b.call('glBeginTransformFeedback', 0).call('glDrawArrays', 0, 0, 4).call('glEndTransformFeedback');
      b.call('glBindBufferBase', 0x8c8e, 0, 0).call('glDisable', 0x8c89);
      b.call('glBindBuffer', 0x8f36, 2).call('glBindBuffer', 0x8f37, 1);
      return b.call('glCopyBufferSubData', 0x8f36, 0x8f37, 0, 0, 32).call('glUseProgram', 1);
    },
  },
  {
    name: 'a program linked anew',
    capture() {
      const b = base();
      color(b, 1, 0, 0, 1).frame();
      draw(clear(b));
      b.call('glShaderSource', 2, 1, [constant.replace('o = color', 'o = color.grba')], null);
      b.call('glCompileShader', 2).call('glLinkProgram', 1);
      return color(b, 1, 0, 0, 1);
    },
  },
  {
    name: 'a sampler object',
    capture() {
      const b = base(sampling('sampler2D', 'texture(image, uv * 3.0)'));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call(
        'glTexImage2D',
        GL.TEXTURE_2D,
        0,
        GL.RGBA,
        2,
        1,
        0,
        GL.RGBA,
        GL.UNSIGNED_BYTE,
        rgba(255, 0, 0, 255, 0, 255, 0, 255),
      );
      b.call('glGenSamplers', 1, [1]).call('glBindSampler', 0, 1);
      for (const name of [0x2800, 0x2801]) b.call('glSamplerParameteri', 1, name, GL.NEAREST);
      return draw(clear(b.frame())).call('glSamplerParameteri', 1, 0x2802, 0x812f);
    },
  },
  {
    name: 'a texture parameter',
    capture() {
      const b = base(sampling('sampler2D', 'texture(image, uv)'));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, rgba(255, 99, 0, 255));
      nearest(b, GL.TEXTURE_2D).frame();
      return draw(clear(b)).call('glTexParameteri', GL.TEXTURE_2D, 0x8e42, 0x1904);
    },
  },
  {
    name: "a framebuffer's attachment",
    capture() {
      const b = renderTarget(base());
      const attach = (texture: number) =>
        b.call('glFramebufferTexture2D', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
      b.call('glClearColor', 0.5, 0, 0, 1).call('glClear', GL.COLOR_BUFFER_BIT);
      b.call('glGenTextures', 1, [2]).call('glBindTexture', GL.TEXTURE_2D, 2);
      b.call('glTexStorage2D', GL.TEXTURE_2D, 1, 0x8058, 16, 16);
      attach(2).call('glClearColor', 0, 0.5, 0, 1).call('glClear', GL.COLOR_BUFFER_BIT);
      attach(1).frame();
      blitToCanvas(b).call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
      return attach(2);
    },
  },
  {
    name: 'context state',
    capture() {
      const b = base();
      color(b, 0.5, 0.25, 1, 0.5).frame();
      draw(clear(b));
      return b
        .call('glEnable', GL.BLEND)
        .call('glBlendFunc', 0, 1)
        .call('glColorMask', 0, 1, 1, 1)
        .call('glEnable', 0x0c11)
        .call('glScissor', 0, 0, 3, 3)
        .call('glViewport', 4, 4, 8, 8)
        .call('glBindVertexArray', 0)
        .call('glUseProgram', 0);
    },
  },
  {
    name: 'objects that the frame deletes',
    capture() {
      const b = base(sampled);
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, rgba(255, 99, 0, 255));
      nearest(b, GL.TEXTURE_2D).frame();
      return draw(clear(b)).call('glDeleteTextures', 1, [1]).call('glDeleteVertexArrays', 1, [1]);
    },
  },
  {
    name: 'a texture and a renderbuffer whose names are deleted, and that framebuffers hold still',
    capture() {
      const b = color(renderTarget(base()), 0.25, 0.125, 0.5, 1);
      b.call('glGenRenderbuffers', 1, [1]).call('glBindRenderbuffer', GL.RENDERBUFFER, 1);
      b.call('glRenderbufferStorage', GL.RENDERBUFFER, 0x8058, 16, 16).call('glGenFramebuffers', 1, [2]);
      b.call('glBindFramebuffer', GL.FRAMEBUFFER, 2);
      b.call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 1);
      b.call('glClear', GL.COLOR_BUFFER_BIT).call('glBindFramebuffer', GL.FRAMEBUFFER, 0);
      b.call('glDeleteTextures', 1, [1]).call('glDeleteRenderbuffers', 1, [1]).frame();
      blitToCanvas(draw(additive(b.call('glBindFramebuffer', GL.FRAMEBUFFER, 1))));
      draw(b.call('glBindFramebuffer', GL.FRAMEBUFFER, 2)).call('glBindFramebuffer', 0x8ca9, 0);
      return b.call('glBlitFramebuffer', 0, 0, 16, 16, 0, 0, 8, 16, GL.COLOR_BUFFER_BIT, GL.NEAREST);
    },
  },
  {
    name: 'an id that the frame deletes and gives to a new object',
    capture() {
      const b = base(sampled);
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, rgba(255, 99, 0, 255));
      nearest(b, GL.TEXTURE_2D).frame();
      draw(clear(b))
        .call('glDeleteTextures', 1, [1])
        .call('glGenTextures', 1, [1])
        .call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, rgba(0, 9, 200, 255));
      return nearest(b, GL.TEXTURE_2D);
    },
  },
  {
    name: 'a copy from the canvas into a texture',
    capture() {
      const b = base(sampling('sampler2D', 'texture(image, uv) + vec4(0.1)'));
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 16, 16, 0, GL.RGBA, GL.UNSIGNED_BYTE, null);
      nearest(b, GL.TEXTURE_2D).call('glCopyTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 0, 0, 16, 16).frame();
      return draw(clear(b)).call('glCopyTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 0, 0, 16, 16);
    },
  },
  {
    name: 'pixels packed into a buffer and unpacked with a row length',
    capture() {
      const b = base(sampled);
      b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      b.call(
        'glTexImage2D',
        GL.TEXTURE_2D,
        0,
        GL.RGBA,
        1,
        2,
        0,
        GL.RGBA,
        GL.UNSIGNED_BYTE,
        rgba(255, 0, 0, 255, 0, 0, 255, 255),
      );
      nearest(b, GL.TEXTURE_2D);
      b.call('glGenBuffers', 1, [4])
        .call('glBindBuffer', 0x88eb, 4)
        .call('glBufferData', 0x88eb, 64, null, 0x88e9)
        .frame();
      draw(clear(b.call('glBindBuffer', 0x88eb, 4))).call('glReadPixels', 0, 0, 2, 2, GL.RGBA, GL.UNSIGNED_BYTE, 16);
      b.call('glBindBuffer', 0x88eb, 0).call('glBindBuffer', 0x88ec, 4).call('glPixelStorei', 0x0cf2, 2);
      b.call('glTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 1, 2, GL.RGBA, GL.UNSIGNED_BYTE, offset(16));
      return b.call('glBindBuffer', 0x88ec, 0);
    },
  },
  {
    name: 'drawn buffers of the canvas',
    alikeUnrestored: true,
    capture: () =>
      draw(clear(color(base(), 1, 0.5, 0.25, 1).frame()).call('glDrawBuffers', 1, words(0x0405))).call(
        'glDrawBuffers',
        1,
        words(0),
      ),
  },
];
