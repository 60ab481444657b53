/** What the frames of the restore tests are made of: a quad in buffer 1 and vertex array 1, drawn with program 1. */
import { bytes, CaptureBuilder, floats, offset } from './memory-capture.ts';

export interface RestoreCase {
  readonly name: string;
  readonly capture: () => CaptureBuilder;
  /** Without any restoring the picture stays by accident; it changes when all but this is restored. */
  readonly alikeUnrestored?: true;
  /** Only for desktop GL. */
  readonly desktopOnly?: true;
}

export const GL = {
  ARRAY_BUFFER: 0x8892,
  UNIFORM_BUFFER: 0x8a11,
  TEXTURE_2D: 0x0de1,
  TEXTURE_3D: 0x806f,
  TEXTURE_2D_ARRAY: 0x8c1a,
  TEXTURE_CUBE_MAP: 0x8513,
  FRAMEBUFFER: 0x8d40,
  RENDERBUFFER: 0x8d41,
  COLOR_ATTACHMENT0: 0x8ce0,
  DEPTH_STENCIL_ATTACHMENT: 0x821a,
  BLEND: 0x0be2,
  DEPTH_TEST: 0x0b71,
  STENCIL_TEST: 0x0b90,
  RGBA: 0x1908,
  UNSIGNED_BYTE: 0x1401,
  NEAREST: 0x2600,
  COLOR_BUFFER_BIT: 0x4000,
} as const;

export const header = '#version 300 es\nprecision highp float; precision highp int;\n';
export const fullScreen = `${header}layout(location = 0) in vec2 p; uniform vec4 shift; out vec2 uv;
void main() { uv = p * 0.5 + 0.5; gl_Position = vec4(p, 0.0, 1.0) + shift; }`;
export const constant = `${header}uniform vec4 color; out vec4 o; void main() { o = color; }`;
export const sampling = (sampler: string, value: string) =>
  `${header}precision highp ${sampler}; in vec2 uv; uniform ${sampler} image; out vec4 o; void main() { o = vec4(${value}); }`;
export const sampled = sampling('sampler2D', 'texture(image, uv)');

/** A quad in buffer 1 and vertex array 1, in use. */
export function quad(b: CaptureBuilder): CaptureBuilder {
  return b
    .call('glGenBuffers', 1, [1])
    .call('glBindBuffer', GL.ARRAY_BUFFER, 1)
    .call('glBufferData', GL.ARRAY_BUFFER, 32, floats(-1, -1, 1, -1, -1, 1, 1, 1), 0x88e4)
    .call('glGenVertexArrays', 1, [1])
    .call('glBindVertexArray', 1)
    .call('glEnableVertexAttribArray', 0)
    .call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0));
}

export const base = (fragment = constant, vertex = fullScreen): CaptureBuilder =>
  quad(new CaptureBuilder()).program(1, vertex, fragment).call('glUseProgram', 1);
export const clear = (b: CaptureBuilder) => b.call('glClearColor', 0, 0, 0.25, 1).call('glClear', GL.COLOR_BUFFER_BIT);
export const draw = (b: CaptureBuilder) => b.call('glDrawArrays', 5, 0, 4);
export const color = (b: CaptureBuilder, r: number, g: number, bl: number, a: number) =>
  b.call('glUniform4f', b.location(1, 'color'), r, g, bl, a);
export const nearest = (b: CaptureBuilder, target: number) =>
  b.call('glTexParameteri', target, 0x2801, GL.NEAREST).call('glTexParameteri', target, 0x2800, GL.NEAREST);

export const additive = (b: CaptureBuilder) => b.call('glEnable', GL.BLEND).call('glBlendFunc', 1, 1);

/** Renders into texture 1 through framebuffer 1. */
export function renderTarget(b: CaptureBuilder, internal = 0x8058): CaptureBuilder {
  return b
    .call('glGenTextures', 1, [1])
    .call('glBindTexture', GL.TEXTURE_2D, 1)
    .call('glTexStorage2D', GL.TEXTURE_2D, 1, internal, 16, 16)
    .call('glGenFramebuffers', 1, [1])
    .call('glBindFramebuffer', GL.FRAMEBUFFER, 1)
    .call('glFramebufferTexture2D', GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, 1, 0)
    .call('glClearColor', 0, 0, 0, 0)
    .call('glClear', GL.COLOR_BUFFER_BIT);
}
export const blitToCanvas = (b: CaptureBuilder) =>
  b
    .call('glBindFramebuffer', 0x8ca8, 1)
    .call('glBindFramebuffer', 0x8ca9, 0)
    .call('glBlitFramebuffer', 0, 0, 16, 16, 0, 0, 16, 16, GL.COLOR_BUFFER_BIT, GL.NEAREST);
export const rgba = (...values: number[]) => bytes(...values);
