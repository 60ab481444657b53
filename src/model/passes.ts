/**
 * Passes made up for frames without markers, named as RenderDoc names its own: "Colour Pass #1 (1 Targets + Depth)",
 * "Depth-only Pass #1", "Compute Pass #1", "Copy/Clear Pass #1".
 */
import { actionFramebuffer } from './actions.ts';
import type { Attachment, Bindings } from './bindings.ts';
import type { Call } from './call.ts';
import type { Canvas } from './capture.ts';
import { type ActionKind, type EventTree, passEventId } from './event-tree.ts';
import { TreeBuilder } from './event-tree-parts.ts';
import { GL } from './gl-constants.ts';

/** Fewer actions than this stay directly under the frame. */
const leastActions = 3;

/** What decides an action's pass. */
interface PassKey {
  /** The same for actions with the same targets; empty for transfers, which belong to whatever surrounds them. */
  readonly key: string;
  readonly kind: ActionKind;
  readonly colors: number;
  readonly depth: boolean;
}

const attachmentKey = (point: number, { kind, id, level, layer }: Attachment): string =>
  `${point}=${kind}${id}.${level}.${layer}`;

function keyFor(kind: ActionKind, call: Call, bindings: Bindings, canvas: Canvas): PassKey {
  if (kind === 'dispatch') return { key: 'compute', kind, colors: 0, depth: false };
  const framebuffer = actionFramebuffer(kind, call, bindings);
  if (framebuffer === null) return { key: '', kind, colors: 0, depth: false };
  const { attachments, drawBuffers } = bindings.framebuffer(framebuffer);
  if (framebuffer === 0) {
    const colors = drawBuffers.some((buffer) => buffer !== GL.NONE) ? 1 : 0;
    return { key: 'canvas', kind, colors, depth: canvas.depth || canvas.stencil };
  }
  const points = [...attachments].map(([point, attachment]) => attachmentKey(point, attachment)).sort();
  const colors = drawBuffers.filter((point) => attachments.has(point)).length;
  const depth = attachments.has(GL.DEPTH_ATTACHMENT) || attachments.has(GL.STENCIL_ATTACHMENT);
  return { key: `${framebuffer} ${points.join(' ')}`, kind, colors, depth };
}

/** The pass keys of a frame's actions, in order. */
export class PassKeys {
  readonly keys: PassKey[] = [];
  /** The newest draw's, and the version of the bindings that it came from. */
  #drawn: { readonly version: number; readonly key: PassKey } | undefined;

  add(kind: ActionKind, call: Call, bindings: Bindings, canvas: Canvas): void {
    if (kind !== 'draw') this.keys.push(keyFor(kind, call, bindings, canvas));
    else {
      // What a draw goes to is all in the bindings, and a frame has thousands under the same.
      if (this.#drawn?.version !== bindings.version)
        this.#drawn = { version: bindings.version, key: keyFor(kind, call, bindings, canvas) };
      this.keys.push(this.#drawn.key);
    }
  }
}

/** Consecutive runs [first, end) of actions with the same targets; transfers join a run that goes on after them. */
function runsOf(keys: readonly PassKey[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let transfers = 0;
  let key = '';
  for (const [index, { key: next }] of keys.entries()) {
    if (next === '') {
      transfers++;
      continue;
    }
    const last = runs.at(-1);
    if (last && next === key && last[1] + transfers === index) last[1] = index + 1;
    else {
      if (transfers > 0) runs.push([index - transfers, index]);
      runs.push([index, index + 1]);
    }
    key = next;
    transfers = 0;
  }
  if (transfers > 0) runs.push([keys.length - transfers, keys.length]);
  return runs;
}

interface PassCounts {
  colour: number;
  depth: number;
  compute: number;
  copy: number;
}

function nameRun(run: readonly PassKey[], counts: PassCounts): string {
  if (run.some(({ kind }) => kind === 'dispatch')) return `Compute Pass #${++counts.compute}`;
  const drawing = run.filter(({ kind }) => kind === 'draw');
  if (drawing.length === 0) return `Copy/Clear Pass #${++counts.copy}`;
  const colors = drawing.map((each) => each.colors);
  const most = colors.reduce((a, b) => Math.max(a, b));
  const least = Math.max(
    1,
    colors.reduce((a, b) => Math.min(a, b)),
  );
  if (most === 0) return `Depth-only Pass #${++counts.depth}`;
  const targets = drawing[drawing.length - 1].depth ? 'Targets + Depth' : 'Targets';
  return `Colour Pass #${++counts.colour} (${least === most ? most : `${least}-${most}`} ${targets})`;
}

/** Groups the leaves of a tree without markers. */
export function groupIntoPasses(tree: EventTree, { keys }: PassKeys): EventTree {
  const builder = new TreeBuilder(tree.nodes[0].lastEventId);
  const counts = { colour: 0, depth: 0, compute: 0, copy: 0 };
  for (const [first, end] of runsOf(keys)) {
    const leaves = tree.leaves.slice(first, end).map((index) => tree.nodes[index]);
    let parent = 0;
    if (leaves.length >= leastActions) {
      const { firstEventId } = leaves[0];
      const { lastEventId } = leaves[leaves.length - 1];
      const name = nameRun(keys.slice(first, end), counts);
      const eventId = passEventId(firstEventId);
      parent = builder.add({ eventId, firstEventId, lastEventId, kind: 'pass', name, parent: 0 });
    }
    for (const leaf of leaves) builder.addLeaf(parent, leaf.firstEventId, leaf.lastEventId, leaf);
  }
  return builder.finish();
}
