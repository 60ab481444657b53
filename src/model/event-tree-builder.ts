import { describeAction, mayBeAction } from './actions.ts';
import { Bindings } from './bindings.ts';
import type { CallStream } from './call-stream.ts';
import { headerWords } from './call-words.ts';
import type { Manifest } from './capture.ts';
import { type Enclosing, Enclosures, enclosingOf } from './enclosures.ts';
import type { EventTree } from './event-tree.ts';
import { TreeBuilder } from './event-tree-parts.ts';
import { baseName } from './gl-constants.ts';
import { groupIntoPasses, PassKeys } from './passes.ts';
import type { Signature } from './signature.ts';

/** Markers nested deeper than this are shown as part of the one at this depth. */
const maxDepth = 100;
const maxNameLength = 300;

type Role = 'push' | 'pop' | 'vertex' | Enclosing;

/** Modes of glBegin, without GL_. */
const primitives =
  'POINTS LINES LINE_LOOP LINE_STRIP TRIANGLES TRIANGLE_STRIP TRIANGLE_FAN QUADS QUAD_STRIP POLYGON LINES_ADJACENCY LINE_STRIP_ADJACENCY TRIANGLES_ADJACENCY TRIANGLE_STRIP_ADJACENCY PATCHES'.split(
    ' ',
  );
/** Commands that each give glBegin a vertex; generic attribute 0 does too. */
const givesVertex = /^(Vertex[234]|VertexP[234]|ArrayElement|EvalCoord|EvalPoint|VertexAttrib[1-4P])/;

function roleOf(signature: Signature): Role {
  const base = baseName(signature.name);
  switch (base) {
    case 'PushDebugGroup':
    case 'PushGroupMarker':
      return 'push';
    case 'PopDebugGroup':
    case 'PopGroupMarker':
      return 'pop';
    default:
      return givesVertex.test(base) ? 'vertex' : enclosingOf(signature);
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
  const isAttribute = frame.signatures.map(({ name }) => name.startsWith('glVertexAttrib'));
  const passes = new PassKeys();
  /** Open markers; those beyond {@link maxDepth} are only counted. */
  const open: { readonly name: string; readonly eventId: number; node: number }[] = [];
  let deeper = 0;
  const enclosures = new Enclosures(frame);
  let vertices = 0;

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

  const addDraw = (firstEvent: number, lastEvent: number, name: string, draws: number) =>
    builder.addLeaf(parent(), firstEvent, lastEvent, {
      kind: 'draw',
      name,
      draws,
      program: bindings.drawingProgram(),
      target: bindings.drawFramebuffer === 0 ? 'canvas' : `framebuffer ${bindings.drawFramebuffer}`,
    });

  for (let index = 0; index < frame.length; index++) {
    const signature = frame.words[frame.starts[index]];
    if (!relevant[signature]) continue;
    if (roles[signature] === 'vertex') {
      if (enclosures.begin > 0 && !(isAttribute[signature] && frame.words[frame.starts[index] + headerWords] !== 0))
        vertices++;
      continue;
    }
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
        enclosures.begin = eventId;
        vertices = 0;
        bindings.apply(call);
        break;
      case 'end': {
        const begin = enclosures.end();
        if (begin > 0) {
          const mode = Number(frame.call(begin - 1).args[0]);
          addDraw(begin, eventId, `glBegin(${primitives[mode] ?? mode}, ${vertices}) .. glEnd`, 1);
          passes.add('draw', call, bindings, manifest.canvas);
        }
        bindings.apply(call);
        break;
      }
      case 'list':
        enclosures.openList(eventId);
        bindings.apply(call);
        break;
      case 'list end': {
        const list = enclosures.endList();
        if (list > 0) {
          addDraw(list, eventId, `glNewList(${frame.call(list - 1).args[0]}) .. glEndList`, 0);
          passes.add('draw', call, bindings, manifest.canvas);
        }
        bindings.apply(call);
        break;
      }
      default: {
        const action = enclosures.begin > 0 ? null : describeAction(call, bindings, manifest.canvas);
        if (action && enclosures.takes()) {
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
