import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bindings } from '../../src/model/bindings.ts';
import type { Argument } from '../../src/model/call.ts';
import { type ObjectRef, writes } from '../../src/model/writes.ts';
import { signature } from '../capture/sample.ts';

type Line = readonly [name: string, ...args: Argument[]];

function after(...lines: readonly Line[]): Bindings {
  const bindings = new Bindings();
  for (const [name, ...args] of lines) bindings.apply({ signature: signature(name), args, result: 0 });
  return bindings;
}

const words = (...values: number[]): Argument => ({
  kind: 'inline',
  bytes: new Uint8Array(Uint32Array.from(values).buffer),
});

/** "texture 5, buffer 2": what the last call changes, given those before it. */
function written(...lines: readonly Line[]): string {
  const [name, ...args] = lines[lines.length - 1];
  const refs: readonly ObjectRef[] = writes(
    { signature: signature(name), args, result: 0 },
    after(...lines.slice(0, -1)),
  );
  return refs.map((ref) => `${ref.class} ${ref.id}`).join(', ');
}

test('buffers, generic and of the vertex array', () => {
  const b = after(
    ['glBindBuffer', 0x8892, 1],
    ['glBindVertexArray', 2],
    ['glBindBuffer', 0x8893, 3],
    ['glVertexAttribPointer', 4, 3, 0x1406, 0, 0, { kind: 'offset', offset: 0 }],
    ['glEnableVertexAttribArray', 4],
    ['glBindBuffer', 0x8892, 5],
    ['glBindVertexArrayOES', 0],
  );
  assert.equal(b.buffer(0x8892), 5);
  assert.equal(b.buffer(0x8893), 0);
  assert.equal(b.vertexArrayBindings(2).elementBuffer, 3);
  assert.deepEqual([...b.vertexArrayBindings(2).buffers], [[4, 1]]);
  assert.deepEqual([...b.vertexArrayBindings(2).enabled], [4]);
  assert.equal(b.attributeBuffer(4), 0);
  b.apply({ signature: signature('glBindVertexArray'), args: [2], result: 0 });
  assert.equal(b.attributeBuffer(4), 1);
});

test('separate attribute bindings', () => {
  const b = after(
    ['glVertexAttribBinding', 1, 6],
    ['glBindVertexBuffer', 6, 9, 0, 16],
    ['glVertexArrayVertexBuffer', 3, 0, 8, 0, 16],
    ['glVertexArrayAttribBinding', 3, 2, 0],
    ['glVertexArrayElementBuffer', 3, 7],
    ['glVertexArrayVertexAttribOffsetEXT', 3, 5, 4, 3, 0x1406, 0, 0, 0],
  );
  assert.equal(b.attributeBuffer(1), 9);
  const array = b.vertexArrayBindings(3);
  assert.equal(array.elementBuffer, 7);
  assert.deepEqual(
    [...array.buffers],
    [
      [0, 8],
      [4, 5],
    ],
  );
  assert.deepEqual([...array.attributeBinding], [[2, 0]]);
  const divided = after(
    ['glVertexAttribBinding', 1, 6],
    ['glBindVertexBuffer', 6, 9, 0, 16],
    ['glVertexAttribDivisor', 1, 2],
  );
  assert.equal(divided.attributeBuffer(1), 0);
});

test('indexed buffers; transform feedback has its own', () => {
  const b = after(
    ['glBindBufferBase', 0x8a11, 1, 4],
    ['glBindBufferRange', 0x90d2, 0, 5, 256, 512],
    ['glBindTransformFeedback', 0x8e22, 2],
    ['glBindBufferBase', 0x8c8e, 0, 6],
    ['glTransformFeedbackBufferRange', 3, 1, 7, 16, 32],
    ['glBindTransformFeedback', 0x8e22, 0],
    ['glBindBuffersBase', 0x8a11, 2, 2, [8, 9]],
  );
  assert.equal(b.buffer(0x8a11), 4);
  assert.deepEqual(b.indexed(0x8a11).get(1), { buffer: 4, offset: 0, sizeBytes: null });
  assert.equal(b.indexed(0x8a11).get(3)?.buffer, 9);
  assert.deepEqual(b.indexed(0x90d2).get(0), { buffer: 5, offset: 256, sizeBytes: 512 });
  assert.equal(b.indexed(0x8c8e).size, 0);
  assert.equal(b.transformFeedbackBindings(2).buffers.get(0)?.buffer, 6);
  assert.deepEqual(b.transformFeedbackBindings(3).buffers.get(1), { buffer: 7, offset: 16, sizeBytes: 32 });
});

