/** Calls that Mesa 22.3 does not survive, or that make it read or write memory of others: refused before it sees them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import type { Argument } from '../../src/model/call.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { blank } from './legacy-cases.ts';
import { CaptureBuilder, floats, inline, offset, words } from './memory-capture.ts';

const FLOAT = 0x1406;
const UNIFORM_BUFFER = 0x8a11;
const ARRAY_BUFFER = 0x8892;
const ELEMENT_ARRAY_BUFFER = 0x8893;
const far = 2 ** 31 - 8;
const zeros = (length: number): Argument => inline(new Uint8Array(length));
const ones = Array<number>(16).fill(1);

const buffer = (b: CaptureBuilder, target: number, id: number, sizeBytes: number): CaptureBuilder =>
  b
    .call('glGenBuffers', 1, [id])
    .call('glBindBuffer', target, id)
    .call('glBufferData', target, sizeBytes, null, 0x88e4);
const texture = (b: CaptureBuilder): CaptureBuilder =>
  b
    .call('glGenTextures', 1, [1])
    .call('glBindTexture', 0x0de1, 1)
    .call('glTexImage2D', 0x0de1, 0, 0x8058, 16, 16, 0, 0x1908, 0x1401, null);
/** Two vertices in client memory. */
const vertices = (b: CaptureBuilder): CaptureBuilder =>
  b.call('glVertexPointer', 2, FLOAT, 0, floats(0, 0, 1, 1)).call('glEnableClientState', 0x8074);
const many = (b: CaptureBuilder): CaptureBuilder =>
  b.call('glVertexPointer', 2, FLOAT, 0, zeros(8000)).call('glEnableClientState', 0x8074);
const attribute = (b: CaptureBuilder, index: number, count: number): CaptureBuilder =>
  b.call('glVertexAttribPointer', index, 4, FLOAT, 0, 0, zeros(16 * count)).call('glEnableVertexAttribArray', index);

