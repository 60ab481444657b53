import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { CaptureBuilder } from './memory-capture.ts';

test('a program ending its own headless-gl context does not take the replay with it', async () => {
  await ensureDisplay();
  const createGl = createRequire(import.meta.url)('gl');
  const [first, second] = [createGl(4, 4), createGl(4, 4)];
  const context = await openContext('headless-gl', { api: 'es' });
  // As happens when it is collected as garbage.
  first.getExtension('STACKGL_destroy_context').destroy();
  const b = new CaptureBuilder().frame().call('glClearColor', 0, 1, 0, 1).call('glClear', 0x4000);
  const replayer = await Replayer.create(context, b.capture());
  second.getExtension('STACKGL_destroy_context').destroy();
  const frame = await replayer.loadFrame(1);
  frame.play();
  assert.deepEqual([...frame.readCanvas().data.slice(0, 4)], [0, 255, 0, 255]);
  assert.deepEqual(replayer.glErrors, []);
  replayer.destroy();
  context.destroy();
});
