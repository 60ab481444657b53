/** Traces whose calls read or fill buffers, and whose contexts share them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TracePointer } from '../../src/import/apitrace/trace.ts';
import { current, type Traced, translated } from './translated.ts';

const clear: Traced = ['glClear', [0x4000]];
const at = (offset: number) => new TracePointer(offset);

test('indices that lie beyond the element buffer are left out, and the import says so', async () => {
  const { lines, summary } = await translated([
    ...current,
    ['glBindBuffer', [0x8893, 5]],
    ['glBufferData', [0x8893, 12, null, 0x88e4]],
    clear,
    ['glDrawElements', [4, 6, 0x1403, at(0)]],
    ['glDrawElements', [4, 9, 0x1403, null]],
    ['glDrawRangeElements', [4, 0, 5, 3, 0x1403, at(8)]],
    ['glDrawElementsInstanced', [4, 3, 0x1405, at(40), 2]],
    ['glMultiDrawElements', [4, [3, 9], 0x1403, [null, at(6)], 2]],
  ]);
  assert.deepEqual(
    lines[1].slice(1).map((line) => /^(\w+)\(.*count = ([^a-z]*), type/.exec(line)?.slice(1)),
    [
      ['glDrawElements', '6'],
      ['glDrawElements', '6'],
      ['glDrawRangeElements', '2'],
      ['glDrawElementsInstanced', '0'],
      ['glMultiDrawElements', '[3, 3]'],
    ],
  );
  assert.deepEqual(
    summary.notes.map((note) => /that (\w+) takes from beyond its element buffer/.exec(note)?.[1]),
    ['glDrawElements', 'glDrawRangeElements', 'glDrawElementsInstanced', 'glMultiDrawElements'],
  );
  assert.equal(summary.draws, 6);
});

test('answers to queries are kept where they go to a buffer', async () => {
  const { lines, summary } = await translated([
    ...current,
    ['glGenQueries', [1, [3]]],
    clear,
    ['glGetQueryObjectuiv', [3, 0x8866, [7]]],
    ['glBindBuffer', [0x9192, 4]],
    ['glGetQueryObjectuiv', [3, 0x8866, at(8)]],
    ['glGetQueryBufferObjectuiv', [3, 4, 0x8866, 12]],
  ]);
  assert.deepEqual(lines[1].slice(3), [
    'glGetQueryObjectuiv(id = query 1, pname = GL_QUERY_RESULT, params = out 8 bytes)',
    'glGetQueryBufferObjectuiv(id = query 1, buffer = buffer 1, pname = GL_QUERY_RESULT, offset = 12)',
  ]);
  assert.deepEqual(summary.dropped, []);
});

test('memory of a buffer that is gone may be that of another one', async () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);
  const { lines } = await translated([
    ...current,
    ['glCreateBuffers', [2, [3, 4]]],
    ['glNamedBufferData', [3, 8, null, 0x88e4]],
    ['glNamedBufferData', [4, 8, null, 0x88e4]],
    ['glMapNamedBuffer', [3, 0x88b9], at(0x1000)],
    ['glDeleteBuffers', [1, [3]]],
    ['glMapNamedBuffer', [4, 0x88b9], at(0x1000)],
    clear,
    ['memcpy', [at(0x1000), bytes, 4]],
  ]);
  assert.match(lines[1][1], /^glBindBuffer\(target = GL_COPY_WRITE_BUFFER, buffer = buffer 2\)/);
});

const shared: readonly Traced[] = [...current, ['glXCreateContextAttribsARB', [1, 2, 0xc1, true, []], 0xc2]];

test('an object that another context uses lives on when its name is deleted', async () => {
  const { lines } = await translated([
    ...shared,
    ['glGenTextures', [2, [1, 2]]],
    ['glBindTexture', [0xde1, 1]],
    clear,
    ['glXMakeCurrent', [1, 7, 0xc2], true],
    ['glDeleteTextures', [2, [1, 2]]],
    ['glXMakeCurrent', [1, 7, 0xc1], true],
    ['glGenTextures', [1, [1]]],
    ['glBindTexture', [0xde1, 1]],
    ['glXMakeCurrent', [1, 7, 0xc2], true],
    clear,
  ]);
  assert.deepEqual(lines[1], [
    'glClear(mask = GL_COLOR_BUFFER_BIT)',
    'glBindTexture(target = GL_TEXTURE_2D, texture = 0)',
    'glDeleteTextures(n = 1, textures = [texture 2])',
    'glBindTexture(target = GL_TEXTURE_2D, texture = texture 1)',
    'glGenTextures(n = 1, textures = [texture 3])',
    'glBindTexture(target = GL_TEXTURE_2D, texture = texture 3)',
    'glBindTexture(target = GL_TEXTURE_2D, texture = 0)',
    'glClear(mask = GL_COLOR_BUFFER_BIT)',
  ]);
});

test('a context can read from another drawable than it draws into', async () => {
  const { lines } = await translated([
    ...current,
    ['glXCreatePbuffer', [1, 2, [0x8041, 64, 0x8040, 48, 0]], 9],
    clear,
    ['glXMakeContextCurrent', [1, 9, 9, 0xc1], true],
    clear,
    ['glXMakeContextCurrent', [1, 7, 9, 0xc1], true],
    ['glReadBuffer', [0x405]],
    ['glReadPixels', [0, 0, 1, 1, 0x1908, 0x1401, null]],
    ['glBindFramebuffer', [0x8d40, 3]],
    ['glBindFramebuffer', [0x8d40, 0]],
    ['glXMakeContextCurrent', [1, 7, 7, 0xc1], true],
    clear,
  ]);
  const [first] = lines[1].flatMap((line, index) => (line.startsWith('glReadBuffer') ? [index] : []));
  assert.deepEqual(lines[1].slice(first - 1), [
    'glBindFramebuffer(target = GL_DRAW_FRAMEBUFFER, framebuffer = canvas)',
    'glReadBuffer(src = GL_COLOR_ATTACHMENT0)',
    'glReadPixels(x = 0, y = 0, width = 1, height = 1, format = GL_RGBA, type = GL_UNSIGNED_BYTE, pixels = out 4 bytes)',
    'glGenFramebuffers(n = 1, framebuffers = [framebuffer 2])',
    'glBindFramebuffer(target = GL_FRAMEBUFFER, framebuffer = framebuffer 2)',
    'glBindFramebuffer(target = GL_READ_FRAMEBUFFER, framebuffer = framebuffer 1)',
    'glBindFramebuffer(target = GL_DRAW_FRAMEBUFFER, framebuffer = canvas)',
    'glBindFramebuffer(target = GL_READ_FRAMEBUFFER, framebuffer = canvas)',
    'glClear(mask = GL_COLOR_BUFFER_BIT)',
  ]);
});
