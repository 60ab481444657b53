import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import { Bindings } from '../../src/model/bindings.ts';
import type { ActionKind } from '../../src/model/event-tree.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { CaptureBuilder, floats } from './memory-capture.ts';

/** By leaf: what was read after it, as target and first pixel; null for nothing, a message for what cannot be read. */
async function readings(b: CaptureBuilder, api: Api): Promise<unknown[]> {
  const capture = b.capture();
  const context = await openContext('egl', { api });
  try {
    const replayer = await Replayer.create(context, capture);
    const bindings = new Bindings();
    for (const call of await capture.setup()) bindings.apply(call);
    const calls = await capture.frame(1);
    const { nodes, leaves } = buildEventTree(bindings, calls, capture.manifest);
    const found: unknown[] = [];
    await replayer.watch(1, (eventId) => {
      for (const { lastEventId, kind } of leaves.map((leaf) => nodes[leaf])) {
        if (lastEventId !== eventId) continue;
        try {
          const target = replayer.readAction(kind as ActionKind, calls.call(eventId - 1));
          const isGrey = target?.kind === 'depth' || target?.kind === 'stencil';
          found.push(
            target && [
              `${target.attachment} of ${target.framebuffer}, ${target.width}x${target.height}`,
              // Depth of 24 bits is next to what was cleared.
              ...Array.from(target.values.subarray(0, isGrey ? 1 : 4), (value) => Number(value.toFixed(3))),
            ],
          );
        } catch (error) {
          found.push((error as Error).message);
        }
      }
      return true;
    });
    assert.equal(context.gl.glGetError(), 0);
    assert.deepEqual(replayer.glErrors, []);
    return found;
  } finally {
    context.destroy();
  }
}

const [FRAMEBUFFER, READ_FRAMEBUFFER, DRAW_FRAMEBUFFER, RENDERBUFFER] = [0x8d40, 0x8ca8, 0x8ca9, 0x8d41];
const [TEXTURE_2D, TEXTURE_CUBE_MAP, TEXTURE_2D_ARRAY, TEXTURE_3D] = [0xde1, 0x8513, 0x8c1a, 0x806f];
const [RGBA8, DEPTH24_STENCIL8, COLOR_ATTACHMENT0] = [0x8058, 0x88f0, 0x8ce0];
const [COLOR, DEPTH, STENCIL, ALL] = [0x4000, 0x100, 0x400, 0x4500];

/** Framebuffer 1 with textures 1 and 2 as colours 0 and 2, and a renderbuffer with depth and stencil, all 2x2. */
function targets(): CaptureBuilder {
  const b = new CaptureBuilder({ api: 'gl', apiVersion: [4, 5], canvas: { width: 2, height: 2, depth: true } });
  b.call('glGenFramebuffers', 1, [1]).call('glBindFramebuffer', FRAMEBUFFER, 1);
  b.call('glGenTextures', 2, [1, 2]);
  for (const [id, point] of [
    [1, 0],
    [2, 2],
  ]) {
    b.call('glBindTexture', TEXTURE_2D, id).call('glTexStorage2D', TEXTURE_2D, 2, RGBA8, 2, 2);
    b.call('glFramebufferTexture2D', FRAMEBUFFER, COLOR_ATTACHMENT0 + point, TEXTURE_2D, id, 0);
  }
  b.call('glGenRenderbuffers', 1, [1]).call('glBindRenderbuffer', RENDERBUFFER, 1);
  b.call('glRenderbufferStorage', RENDERBUFFER, DEPTH24_STENCIL8, 2, 2);
  b.call('glFramebufferRenderbuffer', FRAMEBUFFER, 0x821a, RENDERBUFFER, 1);
  return b;
}

test('after a clear, the first of what it clears', async () => {
  const b = targets().frame();
  b.call('glClearColor', 1, 0, 0, 1).call('glClearDepthf', 0.5).call('glClearStencil', 7);
  b.call('glClear', ALL)
    .call('glClear', DEPTH | STENCIL)
    .call('glClear', STENCIL);
  // The mask keeps colours, so that it is depth that changes.
  b.call('glColorMask', 0, 0, 0, 0)
    .call('glClear', COLOR | DEPTH)
    .call('glColorMask', 1, 1, 1, 1);
  b.call('glDrawBuffer', COLOR_ATTACHMENT0 + 2).call('glClearBufferfv', 0x1800, 0, floats(0, 1, 0, 1));
  b.call('glClearBufferfi', 0x84f9, 0, 0.25, 3);
  b.call('glBindFramebuffer', FRAMEBUFFER, 0).call('glClear', COLOR);
  b.call('glClearNamedFramebufferfv', 1, 0x1800, 0, floats(0, 0, 1, 1));
  assert.deepEqual(await readings(b, 'gl'), [
    ['COLOR0 of framebuffer 1, 2x2', 255, 0, 0, 255],
    ['depth of framebuffer 1, 2x2', 0.5],
    ['stencil of framebuffer 1, 2x2', 7],
    ['depth of framebuffer 1, 2x2', 0.5],
    ['COLOR2 of framebuffer 1, 2x2', 0, 255, 0, 255],
    ['depth of framebuffer 1, 2x2', 0.25],
    ['COLOR0 of the canvas, 2x2', 255, 0, 0, 255],
    ['COLOR2 of framebuffer 1, 2x2', 0, 0, 255, 255],
  ]);
});

