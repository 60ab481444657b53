import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetPicture } from '../../src/analysis/target-picture.ts';
import { GpuprofError } from '../../src/errors.ts';
import type { Api } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import type { TargetValues } from '../../src/model/target-values.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { CaptureBuilder, floats, words } from './memory-capture.ts';

/** Reads targets after an event of a capture's only frame. */
async function after(
  b: CaptureBuilder,
  api: Api,
  eventId: number,
  work: (read: (attachment?: string) => TargetValues, replayer: Replayer) => void,
): Promise<void> {
  const context = await openContext('egl', { api });
  try {
    const replayer = await Replayer.create(context, b.capture());
    await replayer.watch(1, (event) => event < eventId);
    work((attachment) => replayer.readTarget(attachment), replayer);
    assert.equal(context.gl.glGetError(), 0);
    assert.deepEqual(replayer.glErrors, []);
  } finally {
    context.destroy();
  }
}

const apis: readonly Api[] = ['es', 'gl'];
const FRAMEBUFFER = 0x8d40;
const RENDERBUFFER = 0x8d41;
const [RGBA8, RGBA32F, RGBA32I, DEPTH24_STENCIL8] = [0x8058, 0x8814, 0x8d82, 0x88f0];

/** Framebuffer 1 with renderbuffer 1 as its colour and 2 as its depth and stencil, of 2x2 pixels. */
function withTarget(colorFormat: number, samples: number): CaptureBuilder {
  const b = new CaptureBuilder();
  b.call('glGenFramebuffers', 1, [1]).call('glBindFramebuffer', FRAMEBUFFER, 1);
  b.call('glGenRenderbuffers', 2, [1, 2]);
  for (const [id, format, point] of [
    [1, colorFormat, 0x8ce0],
    [2, DEPTH24_STENCIL8, 0x821a],
  ]) {
    b.call('glBindRenderbuffer', RENDERBUFFER, id);
    if (samples > 0) b.call('glRenderbufferStorageMultisample', RENDERBUFFER, samples, format, 2, 2);
    else b.call('glRenderbufferStorage', RENDERBUFFER, format, 2, 2);
    b.call('glFramebufferRenderbuffer', FRAMEBUFFER, point, RENDERBUFFER, id);
  }
  return b.frame();
}

/** The lower left pixel gets other values than the rest. */
const lowerLeft = (b: CaptureBuilder) => b.call('glEnable', 0xc11).call('glScissor', 0, 0, 1, 1);

