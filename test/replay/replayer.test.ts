import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openContext } from '../../src/gl/open.ts';
import type { Argument } from '../../src/model/call.ts';
import type { ReplayOptions } from '../../src/replay/replay-parts.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { bytes, CaptureBuilder, floats, offset, words } from './memory-capture.ts';

const context = await openContext('egl', { api: 'es' });
after(() => context.destroy());

const vertex = '#version 300 es\nlayout(location = 0) in vec4 p; void main() { gl_Position = p; }';
const fragment =
  '#version 300 es\nprecision highp float; uniform vec4 colors[2]; out vec4 o; void main() { o = colors[1]; }';

async function replay(b: CaptureBuilder, work: (r: Replayer) => Promise<void> | void, options?: ReplayOptions) {
  const replayer = await Replayer.create(context, b.capture(), options);
  try {
    await work(replayer);
  } finally {
    replayer.destroy();
  }
}

test('errors are booked on the event that raised them and counted over the runs', async () => {
  const b = new CaptureBuilder().call('glEnable', 0x1234).frame();
  b.call('glClearColor', 0, 1, 0, 1).call('glBlendFunc', 0xffff, 1).call('glClear', 0x4000);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    for (let run = 0; run < 3; run++) {
      frame.restore();
      frame.play();
    }
    assert.deepEqual([...frame.readCanvas().data.slice(0, 4)], [0, 255, 0, 255]);
    const inFrame = replayer.glErrors.filter((record) => record.frame === 1);
    assert.equal(inFrame.length, 1);
    assert.deepEqual(
      { eventId: inFrame[0].eventId, error: inFrame[0].error, count: inFrame[0].count },
      { eventId: 2, error: 'GL_INVALID_ENUM', count: 3 },
    );
    assert.match(inFrame[0].call, /glBlendFunc\(/);
    const inSetup = replayer.glErrors.filter((record) => record.frame === null);
    assert.deepEqual(
      inSetup.map(({ eventId, error, count }) => ({ eventId, error, count })),
      [{ eventId: 1, error: 'GL_INVALID_ENUM', count: 1 }],
    );
  });
});

test('hooks surround their events, and state calls come before', async () => {
  const b = new CaptureBuilder().frame();
  for (let index = 0; index < 6; index++) b.call('glClearColor', index / 10, 0, 0, 1);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    const seen: string[] = [];
    const red = () => {
      context.gl.glGetFloatv(0x0c22, context.scratch.address);
      return Math.round(context.scratch.f32[0] * 10);
    };
    const hooks = {
      begin: (bracket: number) => seen.push(`begin ${bracket} at ${red()}`),
      end: (bracket: number) => seen.push(`end ${bracket} at ${red()}`),
    };
    const plan = { beginAt: Int32Array.of(-1, -1, 0, 1, -1, -1), endAt: Int32Array.of(-1, -1, 0, -1, 1, -1) };
    for (let run = 0; run < 2; run++) {
      frame.restore();
      frame.play(plan, hooks);
      assert.deepEqual(seen.splice(0), ['begin 0 at 1', 'end 0 at 2', 'begin 1 at 2', 'end 1 at 4']);
    }
  });
});