test('after a blit or a copy, what it was made into', async () => {
  const b = targets();
  b.call('glGenTextures', 3, [3, 4, 5]);
  for (const [id, target, depth] of [
    [4, TEXTURE_2D_ARRAY, 3],
    [5, TEXTURE_3D, 4],
  ]) {
    b.call('glBindTexture', target, id);
    b.call('glTexStorage3D', target, 2, RGBA8, 2, 2, depth);
  }
  b.call('glBindTexture', TEXTURE_CUBE_MAP, 3).call('glTexStorage2D', TEXTURE_CUBE_MAP, 1, RGBA8, 2, 2);
  b.call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x88eb, 1).call('glBufferData', 0x88eb, 64, null, 0x88e4);
  b.frame();
  b.call('glClearColor', 1, 0, 1, 1).call('glClear', COLOR);
  b.call('glBindFramebuffer', DRAW_FRAMEBUFFER, 0);
  b.call('glBlitFramebuffer', 0, 0, 2, 2, 0, 0, 2, 2, COLOR, 0x2600);
  b.call('glBindFramebuffer', READ_FRAMEBUFFER, 1);
  b.call('glCopyTexSubImage2D', 0x8516, 0, 0, 0, 0, 0, 2, 2);
  b.call('glCopyTexSubImage3D', TEXTURE_2D_ARRAY, 1, 0, 0, 2, 0, 0, 1, 1);
  b.call('glCopyImageSubData', 1, TEXTURE_2D, 0, 0, 0, 0, 5, TEXTURE_3D, 0, 0, 0, 3, 2, 2, 1);
  b.call('glBlitNamedFramebuffer', 1, 1, 0, 0, 2, 2, 0, 0, 2, 2, DEPTH, 0x2600);
  b.call('glReadPixels', 0, 0, 2, 2, 0x1908, 0x1401, { kind: 'offset', offset: 0 });
  b.call('glGenerateMipmap', TEXTURE_CUBE_MAP);
  assert.deepEqual(await readings(b, 'gl'), [
    ['COLOR0 of framebuffer 1, 2x2', 255, 0, 255, 255],
    ['COLOR0 of the canvas, 2x2', 255, 0, 255, 255],
    ['level 0, layer 1 of texture 3, 2x2', 255, 0, 255, 255],
    ['level 1, layer 2 of texture 4, 1x1', 255, 0, 255, 255],
    ['level 0, layer 3 of texture 5, 2x2', 255, 0, 255, 255],
    ['depth of framebuffer 1, 2x2', 0],
    null,
    null,
  ]);
});

const vertexShader = `#version 310 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }`;
const fragmentShader = `#version 310 es
precision mediump float;
out vec4 color;
void main() { color = vec4(0, 1, 1, 1); }`;
const computeShader = `#version 310 es
layout(local_size_x = 1) in;
layout(rgba8, binding = 1) uniform writeonly highp image2D image;
void main() { imageStore(image, ivec2(0), vec4(1, 1, 0, 1)); }`;

function withPrograms(): CaptureBuilder {
  const b = targets();
  for (const [program, ...sources] of [
    [1, [0x8b31, vertexShader], [0x8b30, fragmentShader]],
    [2, [0x91b9, computeShader]],
  ] as const) {
    b.made(program, 'glCreateProgram');
    for (const [at, [kind, source]] of sources.entries()) {
      const shader = program * 2 + at;
      b.made(shader, 'glCreateShader', kind).call('glShaderSource', shader, 1, [source], null);
      b.call('glCompileShader', shader).call('glAttachShader', program, shader);
    }
    b.call('glLinkProgram', program);
  }
  b.call('glGenVertexArrays', 1, [1]).call('glBindVertexArray', 1).call('glUseProgram', 1);
  return b.call('glViewport', 0, 0, 2, 2);
}

test('after a draw or a dispatch, the first colour; depth where no colour is written; an image', async () => {
  const b = withPrograms().frame();
  const draw = () => b.call('glDrawArrays', 4, 0, 3);
  draw();
  b.call('glColorMask', 0, 0, 0, 0);
  draw();
  b.call('glEnable', 0xb71).call('glDepthFunc', 0x207);
  draw();
  b.call('glEnable', 0x8c89);
  draw();
  b.call('glDisable', 0x8c89).call('glColorMask', 1, 1, 1, 1);
  b.call('glBindImageTexture', 1, 1, 0, 0, 0, 0x88b9, RGBA8).call('glUseProgram', 2).call('glDispatchCompute', 1, 1, 1);
  assert.deepEqual(await readings(b, 'gl'), [
    ['COLOR0 of framebuffer 1, 2x2', 0, 255, 255, 255],
    null,
    ['depth of framebuffer 1, 2x2', 0.5],
    null,
    ['level 0 of texture 1, 2x2', 255, 255, 0, 255],
  ]);
});

test('glBegin to glEnd is one action', async () => {
  const b = new CaptureBuilder({ api: 'gl', apiVersion: [2, 1], canvas: { width: 1, height: 1 } }).frame();
  b.call('glBegin', 7);
  for (const [x, y] of [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ])
    b.call('glVertex2f', x, y);
  b.call('glEnd');
  assert.deepEqual(await readings(b, 'gl'), [['COLOR0 of the canvas, 1x1', 255, 255, 255, 255]]);
});
