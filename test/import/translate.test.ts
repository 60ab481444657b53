import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TracePointer } from '../../src/import/apitrace/trace.ts';
import { current, swap, type Traced, translated } from './translated.ts';

const GL_ARRAY_BUFFER = 0x8892;
const GL_TEXTURE_2D = 0xde1;
const clear: Traced = ['glClear', [0x4000]];
const draw: Traced = ['glDrawArrays', [4, 0, 3]];

/** The setup's lines of a trace that ends with one clear. */
async function setupOf(calls: readonly Traced[]): Promise<readonly string[]> {
  return (await translated([...current, ...calls, clear])).lines[0];
}

test('names become ids, which are never used again', async () => {
  assert.deepEqual(
    await setupOf([
      ['glGenTextures', [2, [40, 7]]],
      ['glBindTexture', [GL_TEXTURE_2D, 7]],
      ['glDeleteTextures', [2, [7, 0]]],
      ['glGenTextures', [1, [7]]],
      ['glBindTexture', [GL_TEXTURE_2D, 7]],
      ['glBindTexture', [GL_TEXTURE_2D, 0]],
    ]),
    [
      'glGenTextures(n = 2, textures = [texture 1, texture 2])',
      'glBindTexture(target = GL_TEXTURE_2D, texture = texture 2)',
      'glDeleteTextures(n = 1, textures = [texture 2])',
      'glGenTextures(n = 1, textures = [texture 3])',
      'glBindTexture(target = GL_TEXTURE_2D, texture = texture 3)',
      'glBindTexture(target = GL_TEXTURE_2D, texture = 0)',
    ],
  );
});

test('a name that was never asked for gets its object at its first use', async () => {
  assert.deepEqual(await setupOf([['glBindTexture', [GL_TEXTURE_2D, 5]]]), [
    'glGenTextures(n = 1, textures = [texture 1])',
    'glBindTexture(target = GL_TEXTURE_2D, texture = texture 1)',
  ]);
});

test('uniforms are known by name, elements of arrays by their place after the first', async () => {
  const { lines } = await translated([
    ...current,
    ['glCreateProgram', [], 9],
    ['glUseProgram', [9]],
    ['glGetUniformLocation', [9, 'lights'], 4],
    ['glGetUniformLocation', [9, 'bones[2]'], 10],
    clear,
    ['glUniform1f', [4, 0.5]],
    ['glUniform1f', [6, 0.25]],
    ['glUniform4fv', [11, 1, [1, 2, 3, 4]]],
    ['glUniform1i', [-1, 3]],
    ['glUniform1i', [2, 3]],
    ['glProgramUniform1i', [9, 4, 3]],
  ]);
  assert.deepEqual(lines[1].slice(1), [
    'glUniform1f(location = "lights" of program 1, v0 = 0.5)',
    'glUniform1f(location = "lights[2]" of program 1, v0 = 0.25)',
    'glUniform4fv(location = "bones[3]" of program 1, count = 1, value = [1, 2, 3, 4])',
    'glUniform1i(location = -1, v0 = 3)',
    'glUniform1i(location = "#2" of program 1, v0 = 3)',
    'glProgramUniform1i(program = program 1, location = "lights" of program 1, v0 = 3)',
  ]);
});

test('a location that the shader gives itself needs no question', async () => {
  const { lines } = await translated([
    ...current,
    ['glCreateShader', [0x8b31], 3],
    [
      'glShaderSource',
      [
        3,
        2,
        ['#version 450\n', 'layout(location = 6) uniform vec4 tint[2]; layout(location = AT) uniform float k;'],
        null,
      ],
    ],
    ['glCreateProgram', [], 4],
    ['glAttachShader', [4, 3]],
    ['glLinkProgram', [4]],
    ['glDetachShader', [4, 3]],
    ['glDeleteShader', [3]],
    ['glUseProgram', [4]],
    clear,
    ['glUniform4f', [7, 1, 0, 0, 1]],
    ['glGetUniformLocation', [4, 'size'], 8],
    ['glUniform1f', [9, 2]],
  ]);
  assert.deepEqual(lines[1].slice(1), [
    'glUniform4f(location = "tint[1]" of program 1, v0 = 1, v1 = 0, v2 = 0, v3 = 1)',
    'glUniform1f(location = "#9" of program 1, v0 = 2)',
  ]);
});

