import type { GlContext } from '../../src/gl/context.ts';
import { addressOf, Scratch } from '../../src/gl/native.ts';
import type { EventNode, EventTree } from '../../src/model/event-tree.ts';
import type { PlayableFrame } from '../../src/query/run-meter.ts';
import type { BracketHooks, BracketPlan } from '../../src/replay/frame-replay.ts';

const vertexSource = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;
const fragmentSource = `#version 300 es
precision highp float;
uniform int work;
out vec4 colour;
void main() {
  float x = gl_FragCoord.x * 0.001;
  for (int i = 0; i < work; i++) x = fract(x * 1.1 + gl_FragCoord.y * 0.01);
  colour = vec4(x);
}`;

function compile(context: GlContext, program: number, kind: number, source: string): void {
  const { gl } = context;
  const bytes = new Uint8Array(2048);
  bytes.set(Buffer.from(source));
  const pointer = new Scratch(8);
  pointer.u64[0] = BigInt(addressOf(bytes));
  const shader = gl.glCreateShader(kind);
  gl.glShaderSource(shader, 1, pointer.address, 0);
  gl.glCompileShader(shader);
  gl.glAttachShader(program, shader);
}

/** A frame of draws whose shader loops go round as often as `loops` says; each is two calls, a uniform and the draw. */
export function loopFrame(context: GlContext, loops: readonly number[], size: number): PlayableFrame {
  const { gl, scratch } = context;
  const program = gl.glCreateProgram();
  compile(context, program, 0x8b31, vertexSource);
  compile(context, program, 0x8b30, fragmentSource);
  gl.glLinkProgram(program);
  const work = gl.glGetUniformLocation(program, scratch.cString('work'));
  gl.glUseProgram(program);
  gl.glGenTextures(1, scratch.address);
  const texture = scratch.u32[0];
  gl.glBindTexture(0x0de1, texture);
  gl.glTexStorage2D(0x0de1, 1, 0x8058, 512, 512);
  gl.glGenFramebuffers(1, scratch.address);
  gl.glBindFramebuffer(0x8d40, scratch.u32[0]);
  gl.glFramebufferTexture2D(0x8d40, 0x8ce0, 0x0de1, texture, 0);
  gl.glGenVertexArrays(1, scratch.address);
  gl.glBindVertexArray(scratch.u32[0]);
  gl.glViewport(0, 0, size, size);
  const around = (at: Int32Array | undefined, call: number, hook: ((bracket: number) => void) | undefined) => {
    if (at && at[call] >= 0) hook?.(at[call]);
  };
  return {
    frame: 1,
    calls: { length: loops.length * 2 } as PlayableFrame['calls'],
    restore() {},
    play(plan?: BracketPlan, hooks?: BracketHooks) {
      for (let call = 0; call < loops.length * 2; call++) {
        around(plan?.beginAt, call, hooks?.begin);
        if (call % 2 === 0) gl.glUniform1i(work, loops[call >> 1]);
        else gl.glDrawArrays(4, 0, 3);
        around(plan?.endAt, call, hooks?.end);
      }
    },
  };
}

const leaf = {
  kind: 'draw',
  parent: 0,
  depth: 1,
  isLeaf: true,
  draws: 1,
  program: 1,
  target: 'framebuffer 1',
} as const;

/** The tree of a {@link loopFrame}: the frame and its draws. */
export function loopTree(draws: number): EventTree {
  const frame: EventNode = {
    eventId: null,
    firstEventId: 1,
    lastEventId: draws * 2,
    kind: 'frame',
    name: 'Frame 1',
    path: '',
    depth: 0,
    parent: -1,
    isLeaf: false,
    draws,
    program: 0,
    target: '',
  };
  const nodes = Array.from({ length: draws }, (_, index): EventNode => {
    const eventId = index * 2 + 2;
    return {
      ...leaf,
      eventId,
      firstEventId: eventId,
      lastEventId: eventId,
      name: `draw ${index}`,
      path: `draw ${index}`,
    };
  });
  return { nodes: [frame, ...nodes], leaves: nodes.map((_, index) => index + 1) };
}
