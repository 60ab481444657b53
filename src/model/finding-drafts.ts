/** What there is to tell of a frame's events: found by kind, each with whether another event says the same. */
import type { ComparedFrame, ComparedNode, CounterChange, EventChange } from './comparison.ts';
import type { CounterInfo } from './counter.ts';
import type { CounterFinding, Finding } from './findings.ts';

/** A finding that has no place and no words yet. */
export type Draft = Omit<Finding, 'message' | 'path' | 'frame'>;

/** Changes of one quantity in one direction, over a frame's nodes; 0 for none. */
interface Channel {
  /** Of nodes with the verdict. */
  readonly own: Float64Array;
  /** Of what is there on one side only. */
  readonly alone: Float64Array;
  /** Whether changes of children add up to that of their parent. */
  readonly isSum: boolean;
}

const newChannel = (length: number, isSum: boolean): Channel => ({
  own: new Float64Array(length),
  alone: new Float64Array(length),
  isSum,
});

/** Whether at least half of a node's change lies in deeper events; where changes do not add up, whether any does. */
function explained({ own, alone, isSum }: Channel, nodes: readonly ComparedNode[]): boolean[] {
  const below = new Float64Array(nodes.length + 1);
  const result: boolean[] = new Array(nodes.length);
  for (let index = nodes.length - 1; index >= 0; index--) {
    result[index] = isSum ? below[index] >= own[index] / 2 : below[index] > 0;
    const { parent } = nodes[index];
    if (parent >= 0) below[parent] += alone[index] || own[index] || below[index];
  }
  return result;
}

const isOneSided = ({ match }: ComparedNode): boolean => match === 'new' || match === 'gone';

/** What a new event adds to its parent's time, and what a gone one takes. */
const aloneNs = ({ match, time }: ComparedNode, side: 'new' | 'gone'): number =>
  match === side ? ((side === 'new' ? time.newNs : time.baseNs) ?? 0) : 0;

function* timeDrafts(nodes: readonly ComparedNode[], kind: 'slower' | 'faster'): Generator<Draft> {
  const channel = newChannel(nodes.length, true);
  for (const [index, node] of nodes.entries()) {
    if (node.time.verdict === kind) channel.own[index] = Math.abs(node.time.deltaNs ?? 0) || 1;
    channel.alone[index] = aloneNs(node, kind === 'slower' ? 'new' : 'gone');
  }
  const isExplained = explained(channel, nodes);
  for (const [index, node] of nodes.entries())
    if (channel.own[index] > 0 && !isOneSided(node))
      yield {
        kind,
        node,
        time: node.time,
        counters: [],
        isWorse: kind === 'slower',
        isExplained: isExplained[index],
        size: channel.own[index],
      };
}

function* undecidedDrafts(nodes: readonly ComparedNode[]): Generator<Draft> {
  const channel = newChannel(nodes.length, false);
  for (const [index, { time }] of nodes.entries())
    if (time.verdict !== null && time.verdict !== 'same') channel.own[index] = 1;
  const isExplained = explained(channel, nodes);
  for (const [index, node] of nodes.entries())
    if (node.time.verdict === 'undecided')
      yield {
        kind: 'undecided',
        node,
        time: node.time,
        counters: [],
        isWorse: false,
        isExplained: isExplained[index],
        size: Math.abs(node.time.deltaNs ?? 0),
      };
}

const counterKinds = { more: 'heavier', fewer: 'lighter', differs: 'differs' } as const;

/** Part of base; what comes from nothing is more than any part. */
function partOf({ base, delta }: CounterChange): number {
  if (delta === null) return 0;
  const from = Math.abs(Number(base));
  return from === 0 ? Number.MAX_VALUE : Math.abs(Number(delta)) / from;
}

const isJudged = (change: CounterChange | undefined): boolean => change !== undefined && change.verdict in counterKinds;