test('textures, samplers and images by unit', () => {
  const b = after(
    ['glBindTexture', 0xde1, 1],
    ['glActiveTexture', 0x84c3],
    ['glBindTexture', 0x8513, 2],
    ['glCreateTextures', 0x806f, 1, [3]],
    ['glBindTextureUnit', 5, 3],
    ['glBindTextures', 6, 2, [1, 0]],
    ['glBindMultiTextureEXT', 0x84c9, 0xde1, 4],
    ['glBindSampler', 2, 7],
    ['glBindImageTexture', 1, 4, 0, 0, 2, 0x88b9, 0x8058],
  );
  assert.equal(b.activeUnit, 3);
  assert.equal(b.texture(0xde1, 0), 1);
  assert.equal(b.texture(0x8516), 2, "a cube map's face is the cube map");
  assert.equal(b.texture(0x806f, 5), 3);
  assert.equal(b.texture(0xde1, 6), 1);
  assert.equal(b.texture(0xde1, 9), 4);
  assert.equal(b.samplers.get(2), 7);
  assert.deepEqual(b.images.get(1), { texture: 4, level: 0, layered: false, layer: 2, access: 0x88b9, format: 0x8058 });
});

test('framebuffers and what is attached to them', () => {
  const b = after(
    ['glBindFramebuffer', 0x8d40, 1],
    ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0x8516, 2, 1],
    ['glFramebufferRenderbuffer', 0x8d40, 0x821a, 0x8d41, 3],
    ['glDrawBuffers', 2, words(0, 0x8ce1)],
    ['glBindFramebuffer', 0x8ca8, 4],
    ['glFramebufferTextureLayer', 0x8ca8, 0x8ce0, 5, 0, 6],
    ['glReadBuffer', 0x8ce0],
    ['glNamedFramebufferTexture', 7, 0x8ce1, 8, 2],
    ['glNamedFramebufferDrawBuffer', 7, 0x8ce1],
  );
  assert.equal(b.drawFramebuffer, 1);
  assert.equal(b.readFramebuffer, 4);
  assert.deepEqual(
    [...b.framebuffer(1).attachments],
    [
      [0x8ce0, { kind: 'texture', id: 2, level: 1, layer: 1, textureTarget: 0x8516 }],
      [0x8d00, { kind: 'renderbuffer', id: 3, level: 0, layer: 0, textureTarget: 0 }],
      [0x8d20, { kind: 'renderbuffer', id: 3, level: 0, layer: 0, textureTarget: 0 }],
    ],
  );
  assert.deepEqual(b.framebuffer(1).drawBuffers, [0, 0x8ce1]);
  assert.deepEqual(b.framebuffer(4).attachments.get(0x8ce0), {
    kind: 'texture',
    id: 5,
    level: 0,
    layer: 6,
    textureTarget: 0,
  });
  assert.equal(b.framebuffer(7).attachments.get(0x8ce1)?.layer, null);
  assert.deepEqual(b.framebuffer(7).drawBuffers, [0x8ce1]);
  assert.deepEqual(b.framebuffer(0).drawBuffers, [0x405]);
});

test('deleting unbinds, from bound containers only', () => {
  const b = after(
    ['glBindVertexArray', 1],
    ['glBindBuffer', 0x8893, 2],
    ['glBindVertexArray', 3],
    ['glBindBuffer', 0x8893, 2],
    ['glBindBufferBase', 0x8a11, 0, 2],
    ['glDeleteBuffers', 1, [2]],
    ['glBindTexture', 0xde1, 4],
    ['glBindFramebuffer', 0x8d40, 5],
    ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, 4, 0],
    ['glDeleteTextures', 2, [4, 0]],
  );
  assert.equal(b.buffer(0x8893), 0);
  assert.equal(b.buffer(0x8a11), 0);
  assert.equal(b.indexed(0x8a11).size, 0);
  assert.equal(b.vertexArrayBindings(1).elementBuffer, 2);
  assert.equal(b.texture(0xde1), 0);
  assert.equal(b.framebuffer(5).attachments.size, 0);
  b.apply({ signature: signature('glDeleteFramebuffers'), args: [1, [5]], result: 0 });
  assert.equal(b.drawFramebuffer, 0);
});

test('programs, pipelines and queries', () => {
  const b = after(
    ['glUseProgramStages', 1, 3, 4],
    ['glUseProgramStages', 1, 0x20, 5],
    ['glActiveShaderProgram', 1, 4],
    ['glBindProgramPipeline', 1],
    ['glBeginQuery', 0x8c2f, 6],
    ['glBeginQueryIndexed', 0x8c87, 2, 7],
    ['glBeginQueryEXT', 0x88bf, 8],
    ['glEndQueryEXT', 0x88bf],
  );
  assert.equal(b.activeProgram(), 4);
  assert.equal(b.drawingProgram(2), 4);
  assert.equal(b.drawingProgram(0x20), 5);
  assert.deepEqual(b.activeQueries(), [6, 7]);
  assert.equal(b.activeQuery(0x8c87, 2), 7);
  b.apply({ signature: signature('glUseProgram'), args: [9], result: 0 });
  assert.equal(b.activeProgram(), 9);
});

