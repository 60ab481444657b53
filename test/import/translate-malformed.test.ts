import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GpuprofError } from '../../src/errors.ts';
import { TracePointer, TraceStruct, type TraceValue } from '../../src/import/apitrace/trace.ts';
import { current, swap, type Traced, translated } from './translated.ts';

const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
const address = new TracePointer(0x1000);

/** Calls of every kind that has a translator of its own. */
const calls: readonly Traced[] = [
  ['glXChooseFBConfig', [1, 0, [100000, 1, 100001, 4, 0], [1]], [5, 6]],
  ...current,
  ['glXCreatePbuffer', [1, 5, [0x8041, 64, 0x8040, 64, 0]], 9],
  ['eglCreateContext', [1, 2, null, [0x3098, 3, 0x3038]], 0xc2],
  ['glGenBuffers', [2, [1, 2]]],
  ['glBindBuffer', [0x8892, 1]],
  ['glBufferData', [0x8892, 256, bytes, 0x88e4]],
  ['glMapBufferRange', [0x8892, 0, 64, 2], address],
  ['memcpy', [address, bytes.subarray(0, 64), 64]],
  ['glFlushMappedBufferRange', [0x8892, 0, 8]],
  ['glUnmapBuffer', [0x8892], true],
  ['glBindBuffer', [0x8892, 0]],
  ['glVertexAttribPointer', [0, 2, 0x1406, 0, 0, bytes]],
  ['glPixelStorei', [0xcf2, 9]],
  ['glPushClientAttrib', [1]],
  ['glTexImage2D', [0xde1, 0, 0x8058, 4, 4, 0, 0x1908, 0x1401, bytes]],
  ['glTexSubImage3D', [0x806f, 0, 0, 0, 0, 2, 2, 2, 0x1908, 0x1401, bytes]],
  ['glPopClientAttrib', []],
  ['glCompressedTexImage2D', [0xde1, 0, 0x83f0, 8, 8, 0, 32, bytes.subarray(0, 32)]],
  ['glBitmap', [8, 8, 0, 0, 0, 0, bytes]],
  ['glPolygonStipple', [[...bytes.subarray(0, 128)]]],
  ['glCreateShader', [0x8b31], 3],
  ['glShaderSource', [3, 2, ['layout(location=2) uniform vec4 a[3];', 'void main(){}'], null]],
  ['glCreateProgram', [], 4],
  ['glCreateShaderProgramv', [0x8b31, 1, ['void main(){}']], 6],
  ['glAttachShader', [4, 3]],
  ['glLinkProgram', [4]],
  ['glUseProgram', [4]],
  ['glGetUniformLocation', [4, 'k'], 7],
  ['glGetProgramResourceName', [4, 0x92e1, 0, 10, [1], 'm']],
  ['glGetProgramResourceiv', [4, 0x92e1, 0, 1, [0x930e], 1, [1], [5]]],
  ['glGetUniformBlockIndex', [4, 'B'], 0],
  ['glUniformBlockBinding', [4, 0, 1]],
  ['glUniform4fv', [2, 1, [1, 2, 3, 4]]],
  ['glProgramUniform1i', [4, 7, 1]],
  ['glObjectLabel', [0x82e2, 4, -1, 'label']],
  ['glCopyImageSubData', [1, 0xde1, 0, 0, 0, 0, 2, 0xde1, 0, 0, 0, 0, 4, 4, 1]],
  ['glViewport', [0, 0, 64, 64]],
  ['glViewportArrayv', [0, 1, [0, 0, 64, 64]]],
  ['glClear', [0x4000]],
  ['glCallLists', [2, 0x1401, [1, 2]]],
  ['glMultiDrawElements', [4, [3, 3], 0x1401, [bytes, bytes], 2]],
  ['glBlitFramebuffer', [0, 0, 9, 9, 0, 0, 9, 9, 0x4000, 0x2600]],
  ['glFenceSync', [0x9117, 0], address],
  ['glWaitSync', [address, 0, 2n ** 64n - 1n]],
  ['glReadPixels', [0, 0, 4, 4, 0x1908, 0x1401, bytes]],
  swap,
  ['glDeleteTextures', [1, [1]]],
  ['glXDestroyContext', [1, 0xc1]],
];

const odd: readonly TraceValue[] = [
  null,
  true,
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 31,
  2 ** 53,
  2n ** 64n - 1n,
  '',
  'text',
  new Uint8Array(),
  bytes,
  address,
  new TracePointer(2n ** 64n - 1n),
  new TraceStruct('S', ['x'], [1]),
  [],
  [1, null, 'x', [2]],
  [bytes],
];

test('any value in any place is translated, counted as left out, or refused', async () => {
  for (const [at, [name, args, result]] of calls.entries()) {
    const places = [...args.keys(), args.length];
    for (const place of places)
      for (const value of odd) {
        const changed: Traced =
          place === args.length
            ? [name, args, value]
            : [name, args.map((arg, i) => (i === place ? value : arg)), result];
        try {
          await translated([...calls.slice(0, at), changed, ...calls.slice(at + 1)]);
        } catch (error) {
          assert.ok(error instanceof GpuprofError, `${name}, argument ${place}: ${(error as Error).stack}`);
        }
      }
  }
});

test('calls with too few arguments are left out', async () => {
  for (const [at, [name, args]] of calls.entries())
    for (const count of [0, args.length - 1]) {
      const changed: Traced = [name, args.slice(0, Math.max(0, count))];
      try {
        await translated([...calls.slice(0, at), changed, ...calls.slice(at + 1)]);
      } catch (error) {
        assert.ok(error instanceof GpuprofError, `${name} with ${count} arguments: ${(error as Error).stack}`);
      }
    }
});
