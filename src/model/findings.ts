/** What a comparison found, event by event, each as one sentence: what `compare` and `gate` tell and act on. */
import type {
  ComparedFrame,
  ComparedNode,
  Comparison,
  CounterChange,
  EventChange,
  ResourceChange,
  TimeChange,
} from './comparison.ts';
import type { CounterInfo } from './counter.ts';
import { type Draft, frameDrafts } from './finding-drafts.ts';
import { findingText, resourceText } from './finding-text.ts';

/** In the order in which they are told. */
export const findingKinds = [
  'slower',
  'heavier',
  'new',
  'differs',
  'changed',
  'faster',
  'lighter',
  'gone',
  'moved',
  'undecided',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** A counter that a finding rests on. */
export interface CounterFinding {
  readonly counter: CounterInfo;
  readonly change: CounterChange;
}

export interface Finding {
  readonly kind: FindingKind;
  /** Of one that a side lacks, with its number on both. */
  readonly frame: ComparedFrame;
  /** Null for the frame's own time, measured without brackets, for a frame that a side lacks, and for a resource. */
  readonly node: ComparedNode | null;
  /** As in a report, on the new side where it is there, or a resource's name; untrusted text. Empty for the frame. */
  readonly path: string;
  /** Of verdicts on time; null for the others. */
  readonly time: TimeChange | null;
  /** Of `heavier`, `lighter` and `differs`, those that no deeper event explains first. */
  readonly counters: readonly CounterFinding[];
  /** Only of `changed`: what did, and how many events further on have the same change. */
  readonly changed?: { readonly changes: readonly EventChange[]; readonly others: number };
  /** A texture, renderbuffer or buffer that is heavier, lighter, new or gone, whatever uses it. */
  readonly resource?: ResourceChange;
  /** Whether the new side is the worse for it: slower, heavier, new work or memory, or early depth tests lost. */
  readonly isWorse: boolean;
  /** Whether deeper events (of what is new, gone or moved: the event it stands in; of what
   * changed: an event before it) say the same: it is then no news. */
  readonly isExplained: boolean;
  /** For sorting within a kind: nanoseconds, or for counters the largest part of base. */
  readonly size: number;
  /** One sentence without its full stop; holds untrusted text. */
  readonly message: string;
}

const noTime: TimeChange = {
  baseNs: null,
  newNs: null,
  deltaNs: null,
  lowNs: null,
  highNs: null,
  thresholdNs: null,
  verdict: null,
  reason: null,
};

/** A frame that only the new side has is new work. */
const aloneDraft = (kind: 'new' | 'gone'): Draft => ({
  kind,
  node: null,
  time: null,
  counters: [],
  isWorse: kind === 'new',
  isExplained: false,
  size: Number.MAX_VALUE,
});

function* resourceDrafts({ resources }: Comparison): Generator<Draft> {
  for (const resource of resources) {
    const { base, new: next, deltaBytes } = resource;
    const kind = base === null ? 'new' : next === null ? 'gone' : deltaBytes > 0 ? 'heavier' : 'lighter';
    yield {
      kind,
      node: null,
      time: null,
      counters: [],
      resource,
      isWorse: deltaBytes > 0,
      isExplained: false,
      size: Math.abs(deltaBytes) / (base?.sizeBytes ?? 1),
    };
  }
}

const aloneFrame = (number: number): ComparedFrame => ({
  baseFrame: number,
  newFrame: number,
  plain: noTime,
  nodes: [],
});

/**
 * Everything that changed or is undecided, in all frames: what nothing explains first, then by kind, the largest first,
 * equals in event order. Slower, heavier and so on are told of the deepest events that account for half of the change;
 * new, gone and moved of the outermost, changed of the first.
 */
export function findings(comparison: Comparison): readonly Finding[] {
  let list = known.get(comparison);
  if (!list) {
    list = listOf(comparison);
    known.set(comparison, list);
  }
  return list;
}

/** Several reports and the exit code tell of the same. */
const known = new WeakMap<Comparison, readonly Finding[]>();

function listOf(comparison: Comparison): Finding[] {
  const list: Finding[] = [];
  const add = (frame: ComparedFrame, draft: Draft): void => {
    const event = draft.node && (draft.node.new ?? draft.node.base);
    const path = draft.resource ? resourceText(draft.resource) : (event?.path ?? '');
    list.push({
      ...draft,
      frame,
      path,
      // Written when it is read: there may be tens of thousands.
      get message() {
        return findingText(this, comparison.frames.length > 1);
      },
    });
  };
  // A texture that is larger is why draws are heavier.
  for (const draft of resourceDrafts(comparison)) add(aloneFrame(comparison.frames[0]?.newFrame ?? 1), draft);
  for (const frame of comparison.frames) for (const draft of frameDrafts(frame, comparison.counters)) add(frame, draft);
  for (const number of comparison.framesAlone.new) add(aloneFrame(number), aloneDraft('new'));
  for (const number of comparison.framesAlone.base) add(aloneFrame(number), aloneDraft('gone'));
  const rank = ({ kind, isExplained }: Finding): number =>
    findingKinds.indexOf(kind) + (isExplained ? findingKinds.length : 0);
  return list.sort((left, right) => rank(left) - rank(right) || right.size - left.size);
}