test('blocks are bound by name', async () => {
  assert.deepEqual(
    (
      await setupOf([
        ['glCreateProgram', [], 9],
        ['glGetUniformBlockIndex', [9, 'Camera'], 2],
        ['glUniformBlockBinding', [9, 2, 5]],
        ['glGetProgramResourceIndex', [9, 0x92e6, 'Bones'], 1],
        ['glShaderStorageBlockBinding', [9, 1, 3]],
      ])
    ).slice(1),
    [
      'gpuprofUniformBlockBinding(program = program 1, name = "Camera", binding = 5)',
      'gpuprofShaderStorageBlockBinding(program = program 1, name = "Bones", binding = 3)',
    ],
  );
});

test("ARB_shader_objects' handles are programs and shaders", async () => {
  assert.deepEqual(
    await setupOf([
      ['glCreateShaderObjectARB', [0x8b31], 1],
      ['glCreateProgramObjectARB', [], 2],
      ['glAttachObjectARB', [2, 1]],
      ['glBindAttribLocationARB', [2, 0, 'p']],
      ['glLinkProgramARB', [2]],
      ['glUseProgramObjectARB', [2]],
      ['glDeleteObjectARB', [1]],
      ['glDeleteObjectARB', [2]],
    ]),
    [
      'glCreateShader(type = GL_VERTEX_SHADER) = shader 1',
      'glCreateProgram() = program 1',
      'glAttachShader(program = program 1, shader = shader 1)',
      'glBindAttribLocation(program = program 1, index = 0, name = "p")',
      'glLinkProgram(program = program 1)',
      'glUseProgram(program = program 1)',
      'glDeleteShader(shader = shader 1)',
      'glDeleteProgram(program = program 1)',
    ],
  );
});

test('what is written through an address is a write into the buffer', async () => {
  const bytes = Uint8Array.of(1, 2, 3, 4);
  assert.deepEqual(
    (
      await setupOf([
        ['glGenBuffers', [1, [3]]],
        ['glBindBuffer', [GL_ARRAY_BUFFER, 3]],
        ['glBufferStorage', [GL_ARRAY_BUFFER, 64, null, 0x42]],
        ['glMapBufferRange', [GL_ARRAY_BUFFER, 16, 32, 0x42], new TracePointer(0x1000)],
        ['memcpy', [new TracePointer(0x1004), bytes, 4]],
        ['glBindBuffer', [GL_ARRAY_BUFFER, 0]],
        ['memcpy', [new TracePointer(0x101c), bytes, 4]],
        ['memcpy', [new TracePointer(0x101d), bytes, 4]],
        ['glUnmapNamedBuffer', [3], true],
        ['memcpy', [new TracePointer(0x1004), bytes, 4]],
      ])
    ).slice(2),
    [
      'glBufferStorage(target = GL_ARRAY_BUFFER, size = 64, data = null, flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_DYNAMIC_STORAGE_BIT)',
      'glBufferSubData(target = GL_ARRAY_BUFFER, offset = 20, size = 4, data = [1, 2, 3, 4])',
      'glBindBuffer(target = GL_ARRAY_BUFFER, buffer = 0)',
      'glBindBuffer(target = GL_COPY_WRITE_BUFFER, buffer = buffer 1)',
      'glBufferSubData(target = GL_COPY_WRITE_BUFFER, offset = 44, size = 4, data = [1, 2, 3, 4])',
      'glBindBuffer(target = GL_COPY_WRITE_BUFFER, buffer = 0)',
    ],
  );
});

test('addresses are offsets where a buffer is bound, and cannot be anything else', async () => {
  const { lines, summary } = await translated([
    ...current,
    ['glVertexAttribPointer', [0, 2, 0x1406, 0, 8, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0)]],
    ['glVertexAttribPointer', [1, 2, 0x1406, 0, 8, new TracePointer(64)]],
    ['glBindBuffer', [GL_ARRAY_BUFFER, 3]],
    ['glVertexAttribPointer', [1, 2, 0x1406, 0, 8, new TracePointer(64)]],
    ['glVertexAttribPointer', [1, 2, 0x1406, 0, 8, null]],
    clear,
  ]);
  assert.deepEqual(
    lines[0].map((line) => /pointer = (.*)\)$/.exec(line)?.[1]).filter((text) => text !== undefined),
    ['[0, 0, 0, 0, 0, 0, 0, 0]', 'offset 64', 'offset 0'],
  );
  assert.deepEqual(summary.dropped, [
    { name: 'glVertexAttribPointer', count: 1, why: 'it reads memory that the trace does not hold' },
  ]);
});