test('calls with other arguments than GL has do no harm', () => {
  const odd = { name: 'glDeleteBuffers', result: { type: 'void' }, params: [] } as const;
  const b = new Bindings();
  b.apply({ signature: odd, args: [], result: 0 });
  assert.deepEqual(writes({ signature: odd, args: [], result: 0 }, b), []);
});

const target: readonly Line[] = [
  ['glBindFramebuffer', 0x8d40, 1],
  ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, 2, 0],
  ['glFramebufferTexture2D', 0x8d40, 0x8ce1, 0xde1, 3, 0],
  ['glFramebufferRenderbuffer', 0x8d40, 0x8d00, 0x8d41, 4],
];
const draw: Line = ['glDrawArrays', 4, 0, 3];

test('draws change what is attached and drawn to', () => {
  assert.equal(written(draw), 'framebuffer 0');
  assert.equal(written(...target, draw), 'texture 2, renderbuffer 4');
  assert.equal(
    written(...target, ['glDrawBuffers', 2, words(0x8ce0, 0x8ce1)], draw),
    'texture 2, texture 3, renderbuffer 4',
  );
  assert.equal(written(...target, ['glClear', 0x4000]), 'texture 2');
  assert.equal(written(...target, ['glClear', 0x100]), 'renderbuffer 4');
  assert.equal(written(...target, ['glClearBufferfi', 0x84f9, 0, 1, 0]), 'renderbuffer 4');
  assert.equal(written(...target, ['glClearBufferfv', 0x1800, 1, null]), '');
  assert.equal(written(...target, ['glClearBufferfv', 0x1800, 0, null]), 'texture 2');
  assert.equal(written(...target, ['glBlitFramebuffer', 0, 0, 1, 1, 0, 0, 1, 1, 0x4000, 0x2600]), 'texture 2');
  assert.equal(written(...target, ['glInvalidateFramebuffer', 0x8d40, 1, words(0x8d00)]), 'renderbuffer 4');
  for (const name of [
    'glDrawElementsInstancedANGLE',
    'glMultiDrawArraysANGLE',
    'glDrawRangeElements',
    'glDrawArraysIndirect',
  ])
    assert.equal(written(...target, [name]), 'texture 2, renderbuffer 4', name);
});

test('shaders store, transform feedback captures', () => {
  const stores: readonly Line[] = [
    ['glBindBufferBase', 0x90d2, 0, 5],
    ['glBindBufferBase', 0x92c0, 0, 6],
    ['glBindBufferBase', 0x8a11, 0, 7],
    ['glBindImageTexture', 0, 8, 0, 0, 0, 0x88b9, 0x8058],
    ['glBindImageTexture', 1, 9, 0, 0, 0, 0x88b8, 0x8058],
  ];
  assert.equal(written(...stores, ['glDispatchCompute', 1, 1, 1]), 'buffer 5, buffer 6, texture 8');
  assert.equal(written(...stores, draw), 'framebuffer 0, buffer 5, buffer 6, texture 8');
  const feedback: readonly Line[] = [
    ['glBindTransformFeedback', 0x8e22, 2],
    ['glBindBufferBase', 0x8c8e, 0, 3],
    ['glBeginTransformFeedback', 4],
  ];
  assert.equal(written(...feedback, draw), 'framebuffer 0, transformFeedback 2, buffer 3');
  assert.equal(written(...feedback, ['glPauseTransformFeedback'], draw), 'framebuffer 0');
  assert.equal(written(...feedback, ['glEndTransformFeedback']), 'transformFeedback 2');
});