test('playing makes nothing for a call, with brackets and without, but the box of a large number', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedBytes = () => getHeapStatistics().used_heap_size;
  const count = 4000;
  const plan = { beginAt: new Int32Array(count).fill(0), endAt: new Int32Array(count).fill(0) };
  const hooks = { begin() {}, end() {} };
  const ofWholeNumbers = new CaptureBuilder().frame();
  const ofAddresses = new CaptureBuilder();
  ofAddresses
    .call('glGenBuffers', 1, [1])
    .call('glBindBuffer', 0x8892, 1)
    .call('glBufferData', 0x8892, 16, null, 0x88e4);
  ofAddresses.frame();
  for (let index = 0; index < count; index++) {
    ofWholeNumbers.call('glScissor', 0, 0, index % 16, 16);
    ofAddresses.call('glBufferSubData', 0x8892, 0, 16, floats(0, 0, 0, index));
  }
  for (const [b, mostBytes] of [
    [ofWholeNumbers, 1],
    [ofAddresses, 17],
  ] as const)
    await replay(b, async (replayer) => {
      const frame = await replayer.loadFrame(1);
      const runs = [() => frame.play(), () => frame.play(plan, hooks)].map((play) => {
        let bytes = Number.POSITIVE_INFINITY;
        // What V8 learns of functions takes room in the first runs.
        for (let run = 0; run < 8; run++) {
          frame.restore();
          collect();
          const before = usedBytes();
          play();
          bytes = Math.min(bytes, usedBytes() - before);
        }
        return bytes / count;
      });
      assert.ok(Math.max(...runs) < mostBytes, `${runs.join(' and ')} bytes a call`);
    });
});

test('a frame is played after those before it', async () => {
  const b = new CaptureBuilder({ canvas: { preserved: true } });
  b.call('glEnable', 0x0c11).frame();
  b.call('glScissor', 0, 0, 8, 16).call('glClearColor', 1, 0, 0, 1).call('glClear', 0x4000).frame();
  b.call('glScissor', 8, 0, 8, 16).call('glClearColor', 0, 0, 1, 1).call('glClear', 0x4000);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(2);
    frame.play();
    const { data } = frame.readCanvas();
    assert.deepEqual([...data.slice(0, 4), ...data.slice(60, 64)], [255, 0, 0, 255, 0, 0, 255, 255]);
    await assert.rejects(replayer.loadFrame(1), { code: 'bad-usage' });
    await assert.rejects(replayer.loadFrame(3), { code: 'bad-usage' });
  });
});

test('a frame that is loaded to be played once leaves what it changed, within its brackets', async () => {
  const b = new CaptureBuilder({ canvas: { preserved: true } });
  b.call('glEnable', 0x0c11).frame();
  b.call('glScissor', 0, 0, 8, 16).call('glClearColor', 1, 0, 0, 1).call('glClear', 0x4000).frame();
  b.call('glScissor', 8, 0, 8, 16).call('glClearColor', 0, 0, 1, 1).call('glClear', 0x4000).call('glEnable', 1).frame();
  b.call('glScissor', 0, 0, 4, 16).call('glClear', 0x4000);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadOnce(2);
    const seen: string[] = [];
    const hooks = {
      begin: (bracket: number) => seen.push(`begin ${bracket}: ${replayer.readCanvas().data[60]}`),
      end: (bracket: number) => seen.push(`end ${bracket}: ${replayer.readCanvas().data[62]}`),
    };
    frame.play({ beginAt: Int32Array.of(-1, -1, 0, -1), endAt: Int32Array.of(-1, -1, 0, -1) }, hooks);
    assert.deepEqual(seen, ['begin 0: 0', 'end 0: 255']);
    assert.deepEqual(
      replayer.glErrors.map(({ frame, eventId, count }) => [frame, eventId, count]),
      [[2, 4, 1]],
    );
    await assert.rejects(replayer.loadOnce(2), { code: 'bad-usage' });
    await replayer.playThrough(3);
    const { data } = replayer.readCanvas();
    assert.deepEqual([...data.slice(0, 4), ...data.slice(20, 24)], [0, 0, 255, 255, 255, 0, 0, 255]);
  });
});

