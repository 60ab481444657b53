import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatCall } from '../../src/gl/format-call.ts';
import { openContext } from '../../src/gl/open.ts';
import { importFormatOf } from '../../src/import/formats.ts';
import { importCapture } from '../../src/import/import-capture.ts';
import { trimCapture } from '../../src/import/trim/trim.ts';
import type { Capture } from '../../src/model/capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { current, swap, type Traced, translated } from './translated.ts';

const ARRAY_BUFFER = 0x8892;
const TEXTURE_2D = 0xde1;
const RGBA8 = 0x8058;
const FRAMEBUFFER = 0x8d40;
const COLOR_ATTACHMENT0 = 0x8ce0;
const SCISSOR_TEST = 0xc11;
const BLEND = 0xbe2;

const clear: Traced = ['glClear', [0x4000]];
const clearAll: Traced = ['glClear', [0x4500]];
const draw: Traced = ['glDrawArrays', [4, 0, 3]];
const bindTexture = (name: number): Traced => ['glBindTexture', [TEXTURE_2D, name]];
const bindFramebuffer = (name: number): Traced => ['glBindFramebuffer', [FRAMEBUFFER, name]];
const store: Traced = ['glTexStorage2D', [TEXTURE_2D, 1, RGBA8, 4, 4]];
const attach = (name: number): Traced => [
  'glFramebufferTexture2D',
  [FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, name, 0],
];

/** Calls, as lines, that the setup keeps when `before` is drawn in a frame before the one of `frame`. */
async function kept(before: readonly Traced[], frame: readonly Traced[]): Promise<readonly string[]> {
  const { capture } = await translated([...current, ...before, swap, ...frame], { first: 2, last: 2 });
  const trimmed = (await trimCapture(capture)).capture;
  assert.deepEqual(await lines(trimmed, 1), await lines(capture, 1), 'the frame stays as it is');
  return (await lines(trimmed, 0)).map((line) => line.replace(/^gl/, '').replace(/\w+ = /g, ''));
}

async function lines(capture: Capture, frame: number): Promise<string[]> {
  const stream = frame === 0 ? await capture.setup() : await capture.frame(frame);
  return [...stream].map((call) => formatCall(call, capture.manifest));
}

test('what nobody uses is left out, and what the frame uses stays with its contents', async () => {
  const texture = (name: number): Traced[] => [['glGenTextures', [1, [name]]], bindTexture(name), store];
  assert.deepEqual(await kept([...texture(1), ...texture(2), draw], [bindTexture(1), clear, draw]), [
    'GenTextures(1, [texture 1])',
    'BindTexture(GL_TEXTURE_2D, texture 1)',
    'TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4)',
    // Bound when the frame begins.
    'GenTextures(1, [texture 2])',
    'BindTexture(GL_TEXTURE_2D, texture 2)',
  ]);
});

test('of state the last setting stays, and what is bound when the frame begins', async () => {
  const before: Traced[] = [
    ['glEnable', [BLEND]],
    ['glClearColor', [1, 0, 0, 1]],
    clear,
    ['glDisable', [BLEND]],
    ['glClearColor', [0, 1, 0, 1]],
    ['glFenceSync', [0x9117, 0], 5],
    ['glFinish', []],
    draw,
  ];
  assert.deepEqual(await kept(before, [clear, draw]), ['Disable(GL_BLEND)', 'ClearColor(0, 1, 0, 1)']);
});

test('what was drawn stays where the frame does not clear all of it', async () => {
  const scissors: Traced = ['glEnable', [SCISSOR_TEST]];
  assert.deepEqual(await kept([clear, draw], [scissors, clear]), [
    'Clear(GL_COLOR_BUFFER_BIT)',
    'DrawArrays(GL_TRIANGLES, 0, 3)',
  ]);
  assert.deepEqual(await kept([scissors, clear, draw, ['glDisable', [SCISSOR_TEST]]], [clear]), [
    'Disable(GL_SCISSOR_TEST)',
  ]);
  // The whole clear ends the need for the first draw, not for the second.
  assert.deepEqual(await kept([draw, clear, draw], [draw]), [
    'Clear(GL_COLOR_BUFFER_BIT)',
    'DrawArrays(GL_TRIANGLES, 0, 3)',
  ]);
});

test('a draw is kept for the texture that it drew into, with the state it had', async () => {
  const before: Traced[] = [
    ['glGenFramebuffers', [1, [1]]],
    ['glGenFramebuffers', [1, [2]]],
    ['glGenTextures', [1, [1]]],
    ['glGenTextures', [1, [2]]],
    bindTexture(1),
    store,
    bindTexture(2),
    store,
    bindTexture(0),
    bindFramebuffer(1),
    attach(1),
    ['glViewport', [0, 0, 4, 4]],
    draw,
    bindFramebuffer(2),
    attach(2),
    ['glViewport', [0, 0, 2, 2]],
    draw,
    bindFramebuffer(0),
    ['glViewport', [0, 0, 8, 8]],
    draw,
  ];
  assert.deepEqual(await kept(before, [clear, bindTexture(1), draw]), [
    'GenFramebuffers(1, [framebuffer 1])',
    'GenTextures(1, [texture 1])',
    'BindTexture(GL_TEXTURE_2D, texture 1)',
    'TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4)',
    'BindTexture(GL_TEXTURE_2D, 0)',
    'BindFramebuffer(GL_FRAMEBUFFER, framebuffer 1)',
    'FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture 1, 0)',
    'Viewport(0, 0, 4, 4)',
    'DrawArrays(GL_TRIANGLES, 0, 3)',
    'BindFramebuffer(GL_FRAMEBUFFER, canvas)',
    'Viewport(0, 0, 8, 8)',
  ]);
});

