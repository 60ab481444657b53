import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, CaptureBuilder, offset, words } from '../replay/memory-capture.ts';
import { leavesOf, show } from './memory-frame.ts';

const [ARRAY, ELEMENT, UNIFORM] = [0x8892, 0x8893, 0x8a11];
const [FLOAT, USHORT, UBYTE, TRIANGLES] = [0x1406, 0x1403, 0x1401, 4];
const none = { width: 8, height: 4, alpha: true, depth: false, stencil: false };

const zeros = (length: number) => bytes(...new Uint8Array(length));
const shorts = (...values: number[]) => bytes(...new Uint8Array(Uint16Array.from(values).buffer));

const builder = (options = {}) => new CaptureBuilder({ canvas: none, ...options });

/** Buffer `id` with `data`, bound to `target`. */
const buffer = (b: CaptureBuilder, id: number, target: number, size: number, data = zeros(size)) =>
  b.call('glBindBuffer', target, id).call('glBufferData', target, size, data, 0x88e4);

/** Buffer 1 of 100 vertices: 3 floats and 4 normalized bytes in a stride of 20; attributes 0 and 1. */
const interleaved = (b: CaptureBuilder) =>
  buffer(b, 1, ARRAY, 2000)
    .call('glVertexAttribPointer', 0, 3, FLOAT, 0, 20, offset(0))
    .call('glVertexAttribPointer', 1, 4, UBYTE, 1, 20, offset(12))
    .call('glEnableVertexAttribArray', 0)
    .call('glEnableVertexAttribArray', 1);

const only = async (b: CaptureBuilder): Promise<readonly string[]> => {
  const leaves = await leavesOf(b.capture());
  assert.equal(leaves.length, 1);
  return show(leaves[0]);
};
const canvas = 'target 128/128: canvas color=128';
const samples = 'samples canvas color=32';

test('vertices: attribute bytes of the vertices drawn, bounded by the buffer', async () => {
  const drawn = (first: number, count: number) =>
    only(interleaved(builder()).frame().call('glDrawArrays', TRIANGLES, first, count));
  assert.deepEqual(await drawn(0, 30), ['vertex 480/2000: buffer 1=2000', canvas, samples]);
  assert.deepEqual(await drawn(0, 3000), ['vertex 1600/2000: buffer 1=2000', canvas, samples]);
  assert.deepEqual(await drawn(0, 0), ['vertex 0/2000: buffer 1=2000', 'target 0/128: canvas color=128', samples]);
});

test('instanced attributes advance by their divisor; disabled ones are not read', async () => {
  const b = buffer(interleaved(builder()), 2, ARRAY, 640)
    .call('glVertexAttribPointer', 5, 4, FLOAT, 0, 0, offset(0))
    .call('glEnableVertexAttribArray', 5)
    .call('glVertexAttribDivisor', 5, 3)
    .call('glDisableVertexAttribArray', 1)
    .frame()
    .call('glDrawArraysInstanced', TRIANGLES, 0, 6, 10);
  assert.deepEqual(await only(b), ['vertex 136/2640: buffer 1=2000, buffer 2=640', canvas, samples]);
});

test('separate formats and bindings, direct state access alike', async () => {
  const b = buffer(builder({ api: 'gl', apiVersion: [4, 5] }), 1, ARRAY, 2000)
    .call('glBindVertexArray', 1)
    .call('glVertexAttribFormat', 0, 3, FLOAT, 0, 0)
    .call('glVertexAttribFormat', 1, 2, 0x140a, 0, 16)
    .call('glVertexAttribBinding', 0, 7)
    .call('glVertexAttribBinding', 1, 7)
    .call('glBindVertexBuffer', 7, 1, 100, 40)
    .call('glEnableVertexAttribArray', 0)
    .call('glEnableVertexAttribArray', 1)
    .call('glVertexArrayAttribFormat', 2, 3, 4, FLOAT, 0, 0)
    .call('glVertexArrayAttribBinding', 2, 3, 4)
    .call('glVertexArrayVertexBuffer', 2, 4, 1, 0, 16)
    .call('glVertexArrayBindingDivisor', 2, 4, 1)
    .call('glEnableVertexArrayAttrib', 2, 3)
    .frame()
    .call('glDrawArrays', TRIANGLES, 0, 10)
    .call('glBindVertexArray', 2)
    .call('glDrawArraysInstanced', TRIANGLES, 0, 10, 7);
  const leaves = await leavesOf(b.capture());
  assert.deepEqual(
    leaves.map((leaf) => leaf.touched.vertex),
    [10 * (12 + 16), 7 * 16],
  );
});

