/** What an action makes the GPU do, or what a group of actions is. */
export type ActionKind = 'draw' | 'clear' | 'dispatch' | 'blit' | 'copy' | 'resolve' | 'mipmap' | 'upload';
export type NodeKind = 'frame' | 'marker' | 'pass' | ActionKind;

/**
 * One row of the event tree. Leaves are actions (or, when measuring coarser than draws, runs of actions); the rest are
 * groups whose values are rolled up from their leaves.
 */
export interface EventNode {
  /**
   * Leaf: the action's eventId. Marker: the event that opened it. Pass, which no call stands for: half a step before its
   * first action ({@link passEventId}). Frame: null. No two nodes of a tree have the same, and sorted by it they keep
   * the tree's order.
   */
  readonly eventId: number | null;
  /** First and last event the node covers; the same for a single action. */
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly kind: NodeKind;
  readonly name: string;
  /** Names from below the frame down to this node, joined by `/`; a `/` inside a name is written `\/`. */
  readonly path: string;
  /** 0 for the frame. */
  readonly depth: number;
  /** Index of the parent in the tree's list, -1 for the frame. */
  readonly parent: number;
  readonly isLeaf: boolean;
  /** Draws inside; a multi-draw counts each of its draws. */
  readonly draws: number;
  /** Leaf: id of the program in use, 0 when none matters. */
  readonly program: number;
  /** Leaf: what it writes to, in words that are stable between captures of one program ("canvas", "framebuffer 3"). */
  readonly target: string;
}

/** Between two calls, so that it is no other node's, and no two passes have the same first action. */
export const passEventId = (firstEventId: number): number => firstEventId - 0.5;

/** A frame's tree: nodes depth first, the frame itself first. */
export interface EventTree {
  readonly nodes: readonly EventNode[];
  /** Indices of the leaves in `nodes`, in event order; the position here is the leaf's number in samples. */
  readonly leaves: readonly number[];
  /** By node, the number of the state that its leaf draws under (draw-states.ts), 0 for none or several; where it is known. */
  readonly states?: Uint32Array;
}
