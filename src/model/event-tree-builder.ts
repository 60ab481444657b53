import { describeAction, mayBeAction } from './actions.ts';
import { Bindings } from './bindings.ts';
import type { CallStream } from './call-stream.ts';
import type { Manifest } from './capture.ts';
import type { EventTree } from './event-tree.ts';
import { TreeBuilder } from './event-tree-parts.ts';
import { baseName } from './gl-constants.ts';
import { groupIntoPasses, PassKeys } from './passes.ts';
import type { Signature } from './signature.ts';

/** Markers nested deeper than this are shown as part of the one at this depth. */
const maxDepth = 100;
const maxNameLength = 300;

type MarkerRole = 'push' | 'pop' | 'begin' | 'end' | null;

function roleOf({ name }: Signature): MarkerRole {
  switch (baseName(name)) {
    case 'PushDebugGroup':
    case 'PushGroupMarker':
      return 'push';
    case 'PopDebugGroup':
    case 'PopGroupMarker':
      return 'pop';
    case 'Begin':
      return 'begin';
    case 'End':
      return 'end';
    default:
      return null;
  }
}

/** One line without control characters; a marker's text is whatever the program gave. */
function markerName(text: unknown): string {
  const name = String(text ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (name === '') return '(unnamed)';
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

/**
 * The event tree of one frame: its markers (KHR_debug and EXT_debug_marker) and actions. Pops without a push are ignored,
 * markers left open end with the frame, and markers without actions are left out. In a frame without markers, actions
 * with the same targets are grouped into passes (passes.ts). `bindings` are those at the frame's start, so the setup and
 * the frames before must have been applied; afterwards they are those at its end.
 */
export function buildEventTree(bindings: Bindings, frame: CallStream, manifest: Manifest): EventTree {
  const builder = new TreeBuilder(frame.length);
  const roles = frame.signatures.map(roleOf);
  const relevant = frame.signatures.map(
    (signature, index) => roles[index] !== null || mayBeAction(signature) || Bindings.follows(signature),
  );
  const passes = new PassKeys();
  /** Open markers; those beyond {@link maxDepth} are only counted. */
  const open: { readonly name: string; readonly eventId: number; node: number }[] = [];
  let deeper = 0;
  let beginEvent = 0;

  const parent = (): number => {
    let node = 0;
    for (const marker of open) {
      if (marker.node < 0)
        marker.node = builder.add({
          eventId: marker.eventId,
          firstEventId: marker.eventId,
          lastEventId: frame.length,
          kind: 'marker',
          name: marker.name,
          parent: node,
        });
      node = marker.node;
    }
    return node;
  };

  for (let index = 0; index < frame.length; index++) {
    const signature = frame.words[frame.starts[index]];
    if (!relevant[signature]) continue;
    const call = frame.call(index);
    const eventId = index + 1;
    switch (roles[signature]) {
      case 'push':
        if (open.length >= maxDepth) deeper++;
        else {
          const text = call.signature.params.findIndex(({ type }) => type === 'string');
          open.push({ name: markerName(call.args[text]), eventId, node: -1 });
        }
        break;
      case 'pop':
        if (deeper > 0) deeper--;
        else {
          const closed = open.pop();
          if (closed && closed.node >= 0) builder.close(closed.node, eventId);
        }
        break;
      case 'begin':
        beginEvent = eventId;
        break;
      case 'end':
        // Nothing may be measured between the two, so the pair is one action.
        if (beginEvent > 0)
          builder.addLeaf(parent(), beginEvent, eventId, {
            kind: 'draw',
            name: 'glBegin()',
            draws: 1,
            program: bindings.drawingProgram(),
            target: bindings.drawFramebuffer === 0 ? 'canvas' : `framebuffer ${bindings.drawFramebuffer}`,
          });
        if (beginEvent > 0) passes.add('draw', call, bindings, manifest.canvas);
        beginEvent = 0;
        break;
      default: {
        const action = beginEvent > 0 ? null : describeAction(call, bindings, manifest.canvas);
        if (action) {
          builder.addLeaf(parent(), eventId, eventId, action);
          passes.add(action.kind, call, bindings, manifest.canvas);
        }
        bindings.apply(call);
      }
    }
  }
  const tree = builder.finish();
  return tree.nodes.some(({ kind }) => kind === 'marker') ? tree : groupIntoPasses(tree, passes);
}
