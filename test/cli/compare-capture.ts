/** A capture of two quads, one behind the other, and what a commit may do to it. */
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import type { CaptureSink } from '../../src/model/sink.ts';

const TRIANGLES = 4;
const GL_LESS = 0x0201;
const GL_ALWAYS = 0x0207;
const GL_DEPTH_TEST = 0x0b71;
const GL_TEXTURE_2D = 0x0de1;
const GL_RGBA8 = 0x8058;
const GL_TEXTURE = 0x1702;
const GL_RENDERBUFFER = 0x8d41;
const GL_FRAMEBUFFER = 0x8d40;
const GL_COLOR_ATTACHMENT0 = 0x8ce0;
const GL_DEPTH_ATTACHMENT = 0x8d00;
const GL_DEPTH_COMPONENT16 = 0x81a5;

/** Two triangles that cover the canvas, and further ones in a corner. */
const vertexShader = `#version 300 es
uniform float depth;
out vec2 place;
void main() {
  int corner = gl_VertexID % 3 + (gl_VertexID < 3 ? 0 : 1);
  place = vec2(corner & 1, corner >> 1);
  vec2 at = gl_VertexID < 6 ? 2.0 * place - 1.0 : 0.1 * place;
  gl_Position = vec4(at, depth, 1);
}`;

const fragmentShader = (loops: number, last: string): string => `#version 300 es
precision highp float;
uniform sampler2D image;
in vec2 place;
out vec4 result;
void main() {
  vec4 sum = texture(image, place);
  for (int step = 0; step < ${loops}; step++) sum = fract(sum * 1.37 + 0.11);
  result = sum;
  ${last}
}`;

export interface Change {
  /** Triangles of the front quad; 2 by default. */
  readonly triangles?: number;
  /** How often the front quad is drawn; once by default. */
  readonly times?: number;
  /** Of the texture; 64 by default. */
  readonly side?: number;
  /** Whether the depth test of the back quad lets everything through. */
  readonly depthAlways?: boolean;
  /** State of the back quad, or what all fragments end with. */
  readonly late?: 'no test' | 'no write' | 'discard' | 'gl_FragDepth';
  /** Quads of these sizes in pixels, drawn after the others by the same call. */
  readonly row?: readonly number[];
  /** Draws into a framebuffer of its own, with a depth buffer or without. */
  readonly framed?: 'depth' | 'flat';
  /** Side of a texture, labelled `unused`, that nothing uses; none by default. */
  readonly spare?: number;
  /** Name of the front quad's marker. */
  readonly front?: string;
  /** Rounds of each fragment's loop. */
  readonly loops?: number;
  readonly canvas?: number;
  readonly frames?: number;
}

const lastStatements: Readonly<Partial<Record<NonNullable<Change['late']>, string>>> = {
  discard: 'if (sum.x > 5.0) discard;',
  gl_FragDepth: 'gl_FragDepth = gl_FragCoord.z;',
};

/** Of 64 by 64 pixels; the depth buffer is there in any case. */
function recordFramebuffer(call: ReturnType<typeof caller>, framed: 'depth' | 'flat'): void {
  call('glGenTextures', [1, [2]]);
  call('glBindTexture', [GL_TEXTURE_2D, 2]);
  call('glTexStorage2D', [GL_TEXTURE_2D, 1, GL_RGBA8, 64, 64]);
  call('glGenRenderbuffers', [1, [1]]);
  call('glBindRenderbuffer', [GL_RENDERBUFFER, 1]);
  call('glRenderbufferStorage', [GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 64, 64]);
  call('glGenFramebuffers', [1, [1]]);
  call('glBindFramebuffer', [GL_FRAMEBUFFER, 1]);
  call('glFramebufferTexture2D', [GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 2, 0]);
  if (framed === 'depth') call('glFramebufferRenderbuffer', [GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 1]);
}

function recordSetup(sink: CaptureSink, { side = 64, loops = 1, late, framed, spare }: Change): void {
  const call = caller(sink);
  call('glCreateProgram', [], 1);
  for (const [shader, kind, source] of [
    [1, 0x8b31, vertexShader],
    [2, 0x8b30, fragmentShader(loops, late ? (lastStatements[late] ?? '') : '')],
  ] as const) {
    call('glCreateShader', [kind], shader);
    call('glShaderSource', [shader, 1, [source], null]);
    call('glCompileShader', [shader]);
    call('glAttachShader', [1, shader]);
  }
  call('glLinkProgram', [1]);
  call('glUseProgram', [1]);
  if (framed) recordFramebuffer(call, framed);
  if (spare) {
    call('glGenTextures', [1, [3]]);
    call('glBindTexture', [GL_TEXTURE_2D, 3]);
    call('glTexStorage2D', [GL_TEXTURE_2D, 1, GL_RGBA8, spare, spare]);
    call('glObjectLabelKHR', [GL_TEXTURE, 3, 6, 'unused']);
  }
  call('glGenTextures', [1, [1]]);
  call('glBindTexture', [GL_TEXTURE_2D, 1]);
  call('glTexStorage2D', [GL_TEXTURE_2D, 1, GL_RGBA8, side, side]);
  call('glEnable', [GL_DEPTH_TEST]);
}

const caller =
  (sink: CaptureSink) =>
  (name: string, args: readonly Argument[], result?: number): void => {
    const signature = signatureOf(name);
    if (!signature) throw new Error(`no command ${name}`);
    sink.call(signature, args, result);
  };

function recordFrame(sink: CaptureSink, change: Change): void {
  const { triangles = 2, times = 1, depthAlways = false, late, row = [], front = 'front' } = change;
  const call = caller(sink);
  const depth = sink.location(1, 'depth');
  sink.beginFrame();
  call('glClear', [0x4100]);
  call('glDepthFunc', [GL_LESS]);
  call('glPushGroupMarkerEXT', [0, front]);
  call('glUniform1f', [depth, 0]);
  for (let time = 0; time < times; time++) call('glDrawArrays', [TRIANGLES, 0, 3 * triangles]);
  call('glPopGroupMarkerEXT', []);
  call('glPushGroupMarkerEXT', [0, 'back']);
  if (depthAlways) call('glDepthFunc', [GL_ALWAYS]);
  if (late === 'no test') call('glDisable', [GL_DEPTH_TEST]);
  if (late === 'no write') call('glDepthMask', [0]);
  call('glUniform1f', [depth, 0.5]);
  call('glDrawArrays', [TRIANGLES, 0, 6]);
  call('glPopGroupMarkerEXT', []);
  for (const size of row) {
    call('glViewport', [0, 0, size, size]);
    call('glDrawArrays', [TRIANGLES, 0, 6]);
  }
}

export async function writeQuads(path: string, change: Change = {}): Promise<string> {
  const { canvas = 64, frames = 1 } = change;
  const writer = await CaptureWriter.create(path, {
    api: 'webgl2',
    apiVersion: [3, 0],
    origin: { producer: 'test', driver: 'none', vendor: 'v', renderer: 'none', version: '1' },
    canvas: { width: canvas, height: canvas, alpha: true, depth: true, stencil: false, samples: 0, preserved: false },
    requires: { extensions: [], limits: {} },
  });
  recordSetup(writer, change);
  for (let frame = 0; frame < frames; frame++) recordFrame(writer, change);
  await writer.finish();
  return path;
}
