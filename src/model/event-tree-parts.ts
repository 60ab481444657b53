import type { Action } from './actions.ts';
import type { EventNode, EventTree, NodeKind } from './event-tree.ts';

type Draft = { -readonly [Key in keyof EventNode]: EventNode[Key] };

interface NewNode {
  readonly eventId: number | null;
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly kind: NodeKind;
  readonly name: string;
  /** Index of the parent; nodes are added depth first. */
  readonly parent: number;
}

/** Builds the node list of an event tree, depth first, keeping depths, paths and draw counts right. */
export class TreeBuilder {
  private readonly nodes: Draft[] = [];
  private readonly leaves: number[] = [];

  /** Begins with the frame's node, which covers events 1 to `events`. */
  constructor(events: number) {
    this.nodes.push({
      eventId: null,
      firstEventId: 1,
      lastEventId: events,
      kind: 'frame',
      name: 'Frame',
      path: '',
      depth: 0,
      parent: -1,
      isLeaf: false,
      draws: 0,
      program: 0,
      target: '',
    });
  }

  /** Adds a group and returns its index. */
  add(node: NewNode): number {
    const parent = this.nodes[node.parent];
    const escaped = node.name.replaceAll('/', '\\/');
    return (
      this.nodes.push({
        ...node,
        path: parent.parent < 0 ? escaped : `${parent.path}/${escaped}`,
        depth: parent.depth + 1,
        isLeaf: false,
        draws: 0,
        program: 0,
        target: '',
      }) - 1
    );
  }

  addLeaf(
    parent: number,
    firstEventId: number,
    lastEventId: number,
    action: Omit<Action, 'kind'> & { kind: NodeKind },
  ) {
    const { kind, name, draws, program, target } = action;
    const index = this.add({ eventId: firstEventId, firstEventId, lastEventId, kind, name, parent });
    this.makeLeaf(index, draws, program, target);
    return index;
  }

  /** Turns a node into a leaf and counts its draws in all its ancestors. */
  makeLeaf(index: number, draws: number, program: number, target: string): void {
    Object.assign(this.nodes[index], { isLeaf: true, draws, program, target });
    this.leaves.push(index);
    for (let above = this.nodes[index].parent; above >= 0; above = this.nodes[above].parent)
      this.nodes[above].draws += draws;
  }

  /** Sets the last event a group covers. */
  close(index: number, lastEventId: number): void {
    this.nodes[index].lastEventId = lastEventId;
  }

  finish(): EventTree {
    return { nodes: this.nodes, leaves: this.leaves };
  }
}
