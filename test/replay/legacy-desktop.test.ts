import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { Bindings } from '../../src/model/bindings.ts';
import type { Argument } from '../../src/model/call.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { begin, blank, corners, fullQuad, legacyCases } from './legacy-cases.ts';
import { bytes, type CaptureBuilder, floats, offset, words } from './memory-capture.ts';

async function withReplayer(b: CaptureBuilder, work: (replayer: Replayer) => Promise<void>): Promise<void> {
  const context = await openContext('egl', { api: 'gl', version: [2, 1], profile: 'compatibility' });
  try {
    const replayer = await Replayer.create(context, b.capture());
    await work(replayer);
    replayer.destroy();
  } finally {
    context.destroy();
  }
}

const middle = (data: Uint8Array) => [...data.subarray((16 * 32 + 16) * 4, (16 * 32 + 16) * 4 + 3)];

for (const { name, setup, draw, change, middle: expected } of legacyCases) {
  const build = () => {
    const b = blank();
    setup?.(b);
    b.frame();
    draw(b);
    change(b);
    return b;
  };
  test(`compatibility: ${name}`, async () => {
    let once: Uint8Array | undefined;
    await withReplayer(build(), async (replayer) => {
      await replayer.playThrough(1);
      once = replayer.readCanvas().data;
      assert.deepEqual(replayer.glErrors, []);
      assert.deepEqual(middle(once), expected);
    });
    await withReplayer(build(), async (replayer) => {
      const frame = await replayer.loadFrame(1);
      for (let run = 1; run <= 10; run++) {
        frame.play();
        const { data } = frame.readCanvas();
        assert.deepEqual(middle(data), expected, `run ${run}`);
        assert.ok(once && Buffer.from(data).equals(once), `run ${run}`);
        frame.restore();
      }
      assert.deepEqual(replayer.glErrors, []);
    });
  });
}

test('compatibility: what each frame changes stays for the next one', async () => {
  const b = blank().frame();
  for (let frame = 1; frame <= 20; frame++) {
    fullQuad(b);
    b.call('glColor3f', frame / 51, 0, 0)
      .call('glTranslatef', 0, 0, 0.01)
      .frame();
  }
  fullQuad(b);
  const pictures: number[][] = [];
  await withReplayer(b, async (replayer) => {
    for (let number = 1; number <= 21; number++) {
      const frame = await replayer.loadFrame(number);
      for (let run = 1; run <= 2; run++) {
        frame.restore();
        frame.play();
      }
      pictures.push(middle(frame.readCanvas().data));
    }
    assert.deepEqual(replayer.glErrors, []);
  });
  assert.deepEqual(pictures, [[255, 255, 255], ...Array.from({ length: 20 }, (_, at) => [(at + 1) * 5, 0, 0])]);
});

test('compatibility: glBegin to glEnd is one draw, a list is one where it is called', async () => {
  const b = blank();
  corners(begin(b.call('glNewList', 3, 0x1300), 5))
    .call('glEnd')
    .call('glEndList')
    .frame();
  fullQuad(b);
  fullQuad(b.call('glNewList', 4, 0x1300)).call('glEndList');
  fullQuad(b.call('glNewList', 5, 0x1301)).call('glEndList');
  b.call('glCallList', 3).call('glCallLists', 2, 0x1401, bytes(3, 4));
  begin(b, 4).call('glVertexAttrib2f', 0, 0, 0).call('glVertexAttrib2f', 1, 0, 0).call('glCallList', 3).call('glEnd');
  const capture = b.capture();
  const bindings = new Bindings();
  const tree = async () => {
    for (const call of await capture.setup()) bindings.apply(call);
    const { nodes } = buildEventTree(bindings, await capture.frame(1), capture.manifest);
    return nodes.map(
      ({ name, draws, firstEventId, lastEventId }) => `${firstEventId}-${lastEventId} ${name} x${draws}`,
    );
  };
  assert.deepEqual(await tree(), [
    '1-29 Frame x4',
    '1-29 Colour Pass #1 (1 Targets + Depth) x4',
    '1-6 glBegin(QUADS, 4) .. glEnd x1',
    '15-22 glNewList(5) .. glEndList x0',
    '23-23 glCallList(3) x1',
    '24-24 glCallLists(2) x1',
    '25-29 glBegin(TRIANGLES, 1) .. glEnd x1',
  ]);
});

