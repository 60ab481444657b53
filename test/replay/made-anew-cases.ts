/** Frames that give an object what no call can take back: immutable storage, a first binding, a first link. */
import { bytes, CaptureBuilder, floats, inline, offset } from './memory-capture.ts';
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
  rgba,
  sampled,
  sampling,
} from './restore-scene.ts';

interface Storage {
  readonly name: string;
  readonly target: number;
  readonly sampler: string;
  readonly value: string;
  readonly store: (b: CaptureBuilder) => CaptureBuilder;
  readonly attach: (b: CaptureBuilder) => CaptureBuilder;
}
const layered = (name: string, target: number, sampler: string): Storage => ({
  name,
  target,
  sampler,
  value: sampler === 'sampler3D' ? 'texture(image, vec3(uv, 0.75))' : 'texture(image, vec3(uv, 1.0))',
  store: (b) => b.call('glTexStorage3D', target, 1, 0x8058, 16, 16, 2),
  attach: (b) => b.call('glFramebufferTextureLayer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, 1, 0, 1),
});
const flat = (name: string, target: number, face: number, sampler: string, value: string): Storage => ({
  name,
  target,
  sampler,
  value,
  store: (b) => b.call('glTexStorage2D', target, 1, 0x8058, 16, 16),
  attach: (b) => b.call('glFramebufferTexture2D', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, face, 1, 0),
});
const storages: readonly Storage[] = [
  flat('2D', GL.TEXTURE_2D, GL.TEXTURE_2D, 'sampler2D', 'texture(image, uv)'),
  flat('cube map', GL.TEXTURE_CUBE_MAP, 0x8517, 'samplerCube', 'texture(image, vec3(0.1, 1.0, 0.1))'),
  layered('3D', GL.TEXTURE_3D, 'sampler3D'),
  layered('array', GL.TEXTURE_2D_ARRAY, 'sampler2DArray'),
];

/** The frame stores, draws into the texture through framebuffer 1, and draws from it. */
const storedInFrame = ({ name, target, sampler, value, store, attach }: Storage, isDeleted: boolean): RestoreCase => ({
  name: `storage of a ${name} texture that was only a name, ${isDeleted ? 'deleted' : 'kept'}`,
  capture() {
    const b = base().program(2, fullScreen, sampling(sampler, value));
    color(b, 0.25, 0.5, 0.125, 1).call('glGenTextures', 1, [1]).call('glGenFramebuffers', 1, [1]);
    b.frame().call('glBindTexture', target, 1);
    nearest(store(b), target).call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
    draw(additive(clear(attach(b))));
    b.call('glDisable', GL.BLEND).call('glBindFramebuffer', GL.FRAMEBUFFER, 0).call('glUseProgram', 2);
    draw(b);
    if (isDeleted) b.call('glDeleteTextures', 1, [1]).call('glDeleteFramebuffers', 1, [1]);
    return b;
  },
});

const pixel = (b: CaptureBuilder, level: number, size: number, value: number) =>
  b.call(
    'glTexImage2D',
    GL.TEXTURE_2D,
    level,
    GL.RGBA,
    size,
    size,
    0,
    GL.RGBA,
    GL.UNSIGNED_BYTE,
    bytes(...new Array(size * size * 4).fill(value)),
  );

const textureCases: readonly RestoreCase[] = [
  ...storages.flatMap((storage) => [storedInFrame(storage, true), storedInFrame(storage, false)]),
  {
    name: 'multisampled storage of a texture that was only a name',
    capture() {
      const b = color(base(), 0.25, 0.5, 0.125, 1).call('glGenTextures', 1, [1]).call('glGenFramebuffers', 1, [1]);
      b.frame().call('glBindTexture', 0x9100, 1).call('glTexStorage2DMultisample', 0x9100, 4, 0x8058, 16, 16, 1);
      b.call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
      b.call('glFramebufferTexture2D', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, 0x9100, 1, 0);
      return blitToCanvas(draw(clear(b)));
    },
  },
  {
    name: 'a texture first bound in the frame, drawn from before it has an image',
    capture() {
      const b = additive(base(sampled)).call('glGenTextures', 1, [1]).frame();
      draw(nearest(clear(b).call('glBindTexture', GL.TEXTURE_2D, 1), GL.TEXTURE_2D));
      return draw(pixel(b, 0, 1, 60));
    },
  },
  ...[true, false].map(
    (isDeleted): RestoreCase => ({
      name: `storage of a bound and attached texture without images, ${isDeleted ? 'deleted' : 'kept'}`,
      capture() {
        const b = base(sampled).program(2, fullScreen, constant).call('glUseProgram', 1);
        b.call('glUniform1i', b.location(1, 'image'), 3).call('glActiveTexture', 0x84c3);
        b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
        nearest(b, GL.TEXTURE_2D).call('glTexParameteri', GL.TEXTURE_2D, 0x8e42, 0x1904);
        b.call('glGenFramebuffers', 2, [1, 2]);
        for (const framebuffer of [1, 2]) {
          b.call('glBindFramebuffer', GL.FRAMEBUFFER, framebuffer);
          b.call('glFramebufferTexture2D', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, 1, 0);
        }
        b.call('glBindFramebuffer', GL.FRAMEBUFFER, 0).call('glDeleteFramebuffers', 1, [2]).frame();
        b.call('glTexStorage2D', GL.TEXTURE_2D, 1, 0x8058, 16, 16).call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
        b.call('glClearColor', 0.25, 0.5, 0, 1).call('glClear', GL.COLOR_BUFFER_BIT);
        draw(b.call('glBindFramebuffer', GL.FRAMEBUFFER, 0)).call('glActiveTexture', 0x84c5);
        return isDeleted ? b.call('glDeleteTextures', 1, [1]) : b;
      },
    }),
  ),
  {
    name: 'storage of a texture that had an image',
    capture() {
      const b = additive(base(sampled)).call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      nearest(pixel(b, 0, 2, 100), GL.TEXTURE_2D).frame();
      draw(clear(b)).call('glTexStorage2D', GL.TEXTURE_2D, 1, 0x8058, 1, 1);
      b.call('glTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, rgba(0, 90, 9, 255));
      return draw(b);
    },
  },
  {
    name: 'a level that makes a texture complete',
    capture() {
      const b = additive(base(sampled)).call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1);
      pixel(b, 0, 2, 100).frame();
      return draw(pixel(draw(clear(b)), 1, 1, 50)).call('glDeleteTextures', 1, [1]);
    },
  },
  {
    name: 'storage of a name that the frame deletes and makes again',
    capture() {
      const b = additive(base(sampled)).call('glGenTextures', 1, [1]);
      clear(b.frame());
      const part = (value: number) => {
        b.call('glBindTexture', GL.TEXTURE_2D, 1).call('glTexStorage2D', GL.TEXTURE_2D, 1, 0x8058, 1, 1);
        nearest(b, GL.TEXTURE_2D);
        const data = rgba(value, 9, value, 255);
        draw(b.call('glTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, data));
      };
      part(40);
      b.call('glDeleteTextures', 1, [1]).call('glGenTextures', 1, [1]);
      part(70);
      return b;
    },
  },
];

const corners = [-1, -1, 1, -1, -1, 1, 1, 1];
const half = corners.map((value) => value / 2);

const otherCases: readonly RestoreCase[] = [
  {
    name: 'a buffer and a vertex array first bound in the frame',
    capture() {
      const b = additive(color(base(), 0.25, 0.5, 0, 1)).call('glGenVertexArrays', 1, [2]);
      clear(b.call('glGenBuffers', 1, [2]).frame());
      draw(b.call('glBindVertexArray', 2).call('glBindBuffer', GL.ARRAY_BUFFER, 2));
      b.call('glBufferData', GL.ARRAY_BUFFER, 32, floats(...half), 0x88e4).call('glEnableVertexAttribArray', 0);
      return draw(b.call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0)));
    },
  },
  {
    name: 'storage of an attached renderbuffer that had none',
    alikeUnrestored: true,
    capture() {
      const b = color(base(), 0.25, 0.5, 0, 1).call('glGenRenderbuffers', 1, [1]).call('glGenFramebuffers', 1, [1]);
      b.call('glBindRenderbuffer', GL.RENDERBUFFER, 1).call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
      b.call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 1).frame();
      b.call('glRenderbufferStorage', GL.RENDERBUFFER, 0x8058, 16, 16);
      return blitToCanvas(draw(additive(clear(b))));
    },
  },
  {
    name: 'a renderbuffer and a framebuffer first bound in the frame, and deleted',
    alikeUnrestored: true,
    capture() {
      const b = color(base(), 0.25, 0.5, 0, 1).call('glGenRenderbuffers', 1, [1]).call('glGenFramebuffers', 1, [1]);
      b.frame().call('glBindRenderbuffer', GL.RENDERBUFFER, 1).call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
      b.call('glRenderbufferStorage', GL.RENDERBUFFER, 0x8058, 16, 16);
      b.call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 1);
      blitToCanvas(draw(additive(clear(b))));
      return b.call('glDeleteFramebuffers', 1, [1]).call('glDeleteRenderbuffers', 1, [1]);
    },
  },
  {
    name: 'a sampler first bound in the frame',
    capture() {
      const b = additive(base(sampling('sampler2D', 'texture(image, uv * 3.0)')));
      nearest(b.call('glGenTextures', 1, [1]).call('glBindTexture', GL.TEXTURE_2D, 1), GL.TEXTURE_2D);
      const texels = rgba(90, 0, 0, 255, 0, 90, 0, 255);
      b.call('glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 2, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE, texels);
      clear(b.call('glGenSamplers', 1, [1]).frame()).call('glBindSampler', 0, 1);
      // Incomplete until it filters without mipmaps.
      return draw(draw(b).call('glSamplerParameteri', 1, 0x2801, GL.NEAREST));
    },
  },
  {
    name: 'a transform feedback first bound in the frame',
    capture() {
      const feedback = `${header}layout(location = 0) in vec2 p; out vec2 moved; void main() { moved = p * 0.8; gl_Position = vec4(p, 0.0, 1.0); }`;
      const b = quad(new CaptureBuilder()).program(1, fullScreen, constant);
      b.program(2, feedback, constant, (c) => c.call('glTransformFeedbackVaryings', 2, 1, ['moved'], 0x8c8c));
      b.call('glGenBuffers', 1, [2]).call('glGenTransformFeedbacks', 1, [1]).call('glUseProgram', 1);
      clear(color(b, 0, 1, 1, 1).frame());
      draw(b).call('glBindTransformFeedback', 0x8e22, 1);
      b.call('glBindBuffer', 0x8c8e, 2).call('glBufferData', 0x8c8e, 32, null, 0x88e8);
      b.call('glUseProgram', 2).call('glEnable', 0x8c89).call('glBindBufferBase', 0x8c8e, 0, 2);
      b.call('glBeginTransformFeedback', 0).call('glDrawArrays', 0, 0, 4).call('glEndTransformFeedback');
      b.call('glBindBufferBase', 0x8c8e, 0, 0).call('glDisable', 0x8c89).call('glBindTransformFeedback', 0x8e22, 0);
      b.call('glBindBuffer', 0x8f36, 2).call('glBindBuffer', 0x8f37, 1);
      return b.call('glCopyBufferSubData', 0x8f36, 0x8f37, 0, 0, 32).call('glUseProgram', 1);
    },
  },
  ...[true, false].map(
    (isDeleted): RestoreCase => ({
      name: `a program first linked in the frame, ${isDeleted ? 'deleted' : 'kept'}`,
      capture() {
        const b = quad(new CaptureBuilder()).made(1, 'glCreateShader', 0x8b31).made(2, 'glCreateShader', 0x8b30);
        clear(b.made(1, 'glCreateProgram').call('glAttachShader', 1, 1).frame());
        b.call('glShaderSource', 1, 1, [fullScreen], null).call('glCompileShader', 1);
        b.call('glShaderSource', 2, 1, [constant], null).call('glCompileShader', 2);
        b.call('glAttachShader', 1, 2).call('glLinkProgram', 1).call('glUseProgram', 1);
        draw(additive(b));
        draw(color(b, 0.25, 0.5, 0, 1));
        if (isDeleted)
          b.call('glDetachShader', 1, 1).call('glDeleteShader', 1).call('glDeleteShader', 2).call('glDeleteProgram', 1);
        return b;
      },
    }),
  ),
  {
    name: 'shaders deleted in the frame, then detached',
    capture: () =>
      draw(clear(color(base(), 1, 0.5, 0, 1).frame()))
        .call('glDeleteShader', 1)
        .call('glDetachShader', 1, 1),
  },
  {
    name: 'shaders made in the frame, deleted, then detached',
    alikeUnrestored: true,
    capture() {
      const b = clear(quad(new CaptureBuilder()).frame()).program(1, fullScreen, constant);
      for (const shader of [1, 2]) b.call('glDeleteShader', shader).call('glDetachShader', 1, shader);
      return draw(color(b.call('glUseProgram', 1), 1, 0.5, 0, 1)).call('glDeleteProgram', 1);
    },
  },
  {
    name: 'a program linked anew from shaders deleted before',
    capture() {
      const b = color(base(), 1, 0.5, 0, 1).call('glDeleteShader', 1).call('glDeleteShader', 2);
      return draw(clear(b.frame())).call('glLinkProgram', 1).call('glDetachShader', 1, 1);
    },
  },
  {
    name: 'shaders detached in the frame',
    capture: () => draw(clear(color(base(), 1, 0.5, 0, 1).frame())).call('glDetachShader', 1, 1),
  },
];