test('array elements, the canvas without alpha, and rows from the top', async () => {
  const b = new CaptureBuilder({ canvas: { alpha: false } }).program(1, vertex, fragment).call('glUseProgram', 1);
  b.call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x8892, 1);
  b.call('glBufferData', 0x8892, 24, floats(-1, 0, 3, 0, -1, 4), 0x88e4);
  b.call('glGenVertexArrays', 1, [1]).call('glBindVertexArray', 1).call('glEnableVertexAttribArray', 0);
  b.call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0));
  b.call('glUniform4f', b.location(1, 'colors[1]'), 1, 0.6, 0, 0.2).frame().call('glDrawArrays', 4, 0, 3);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    frame.play();
    const { data } = frame.readCanvas();
    assert.deepEqual([...data.slice(0, 4)], [255, 153, 0, 255]);
    assert.deepEqual([...data.slice(-4)], [0, 0, 0, 255]);
    assert.deepEqual(replayer.glErrors, []);
  });
});

for (const samples of [0, 4])
  test(`contents of a canvas with ${samples} samples are put in place`, async () => {
    const pixels = new Uint8Array(16 * 16 * 4).map((_, index) => index);
    const b = new CaptureBuilder({ canvas: { samples } });
    b.call('gpuprofCanvasContents', 0x1800, 16, 16, 0x1908, 0x1401, b.resource(pixels));
    b.call('gpuprofCanvasContents', 0x1802, 16, 16, 0x1901, 0x1401, bytes(...pixels.filter((_, i) => i % 4 === 0)));
    await replay(b.frame(), async (replayer) => {
      const frame = await replayer.loadFrame(1);
      frame.play();
      const { data } = frame.readCanvas();
      assert.deepEqual([...data.slice(-64)], [...pixels.slice(0, 64)]);
      assert.deepEqual(replayer.glErrors, []);
    });
  });

test('the window of pixel reads through a multisampled canvas', async () => {
  const b = new CaptureBuilder({ canvas: { samples: 4 } }).frame();
  b.call('glClearColor', 1, 0, 1, 1).call('glClear', 0x4000);
  b.call('glReadPixels', 0, 0, 16, 16, 0x1908, 0x1401, 1024);
  b.call('glGenTextures', 1, [1]).call('glBindTexture', 0x0de1, 1);
  b.call('glCopyTexImage2D', 0x0de1, 0, 0x1908, 0, 0, 16, 16, 0);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    frame.play();
    assert.deepEqual(replayer.glErrors, []);
  });
});

