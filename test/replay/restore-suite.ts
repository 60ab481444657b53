import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api, DriverName } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import type { Capture } from '../../src/model/capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { madeAnewCases } from './made-anew-cases.ts';
import { restoreCases } from './restore-cases.ts';
import { playCounted } from './work-counts.ts';

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

  test(`${driver} ${api}: work counts tell a run that was not restored`, async () => {
    const { capture } = restoreCases.find(({ name }) => name === 'the depth buffer of a canvas with 0 samples')!;
    await withReplayer(driver, api, capture().capture(), async (replayer) => {
      const frame = await replayer.loadFrame(1);
      const counts = playCounted(replayer.context, frame);
      assert.notDeepEqual(playCounted(replayer.context, frame), counts);
    });
  });
}
