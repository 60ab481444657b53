/** Counting actions without their tree gives what the tree has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { ActionCounter } from '../../src/model/action-counts.ts';
import { Bindings, followCalls } from '../../src/model/bindings.ts';
import type { Capture } from '../../src/model/capture.ts';
import type { ActionKind } from '../../src/model/event-tree.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import { samplePath } from '../helpers/files.ts';
import { bytes, CaptureBuilder, offset, words } from '../replay/memory-capture.ts';

async function counted(capture: Capture): Promise<unknown[]> {
  const counter = new ActionCounter(capture.manifest);
  const bindings = new Bindings();
  const found: unknown[] = [];
  const setup = await capture.setup();
  counter.follow(setup);
  followCalls(bindings, setup);
  for (let frame = 1; frame <= capture.manifest.frames.length; frame++) {
    const calls = await capture.frame(frame);
    const { nodes, leaves } = buildEventTree(bindings, calls, capture.manifest);
    const actions: Partial<Record<ActionKind, number>> = {};
    for (const leaf of leaves) {
      const kind = nodes[leaf].kind as ActionKind;
      actions[kind] = (actions[kind] ?? 0) + 1;
    }
    const counts = counter.count(calls);
    assert.deepEqual(counts, { draws: nodes[0].draws, actions });
    found.push(counts);
  }
  return found;
}

test('the sample captures', async () => {
  for (const name of ['triangle', 'scene', 'ten-batches', 'draws-2000']) {
    const capture = await openCapture(samplePath(name));
    assert.equal((await counted(capture)).length, capture.manifest.frames.length, name);
    await capture.close();
  }
});

test('what arguments and bindings decide', async () => {
  const b = new CaptureBuilder({ canvas: { samples: 4 } });
  b.call('glGenRenderbuffers', 1, [1]).call('glGenFramebuffers', 2, [1, 2]);
  b.call('glBindRenderbuffer', 0x8d41, 1).call('glRenderbufferStorageMultisample', 0x8d41, 4, 0x8058, 8, 8);
  b.call('glBindFramebuffer', 0x8d40, 1).call('glFramebufferRenderbuffer', 0x8d40, 0x8ce0, 0x8d41, 1);
  const blit = () => b.call('glBlitFramebuffer', 0, 0, 1, 1, 0, 0, 1, 1, 0x4000, 0x2600);
  const read = (to: Parameters<typeof b.call>[1]) => b.call('glReadPixels', 0, 0, 1, 1, 0x1908, 0x1401, to);
  b.frame();
  blit();
  b.call('glBindFramebuffer', 0x8ca8, 2);
  blit();
  b.call('glBindFramebuffer', 0x8ca8, 0);
  blit();
  read(4);
  b.frame().call('glBindBuffer', 0x88eb, 1);
  read(4);
  b.call('glBindBuffer', 0x8892, 1).call('glBufferData', 0x8892, 4, null, 0x88e4);
  b.call('glBufferData', 0x8892, 4, bytes(1, 2, 3, 4), 0x88e4).call('glBufferSubData', 0x8892, 0, 4, bytes(1, 2, 3, 4));
  b.call('glMultiDrawArraysANGLE', 4, words(0, 0), words(3, 3), 2);
  b.call('glDrawElements', 4, 3, 0x1403, offset(0)).call('glClear', 0x4000);
  assert.deepEqual(await counted(b.capture()), [
    { draws: 0, actions: { resolve: 2, blit: 1 } },
    { draws: 3, actions: { copy: 1, upload: 2, draw: 2, clear: 1 } },
  ]);
});

test('glBegin and display lists', async () => {
  const b = new CaptureBuilder({ api: 'gl', apiVersion: [2, 1], profile: 'compatibility' });
  const pair = () => b.call('glBegin', 4).call('glVertex2f', 0, 0).call('glEnd');
  b.call('glNewList', 1, 0x1300);
  pair();
  b.call('glEndList').frame();
  pair();
  b.call('glEnd').call('glCallList', 1);
  // Compiled only, compiled and executed, and executed without a draw.
  b.call('glNewList', 2, 0x1300);
  pair();
  b.call('glEndList').call('glNewList', 3, 0x1301);
  pair();
  b.call('glClear', 0x4000).call('glEndList').call('glNewList', 4, 0x1301).call('glEndList');
  b.call('glBegin', 4).call('glCallList', 1).call('glEnd');
  assert.deepEqual(await counted(b.capture()), [{ draws: 3, actions: { draw: 4 } }]);
});
