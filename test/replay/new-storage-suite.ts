/** Frames of WebGL that make storage and read it before they write it: WebGL promises zeros, and depth 1. */
import type { GlContext } from '../../src/gl/context.ts';
import type { CaptureApi } from '../../src/model/capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { bytes, CaptureBuilder, floats, offset } from './memory-capture.ts';

const size = 16;
const GL = {
  TEXTURE_2D: 0x0de1,
  CUBE_MAP: 0x8513,
  FRAMEBUFFER: 0x8d40,
  READ_FRAMEBUFFER: 0x8ca8,
  DRAW_FRAMEBUFFER: 0x8ca9,
  RENDERBUFFER: 0x8d41,
  COLOR_ATTACHMENT0: 0x8ce0,
  DEPTH_ATTACHMENT: 0x8d00,
  RGBA: 0x1908,
  RGBA8: 0x8058,
  UNSIGNED_BYTE: 0x1401,
  COLOR_BUFFER_BIT: 0x4000,
  DEPTH_TEST: 0x0b71,
  MAX_SAMPLES: 0x8d57,
} as const;

const vertex = `attribute vec2 p; varying vec2 uv;
void main() { uv = p * 0.5 + 0.5; gl_Position = vec4(p, 0.8, 1.0); }`;
const fragment = (sampler: string, value: string) =>
  `precision highp float; varying vec2 uv; uniform ${sampler} image; void main() { gl_FragColor = ${value}; }`;

/** A quad and a program; the frame begins with a canvas of half red. */
function begin(value: string, sampler = 'sampler2D', api: CaptureApi = 'webgl2'): CaptureBuilder {
  return new CaptureBuilder({ api })
    .call('glGenBuffers', 1, [1])
    .call('glBindBuffer', 0x8892, 1)
    .call('glBufferData', 0x8892, 32, floats(-1, -1, 1, -1, -1, 1, 1, 1), 0x88e4)
    .call('glEnableVertexAttribArray', 0)
    .call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0))
    .program(1, vertex, fragment(sampler, value), (b) => b.call('glBindAttribLocation', 1, 0, 'p'))
    .call('glUseProgram', 1);
}
const clear = (b: CaptureBuilder) => b.call('glClearColor', 0.5, 0, 0, 1).call('glClear', GL.COLOR_BUFFER_BIT);
const draw = (b: CaptureBuilder) => b.call('glDrawArrays', 5, 0, 4);
const texture = (b: CaptureBuilder, target: number = GL.TEXTURE_2D) =>
  b
    .call('glGenTextures', 1, [1])
    .call('glBindTexture', target, 1)
    .call('glTexParameteri', target, 0x2801, 0x2600)
    .call('glTexParameteri', target, 0x2800, 0x2600)
    .call('glTexParameteri', target, 0x2802, 0x812f)
    .call('glTexParameteri', target, 0x2803, 0x812f);
const framebuffer = (b: CaptureBuilder) =>
  b.call('glGenFramebuffers', 1, [1]).call('glBindFramebuffer', GL.FRAMEBUFFER, 1);
const blitToCanvas = (b: CaptureBuilder) =>
  b
    .call('glBindFramebuffer', GL.READ_FRAMEBUFFER, 1)
    .call('glBindFramebuffer', GL.DRAW_FRAMEBUFFER, 0)
    .call('glBlitFramebuffer', 0, 0, size, size, 0, 0, size, size, GL.COLOR_BUFFER_BIT, 0x2600);

type Pixel = readonly [number, number, number, number];
interface Case {
  readonly name: string;
  readonly capture: CaptureBuilder;
  readonly expected: Pixel;
  readonly isMultisampled?: true;
}

const black: Pixel = [0, 0, 0, 0];
const sampled = 'texture2D(image, uv)';