const bound = (b: CaptureBuilder) => b.call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x8892, 1);
const textured = (b: CaptureBuilder) => b.call('glGenTextures', 1, [1]).call('glBindTexture', 0x0de1, 1);
const attribute = (b: CaptureBuilder) => b.call('glEnableVertexAttribArray', 0);
const hostile: readonly (readonly [name: string, make: (b: CaptureBuilder) => CaptureBuilder])[] = [
  ['a buffer upload longer than its data', (b) => bound(b).call('glBufferData', 0x8892, 1 << 20, floats(1, 2), 0x88e4)],
  ['a partial upload without data', (b) => bound(b).call('glBufferSubData', 0x8892, 0, 64, null)],
  ['uniforms beyond their data', (b) => b.call('glUniform4fv', 0xffffffff, 4000, floats(1))],
  ['a matrix beyond its data', (b) => b.call('glUniformMatrix4fv', 0xffffffff, 1, 0, floats(1))],
  [
    'texels beyond their data',
    (b) => textured(b).call('glTexImage2D', 0x0de1, 0, 0x1908, 512, 512, 0, 0x1908, 0x1401, bytes(1, 2, 3, 4)),
  ],
  [
    'texels at an offset without a buffer',
    (b) => textured(b).call('glTexImage2D', 0x0de1, 0, 0x1908, 4, 4, 0, 0x1908, 0x1401, offset(4096)),
  ],
  [
    'compressed texels beyond their data',
    (b) => textured(b).call('glCompressedTexImage2D', 0x0de1, 0, 0x9274, 64, 64, 0, 2048, bytes(1, 2, 3, 4)),
  ],
  ['draw buffers beyond their list', (b) => b.call('glDrawBuffers', 8, words(0x0405))],
  ['a clear value beyond its data', (b) => b.call('glClearBufferfv', 0x1800, 0, floats(1))],
  [
    'more shader texts than there are',
    (b) => b.made(1, 'glCreateShader', 0x8b31).call('glShaderSource', 1, 9, ['x'], null),
  ],
  ['a buffer that is made later', (b) => b.call('glBindBuffer', 0x8893, 1).call('glGenBuffers', 1, [1])],
  ['a buffer that is gone', (b) => bound(b).call('glDeleteBuffers', 1, [1]).call('glBindBuffer', 0x8893, 1)],
  ['a program that nothing makes', (b) => b.call('glUseProgram', 3)],
  ['pixels read into too little', (b) => b.call('glReadPixels', 0, 0, 64, 64, 0x1908, 0x1401, 16)],
  [
    'an attribute at an address',
    (b) => attribute(b).call('glVertexAttribPointer', 0, 4, 0x1406, 0, 0, offset(0x41414141)),
  ],
  [
    'a draw beyond a client array',
    (b) =>
      attribute(b)
        .call('glVertexAttribPointer', 0, 4, 0x1406, 0, 0, floats(1, 2, 3, 4))
        .call('glDrawArrays', 4, 0, 100000),
  ],
  ['indices at an offset without a buffer', (b) => b.call('glDrawElements', 4, 3, 0x1405, offset(64))],
  ['indices beyond their data', (b) => b.call('glDrawElements', 4, 300, 0x1405, words(0, 1, 2))],
  [
    'indices beyond the element buffer',
    (b) =>
      b
        .call('glGenBuffers', 1, [1])
        .call('glBindBuffer', 0x8893, 1)
        .call('glBufferData', 0x8893, 12, words(0, 1, 2), 0x88e4)
        .call('glDrawElements', 4, 3, 0x1405, offset(4)),
  ],
  ['a draw that never ends', (b) => b.call('glDrawArraysInstanced', 4, 0, 1 << 20, 1 << 20)],
  ['a multi-draw that never ends', (b) => b.call('glMultiDrawArraysANGLE', 4, words(0, 0), words(1 << 29, 1 << 30), 2)],
  ['a dispatch that never ends', (b) => b.call('glDispatchCompute', 65535, 65535, 4)],
  ['an indirect draw from nowhere', (b) => b.call('glDrawArraysIndirect', 4, offset(0))],
  ['a mapped buffer', (b) => bound(b).call('glMapBufferRange', 0x8892, 0, 4, 2)],
  ['a program binary', (b) => b.call('glProgramBinary', 0, 1, bytes(1, 2, 3), 3)],
  ['an EGL image', (b) => b.call('glEGLImageTargetTexStorageEXT', 0x0de1, 64, null)],
  ['a huge texture', (b) => textured(b).call('glTexStorage3D', 0x8c1a, 14, 0x8058, 16384, 16384, 2048)],
];

for (const [name, make] of hostile)
  test(`refused: ${name}`, async () => {
    const refused = { name: 'GpuprofError', code: /^(bad-capture|missing-feature)$/ };
    await assert.rejects(
      replay(make(new CaptureBuilder()).frame(), () => {}),
      refused,
    );
    await replay(make(new CaptureBuilder().frame()), async (replayer) => {
      await assert.rejects(replayer.loadFrame(1), refused);
    });
  });