test('compatibility: arrays without data are not enabled while something is drawn', async () => {
  const b = blank();
  b.call('glVertexPointer', 2, 0x1406, 0, floats(-1, -1, 3, -1, -1, 3)).call('glEnableClientState', 0x8074);
  b.call('glEnableClientState', 0x8075).call('glClientActiveTexture', 0x84c2).call('glEnableClientState', 0x8078);
  b.call('glClientActiveTexture', 0x84c1).frame();
  b.call('glColor3f', 0, 1, 0).call('glDrawArrays', 4, 0, 3);
  // The unit is still the one that was selected.
  b.call('glEnableClientState', 0x8078).call('glTexCoordPointer', 2, 0x1406, 0, floats(0, 0, 0, 0, 0, 0));
  b.call('glGenBuffers', 1, [1])
    .call('glBindBuffer', 0x8893, 1)
    .call('glBufferData', 0x8893, 3, bytes(0, 1, 2), 0x88e4);
  b.call('glColor3f', 1, 1, 0).call('glDrawElements', 4, 3, 0x1401, offset(0));
  await withReplayer(b, async (replayer) => {
    const frame = await replayer.loadFrame(1);
    frame.play();
    assert.deepEqual(middle(frame.readCanvas().data), [255, 255, 0]);
    assert.deepEqual(replayer.glErrors, []);
  });
});

test('compatibility: reads beyond client arrays are refused', async () => {
  const refused = async (build: (b: CaptureBuilder) => unknown, message: RegExp) => {
    const b = blank();
    build(b.call('glVertexPointer', 2, 0x1406, 0, floats(0, 0, 1, 1)).call('glEnableClientState', 0x8074));
    await assert.rejects(
      withReplayer(b, async () => {}),
      message,
    );
  };
  await refused((b) => b.call('glDrawArrays', 0, 0, 3), /beyond the client array of the vertices/);
  await refused((b) => b.call('glDrawElements', 0, 1, 0x1401, bytes(2)), /beyond the client array/);
  const elements = (b: CaptureBuilder) => b.call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x8893, 1);
  await refused(
    (b) =>
      elements(b).call('glBufferData', 0x8893, 2, bytes(0, 2), 0x88e4).call('glDrawElements', 0, 1, 0x1401, offset(1)),
    /beyond a client array/,
  );
  await refused((b) => b.call('glDrawArrays', 0, -2, 2), /beyond the client array/);
  await refused((b) => b.call('glMultiDrawArrays', 0, words(0, -9), words(1, 1), 2), /beyond the client array/);
  await refused((b) => b.call('glDrawElementsBaseVertex', 0, 1, 0x1401, bytes(1), -2), /beyond the client array/);
  await refused(
    (b) => b.call('glEnableClientState', 0x8075).call('glBegin', 0).call('glArrayElement', 0),
    /the normals, which have no data/,
  );
  await refused((b) => b.call('glBegin', 0).call('glArrayElement', 2), /beyond the client array/);
  // Beside it, a driver may read an array in a buffer by itself.
  const colours = (b: CaptureBuilder, at: number) =>
    b
      .call('glGenBuffers', 1, [1])
      .call('glBindBuffer', 0x8892, 1)
      .call('glBufferData', 0x8892, 12, floats(1, 1, 1), 0x88e4)
      .call('glColorPointer', 3, 0x1406, 0, offset(at))
      .call('glEnableClientState', 0x8076)
      .call('glDrawArrays', 0, 0, 2);
  await refused((b) => colours(b, 0), /beyond the buffer of the colours/);
  await refused((b) => b.call('glInterleavedArrays', 0x2a3f, 0, floats(1)), /format that GL does not know/);
  await refused((b) => b.call('glLightfv', 0x4000, 0x1203, floats(1, 2, 3)), /reads 16 bytes of 12/);
  await refused((b) => b.call('glMap1f', 0x0d97, 0, 1, 3, 4, floats(1, 2, 3)), /reads 48 bytes of 12/);
  await refused((b) => b.call('glBitmap', 9, 2, 0, 0, 0, 0, bytes(1, 2, 3)), /reads 4 bytes of 3/);
});

test('compatibility: meshes of evaluators and buffers of results have their bounds', async () => {
  const cases: readonly (readonly [string, ...number[]])[] = [
    ['glEvalMesh2', 0x1b02, 0, 4096, 0, 4095],
    ['glEvalMesh1', 0x1b01, -(2 ** 31), 2 ** 31 - 1],
    ['glFeedbackBuffer', 2 ** 24 + 1, 0x0600, 256],
    ['glSelectBuffer', 2 ** 24 + 1, 256],
  ];
  for (const [name, ...args] of cases)
    await assert.rejects(
      withReplayer(blank().call(name, ...args), async () => {}),
      { code: 'bad-capture', message: /^setup call 1: gl\w+ (asks for|has room for) \d+ \w+; at most 16777216$/ },
    );
  // Evaluators that are off make nothing of a mesh.
  const whole = blank().call('glEvalMesh2', 0x1b02, 0, 63, 0, 63).frame();
  await withReplayer(whole, async (replayer) => assert.deepEqual(replayer.glErrors, []));
});

