import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { returnFreedMemory } from '../../src/gl/heap.ts';
import { openContext } from '../../src/gl/open.ts';
import { setSoftwareThreads } from '../../src/gl/software-threads.ts';
import type { Report } from '../../src/model/report.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { run } from '../helpers/cli.ts';
import { samplePath } from '../helpers/files.ts';

test('a plain frame does not pay for memory that the renderer freed in the frame before', async () => {
  const args = ['replay', samplePath('draws-2000'), '--driver', 'egl', '--timer', 'finish', '--runs', '9'];
  const { code, stdout, stderr } = await run([...args, '--format', 'json']);
  assert.equal(code, 0, stderr);
  const [{ plainNs, bracketedNs }] = (JSON.parse(stdout) as Report).frames;
  // 2,000 finishes make a frame several times slower; paying for memory makes the plain frame the slower one.
  assert.ok(plainNs !== null && bracketedNs !== null);
  assert.ok(plainNs.min < bracketedNs.min, `plain ${plainNs.min} ns, bracketed ${bracketedNs.min} ns`);
});

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
  const least = () => Math.min(...Array.from({ length: 5 }, faults));
  const kept = least();
  returnFreedMemory();
  const returned = least();
  context.destroy();
  assert.ok(returned > 1000 && returned > 10 * kept, `${kept} pages while it is kept, ${returned} while it goes back`);
});
