import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api, DriverName } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import type { Capture } from '../../src/model/capture.ts';
import type { ReplayOptions } from '../../src/replay/replay-parts.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { madeAnewCases } from './made-anew-cases.ts';
import { restoreCases } from './restore-cases.ts';
import { base, clear, color, draw, GL, nearest, rgba, sampled } from './restore-scene.ts';
import { playCounted } from './work-counts.ts';

async function withReplayer(
  driver: DriverName,
  api: Api,
  capture: Capture,
  work: (r: Replayer) => Promise<void>,
  options: ReplayOptions = {},
) {
  const context = await openContext(driver, { api });
  try {
    const replayer = await Replayer.create(context, capture, options);
    await work(replayer);
    replayer.destroy();
  } finally {
    context.destroy();
  }
}

function refusalOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Run 20 must look like run 1 and count the same work; and the frame must be one that would look different without restoring. */
export function restoreSuite(driver: DriverName, api: Api): void {
  for (const { name, capture, alikeUnrestored, desktopOnly } of [...restoreCases, ...madeAnewCases]) {
    if (desktopOnly && api !== 'gl') continue;
    test(`${driver} ${api}: ${name}`, async () => {
      await withReplayer(driver, api, capture().capture(), async (replayer) => {
        const frame = await replayer.loadFrame(1);
        const counts = playCounted(replayer.context, frame);
        const first = frame.readCanvas();
        assert.deepEqual(replayer.glErrors, []);
        for (let run = 2; run <= 19; run++) {
          frame.restore();
          frame.play();
        }
        frame.restore();
        assert.deepEqual(playCounted(replayer.context, frame), counts);
        assert.deepEqual(frame.readCanvas(), first);
        assert.deepEqual(replayer.glErrors, []);
        assert.ok(
          first.data.some((value) => value !== 0),
          'the frame draws something',
        );
      });
      if (alikeUnrestored) return;
      await withReplayer(driver, api, capture().capture(), async (replayer) => {
        const frame = await replayer.loadFrame(1);
        frame.play();
        const first = frame.readCanvas();
        frame.play();
        frame.collectErrors();
        const second = frame.readCanvas();
        // Only a run after one with errors says which calls they came from.
        const refusal = refusalOf(() => frame.play());
        const same = Buffer.from(first.data).equals(Buffer.from(second.data));
        assert.ok(!same || refusal || replayer.glErrors.length > 0, 'without restoring, the second run differs');
      });
    });
  }

  test(`${driver} ${api}: a query first begun in the frame, with the program's own queries`, async () => {
    const b = color(base(), 1, 0, 0, 1).call('glGenQueries', 1, [1]).frame();
    draw(b.call('glBeginQuery', 0x8c2f, 1))
      .call('glEndQuery', 0x8c2f)
      .call('glDeleteQueries', 1, [1]);
    const work = async (replayer: Replayer) => {
      const frame = await replayer.loadFrame(1);
      for (let run = 1; run <= 5; run++) {
        frame.play();
        frame.restore();
      }
      assert.deepEqual(replayer.glErrors, []);
    };
    await withReplayer(driver, api, b.capture(), work, { skipApplicationQueries: false });
  });

  test(`${driver} ${api}: a later frame draws from what an earlier one stored`, async () => {
    const b = base(sampled).call('glGenTextures', 1, [1]).frame();
    b.call('glBindTexture', GL.TEXTURE_2D, 1).call('glTexStorage2D', GL.TEXTURE_2D, 1, 0x8058, 1, 1);
    const data = rgba(10, 200, 30, 255);
    nearest(b, GL.TEXTURE_2D).call('glTexSubImage2D', GL.TEXTURE_2D, 0, 0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, data);
    draw(clear(b.frame()));
    await withReplayer(driver, api, b.capture(), async (replayer) => {
      for (const number of [1, 2]) {
        const frame = await replayer.loadFrame(number);
        for (let run = 1; run <= 3; run++) {
          frame.play();
          if (number === 2) assert.deepEqual([...frame.readCanvas().data.slice(0, 4)], [10, 200, 30, 255]);
          frame.restore();
        }
      }
      assert.deepEqual(replayer.glErrors, []);
    });
  });

  test(`${driver} ${api}: work counts tell a run that was not restored`, async () => {
    const { capture } = restoreCases.find(({ name }) => name === 'the depth buffer of a canvas with 0 samples')!;
    await withReplayer(driver, api, capture().capture(), async (replayer) => {
      const frame = await replayer.loadFrame(1);
      const counts = playCounted(replayer.context, frame);
      assert.notDeepEqual(playCounted(replayer.context, frame), counts);
    });
  });
}