test('storage is booked at the size of its format, and given back with what it takes the place of', async () => {
  const kibibytes = 1024;
  /** What the calls take beside a canvas of 512 KiB, found by what is refused. */
  const needs = (most: number, make: (b: CaptureBuilder) => unknown) => {
    const b = new CaptureBuilder({ canvas: { width: 256, height: 256 } });
    make(b);
    return replay(b.frame(), () => {}, { maxGpuBytes: (512 + most) * kibibytes });
  };
  const exactly = async (size: number, make: (b: CaptureBuilder) => unknown) => {
    await needs(size, make);
    await assert.rejects(needs(size - 1, make), {
      code: 'bad-capture',
      message: /would bring the capture's GPU memory to /,
    });
  };
  const copied = (b: CaptureBuilder, level: number) =>
    b.call('glCopyTexImage2D', 0x0de1, level, 0x8058, 0, 0, 64, 64, 0);
  await exactly(256, (b) => textured(b).call('glTexStorage2D', 0x0de1, 1, 0x8814, 128, 128)); // RGBA32F
  await exactly(64, (b) => textured(b).call('glTexStorage2D', 0x0de1, 1, 0x8229, 128, 128)); // R8, padded
  await exactly(8, (b) => textured(b).call('glTexStorage2D', 0x0de1, 1, 0x9274, 128, 128)); // ETC2
  await exactly(128, (b) => textured(b).call('glTexImage2D', 0x0de1, 0, 0x881a, 128, 128, 0, 0x1908, 0x140b, null));
  await exactly(32, (b) => copied(copied(textured(b), 0).call('glFlush'), 1));
  await exactly(16, (b) => copied(copied(textured(b), 0), 0));
  await exactly(64, (b) =>
    b
      .call('glGenRenderbuffers', 1, [1])
      .call('glBindRenderbuffer', 0x8d41, 1)
      .call('glRenderbufferStorageMultisample', 0x8d41, 4, 0x8058, 64, 64),
  );
});

test('attributes without data are not enabled while something is drawn', async () => {
  const b = new CaptureBuilder().made(1, 'glCreateShader', 0x8b31).call('glShaderSource', 1, 1, [vertex], null);
  b.made(2, 'glCreateShader', 0x8b30).call('glShaderSource', 2, 1, [fragment], null);
  b.call('glCompileShader', 1).call('glCompileShader', 2).made(1, 'glCreateProgram');
  b.call('glAttachShader', 1, 1).call('glAttachShader', 1, 2).call('glLinkProgram', 1).call('glUseProgram', 1);
  b.call('glUniform4fv', b.location(1, 'colors'), 2, floats(0, 0, 0, 0, 0, 1, 0, 1));
  b.call('glGenVertexArrays', 1, [1]).call('glBindVertexArray', 1).call('glGenBuffers', 2, [1, 2]);
  b.call('glBindBuffer', 0x8892, 1).call('glBufferData', 0x8892, 24, floats(-1, -1, 3, -1, -1, 3), 0x88e4);
  b.call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0)).call('glEnableVertexAttribArray', 0);
  b.call('glBindBuffer', 0x8892, 2).call('glVertexAttribPointer', 2, 4, 0x1406, 0, 0, offset(0));
  for (const without of [1, 2]) b.call('glEnableVertexAttribArray', without);
  b.frame().call('glDrawArrays', 4, 0, 3);
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    frame.play();
    assert.deepEqual([...frame.readCanvas().data.slice(0, 4)], [0, 255, 0, 255]);
    assert.deepEqual(replayer.glErrors, []);
    context.gl.glGetVertexAttribiv(1, 0x8622, context.scratch.address);
    assert.equal(context.scratch.i32[0], 1);
  });
});

for (const [name, target, list, call] of [
  ['an indirect draw', 0x8f3f, words(1 << 20, 1 << 20, 0, 0), ['glDrawArraysIndirect', 4, offset(0)]],
  [
    'an indirect indexed draw',
    0x8f3f,
    words(1 << 20, 1 << 20, 0, 0, 0),
    ['glDrawElementsIndirect', 4, 0x1405, offset(0)],
  ],
  ['an indirect dispatch', 0x90ee, words(65535, 65535, 1), ['glDispatchComputeIndirect', 0]],
] as const)
  test(`${name} that never ends is refused when it is first played`, async () => {
    const b = new CaptureBuilder().call('glGenBuffers', 1, [1]).call('glBindBuffer', target, 1);
    b.call('glGenVertexArrays', 1, [1]).call('glBindVertexArray', 1).call('glGenBuffers', 1, [2]);
    b.call('glBindBuffer', 0x8893, 2).call('glBufferData', 0x8893, 12, words(0, 1, 2), 0x88e4);
    b.call('glBufferData', target, 20, words(0, 0, 0, 0, 0), 0x88e4).frame();
    const [command, ...args] = call;
    b.call(command, ...args).call('glBufferSubData', target, 0, (list as { bytes: Uint8Array }).bytes.length, list);
    b.frame().call(command, ...args);
    await replay(b, async (replayer) => {
      const first = await replayer.loadFrame(1);
      first.play();
      const second = await replayer.loadFrame(2);
      assert.throws(() => second.play(), {
        code: 'bad-capture',
        message: /^frame 2, event 1: gl\w+ asks for \d+ (vertices|work groups)/,
      });
    });
  });