test('pixels are tight, whatever the program had set', async () => {
  const rows = Uint8Array.from({ length: 32 }, (_, at) => at);
  const lines = await setupOf([
    ['glPixelStorei', [0xcf2, 4]],
    ['glPixelStorei', [0xcf4, 1]],
    ['glPixelStorei', [0xcf0, 1]],
    ['glTexImage2D', [GL_TEXTURE_2D, 0, 0x8229, 2, 2, 0, 0x1903, 0x1403, rows]],
    ['glTexImage2D', [GL_TEXTURE_2D, 0, 0x8229, 2, 2, 0, 0x1903, 0x1403, rows.subarray(0, 12)]],
    ['glTexImage2D', [GL_TEXTURE_2D, 0, 0x8229, 2, 2, 0, 0x1903, 0x1403, null]],
    ['glBindBuffer', [0x88ec, 3]],
    ['glTexImage2D', [GL_TEXTURE_2D, 0, 0x8229, 2, 2, 0, 0x1903, 0x1403, null]],
  ]);
  assert.deepEqual(
    lines.map((line) => /pixels = (.*)\)$/.exec(line)?.[1]).filter((text) => text !== undefined),
    ['[3, 2, 5, 4, 11, 10, 13, 12]', 'null', 'offset 0'],
  );
});

test('questions and the window system leave nothing; what does something and cannot be kept is counted', async () => {
  const { lines, summary } = await translated([
    ...current,
    ['glGetError', [], 0],
    ['glIsTexture', [3], 1],
    ['glXQueryDrawable', [1, 7, 3, [4]]],
    ['glProgramBinary', [3, 1, Uint8Array.of(1), 1]],
    ['glProgramBinary', [3, 1, Uint8Array.of(1), 1]],
    ['glFlyToTheMoon', []],
    clear,
    swap,
  ]);
  assert.deepEqual(lines, [[], ['glClear(mask = GL_COLOR_BUFFER_BIT)']]);
  assert.deepEqual(summary.dropped, [
    { name: 'glProgramBinary', count: 2, why: 'program binaries are for the recorded driver only' },
    { name: 'glFlyToTheMoon', count: 1, why: 'it is no GL command that gpuprof knows' },
  ]);
});

test('calls without a context are left out', async () => {
  const { summary } = await translated([clear, ...current, clear, ['glXMakeCurrent', [1, 0, null], true], draw]);
  assert.deepEqual(summary.dropped, [
    { name: 'glClear', count: 1, why: 'no context was current' },
    { name: 'glDrawArrays', count: 1, why: 'no context was current' },
  ]);
});

test('a context may be current in the third thread alone', async () => {
  const inThird = ([name, args, result]: Traced): Traced => [name, args, result, 2];
  const calls: readonly Traced[] = [...current, clear, ['glGenTextures', [1, [3]]], ['glDeleteTextures', [1, [3]]]];
  const { lines } = await translated(calls.map(inThird));
  assert.deepEqual(
    lines.flat().filter((line) => line.includes('Textures')),
    ['glGenTextures(n = 1, textures = [texture 1])', 'glDeleteTextures(n = 1, textures = [texture 1])'],
  );
});

test('what is more than a buffer has is not read back', async () => {
  const { summary } = await translated([
    ...current,
    clear,
    ['glReadPixels', [0, 0, 60_000, 60_000, 0x1908, 0x1406, new TracePointer(0x7fff0000)]],
    ['glBindBuffer', [0x88eb, 4]],
    ['glReadPixels', [0, 0, 1, 1, 0x1908, 0x1401, new TracePointer(2n ** 60n)]],
  ]);
  const why = 'it writes more, or further on, than any buffer has';
  assert.deepEqual(summary.dropped, [{ name: 'glReadPixels', count: 2, why }]);
});

test('the window grows to what is drawn into framebuffer 0', async () => {
  const { canvas, lines } = await translated([
    ...current,
    ['glViewport', [0, 0, 300, 10]],
    ['glBindFramebuffer', [0x8d40, 1]],
    ['glViewport', [0, 0, 900, 900]],
    ['glBindFramebuffer', [0x8d40, 0]],
    clear,
    ['glViewport', [100, 0, 250, 200]],
    ['glEnable', [0xc11]],
    ['glViewport', [0, 0, 20, 20]],
  ]);
  assert.deepEqual([canvas.width, canvas.height], [300, 32]);
  // What has been drawn is kept in the meantime.
  const bound = /^gl(Gen|Bind|Delete|Renderbuffer|FramebufferRenderbuffer)/;
  const [source, kept] = [
    'srcX0 = 0, srcY0 = 0, srcX1 = 300, srcY1 = 32',
    'dstX0 = 0, dstY0 = 0, dstX1 = 300, dstY1 = 32',
  ];
  const mask = 'GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | GL_COLOR_BUFFER_BIT';
  const copied = `glBlitFramebuffer(${source}, ${kept}, mask = ${mask}, filter = GL_NEAREST)`;
  assert.deepEqual(
    lines[1].filter((line) => !bound.test(line)),
    [
      'glClear(mask = GL_COLOR_BUFFER_BIT)',
      copied,
      'gpuprofCanvasSize(width = 350, height = 200)',
      copied,
      'glViewport(x = 100, y = 0, width = 250, height = 200)',
      'glScissor(x = 0, y = 0, width = 350, height = 200)',
      'glEnable(cap = GL_SCISSOR_TEST)',
      'glViewport(x = 0, y = 0, width = 20, height = 20)',
    ],
  );
});