test('new storage ends the need for what a buffer held, the same range for what it replaces', async () => {
  const before: Traced[] = [
    ['glGenBuffers', [1, [1]]],
    ['glBindBuffer', [ARRAY_BUFFER, 1]],
    ['glBufferData', [ARRAY_BUFFER, 4, new Uint8Array([1, 1, 1, 1]), 0x88e4]],
    ['glBufferSubData', [ARRAY_BUFFER, 0, 2, new Uint8Array([2, 2])]],
    ['glBufferData', [ARRAY_BUFFER, 4, new Uint8Array([3, 3, 3, 3]), 0x88e4]],
    ['glBufferSubData', [ARRAY_BUFFER, 0, 2, new Uint8Array([4, 4])]],
    ['glBufferSubData', [ARRAY_BUFFER, 2, 2, new Uint8Array([5, 5])]],
    ['glBufferSubData', [ARRAY_BUFFER, 0, 2, new Uint8Array([6, 6])]],
    draw,
  ];
  assert.deepEqual(await kept(before, [clear, ['glVertexAttribPointer', [0, 2, 0x1406, false, 0, 0]], draw]), [
    'GenBuffers(1, [buffer 1])',
    'BindBuffer(GL_ARRAY_BUFFER, buffer 1)',
    'BufferData(GL_ARRAY_BUFFER, 4, [3, 3, 3, 3], GL_STATIC_DRAW)',
    'BufferSubData(GL_ARRAY_BUFFER, 2, 2, [5, 5])',
    'BufferSubData(GL_ARRAY_BUFFER, 0, 2, [6, 6])',
  ]);
});

test('bytes that were uploaded to a texture before they were replaced stay', async () => {
  const PIXEL_UNPACK_BUFFER = 0x88ec;
  const bytes = (value: number): Traced => [
    'glBufferSubData',
    [PIXEL_UNPACK_BUFFER, 0, 4, new Uint8Array(4).fill(value)],
  ];
  const before: Traced[] = [
    ['glGenBuffers', [1, [1]]],
    ['glBindBuffer', [PIXEL_UNPACK_BUFFER, 1]],
    ['glBufferData', [PIXEL_UNPACK_BUFFER, 4, null, 0x88e4]],
    ['glGenTextures', [1, [1]]],
    bindTexture(1),
    store,
    bytes(1),
    bytes(2),
    ['glTexSubImage2D', [TEXTURE_2D, 0, 0, 0, 1, 1, 0x1908, 0x1401, null]],
    bytes(3),
    draw,
  ];
  assert.deepEqual((await kept(before, [clear, draw])).slice(5), [
    'TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4)',
    'BufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, 4, [2, 2, 2, 2])',
    'TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, offset 0)',
    'BufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, 4, [3, 3, 3, 3])',
  ]);
});

test('current values set between glBegin and glEnd stay, without the vertices; so do materials set by them', async () => {
  const COLOR_MATERIAL = 0xb57;
  const triangle = (red: number): Traced[] => [
    ['glBegin', [4]],
    ['glColor3f', [red, 0, 0]],
    ['glVertex2f', [0, 0]],
    ['glColor3f', [red, 1, 0]],
    ['glVertex2f', [1, 0]],
    ['glVertex2f', [1, 1]],
    ['glEnd', []],
  ];
  assert.deepEqual(await kept([...triangle(0), ...triangle(1)], [clear, draw]), ['Color3f(1, 1, 0)']);
  assert.deepEqual(
    await kept(
      [['glEnable', [COLOR_MATERIAL]], ...triangle(0), ['glDisable', [COLOR_MATERIAL]], ...triangle(1)],
      [clear, draw],
    ),
    ['Enable(GL_COLOR_MATERIAL)', 'Color3f(0, 1, 0)', 'Disable(GL_COLOR_MATERIAL)', 'Color3f(1, 1, 0)'],
  );
});

test('clears that a pushed mask holds back again leave what was there', async () => {
  const before: Traced[] = [
    draw,
    ['glColorMask', [false, false, false, false]],
    ['glPushAttrib', [0x4000]],
    ['glColorMask', [true, true, true, true]],
    ['glPopAttrib', []],
  ];
  assert.equal((await kept(before, [clear]))[0], 'DrawArrays(GL_TRIANGLES, 0, 3)');
  assert.equal(
    (await kept([...before, ['glColorMask', [true, true, true, true]]], [clear]))[0],
    'ColorMask(false, false, false, false)',
  );
});