/** One finding for each event, of all its counters that went this way. */
function* counterDrafts(
  nodes: readonly ComparedNode[],
  counters: readonly CounterInfo[],
  verdict: keyof typeof counterKinds,
): Generator<Draft> {
  const found = nodes.map((): { told: CounterFinding[]; explained: CounterFinding[] } => ({ told: [], explained: [] }));
  for (const counter of counters) {
    const channel = newChannel(nodes.length, counter.kind === 'sum' || counter.kind === 'distinct');
    let isThere = false;
    for (const [index, node] of nodes.entries()) {
      const change = node.counters[counter.id];
      if (!change) continue;
      if (isOneSided(node)) {
        const gains = node.match === 'new' ? verdict === 'more' : verdict === 'fewer';
        if (gains) channel.alone[index] = Math.abs(Number((node.match === 'new' ? change.new : change.base) ?? 0));
      } else if (change.verdict === verdict) {
        channel.own[index] = Math.abs(Number(change.delta ?? 0)) || 1;
        isThere = true;
      }
    }
    if (!isThere) continue;
    const isExplained = explained(channel, nodes);
    for (const [index, node] of nodes.entries())
      if (channel.own[index] > 0)
        found[index][isExplained[index] ? 'explained' : 'told'].push({ counter, change: node.counters[counter.id] });
  }
  for (const [index, { told, explained }] of found.entries()) {
    if (told.length + explained.length === 0) continue;
    const size = Math.max(...(told.length > 0 ? told : explained).map(({ change }) => partOf(change)));
    yield {
      kind: counterKinds[verdict],
      node: nodes[index],
      time: null,
      counters: [...told, ...explained],
      isWorse: verdict === 'more',
      isExplained: told.length === 0,
      size,
    };
  }
}

/** What is new, gone or moved; an event within such another is explained by it. */
function* matchDrafts(nodes: readonly ComparedNode[]): Generator<Draft> {
  const hasNewWork = nodes.map(({ match, isLeaf }) => match === 'new' && isLeaf);
  for (let index = nodes.length - 1; index >= 0; index--)
    if (hasNewWork[index] && nodes[index].parent >= 0) hasNewWork[nodes[index].parent] = true;
  for (const [index, node] of nodes.entries()) {
    const { match, parent, time } = node;
    if (match === 'matched') continue;
    yield {
      kind: match,
      node,
      time: null,
      counters: [],
      isWorse: match === 'new' && hasNewWork[index],
      isExplained: parent >= 0 && nodes[parent].match === match,
      size: (match === 'gone' ? time.baseNs : time.newNs) ?? 0,
    };
  }
}

/** Depth tests that no fragment fails. */
const passesAll = (depthTest: string): boolean => ['off', 'no depth buffer', 'always'].includes(depthTest);

/** Fragments that are hidden are shaded then: with another view, if not with this one. */
const losesEarlyDepth = ({ what, base, new: next }: EventChange): boolean =>
  (what === 'early depth' && !base.startsWith('prevented') && next.startsWith('prevented')) ||
  (what === 'depth test' && !passesAll(base) && passesAll(next));

/** Another program, another state: told of the first event of all that have the same change. */
function* changeDrafts(nodes: readonly ComparedNode[]): Generator<Draft> {
  const alike = new Map<string, ComparedNode[]>();
  for (const node of nodes) {
    if (node.changes.length === 0) continue;
    const key = JSON.stringify(node.changes);
    const found = alike.get(key);
    if (found) found.push(node);
    else alike.set(key, [node]);
  }
  for (const found of alike.values())
    for (const [at, node] of found.entries())
      yield {
        kind: 'changed',
        node,
        time: null,
        counters: [],
        changed: { changes: node.changes, others: found.length - 1 - at },
        isWorse: node.changes.some(losesEarlyDepth),
        isExplained: at > 0,
        size: found.length,
      };
}

/** The frame's own time is told where no event says the same. */
function* plainDrafts({ plain }: ComparedFrame, events: readonly Draft[]): Generator<Draft> {
  const { verdict } = plain;
  if (verdict === null || verdict === 'same') return;
  yield {
    kind: verdict,
    node: null,
    time: plain,
    counters: [],
    isWorse: verdict === 'slower',
    isExplained: events.some(({ kind }) => kind === verdict),
    size: Math.abs(plain.deltaNs ?? 0),
  };
}

/** Everything that changed or is undecided in a frame, in no order. */
export function* frameDrafts(frame: ComparedFrame, counters: readonly CounterInfo[]): Generator<Draft> {
  const { nodes } = frame;
  const events = [...timeDrafts(nodes, 'slower'), ...timeDrafts(nodes, 'faster'), ...undecidedDrafts(nodes)];
  yield* events;
  yield* plainDrafts(frame, events);
  const changed = counters.filter(({ id }) => nodes.some((node) => isJudged(node.counters[id])));
  if (changed.length > 0)
    for (const verdict of ['more', 'fewer', 'differs'] as const) yield* counterDrafts(nodes, changed, verdict);
  yield* changeDrafts(nodes);
  yield* matchDrafts(nodes);
}