test('indices in client memory make a call of each draw of a multi-draw', async () => {
  const { lines, summary } = await translated([
    ...current,
    clear,
    ['glMultiDrawElements', [4, [3, 1], 0x1401, [Uint8Array.of(0, 1, 2), Uint8Array.of(3)], 2]],
    ['glBindBuffer', [0x8893, 5]],
    ['glMultiDrawElements', [4, [3, 1], 0x1401, [null, new TracePointer(3)], 2]],
  ]);
  assert.deepEqual(lines[1].slice(1), [
    'glDrawElements(mode = GL_TRIANGLES, count = 3, type = GL_UNSIGNED_BYTE, indices = [0, 1, 2])',
    'glDrawElements(mode = GL_TRIANGLES, count = 1, type = GL_UNSIGNED_BYTE, indices = [3])',
    'glGenBuffers(n = 1, buffers = [buffer 1])',
    'glBindBuffer(target = GL_ELEMENT_ARRAY_BUFFER, buffer = buffer 1)',
    'glMultiDrawElements(mode = GL_TRIANGLES, count = [3, 1], type = GL_UNSIGNED_BYTE, indices = [0, 3], drawcount = 2)',
  ]);
  assert.equal(summary.draws, 4);
});

test('a program of shaders that are not text is not used', async () => {
  const { lines, summary } = await translated([
    ...current,
    ['glCreateShader', [0x8b31], 1],
    ['glShaderBinary', [1, [1], 0x9551, Uint8Array.of(3, 2, 35, 7), 4]],
    ['glCreateProgram', [], 2],
    ['glAttachShader', [2, 1]],
    ['glLinkProgram', [2]],
    clear,
    ['glUseProgram', [2]],
    ['glAccum', [0x100, 1]],
  ]);
  assert.deepEqual(lines[1].slice(1), ['glUseProgram(program = 0)']);
  assert.deepEqual(
    summary.dropped.map(({ name }) => name),
    ['glAccum', 'glShaderBinary', 'glUseProgram'],
  );
});

test('what GL refuses of vertex attributes and buffers is left out, since the replayer relies on such calls', async () => {
  const { lines, summary } = await translated([
    ...current,
    clear,
    ['glBufferData', [GL_ARRAY_BUFFER, 4, null, 0x88e4]],
    ['glBindBuffer', [GL_ARRAY_BUFFER, 1]],
    ['glBufferStorage', [GL_ARRAY_BUFFER, 0, null, 0]],
    ['glBufferStorage', [GL_ARRAY_BUFFER, 4, null, 0]],
    ['glBufferData', [GL_ARRAY_BUFFER, 4, null, 0x88e4]],
    ['glVertexAttribPointer', [0xffffffff, 2, 0x1406, false, 0, null]],
    ['glDisableVertexAttribArray', [-1]],
    ['glVertexAttribPointer', [0, 5, 0x1406, false, 0, null]],
    ['glBufferData', [GL_ARRAY_BUFFER, 4, null, 0x1234]],
    ['glBindBuffer', [0x1234, 1]],
    ['glEnableVertexAttribArray', [3]],
    ['glBegin', [4]],
    ['glBindBuffer', [GL_ARRAY_BUFFER, 0]],
    ['glVertex2f', [0, 0]],
    ['glEnd', []],
  ]);
  assert.deepEqual(
    lines[1].slice(1).map((line) => line.replace(/\(.*/, '')),
    ['glGenBuffers', 'glBindBuffer', 'glBufferStorage', 'glEnableVertexAttribArray', 'glBegin', 'glVertex2f', 'glEnd'],
  );
  assert.deepEqual(summary.dropped.map(({ name, why }) => `${name}: ${why}`).sort(), [
    'glBindBuffer: GL has no such target',
    'glBindBuffer: it is not allowed after glBegin',
    'glBufferData: GL has no such usage',
    "glBufferData: its buffer's storage is immutable",
    'glBufferData: no buffer was bound',
    'glBufferStorage: no buffer has such a size',
    'glDisableVertexAttribArray: GL has no such vertex attribute',
    'glVertexAttribPointer: GL has no such size',
    'glVertexAttribPointer: GL has no such vertex attribute',
  ]);
});
