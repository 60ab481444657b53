import { type EventNode, type EventTree, type NodeKind, passEventId } from './event-tree.ts';

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

/** What a leaf shows of itself: an action, or a run of them. */
type Leaf = Pick<EventNode, 'kind' | 'name' | 'draws' | 'program' | 'target'>;

/** Builds the node list of an event tree, depth first, keeping depths, paths and draw counts right. */
export class TreeBuilder {
  private readonly nodes: Draft[] = [];
  private readonly leaves: number[] = [];
  /** Of the newest node: most leaves are called like the one before, and share its texts. */
  private newest = { parent: -1, name: '', path: '' };

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
  add({ eventId, firstEventId, lastEventId, kind, name, parent }: NewNode): number {
    const above = this.nodes[parent];
    if (this.newest.parent !== parent || this.newest.name !== name) {
      const step = name.includes('/') ? name.replaceAll('/', '\\/') : name;
      this.newest = { parent, name, path: above.parent < 0 ? step : `${above.path}/${step}` };
    }
    // Written out: spreading a hundred thousand nodes takes seconds.
    const node: Draft = {
      eventId,
      firstEventId,
      lastEventId,
      kind,
      name: this.newest.name,
      path: this.newest.path,
      depth: above.depth + 1,
      parent,
      isLeaf: false,
      draws: 0,
      program: 0,
      target: '',
    };
    return this.nodes.push(node) - 1;
  }

  addLeaf(parent: number, firstEventId: number, lastEventId: number, leaf: Leaf): void {
    const { kind, name } = leaf;
    const eventId = kind === 'pass' ? passEventId(firstEventId) : firstEventId;
    const index = this.add({ eventId, firstEventId, lastEventId, kind, name, parent });
    this.makeLeaf(index, leaf.draws, leaf.program, leaf.target);
  }

  /** Turns a node into a leaf and counts its draws in all its ancestors. */
  makeLeaf(index: number, draws: number, program: number, target: string): void {
    const node = this.nodes[index];
    node.isLeaf = true;
    node.draws = draws;
    node.program = program;
    node.target = target;
    this.leaves.push(index);
    for (let above = node.parent; above >= 0; above = this.nodes[above].parent) this.nodes[above].draws += draws;
  }

  /** Sets the last event a group covers. */
  close(index: number, lastEventId: number): void {
    this.nodes[index].lastEventId = lastEventId;
  }

  finish(): EventTree {
    return { nodes: this.nodes, leaves: this.leaves };
  }
}