/** By what is wrong: calls, and what the last of them is told. */
const refused: Readonly<Record<string, readonly [build: (b: CaptureBuilder) => CaptureBuilder, told: RegExp]>> = {
  'binding points that begin again at 0': [
    (b) => buffer(b, UNIFORM_BUFFER, 1, 64).call('glBindBuffersBase', UNIFORM_BUFFER, 2 ** 32 - 16, 16, ones),
    /glBindBuffersBase has 4294967280 as its first; at most 1073741823/,
  ],
  'viewports likewise': [(b) => b.call('glViewportArrayv', 2 ** 32 - 16, 16, zeros(256)), /as its first/],
  'parameters of assembly programs': [
    (b) => b.call('glProgramLocalParameter4fARB', 0x8620, 2 ** 32 - 1, 1, 2, 3, 4),
    /4294967295 as its index/,
  ],
  'texels right of all images': [
    (b) => texture(b).call('glTexSubImage2D', 0x0de1, 0, far, 0, 16, 1, 0x1908, 0x1401, zeros(64)),
    /2147483640 as its xoffset/,
  ],
  'pixels right of the canvas': [(b) => b.call('glReadPixels', far, 0, 16, 16, 0x1908, 0x1401, 1024), /as its x;/],
  'bytes beyond all buffers': [
    (b) => buffer(b, ARRAY_BUFFER, 1, 64).call('glBufferSubData', ARRAY_BUFFER, 2 ** 63 - 1024, 2048, zeros(2048)),
    /glBufferSubData has 9223372036854774784 as its offset; at most 140737488355327/,
  ],
  'buffers without offsets': [
    (b) => buffer(b, ARRAY_BUFFER, 1, 64).call('glBindVertexBuffers', 0, 1, [1], null, null),
    /glBindVertexBuffers has no data/,
  ],
  'textures that are not listed': [
    (b) => b.call('glPrioritizeTextures', 4, [], zeros(16)),
    /lists fewer objects than its count, 4/,
  ],
  'a name without text': [
    (b) => b.made(1, 'glCreateProgram').call('glTransformFeedbackVaryings', 1, 1, [null] as never, 0x8c8c),
    /lists fewer names than its count/,
  ],
  'a text shorter than its length': [
    (b) => b.call('glNamedStringARB', 0x8dae, 2, '/é', 2 ** 30, 'x'),
    /glNamedStringARB reads 1073741824 bytes of a shorter text/,
  ],
  'values of a list in a buffer': [
    (b) => buffer(b, 0x88ec, 1, 4096).call('glNewList', 1, 0x1300).call('glPixelMapfv', 0x0c76, 256, offset(0)),
    /glPixelMapfv reads from a buffer inside a display list/,
  ],
  'client arrays put to defaults': [
    (b) => b.call('glPushClientAttribDefaultEXT', 2),
    /glPushClientAttribDefaultEXT: what a driver begins with cannot be replayed/,
  ],
  'a pipeline that there is not': [
    (b) => b.call('glActiveShaderProgram', 0, 0),
    /glActiveShaderProgram names no programPipeline/,
  ],
  'a texture that has no name': [
    (b) => b.call('glInvalidateTexSubImage', 0, 1, 8, 8, 0, 1, 1, 1),
    /glInvalidateTexSubImage names no texture/,
  ],
  'an image of a texture that there is not': [
    (b) => texture(b).call('glCopyImageSubData', 1, 0x0de1, 0, 0, 0, 0, 77, 0x0de1, 0, 0, 0, 0, 1, 1, 1),
    /glCopyImageSubData names texture 77, which does not exist/,
  ],
  'shaders that are named by bare numbers': [
    (b) => b.call('glShaderSourceARB', 77777, 1, ['x'], null),
    /glShaderSourceARB cannot be part of a capture/,
  ],
  'indices of an indirect draw beyond their buffer': [
    (b) =>
      buffer(buffer(b, ELEMENT_ARRAY_BUFFER, 1, 64), 0x8f3f, 2, 20)
        .call('glBufferSubData', 0x8f3f, 0, 20, words(3, 1, 15, 0, 0))
        .call('glDrawElementsIndirect', 4, 0x1405, offset(0)),
    /glDrawElementsIndirect reads 3 indices at 60, beyond its element buffer of 64 bytes/,
  ],
  'indirect draws backwards': [
    (b) => buffer(b, 0x8f3f, 1, 64).call('glMultiDrawArraysIndirect', 4, offset(32), 2, -16),
    /has 2 draws, -16 bytes apart/,
  ],
  'an array that GL refuses': [
    (b) => vertices(b).call('glVertexPointer', 9, FLOAT, 0, zeros(8000)),
    /GL refuses glVertexPointer/,
  ],
  'a divisor of another vertex array': [
    (b) =>
      attribute(b.call('glGenVertexArrays', 1, [1]), 0, 1)
        .call('glBindVertexArray', 1)
        .call('glVertexAttribDivisor', 0, 1)
        .call('glBindVertexArray', 0)
        .call('glDrawArrays', 0, 0, 2),
    /glDrawArrays reads beyond the client array of vertex attribute 0/,
  ],
  'arrays that are not put back': [
    (b) => vertices(many(b).call('glPushClientAttrib', 1)).call('glPopClientAttrib').call('glDrawArrays', 0, 0, 1000),
    /beyond the client array of the vertices/,
  ],
  'primitives restarted by a list that is not called': [
    (b) =>
      vertices(b)
        .call('glNewList', 1, 0x1300)
        .call('glEnable', 0x8f9d)
        .call('glEndList')
        .call('glPrimitiveRestartIndex', 9)
        .call('glDrawElements', 0, 1, 0x1405, words(9)),
    /beyond the client array of the vertices/,
  ],
  'instances that a buffer counts': [
    (b) =>
      attribute(b, 0, 1)
        .call('glVertexAttribDivisor', 0, 1)
        .call('glDrawArraysIndirect', 0, words(1, 9, 0, 0)),
    /beyond the client array of vertex attribute 0/,
  ],
  'vertices that transform feedback counts': [
    (b) => vertices(b.call('glGenTransformFeedbacks', 1, [1])).call('glDrawTransformFeedback', 0, 1),
    /glDrawTransformFeedback reads beyond the client array/,
  ],
  'arrays enabled by unit': [
    (b) =>
      many(b)
        .call('glTexCoordPointer', 2, FLOAT, 0, floats(0, 0))
        .call('glEnableClientStateiEXT', 0x8078, 0)
        .call('glDrawArrays', 0, 0, 9),
    /the texture coordinates 0/,
  ],
  'arrays given by unit': [
    (b) =>
      many(b)
        .call('glTexCoordPointer', 2, FLOAT, 0, zeros(800))
        .call('glEnableClientState', 0x8078)
        .call('glMultiTexCoordPointerEXT', 0x84c0, 2, FLOAT, 0, floats(0, 0))
        .call('glDrawArrays', 0, 0, 9),
    /the texture coordinates 0/,
  ],
  'arrays disabled inside glBegin': [
    (b) => vertices(b).call('glBegin', 0).call('glDisableClientState', 0x8074),
    /glDisableClientState between glBegin and glEnd/,
  ],
  'a unit that there is not': [
    (b) => b.call('glClientActiveTexture', 0x84c0 + 999),
    /GL refuses glClientActiveTexture/,
  ],
  'a binding point that there is not': [
    (b) => buffer(b, UNIFORM_BUFFER, 1, 64).call('glBindBufferBase', UNIFORM_BUFFER, 9999, 1),
    /GL refuses glBindBufferBase/,
  ],
  'vertices of a list beyond their buffer': [
    (b) =>
      buffer(b, ARRAY_BUFFER, 1, 16)
        .call('glVertexPointer', 2, FLOAT, 0, offset(0))
        .call('glEnableClientState', 0x8074)
        .call('glDrawArrays', 0, 0, 3)
        .call('glNewList', 1, 0x1300)
        .call('glDrawArrays', 0, 0, 3),
    /glDrawArrays reads beyond the buffer of the vertices/,
  ],
  'attributes of array elements beyond their buffer': [
    (b) =>
      buffer(b, ARRAY_BUFFER, 1, 32)
        .call('glVertexAttribPointer', 0, 4, FLOAT, 0, 0, offset(0))
        .call('glEnableVertexAttribArray', 0)
        .call('glBegin', 0)
        .call('glArrayElement', 1)
        .call('glArrayElement', 2),
    /glArrayElement reads beyond the buffer of vertex attribute 0/,
  ],
  'a buffer 0, which would unbind nothing': [
    (b) => b.call('glGenBuffers', 2, [1, 0]),
    /makes buffer 0, which there is/,
  ],
  'the canvas made anew': [(b) => b.call('glGenFramebuffers', 1, [0]), /makes framebuffer 0/],
  'a vertex array that is there, with the buffers of the one before': [
    (b) => b.call('glGenVertexArrays', 1, [1]).call('glGenVertexArrays', 1, [1]),
    /glGenVertexArrays makes vertexArray 1, which there is already/,
  ],
  'a target that is none, of a unit': [
    (b) => b.call('glMultiTexSubImage2DEXT', 0x84c1, 0x0d4d, 0, 0, 0, 4, 4, 0x1908, 0x1401, zeros(64)),
    /glMultiTexSubImage2DEXT has 0xd4d as its target/,
  ],
  'a proxy, which has no texels': [
    (b) => b.call('glMultiTexSubImage3DEXT', 0x84c0, 0x8070, 0, 0, 0, 0, 4, 4, 1, 0x1908, 0x1401, zeros(64)),
    /has 0x8070 as its target/,
  ],
  'texture coordinates of a unit that is not there': [
    (b) => b.call('glMultiTexCoordPointerEXT', 0x84c0 + 27, 3, FLOAT, 0, zeros(64)),
    /glMultiTexCoordPointerEXT names texture unit 27; there are 8/,
  ],
  'likewise in a vertex array': [
    (b) =>
      buffer(b, ARRAY_BUFFER, 1, 64)
        .call('glGenVertexArrays', 1, [1])
        .call('glVertexArrayMultiTexCoordOffsetEXT', 1, 1, 0x84c0 + 27, 3, FLOAT, 0, 0),
    /names texture unit 27/,
  ],
  'a base level that no texture has': [
    (b) => texture(b).call('glTexParameteri', 0x0de1, 0x813c, 2 ** 30),
    /glTexParameteri makes level 1073741824 the base; at most 30/,
  ],
  'the same in a list': [
    (b) => texture(b).call('glTexParameterfv', 0x0de1, 0x813c, floats(2 ** 20)),
    /glTexParameterfv makes level 1048576 the base/,
  ],
  'an element before the first': [
    (b) => vertices(b).call('glBegin', 0).call('glArrayElement', -1),
    /beyond the client/,
  ],
};

