/** Builds small captures for the tests of the memory source, and shows what it finds. */
import { Bindings } from '../../src/model/bindings.ts';
import type { Capture } from '../../src/model/capture.ts';
import { coarsen } from '../../src/model/coarsen.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import { memoryClasses } from '../../src/model/memory/classes.ts';
import { FrameMemory } from '../../src/model/memory/frame-memory.ts';
import type { LeafMemory } from '../../src/model/memory/ledger.ts';
import type { BracketUnit } from '../../src/model/sample.ts';

/** What the leaves of the last frame use. */
export async function leavesOf(capture: Capture, per: BracketUnit = 'draw'): Promise<readonly LeafMemory[]> {
  const bindings = new Bindings();
  const frames = capture.manifest.frames.length;
  for (const call of await capture.setup()) bindings.apply(call);
  for (let frame = 1; frame < frames; frame++) for (const call of await capture.frame(frame)) bindings.apply(call);
  const tree = coarsen(buildEventTree(bindings, await capture.frame(frames), capture.manifest), per);
  const memory = await FrameMemory.create(capture);
  return memory.leaves(frames, tree);
}

/** `vertex 32/24: buffer 1=32`: touched of bound bytes and the objects, one line a class that is used. */
export const show = (leaf: LeafMemory): readonly string[] => [
  ...memoryClasses.flatMap((name) => {
    const objects = leaf.bound[name];
    if (objects.length === 0) return [];
    const size = objects.reduce((sum, { amount }) => sum + amount, 0);
    return [
      `${name} ${leaf.touched[name]}/${size}: ${objects.map(({ key, amount }) => `${key}=${amount}`).join(', ')}`,
    ];
  }),
  ...leaf.targetSamples.map(({ key, amount }) => `samples ${key.trim()}=${amount}`),
];