const gl = (b: CaptureBuilder) =>
  color(
    quad(b).program(1, fullScreen.replace('300 es', '330'), constant.replace('300 es', '330')).call('glUseProgram', 1),
    0.25,
    0.5,
    0,
    1,
  );
const desktopBase = () => additive(gl(new CaptureBuilder({ api: 'gl', apiVersion: [4, 5] })));

const desktopCases: readonly RestoreCase[] = [
  {
    name: 'storage of a buffer that was only a name',
    capture() {
      const b = clear(desktopBase().call('glGenBuffers', 1, [2]).frame());
      b.call('glBindBuffer', GL.ARRAY_BUFFER, 2).call('glBufferStorage', GL.ARRAY_BUFFER, 32, floats(...half), 0);
      return draw(draw(b).call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0)));
    },
  },
  {
    name: 'storage of a buffer that a vertex array holds',
    capture() {
      const b = clear(desktopBase().call('glBindVertexArray', 0).frame());
      draw(b.call('glBindVertexArray', 1));
      b.call('glBufferStorage', GL.ARRAY_BUFFER, 32, floats(...half), 0);
      return draw(b).call('glBindVertexArray', 0);
    },
  },
  {
    name: 'a view of a texture',
    capture() {
      const b = desktopBase().call('glGenTextures', 2, [1, 2]);
      b.program(2, fullScreen.replace('300 es', '330'), sampled.replace('300 es', '330'));
      clear(b.frame()).call('glBindTexture', GL.TEXTURE_2D_ARRAY, 1);
      b.call('glTexStorage3D', GL.TEXTURE_2D_ARRAY, 1, 0x8058, 1, 1, 2);
      const data = inline(new Uint8Array([9, 9, 9, 255, 90, 60, 30, 255]));
      const place = [GL.TEXTURE_2D_ARRAY, 0, 0, 0, 0, 1, 1, 2] as const;
      b.call('glTexSubImage3D', ...place, GL.RGBA, GL.UNSIGNED_BYTE, data);
      b.call('glTextureView', 2, GL.TEXTURE_2D, 1, 0x8058, 0, 1, 1, 1).call('glBindTexture', GL.TEXTURE_2D, 2);
      return draw(nearest(b, GL.TEXTURE_2D).call('glUseProgram', 2)).call('glDeleteTextures', 2, [1, 2]);
    },
  },
].map((each) => ({ ...each, desktopOnly: true }));

export const madeAnewCases: readonly RestoreCase[] = [...textureCases, ...otherCases, ...desktopCases];