test('a buffer whose size GL refuses ends the replay before anything draws from it', async () => {
  const b = new CaptureBuilder().call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x8893, 1).frame();
  b.call('glBufferData', 0x8893, 12, words(0, 1, 2), 0x1234).call('glDrawElements', 4, 3, 0x1405, offset(0));
  await replay(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    assert.throws(() => frame.play(), {
      code: 'bad-capture',
      message: 'frame 1, event 1: GL refuses glBufferData, which later calls rely on',
    });
  });
});

test('a call that GL does not have, and one with other parameters', async () => {
  const unknown = { name: 'glFooBar', result: { type: 'void' }, params: [] } as const;
  await assert.rejects(
    replay(new CaptureBuilder().raw(unknown, []).frame(), () => {}),
    { code: 'bad-capture' },
  );
  const other = { name: 'glClear', result: { type: 'void' }, params: [{ name: 'mask', type: 'f64' }] } as const;
  const args: Argument[] = [1];
  await assert.rejects(
    replay(new CaptureBuilder().raw(other, args).frame(), () => {}),
    {
      code: 'bad-capture',
      message: /glClear has other parameters/,
    },
  );
});

test('what the context lacks is named before anything is played', async () => {
  const needs = (requires: { extensions: string[]; limits: Record<string, number> }) =>
    replay(new CaptureBuilder({ requires }).frame(), () => {});
  await assert.rejects(needs({ extensions: ['GL_FOO_bar'], limits: {} }), {
    code: 'missing-feature',
    message: /the extension GL_FOO_bar/,
  });
  await assert.rejects(needs({ extensions: [], limits: { GL_MAX_TEXTURE_SIZE: 1 << 30 } }), {
    code: 'missing-feature',
    message: /GL_MAX_TEXTURE_SIZE of 1073741824/,
  });
  await assert.rejects(
    replay(new CaptureBuilder({ api: 'gl', apiVersion: [4, 5] }).frame(), () => {}),
    {
      code: 'missing-feature',
      message: /desktop OpenGL 4\.5/,
    },
  );
});

test("the program's own queries are left out unless asked for", async () => {
  const b = new CaptureBuilder().call('glGenQueries', 1, [1]).frame();
  b.call('glBeginQuery', 0x8c2f, 1).call('glClear', 0x4000).call('glEndQuery', 0x8c2f);
  for (const skipApplicationQueries of [true, false])
    await replay(
      b,
      async (replayer) => {
        const frame = await replayer.loadFrame(1);
        frame.play();
        context.gl.glGenQueries(1, context.scratch.address);
        const own = context.scratch.u32[0];
        frame.restore();
        frame.play(
          { beginAt: Int32Array.of(-1, 0, -1), endAt: Int32Array.of(-1, -1, -1) },
          {
            begin() {
              context.gl.glGetQueryiv(0x8c2f, 0x8865, context.scratch.address);
              assert.equal(context.scratch.i32[0] !== 0, !skipApplicationQueries);
            },
            end() {},
          },
        );
        context.scratch.u32[0] = own;
        context.gl.glDeleteQueries(1, context.scratch.address);
      },
      { skipApplicationQueries },
    );
});