test('packed, integer and BGRA attributes', async () => {
  const b = buffer(builder({ api: 'gl', apiVersion: [4, 5] }), 1, ARRAY, 4000)
    .call('glVertexAttribPointer', 0, 4, 0x8368, 1, 0, offset(0))
    .call('glVertexAttribIPointer', 1, 2, USHORT, 0, offset(0))
    .call('glVertexAttribPointer', 2, 0x80e1, UBYTE, 1, 0, offset(0));
  for (const attribute of [0, 1, 2]) b.call('glEnableVertexAttribArray', attribute);
  b.frame().call('glDrawArrays', 0, 0, 10);
  assert.equal((await only(b))[0], 'vertex 120/4000: buffer 1=4000');
});

test('indices: their bytes, and the vertices that they can mean', async () => {
  // Twelve indices that mean vertices 10 to 15; the last starts a new strip.
  const indices = [10, 11, 12, 13, 14, 15, 10, 11, 12, 13, 14, 0xffff];
  const b = interleaved(builder());
  buffer(b, 2, ELEMENT, 100, bytes(...new Uint8Array(100)))
    .call('glBufferSubData', ELEMENT, 4, 24, shorts(...indices))
    .frame()
    .call('glDrawElements', TRIANGLES, 12, USHORT, offset(4))
    .call('glDrawElements', TRIANGLES, 48, USHORT, offset(4));
  const leaves = await leavesOf(b.capture());
  assert.deepEqual(show(leaves[0]), ['vertex 96/2000: buffer 1=2000', 'index 24/100: buffer 2=100', canvas, samples]);
  // With the zeros behind them: vertices 0 to 15.
  assert.equal(leaves[1].touched.vertex, 16 * 16);
  assert.equal(leaves[1].touched.index, 96);
});

test('indices that the GPU wrote are bounded by their count', async () => {
  const b = interleaved(builder());
  buffer(b, 2, ELEMENT, 100, shorts(...new Array(50).fill(0)))
    .call('glBindBuffer', 0x8f36, 1)
    .call('glBindBuffer', 0x8f37, 2)
    .call('glCopyBufferSubData', 0x8f36, 0x8f37, 0, 0, 20)
    .frame()
    .call('glDrawElements', TRIANGLES, 30, USHORT, offset(0));
  assert.equal((await only(b))[0], 'vertex 480/2000: buffer 1=2000');
});

test('indices in resources are read when needed, others never', async () => {
  const b = builder();
  const vertices = b.resource(new Uint8Array(2000));
  const indices = b.resource(new Uint8Array(Uint16Array.of(5, 6, 7, 7, 6, 5).buffer));
  buffer(b, 1, ARRAY, 2000, vertices)
    .call('glVertexAttribPointer', 0, 3, FLOAT, 0, 20, offset(0))
    .call('glEnableVertexAttribArray', 0);
  buffer(b, 2, ELEMENT, 12, indices).frame().call('glDrawElements', TRIANGLES, 6, USHORT, offset(0));
  const capture = b.capture();
  const read: number[] = [];
  const resource = (index: number) => {
    read.push(index);
    return capture.resource(index);
  };
  const [leaf] = await leavesOf({ ...capture, resource });
  assert.equal(leaf.touched.vertex, 3 * 12);
  assert.deepEqual(read, [1]);
});

test('client arrays and client indices', async () => {
  const b = builder({ api: 'gles', apiVersion: [2, 0] })
    .call('glVertexAttribPointer', 0, 2, FLOAT, 0, 0, zeros(80))
    .call('glEnableVertexAttribArray', 0)
    .frame()
    .call('glDrawElements', TRIANGLES, 6, UBYTE, bytes(0, 1, 2, 2, 1, 3));
  assert.deepEqual(await only(b), [
    'vertex 32/80: client array 1=80',
    'index 6/6: client indices of event 1=6',
    canvas,
    samples,
  ]);
});

