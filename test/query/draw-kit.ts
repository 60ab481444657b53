/** Small programs and targets whose work can be counted by hand, drawn without a capture. */
import assert from 'node:assert/strict';
import type { GlContext } from '../../src/gl/context.ts';
import { addressOf, Scratch } from '../../src/gl/native.ts';

const stages = {
  vertex: 0x8b31,
  fragment: 0x8b30,
  geometry: 0x8dd9,
  control: 0x8e88,
  evaluation: 0x8e87,
  compute: 0x91b9,
} as const;

type Sources = Partial<Record<keyof typeof stages, string>>;

/** `varying` is the output that transform feedback captures. */
export function linkProgram({ gl, scratch }: GlContext, sources: Sources, varying?: string): number {
  const program = gl.glCreateProgram();
  const pointer = new Scratch(8);
  const point = (text: string): number => {
    const bytes = new Uint8Array(2048);
    bytes.set(Buffer.from(`${text}\0`));
    kept.push(bytes);
    pointer.u64[0] = BigInt(addressOf(bytes));
    return pointer.address;
  };
  const kept: Uint8Array[] = [];
  for (const [stage, source] of Object.entries(sources)) {
    const shader = gl.glCreateShader(stages[stage as keyof typeof stages]);
    gl.glShaderSource(shader, 1, point(source), 0);
    gl.glCompileShader(shader);
    gl.glAttachShader(program, shader);
  }
  if (varying) gl.glTransformFeedbackVaryings(program, 1, point(varying), 0x8c8c);
  gl.glLinkProgram(program);
  gl.glGetProgramiv(program, 0x8b82, scratch.address);
  assert.equal(scratch.i32[0], 1, 'the program links');
  return program;
}

const white = 'out vec4 c; void main() { c = vec4(1.0); }';

/** A program whose vertices stand at `position`, an expression of gl_VertexID. */
export function drawing(context: GlContext, position: string, header = '#version 300 es\nprecision highp float;\n') {
  return linkProgram(context, {
    vertex: `${header}void main() { gl_PointSize = 1.0; gl_Position = ${position}; }`,
    fragment: `${header}${white}`,
  });
}

/** Positions of a triangle that covers more than all, of a strip of two triangles that covers all, of points inside. */
export const positions = {
  triangle: 'vec4(gl_VertexID % 3 == 1 ? 3.0 : -1.0, gl_VertexID % 3 == 2 ? 3.0 : -1.0, 0.0, 1.0)',
  strip: 'vec4(gl_VertexID % 2 == 1 ? 1.0 : -1.0, gl_VertexID / 2 == 1 ? 1.0 : -1.0, 0.0, 1.0)',
  points: 'vec4(float(gl_VertexID) / 16.0 + 0.01, 0.01, 0.0, 1.0)',
} as const;

/** A square target in use, and a vertex array. */
export function useTarget({ gl, scratch }: GlContext, size: number): void {
  gl.glGenTextures(1, scratch.address);
  const texture = scratch.u32[0];
  gl.glBindTexture(0x0de1, texture);
  gl.glTexStorage2D(0x0de1, 1, 0x8058, size, size);
  gl.glGenFramebuffers(1, scratch.address);
  gl.glBindFramebuffer(0x8d40, scratch.u32[0]);
  gl.glFramebufferTexture2D(0x8d40, 0x8ce0, 0x0de1, texture, 0);
  gl.glGenVertexArrays(1, scratch.address);
  gl.glBindVertexArray(scratch.u32[0]);
  gl.glViewport(0, 0, size, size);
}

/** A buffer with these bytes at a target, bound. */
export function bindBuffer({ gl, scratch }: GlContext, target: number, data: ArrayBufferView): number {
  gl.glGenBuffers(1, scratch.address);
  const buffer = scratch.u32[0];
  gl.glBindBuffer(target, buffer);
  const bytes = new Uint8Array(Math.max(256, data.byteLength));
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  gl.glBufferData(target, bytes.byteLength, addressOf(bytes), 0x88e4);
  return buffer;
}