const cases: readonly (readonly [expected: string, ...lines: Line[]])[] = [
  ['buffer 1', ['glBindBuffer', 0x8892, 1], ['glBufferData', 0x8892, 4, null, 0x88e4]],
  ['buffer 1', ['glBindBuffer', 0x8f37, 1], ['glCopyBufferSubData', 0x8f36, 0x8f37, 0, 0, 4]],
  ['buffer 2', ['glCopyNamedBufferSubData', 1, 2, 0, 0, 4]],
  ['buffer 3', ['glNamedBufferSubData', 3, 0, 4, null]],
  ['buffer 1', ['glBindBuffer', 0x88eb, 1], ['glReadPixels', 0, 0, 1, 1, 0x1908, 0x1401, 0]],
  ['', ['glReadPixels', 0, 0, 1, 1, 0x1908, 0x1401, 4]],
  ['', ['glBindBuffer', 0x8892, 1], ['glMapBufferRange', 0x8892, 0, 4, 1]],
  ['buffer 1', ['glBindBuffer', 0x8892, 1], ['glMapBufferRange', 0x8892, 0, 4, 2]],
  ['texture 1', ['glBindTexture', 0x8513, 1], ['glTexImage2D', 0x8517, 0, 0x8058, 1, 1, 0, 0x1908, 0x1401, null]],
  ['texture 1', ['glBindTexture', 0xde1, 1], ['glTexParameteri', 0xde1, 0x2801, 0x2601]],
  ['texture 1', ['glBindTexture', 0xde1, 1], ['glCopyTexSubImage2D', 0xde1, 0, 0, 0, 0, 0, 1, 1]],
  ['texture 1', ['glBindTexture', 0xde1, 1], ['glCompressedTexImage2D', 0xde1, 0, 0x9278, 4, 4, 0, 16, null]],
  ['texture 1', ['glBindTexture', 0xde1, 1], ['glGenerateMipmap', 0xde1]],
  ['texture 6', ['glTextureSubImage2D', 6, 0, 0, 0, 1, 1, 0x1908, 0x1401, null]],
  ['texture 6', ['glTextureParameteriEXT', 6, 0xde1, 0x2801, 0x2601]],
  ['texture 8', ['glCopyImageSubData', 7, 0xde1, 0, 0, 0, 0, 8, 0xde1, 0, 0, 0, 0, 1, 1, 1]],
  ['renderbuffer 8', ['glCopyImageSubData', 7, 0xde1, 0, 0, 0, 0, 8, 0x8d41, 0, 0, 0, 0, 1, 1, 1]],
  ['renderbuffer 2', ['glBindRenderbuffer', 0x8d41, 2], ['glRenderbufferStorage', 0x8d41, 0x8058, 1, 1]],
  ['renderbuffer 2', ['gpuprofRenderbufferContents', 2, 0x1800, 1, 1, 0x1908, 0x1401, null]],
  ['framebuffer 0', ['gpuprofCanvasContents', 0x1800, 1, 1, 0x1908, 0x1401, null]],
  ['program 3', ['glUseProgram', 3], ['glUniform4fv', 0, 1, null]],
  ['program 3', ['glUseProgram', 3], ['glUniformMatrix3x2fv', 0, 1, 0, null]],
  ['program 4', ['glUseProgram', 3], ['glProgramUniform1i', 4, 0, 1]],
  ['program 4', ['glUniformBlockBinding', 4, 0, 1]],
  ['program 4', ['glLinkProgram', 4]],
  ['shader 4', ['glShaderSource', 4, 1, ['x'], null]],
  ['vertexArray 0', ['glEnableVertexAttribArray', 1]],
  ['vertexArray 2', ['glBindVertexArray', 2], ['glVertexAttribPointer', 0, 1, 0x1406, 0, 0, null]],
  ['vertexArray 2', ['glBindVertexArray', 2], ['glBindBuffer', 0x8893, 1]],
  ['', ['glBindBuffer', 0x8892, 1]],
  ['vertexArray 5', ['glVertexArrayAttribFormat', 5, 0, 1, 0x1406, 0, 0]],
  ['sampler 5', ['glSamplerParameteri', 5, 0x2801, 0x2601]],
  ['framebuffer 1', ['glBindFramebuffer', 0x8d40, 1], ['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, 2, 0]],
  ['framebuffer 1', ['glBindFramebuffer', 0x8ca8, 1], ['glReadBuffer', 0x8ce0]],
  ['framebuffer 6', ['glNamedFramebufferDrawBuffer', 6, 0x8ce0]],
  ['transformFeedback 0', ['glBindBufferBase', 0x8c8e, 0, 1]],
  ['query 5', ['glBeginQuery', 0x8c2f, 5]],
  ['query 5', ['glBeginQuery', 0x8c2f, 5], ['glEndQuery', 0x8c2f]],
  ['query 5', ['glQueryCounterEXT', 5, 0x8e28]],
  ['programPipeline 2', ['glUseProgramStages', 2, 1, 3]],
  ['texture 1, texture 2', ['glDeleteTextures', 3, [1, 0, 2]]],
  ['program 4', ['glDeleteProgram', 4]],
  ['', ['glEnable', 0xbe2]],
  ['', ['glUseProgram', 4]],
  ['', ['glViewport', 0, 0, 1, 1]],
];

for (const [expected, ...lines] of cases)
  test(`${lines.map(([name]) => name).join(', ')} changes ${expected || 'nothing'}`, () => {
    assert.equal(written(...lines), expected);
  });