test('multi-draws and indirect draws', async () => {
  const gl = { api: 'gl', apiVersion: [4, 5] };
  const multi = interleaved(builder(gl)).frame().call('glMultiDrawArrays', TRIANGLES, words(0, 40), words(3, 6), 2);
  assert.equal((await only(multi))[0], 'vertex 144/2000: buffer 1=2000');
  const indirect = interleaved(builder(gl));
  buffer(indirect, 3, 0x8f3f, 64, words(...new Array(16).fill(0)))
    .call('glBufferSubData', 0x8f3f, 16, 32, words(9, 1, 0, 0, 12, 1, 0, 0))
    .frame()
    .call('glMultiDrawArraysIndirect', TRIANGLES, offset(16), 2, 0);
  assert.deepEqual(await only(indirect), [
    'vertex 336/2000: buffer 1=2000',
    canvas,
    'storage 32/64: buffer 3=64',
    samples,
  ]);
});

const header = '#version 310 es\nprecision highp float;\n';
const vertex = `${header}uniform Frame { mat4 all; }; uniform vec4 shift; void main() { gl_Position = all * shift; }`;

test('uniforms: those of the program itself, and the ranges its blocks are bound to', async () => {
  const fragment = `${header}uniform Material { vec4 tint; } material; uniform vec4 shift; uniform float levels[3];
    out vec4 o; void main() { o = material.tint * shift * levels[1]; }`;
  const b = builder();
  buffer(b, 4, UNIFORM, 1024);
  b.program(1, vertex, fragment)
    .call('glUseProgram', 1)
    .call('gpuprofUniformBlockBinding', 1, 'Material', 2)
    .call('glBindBufferRange', UNIFORM, 0, 4, 256, 64)
    .call('glBindBufferRange', UNIFORM, 1, 4, 512, 64)
    .call('glBindBufferBase', UNIFORM, 2, 4)
    .frame()
    .call('glDrawArrays', TRIANGLES, 0, 3);
  assert.deepEqual(await only(b), [
    'uniform 1116/1116: program 1 uniforms=28, buffer 4 at 256, 64 bytes=64, buffer 4=1024',
    canvas,
    samples,
  ]);
});

test('textures: those that the samplers point to, and the levels that the filters reach', async () => {
  const fragment = `${header}uniform sampler2D maps[2]; uniform highp samplerCube sky; uniform sampler2D unused;
    out vec4 o; void main() { o = texture(maps[0], vec2(0)) + texture(maps[1], vec2(0)) + texture(sky, vec3(0)); }`;
  const b = builder().program(1, `${header}void main() { gl_Position = vec4(0); }`, fragment);
  b.call('glUseProgram', 1)
    .call('glUniform1iv', b.location(1, 'maps'), 2, words(3, 4))
    .call('glUniform1i', b.location(1, 'sky'), 4)
    .call('glActiveTexture', 0x84c0)
    .call('glBindTexture', 0x0de1, 9)
    .call('glTexStorage2D', 0x0de1, 1, 0x8058, 64, 64)
    .call('glActiveTexture', 0x84c3)
    .call('glBindTexture', 0x0de1, 1)
    .call('glTexStorage2D', 0x0de1, 3, 0x8058, 4, 4)
    .call('glActiveTexture', 0x84c4)
    .call('glBindTexture', 0x0de1, 2)
    .call('glTexImage2D', 0x0de1, 0, 0x1907, 4, 2, 0, 0x1907, UBYTE, null)
    .call('glGenerateMipmap', 0x0de1)
    .call('glTexParameteri', 0x0de1, 0x2801, 0x2601)
    .call('glBindTexture', 0x8513, 3)
    .call('glTexStorage2D', 0x8513, 1, 0x8c43, 2, 2)
    .frame()
    .call('glDrawArrays', TRIANGLES, 0, 3)
    .call('glBindSampler', 4, 1)
    .call('glTexParameteri', 0x8513, 0x813c, 5)
    .call('glDrawArrays', TRIANGLES, 0, 3);
  const leaves = await leavesOf(b.capture());
  const objects = 'texture 1=84, texture 2=33, texture 3=96';
  // Texture 2: its filter uses no mipmaps, so 24 of 24 + 6 + 3 bytes.
  assert.equal(show(leaves[0])[0], `texture 204/213: ${objects}`);
  // A sampler object has its own filter; the cube map has no level 5.
  assert.equal(show(leaves[1])[0], `texture 117/213: ${objects}`);
});