/** Plays setup and frame; returns the canvas's middle and the errors of GL. */
async function played(b: CaptureBuilder): Promise<{ readonly middle: readonly number[]; readonly errors: number }> {
  const context = await openContext('egl', { api: 'gl', profile: 'compatibility' });
  try {
    const replayer = await Replayer.create(context, b.capture());
    const frame = await replayer.loadFrame(1);
    frame.play();
    frame.restore();
    frame.play();
    const { data } = frame.readCanvas();
    const middle = [...data.subarray((16 * 32 + 16) * 4, (16 * 32 + 16) * 4 + 3)];
    const errors = replayer.glErrors.length;
    replayer.destroy();
    return { middle, errors };
  } finally {
    context.destroy();
  }
}

for (const [name, [build, told]] of Object.entries(refused))
  test(`refused: ${name}`, async () => {
    const calls = (await build(blank()).frame().capture().setup()).length;
    await assert.rejects(played(build(blank()).frame()), ({ message }: Error) => {
      assert.match(message, told);
      assert.match(message, new RegExp(`^setup call ${calls}:`));
      return true;
    });
  });

const vertexShader = `#version 140
void main() { gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`;
const fragmentShader = `#version 140
layout(std140) uniform Colours { vec4 colour; };
void main() { gl_FragColor = colour; }`;

