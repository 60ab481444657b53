import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callJson } from '../../src/gl/call-json.ts';
import { formatCall } from '../../src/gl/format-call.ts';
import type { Argument, Call } from '../../src/model/call.ts';
import type { Manifest } from '../../src/model/capture.ts';
import { signature } from '../capture/sample.ts';

const manifest = {
  locations: [[3, 'uColor']],
  resources: [{ sha256: '', sizeBytes: 4096 }],
} as unknown as Manifest;

const make = (name: string, args: readonly Argument[], result = 0): Call => ({
  signature: signature(name),
  args,
  result,
});
const inline = (data: { readonly buffer: ArrayBufferLike }): Argument => ({
  kind: 'inline',
  bytes: new Uint8Array(data.buffer),
});

const cases: readonly (readonly [expected: string, name: string, args: readonly Argument[], result?: number])[] = [
  ['glBindTexture(target = GL_TEXTURE_2D, texture = texture 5)', 'glBindTexture', [0xde1, 5]],
  ['glBindTexture(target = GL_TEXTURE_2D, texture = 0)', 'glBindTexture', [0xde1, 0]],
  ['glBindFramebuffer(target = GL_FRAMEBUFFER, framebuffer = canvas)', 'glBindFramebuffer', [0x8d40, 0]],
  ['glBindVertexArray(array = vertex array 2)', 'glBindVertexArray', [2]],
  ['glCreateShader(type = GL_VERTEX_SHADER) = shader 4', 'glCreateShader', [0x8b31], 4],
  ['glClear(mask = GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT)', 'glClear', [0x4100]],
  [
    'glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)',
    'glTexParameteri',
    [0xde1, 0x2801, 0x2601],
  ],
  [
    'glTexParameterf(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_LINEAR)',
    'glTexParameterf',
    [0xde1, 0x2801, 0x2601],
  ],
  [
    'glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MAX_LEVEL, param = 1000)',
    'glTexParameteri',
    [0xde1, 0x813d, 1000],
  ],
  [
    'glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_COMPARE_FUNC, param = GL_LEQUAL)',
    'glTexParameteri',
    [0xde1, 0x884d, 0x203],
  ],
  ['glPixelStorei(pname = GL_UNPACK_ROW_LENGTH, param = 8192)', 'glPixelStorei', [0xcf2, 8192]],
  [
    'glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = GL_RGBA8, width = 4096, height = 6408, border = 0, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = resource 0, 4096 bytes)',
    'glTexImage2D',
    [
      0xde1,
      0,
      0x8058,
      4096,
      6408,
      0,
      0x1908,
      0x1401,
      { kind: 'resource', resource: 0, byteOffset: 0, byteLength: 4096 },
    ],
  ],
  [
    'glBufferSubData(target = GL_ARRAY_BUFFER, offset = 16, size = 8, data = resource 0, 8 bytes at byte 64)',
    'glBufferSubData',
    [0x8892, 16, 8, { kind: 'resource', resource: 0, byteOffset: 64, byteLength: 8 }],
  ],
  [
    'glDrawElements(mode = GL_TRIANGLES, count = 36, type = GL_UNSIGNED_SHORT, indices = offset 12)',
    'glDrawElements',
    [4, 36, 0x1403, { kind: 'offset', offset: 12 }],
  ],
  [
    'glUniform4fv(location = "uColor" of program 3, count = 1, value = [1, 0.1, -2, NaN])',
    'glUniform4fv',
    [0, 1, inline(Float32Array.of(1, 0.1, -2, Number.NaN))],
  ],
  ['glUniform1f(location = -1, v0 = 0.3)', 'glUniform1f', [0xffffffff, Math.fround(0.3)]],
  [
    'glUniform1fv(location = "uColor" of program 3, count = 20, value = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, … 20 in all])',
    'glUniform1fv',
    [0, 20, inline(new Float32Array(20))],
  ],
  ['glDrawBuffers(n = 2, bufs = [GL_COLOR_ATTACHMENT0, 0])', 'glDrawBuffers', [2, inline(Uint32Array.of(0x8ce0, 0))]],
  ['glDeleteBuffers(n = 2, buffers = [buffer 1, buffer 2])', 'glDeleteBuffers', [2, [1, 2]]],
  [
    String.raw`glShaderSource(shader = shader 1, count = 1, string = ["a\n\t\"é\u{1b}[31m\u{202e}"], length = null)`,
    'glShaderSource',
    [1, 1, ['a\n\t"é\u001b[31m\u202e'], null],
  ],
  [
    `glPushGroupMarkerEXT(length = 0, marker = "${'x'.repeat(200)}"… (5000 characters))`,
    'glPushGroupMarkerEXT',
    [0, 'x'.repeat(5000)],
  ],
  [
    'glReadPixels(x = 0, y = -1, width = 1, height = 1, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = out 4 bytes)',
    'glReadPixels',
    [0, -1, 1, 1, 0x1908, 0x1401, 4],
  ],
  [
    'glClientWaitSync(sync = sync 1, flags = GL_SYNC_FLUSH_COMMANDS_BIT, timeout = 18446744073709551615)',
    'glClientWaitSync',
    [1, 1, 2n ** 64n - 1n],
  ],
  ['glColorMask(red = true, green = false, blue = true, alpha = true)', 'glColorMask', [1, 0, 1, 1]],
];

for (const [expected, name, args, result] of cases)
  test(expected.slice(0, 100), () => {
    assert.equal(formatCall(make(name, args, result), manifest), expected);
  });

test('a line has an end', () => {
  const many = make('glShaderSource', [1, 1000, new Array(1000).fill('\u0001'.repeat(1000)), null]);
  assert.equal(formatCall(many, manifest).length, 2001);
});

test('JSON', () => {
  assert.deepEqual(callJson(make('glUniform4fv', [0, 1, inline(Float32Array.of(1, 0.5))]), manifest), {
    name: 'glUniform4fv',
    args: { location: { program: 3, uniform: 'uColor' }, count: 1, value: [1, 0.5] },
  });
  assert.deepEqual(callJson(make('glCreateShader', [0x8b31], 4), manifest), {
    name: 'glCreateShader',
    args: { type: 'GL_VERTEX_SHADER' },
    result: { shader: 4 },
  });
  assert.deepEqual(callJson(make('glClientWaitSync', [1, 0, 2n ** 64n - 1n]), manifest).args, {
    sync: { sync: 1 },
    flags: '0',
    timeout: '18446744073709551615',
  });
  const data: Argument = { kind: 'resource', resource: 0, byteOffset: 8, byteLength: 16 };
  assert.deepEqual(callJson(make('glBufferSubData', [0x8892, 0, 16, data]), manifest).args, {
    target: 'GL_ARRAY_BUFFER',
    offset: 0,
    size: 16,
    data: { resource: 0, byteOffset: 8, byteLength: 16 },
  });
  assert.deepEqual(callJson(make('glUniform1f', [0xffffffff, Number.POSITIVE_INFINITY]), manifest).args, {
    location: null,
    v0: 'Infinity',
  });
});