test('a fence that the frame waits for stays, and what the canvas showed when the frame draws nothing', async () => {
  const fence: Traced = ['glFenceSync', [0x9117, 0], 5];
  assert.deepEqual(await kept([draw, fence], [['glClientWaitSync', [5, 0, 0]], ['glDeleteSync', [5]], clear]), [
    'FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0) = sync 1',
  ]);
  assert.deepEqual(await kept([draw, fence, ['glDeleteSync', [5]]], [['glFlush', []], swap]), [
    'DrawArrays(GL_TRIANGLES, 0, 3)',
  ]);
});

test('of uniforms the last value of each stays', async () => {
  const before: Traced[] = [
    ['glCreateProgram', [], 9],
    ['glGetUniformLocation', [9, 'a'], 0],
    ['glGetUniformLocation', [9, 'b'], 1],
    ['glUseProgram', [9]],
    ['glUniform1f', [0, 0.25]],
    ['glUniform1f', [1, 0.5]],
    ['glUniform1f', [0, 0.75]],
    // More elements than the last one sets.
    ['glUniform1fv', [1, 2, [3, 4]]],
    ['glUniform1fv', [1, 1, [5]]],
    draw,
  ];
  assert.deepEqual(await kept(before, [clear, draw]), [
    'CreateProgram() = program 1',
    'UseProgram(program 1)',
    'Uniform1f("a" of program 1, 0.75)',
    'Uniform1fv("b" of program 1, 2, [3, 4])',
    'Uniform1fv("b" of program 1, 1, [5])',
  ]);
});

test('objects made by one call stay together, and those that nobody uses are not deleted either', async () => {
  const before: Traced[] = [
    ['glGenTextures', [2, [1, 2]]],
    ['glGenTextures', [1, [3]]],
    bindTexture(2),
    store,
    bindTexture(1),
    store,
    bindTexture(3),
    draw,
    bindTexture(0),
    ['glDeleteTextures', [2, [2, 3]]],
  ];
  assert.deepEqual(await kept(before, [clear, bindTexture(1), draw]), [
    'GenTextures(2, [texture 1, texture 2])',
    'BindTexture(GL_TEXTURE_2D, texture 1)',
    'TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4)',
    'BindTexture(GL_TEXTURE_2D, 0)',
  ]);
});

test('what a command names counts as what is bound does', async () => {
  const before: Traced[] = [
    ['glCreateFramebuffers', [1, [1]]],
    ['glCreateTextures', [TEXTURE_2D, 1, [1]]],
    ['glTextureStorage2D', [1, 1, RGBA8, 4, 4]],
    ['glNamedFramebufferTexture', [1, COLOR_ATTACHMENT0, 1, 0]],
    ['glClearNamedFramebufferfv', [1, 0x1800, 0, [1, 0, 0, 1]]],
    ['glBlitNamedFramebuffer', [1, 0, 0, 0, 4, 4, 0, 0, 4, 4, 0x4000, 0x2600]],
  ];
  const all = [
    'CreateFramebuffers(1, [framebuffer 1])',
    'CreateTextures(GL_TEXTURE_2D, 1, [texture 1])',
    'TextureStorage2D(texture 1, 1, GL_RGBA8, 4, 4)',
    'NamedFramebufferTexture(framebuffer 1, GL_COLOR_ATTACHMENT0, texture 1, 0)',
    'ClearNamedFramebufferfv(framebuffer 1, GL_COLOR, 0, [1, 0, 0, 1])',
  ];
  assert.deepEqual((await kept(before, [draw])).slice(0, -1), all);
  assert.deepEqual(await kept(before, [clearAll, draw]), []);
  assert.deepEqual(
    await kept(before, [
      clearAll,
      ['glCopyImageSubData', [1, TEXTURE_2D, 0, 0, 0, 0, 1, TEXTURE_2D, 0, 2, 2, 0, 2, 2, 1]],
    ]),
    all,
  );
});

test('a real trace looks the same in every frame, and its setup is smaller', async () => {
  const path = join(import.meta.dirname, 'traces', 'es-contexts.trace');
  const format = await importFormatOf(path);
  assert.ok(format);
  const sizes: (readonly [before: number, after: number])[] = [];
  for (let number = 1; number <= 3; number++) {
    const { capture } = await importCapture(path, format, { frames: { first: number, last: number } });
    const trimmed = await trimCapture(capture);
    sizes.push([trimmed.before, trimmed.after]);
    assert.deepEqual(await pictureOf(trimmed.capture), await pictureOf(capture), `frame ${number}`);
  }
  assert.deepEqual(sizes, [
    [46, 37],
    [151, 106],
    [224, 140],
  ]);
});

async function pictureOf(capture: Capture): Promise<Uint8Array> {
  const context = await openContext('egl', { api: 'es' });
  try {
    const replayer = await Replayer.create(context, capture);
    const frame = await replayer.loadFrame(1);
    frame.restore();
    frame.play();
    assert.deepEqual(replayer.glErrors, []);
    const { data } = frame.readCanvas();
    replayer.destroy();
    return Uint8Array.from(data);
  } finally {
    context.destroy();
  }
}