test('compatibility: what makes drivers lose count of buffers is refused', async () => {
  const refused = (b: CaptureBuilder, message: RegExp) =>
    assert.rejects(
      withReplayer(b, async () => {}),
      message,
    );
  const buffer = (target: number) => blank().call('glGenBuffers', 1, [1]).call('glBindBuffer', target, 1);
  await refused(
    begin(blank().call('glGenBuffers', 1, [1])).call('glBindBuffer', 0x88eb, 1),
    /setup call 3: glBindBuffer between glBegin and glEnd/,
  );
  const unpack = buffer(0x88ec).call('glBufferData', 0x88ec, 64, null, 0x88e4);
  unpack.call('glRasterPos2f', 0, 0).call('glDrawPixels', 4, 4, 0x1908, 0x1401, offset(0));
  await withReplayer(unpack, async () => {});
  unpack.call('glPixelStorei', 0x0cf2, 1065353216).call('glDrawPixels', 4, 4, 0x1908, 0x1401, offset(0));
  await refused(unpack, /glDrawPixels reads its unpack buffer up to byte 12784238608, which has 64 bytes/);
  // Arrays in a buffer without storage, or beyond its end, are not enabled while something is drawn.
  const without = buffer(0x8892).call('glVertexPointer', 2, 0x1406, 0, offset(0)).call('glEnableClientState', 0x8074);
  const beyond = buffer(0x8892).call('glBufferData', 0x8892, 24, null, 0x88e4).call('glEnableClientState', 0x8074);
  beyond.call('glVertexPointer', 2, 0x1406, 0, offset(2 ** 32));
  for (const each of [without, beyond])
    await withReplayer(each.call('glDrawArrays', 4, 0, 3), async (replayer) => assert.deepEqual(replayer.glErrors, []));
});

test('compatibility: lists that call themselves, each other, or too many are refused', async () => {
  const making = (b: CaptureBuilder, list: number, ...called: readonly Argument[]) => {
    begin(b.call('glNewList', list, 0x1300));
    for (const one of called)
      if (typeof one === 'number') b.call('glCallList', one);
      else b.call('glCallLists', (one as { bytes: Uint8Array }).bytes.length, 0x1401, one);
    return corners(b).call('glEnd').call('glEndList');
  };
  const refused = async (b: CaptureBuilder, event: number) => {
    const message = new RegExp(`^setup call ${event}: glEndList ends a list that calls itself, or lists without end`);
    await assert.rejects(
      withReplayer(b, async () => {}),
      { message },
    );
  };
  await withReplayer(making(blank(), 1, 0), async () => {});
  await assert.rejects(
    withReplayer(making(blank(), 1, bytes(5, 0)), async () => {}),
    /^GpuprofError: setup call 3: glCallLists names list 0 inside a display list/,
  );
  await refused(making(blank(), 1, 1), 9);
  await refused(making(making(making(blank(), 1, 2), 2, 3), 3, 1), 27);
  await refused(making(blank().call('glListBase', 7), 9, bytes(2)), 10);
  const doubling = blank();
  for (let list = 1; list <= 30; list++) making(doubling, list, list - 1, list - 1);
  await assert.rejects(
    withReplayer(doubling, async () => {}),
    /without end/,
  );
});

test('compatibility: a frame that needs lists as they were before it is played once only', async () => {
  const list = (b: CaptureBuilder, id: number) => b.call('glNewList', id, 0x1300);
  const frames: readonly ((b: CaptureBuilder) => unknown)[] = [
    (b) => b.call('glCallList', 2).call('glDeleteLists', 1, 1).call('glCallList', 2),
    (b) => list(b.call('glCallList', 2), 1).call('glEndList'),
  ];
  for (const frame of frames) {
    const b = fullQuad(list(blank(), 1)).call('glEndList');
    frame(list(b, 2).call('glCallList', 1).call('glEndList').frame());
    await withReplayer(b, async (replayer) => {
      await assert.rejects(replayer.loadFrame(1), {
        code: 'missing-feature',
        message: 'frame 1: the frame calls display list 1 and changes or deletes it, which cannot be put back',
      });
    });
  }
});
