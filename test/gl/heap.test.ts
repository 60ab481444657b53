import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { returnFreedMemory } from '../../src/gl/heap.ts';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads } from '../../src/gl/software-threads.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { samplePath } from '../helpers/files.ts';

test('memory that the renderer frees is kept, until it is asked to go back as in a program', async () => {
  setSoftwareThreads(0);
  const context = await openContext('egl', { api: 'es' });
  const replayer = await Replayer.create(context, await openCapture(samplePath('draws-2000')));
  const frame = await replayer.loadFrame(1);
  /** Pages that are mapped again while the frame is drawn. */
  const faults = (): number => {
    frame.restore();
    const before = process.resourceUsage().minorPageFault;
    frame.play();
    context.gl.glFinish();
    return process.resourceUsage().minorPageFault - before;
  };
  const several = () => Array.from({ length: 5 }, faults);
  const kept = Math.min(...several());
  returnFreedMemory();
  const returned = Math.max(...several());
  context.destroy();
  assert.ok(returned > 1000 && returned > 10 * kept, `${kept} pages while it is kept, ${returned} while it goes back`);
});