test('a range of a buffer that begins beyond its end is not bound while something is drawn, and is again once it has grown', async () => {
  const b = blank()
    .made(1, 'glCreateShader', 0x8b31)
    .call('glShaderSource', 1, 1, [vertexShader], null)
    .call('glCompileShader', 1)
    .made(2, 'glCreateShader', 0x8b30)
    .call('glShaderSource', 2, 1, [fragmentShader], null)
    .call('glCompileShader', 2)
    .made(1, 'glCreateProgram')
    .call('glAttachShader', 1, 1)
    .call('glAttachShader', 1, 2)
    .call('glLinkProgram', 1)
    .call('glUseProgram', 1);
  buffer(b, UNIFORM_BUFFER, 1, 64).call('glBindBufferRange', UNIFORM_BUFFER, 0, 1, 2 ** 30, 64);
  b.frame().call('glDrawArrays', 4, 0, 3).call('glBindBufferRange', UNIFORM_BUFFER, 0, 1, 256, 64);
  b.call('glDrawArrays', 4, 0, 3).call('glBufferData', UNIFORM_BUFFER, 512, null, 0x88e4);
  b.call('glBufferSubData', UNIFORM_BUFFER, 256, 16, floats(0, 1, 0, 1)).call('glDrawArrays', 4, 0, 3);
  assert.deepEqual(await played(b), { middle: [0, 255, 0], errors: 0 });
});

test('arrays in client memory stay while other vertex arrays get theirs, and lists are drawn from buffers', async () => {
  const square = floats(-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1);
  const b = blank()
    .call('glVertexAttribPointer', 0, 4, FLOAT, 0, 0, square)
    .call('glEnableVertexAttribArray', 0)
    .call('glGenVertexArrays', 1, [1])
    .call('glBindVertexArray', 1);
  buffer(b, ARRAY_BUFFER, 1, 48).call('glBufferSubData', ARRAY_BUFFER, 0, 48, square);
  b.call('glVertexAttribPointer', 0, 4, FLOAT, 0, 0, offset(0)).call('glEnableVertexAttribArray', 0);
  b.call('glNewList', 1, 0x1300).call('glDrawArrays', 4, 0, 3).call('glEndList');
  b.call('glBindVertexArray', 0).call('glColor3f', 1, 0, 0).frame().call('glDrawArrays', 4, 0, 3);
  assert.deepEqual(await played(b), { middle: [255, 0, 0], errors: 0 });
  b.call('glClear', 0x4000).call('glCallList', 1);
  assert.deepEqual(await played(b), { middle: [255, 0, 0], errors: 0 });
});

test('what a draw takes from the element buffer is no matter of the calls after it', async () => {
  const b = buffer(many(blank()), ELEMENT_ARRAY_BUFFER, 1, 16)
    .frame()
    .call('glDrawElements', 4, 3, 0x1405, offset(0))
    .call('glBindBuffer', ELEMENT_ARRAY_BUFFER, 0)
    .call('glLoadIdentity')
    .call('glColor3f', 1, 1, 1);
  assert.equal((await played(b)).errors, 0);
});

test('a list of draw buffers of the canvas may have a count below 0, which GL refuses', async () => {
  const b = blank()
    .frame()
    .call('glDrawBuffers', -1, words(...Array<number>(80).fill(0x0405)));
  assert.ok((await played(b)).errors > 0);
});

test('program 0 is linked, which GL refuses, also where shaders may be upgraded', async () => {
  const context = await openContext('egl', { api: 'gl' });
  const b = new CaptureBuilder().frame().call('glLinkProgram', 0);
  const replayer = await Replayer.create(context, b.capture());
  const frame = await replayer.loadFrame(1);
  // What was asked for last has left a great number there.
  context.scratch.i32.fill(2 ** 30);
  frame.play();
  assert.ok(replayer.glErrors.every(({ error }) => error === 'GL_INVALID_VALUE'));
  context.destroy();
});