test('targets: viewport, scissor, samples, masks and tests', async () => {
  const b = builder({ canvas: { ...none, depth: true, samples: 4 } })
    .call('glGenFramebuffers', 1, [1])
    .call('glBindFramebuffer', 0x8d40, 1)
    .call('glBindRenderbuffer', 0x8d41, 1)
    .call('glRenderbufferStorageMultisample', 0x8d41, 4, 0x8058, 10, 10)
    .call('glFramebufferRenderbuffer', 0x8d40, 0x8ce0, 0x8d41, 1)
    .call('glBindRenderbuffer', 0x8d41, 2)
    .call('glRenderbufferStorageMultisample', 0x8d41, 4, 0x88f0, 10, 10)
    .call('glFramebufferRenderbuffer', 0x8d40, 0x821a, 0x8d41, 2)
    .call('glViewport', 2, 2, 100, 4)
    .frame()
    .call('glDrawArrays', TRIANGLES, 0, 3)
    .call('glEnable', 0x0b71)
    .call('glEnable', 0x0b90)
    .call('glEnable', 0x0c11)
    .call('glScissor', -5, 0, 8, 8)
    .call('glColorMask', 0, 0, 0, 0)
    .call('glDrawArrays', TRIANGLES, 0, 3)
    .call('glClear', 0x4500)
    .call('glBindFramebuffer', 0x8d40, 0)
    .call('glColorMask', 1, 0, 0, 0)
    .call('glDrawArrays', TRIANGLES, 0, 3);
  const leaves = await leavesOf(b.capture());
  const objects = 'renderbuffer 1=1600, renderbuffer 2=1600';
  assert.deepEqual(leaves.map(show), [
    [`target 512/3200: ${objects}`, 'samples renderbuffer 1=400'],
    [`target 64/3200: ${objects}`, 'samples renderbuffer 1=400'],
    [`target 384/3200: ${objects}`],
    ['target 64/1024: canvas color=512, canvas depth and stencil=512', 'samples canvas color=128'],
  ]);
});

test('storage: buffers, images and atomic counters of a dispatch', async () => {
  const compute = `#version 310 es
    layout(local_size_x = 8) in;
    layout(std430, binding = 1) buffer Data { float data[]; };
    layout(binding = 0, offset = 4) uniform atomic_uint counter;
    layout(rgba8, binding = 2) uniform writeonly highp image2D picture;
    void main() { data[0] = float(atomicCounterIncrement(counter)); imageStore(picture, ivec2(0), vec4(0)); }`;
  const b = builder({ api: 'gles', apiVersion: [3, 1] })
    .made(1, 'glCreateShader', 0x91b9)
    .call('glShaderSource', 1, 1, [compute], null)
    .call('glCompileShader', 1)
    .made(1, 'glCreateProgram')
    .call('glAttachShader', 1, 1)
    .call('glLinkProgram', 1)
    .call('glUseProgram', 1);
  buffer(b, 1, 0x90d2, 4096);
  buffer(b, 2, 0x92c0, 16);
  b.call('glBindBufferRange', 0x90d2, 1, 1, 1024, 512)
    .call('glBindBufferBase', 0x90d2, 0, 1)
    .call('glBindBufferBase', 0x92c0, 0, 2)
    .call('glBindTexture', 0x0de1, 1)
    .call('glTexStorage2D', 0x0de1, 2, 0x8058, 8, 8)
    .call('glBindImageTexture', 2, 1, 1, 0, 0, 0x88b9, 0x8058)
    .frame()
    .call('glDispatchCompute', 4, 1, 1)
    .call('glDispatchCompute', 0, 1, 1);
  const leaves = await leavesOf(b.capture());
  assert.deepEqual(show(leaves[0]), ['storage 592/848: texture 1=320, buffer 1 at 1024, 512 bytes=512, buffer 2=16']);
  assert.equal(leaves[1].touched.storage, 0);
});