const cases: readonly Case[] = [
  {
    name: 'texStorage2D',
    capture: draw(texture(clear(begin(sampled).frame())).call('glTexStorage2D', GL.TEXTURE_2D, 1, GL.RGBA8, 64, 64)),
    expected: black,
  },
  {
    name: 'texImage2D of WebGL 1',
    capture: draw(
      texture(clear(begin(sampled, 'sampler2D', 'webgl1').frame())).call(
        ...(['glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 64, 64, 0, GL.RGBA, GL.UNSIGNED_BYTE, null] as const),
      ),
    ),
    expected: black,
  },
  {
    name: 'a half float texture of WebGL 1',
    capture: draw(
      texture(clear(begin(sampled, 'sampler2D', 'webgl1').frame())).call(
        ...(['glTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, 64, 64, 0, GL.RGBA, 0x8d61, null] as const),
      ),
    ),
    expected: black,
  },
  {
    name: 'a depth texture of WebGL 1',
    capture: draw(
      texture(clear(begin(`vec4(0, ${sampled}.r, 0, 1)`, 'sampler2D', 'webgl1').frame())).call(
        ...(['glTexImage2D', GL.TEXTURE_2D, 0, 0x1902, 64, 64, 0, 0x1902, 0x1405, null] as const),
      ),
    ),
    expected: [0, 255, 0, 255],
  },
  {
    name: 'texStorage2D in the setup',
    capture: draw(clear(texture(begin(sampled)).call('glTexStorage2D', GL.TEXTURE_2D, 1, GL.RGBA8, 64, 64).frame())),
    expected: black,
  },
  {
    name: 'one face of a cube map',
    capture: draw(
      [0, 1, 2, 3, 4, 5].reduce(
        (b, face) =>
          b.call(
            ...(['glTexImage2D', 0x8515 + face, 0, GL.RGBA, 1, 1, 0, GL.RGBA, GL.UNSIGNED_BYTE] as const),
            face === 2 ? null : bytes(0, 255, 0, 255),
          ),
        texture(
          clear(begin('textureCube(image, vec3(0, 1, 0)) + textureCube(image, vec3(0, -1, 0))', 'samplerCube').frame()),
          GL.CUBE_MAP,
        ),
      ),
    ),
    expected: [0, 255, 0, 255],
  },
  {
    name: 'a multisampled renderbuffer',
    isMultisampled: true,
    capture: blitToCanvas(
      framebuffer(clear(begin('vec4(1)').frame()))
        .call('glGenRenderbuffers', 1, [1])
        .call('glBindRenderbuffer', GL.RENDERBUFFER, 1)
        .call('glColorMask', 0, 0, 0, 0)
        .call('glEnable', 0x0c11)
        .call('glScissor', 0, 0, 1, 1)
        .call('glRenderbufferStorageMultisample', GL.RENDERBUFFER, 4, GL.RGBA8, size, size)
        .call('glDisable', 0x0c11)
        .call('glColorMask', 1, 1, 1, 1)
        .call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 1),
    ),
    expected: black,
  },
  {
    // Drawn at depth 0.9: only over a depth of 1.
    name: 'a depth renderbuffer',
    capture: blitToCanvas(
      draw(
        framebuffer(clear(begin('vec4(0, 0, 1, 1)').frame()))
          .call('glGenRenderbuffers', 2, [1, 2])
          .call('glBindRenderbuffer', GL.RENDERBUFFER, 1)
          .call('glRenderbufferStorage', GL.RENDERBUFFER, 0x81a5, size, size)
          .call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.DEPTH_ATTACHMENT, GL.RENDERBUFFER, 1)
          .call('glBindRenderbuffer', GL.RENDERBUFFER, 2)
          .call('glRenderbufferStorage', GL.RENDERBUFFER, GL.RGBA8, size, size)
          .call('glFramebufferRenderbuffer', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 2)
          .call('glEnable', GL.DEPTH_TEST),
      ),
    ),
    expected: [0, 0, 255, 255],
  },
  {
    name: 'copyTexImage2D beyond the canvas',
    capture: draw(
      texture(clear(begin(sampled).frame())).call('glCopyTexImage2D', GL.TEXTURE_2D, 0, GL.RGBA, size, 3, 64, 64, 0),
    ),
    expected: black,
  },
  {
    name: 'a canvas that the frame gives another size while nothing may be written',
    capture: clear(begin('vec4(1)').frame())
      .call('glColorMask', 0, 0, 0, 0)
      .call('gpuprofCanvasSize', size * 2, size),
    expected: black,
  },
];

/** Plays each frame three times; what the canvas holds that it should not. */
export async function problemsOfFrames(open: () => Promise<GlContext>): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, capture, expected, isMultisampled } of cases) {
    const context = await open();
    const canMultisample = context.integer(GL.MAX_SAMPLES) >= 4;
    if (isMultisampled && !canMultisample) continue;
    const replayer = await Replayer.create(context, capture.capture());
    const frame = await replayer.loadFrame(1);
    for (let run = 1; run <= 3; run++) {
      if (run > 1) frame.restore();
      frame.play();
      const { data } = frame.readCanvas();
      const at = data.findIndex((component, index) => component !== expected[index % 4]);
      if (at >= 0) problems.push(`${name}, run ${run}: ${data.slice(at - (at % 4), at - (at % 4) + 4)}`);
    }
    for (const error of replayer.glErrors) problems.push(`${name}: ${JSON.stringify(error)}`);
    replayer.destroy();
    context.destroy();
  }
  return problems;
}
