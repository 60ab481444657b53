import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api, DriverName } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import type { Capture } from '../../src/model/capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { restoreCases } from './restore-cases.ts';

async function withReplayer(driver: DriverName, api: Api, capture: Capture, work: (r: Replayer) => Promise<void>) {
  const context = await openContext(driver, { api });
  try {
    const replayer = await Replayer.create(context, capture);
    await work(replayer);
    replayer.destroy();
  } finally {
    context.destroy();
  }
}

/** Run 20 must look like run 1; and the frame must be one that would look different without restoring. */
export function restoreSuite(driver: DriverName, api: Api): void {
  for (const { name, capture, alikeUnrestored } of restoreCases)
    test(`${driver} ${api}: ${name}`, async () => {
      await withReplayer(driver, api, capture().capture(), async (replayer) => {
        const frame = await replayer.loadFrame(1);
        frame.play();
        const first = frame.readCanvas();
        assert.deepEqual(replayer.glErrors, []);
        for (let run = 2; run <= 20; run++) {
          frame.restore();
          frame.play();
        }
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
        const same = Buffer.from(first.data).equals(Buffer.from(second.data));
        assert.ok(!same || replayer.glErrors.length > 0, 'without restoring, the second run differs');
      });
    });
}