for (const api of apis) {
  for (const samples of [0, 4])
    test(`colour, depth and stencil on ${api} with ${samples} samples, as they are after an event`, async () => {
      const b = withTarget(RGBA8, samples);
      b.call('glClearColor', 1, 0, 0, 1).call('glClearDepthf', 0.5).call('glClearStencil', 7).call('glClear', 0x4500);
      lowerLeft(b).call('glClearDepthf', 0.25).call('glClearStencil', 3).call('glClear', 0x500);
      b.call('glClearColor', 0, 1, 0, 1).call('glClear', 0x4000);
      await after(b, api, 9, (read, replayer) => {
        const color = read();
        assert.deepEqual([color.attachment, color.framebuffer, color.kind], ['COLOR0', 'framebuffer 1', 'normalized']);
        assert.deepEqual(
          [...color.values],
          [255, 0, 0, 255].concat([255, 0, 0, 255], [255, 0, 0, 255], [255, 0, 0, 255]),
        );
        const depth = targetPicture(read('depth'));
        // The top row comes first, and the lower left is nearest.
        assert.deepEqual(
          [0, 4, 8, 12].map((at) => depth.data[at]),
          [255, 255, 0, 255],
        );
        assert.ok(Math.abs(depth.range.low - 0.25) < 1e-6 && Math.abs(depth.range.high - 0.5) < 1e-6);
        assert.deepEqual([...read('stencil').values], [3, 7, 7, 7]);
        // The program's own state is as it was.
        assert.equal(replayer.context.gl.glIsEnabled(0xc11), 1);
      });
      await after(b, api, 11, (read) => {
        assert.deepEqual([...targetPicture(read('COLOR0')).data.slice(8, 12)], [0, 255, 0, 255]);
      });
    });

  test(`floats and integers on ${api} are spread over 8 bits, and the range is told`, async () => {
    const b = withTarget(RGBA32F, 0);
    b.call('glClearBufferfv', 0x1800, 0, floats(-1, 3, 1, 0.5));
    lowerLeft(b).call('glClearBufferfv', 0x1800, 0, floats(0, 0, Number.POSITIVE_INFINITY, 1));
    await after(b, api, 4, (read) => {
      const { data, range } = targetPicture(read());
      assert.deepEqual(range, { low: -1, high: 3 });
      assert.deepEqual([...data.slice(0, 4)], [0, 255, 128, 128]);
      assert.deepEqual([...data.slice(8, 12)], [64, 64, 255, 255]);
    });
    const integers = withTarget(RGBA32I, 0).call('glClearBufferiv', 0x1800, 0, words(0xffffff00, 0, 256, 9));
    await after(integers, api, 1, (read) => {
      const target = read();
      assert.deepEqual([...target.values.slice(0, 4)], [-256, 0, 256, 9]);
      const { data, range } = targetPicture(target);
      assert.deepEqual([range, [...data.slice(0, 4)]], [{ low: -256, high: 256 }, [0, 128, 255, 255]]);
    });
  });

  test(`a level of a texture and a layer on ${api}`, async () => {
    const b = new CaptureBuilder();
    b.call('glGenTextures', 1, [1]).call('glBindTexture', 0x8c1a, 1);
    b.call('glTexStorage3D', 0x8c1a, 2, RGBA8, 4, 2, 3);
    b.call('glGenFramebuffers', 1, [1]).call('glBindFramebuffer', FRAMEBUFFER, 1);
    b.call('glFramebufferTextureLayer', FRAMEBUFFER, 0x8ce0, 1, 1, 2).frame();
    b.call('glClearColor', 0, 0, 1, 1).call('glClear', 0x4000);
    await after(b, api, 2, (read) => {
      const { width, height, values } = read();
      assert.deepEqual([width, height, ...values], [2, 1, 0, 0, 255, 255, 0, 0, 255, 255]);
    });
  });
}

test('the canvas of a program outside browsers is the right way up with samples, too', async () => {
  const b = new CaptureBuilder({ api: 'gl', apiVersion: [3, 3], canvas: { width: 1, height: 2, samples: 4 } }).frame();
  b.call('glClearColor', 1, 1, 1, 1).call('glClear', 0x4000);
  lowerLeft(b).call('glClearColor', 0, 0, 1, 1).call('glClear', 0x4000);
  await after(b, 'gl', 6, (read, replayer) => {
    assert.deepEqual([...targetPicture(read()).data], [255, 255, 255, 255, 0, 0, 255, 255]);
    assert.deepEqual([...replayer.readCanvas().data], [255, 255, 255, 255, 0, 0, 255, 255]);
  });
});

const refused = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof GpuprofError && error.code === code && message.test(error.message);

test('what cannot be read is refused, and names what can', async () => {
  await after(withTarget(RGBA8, 0).call('glFinish'), 'es', 1, (read) => {
    assert.throws(() => read('COLOR3'), { code: 'bad-input', hint: 'it has COLOR0, depth, stencil' });
  });
  const empty = new CaptureBuilder().call('glGenFramebuffers', 1, [1]).frame();
  empty.call('glBindFramebuffer', FRAMEBUFFER, 1);
  await after(empty, 'es', 1, (read) => {
    assert.throws(() => read(), refused('bad-input', /^framebuffer 1 has no attachment$/));
  });
  const b = new CaptureBuilder({ api: 'gl', apiVersion: [2, 1] }).frame();
  b.call('glBegin', 0).call('glVertex2f', 0, 0).call('glEnd');
  await after(b, 'gl', 2, (read, { context }) => {
    assert.throws(() => read(), refused('bad-usage', /^nothing can be read between glBegin and glEnd$/));
    context.gl.glEnd();
  });
});
