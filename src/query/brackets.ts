import type { EventTree } from '../model/event-tree.ts';
import { median } from '../model/median.ts';
import type { BracketPlan } from '../replay/frame-replay.ts';

/** Empty brackets a run holds at most, and at least when the frame has any leaf. */
const mostEmpty = 32;
const leastEmpty = 8;

function emptyPlan(calls: number): BracketPlan {
  return { beginAt: new Int32Array(calls).fill(-1), endAt: new Int32Array(calls).fill(-1) };
}

/** One bracket, number 0, around all calls of a frame. */
export function wholeFramePlan(calls: number): BracketPlan {
  const plan = emptyPlan(calls);
  if (calls > 0) {
    plan.beginAt[0] = 0;
    plan.endAt[calls - 1] = 0;
  }
  return plan;
}

/** A bracket, numbered as the leaf, around every leaf of a tree. */
export function leafPlan(tree: EventTree, calls: number): BracketPlan {
  const plan = emptyPlan(calls);
  tree.leaves.forEach((node, leaf) => {
    plan.beginAt[tree.nodes[node].firstEventId - 1] = leaf;
    plan.endAt[tree.nodes[node].lastEventId - 1] = leaf;
  });
  return plan;
}

/**
 * Which query times which bracket: some brackets have empty ones just after them, spread over the frame, whose readings
 * are the floor. After, because before a bracket around the whole frame they would keep the GPU busy while it is queued. Queries are numbered in the order they happen.
 */
export class BracketQueries {
  /** Query of each bracket. */
  readonly query: Int32Array;
  /** Empty brackets after each bracket: queries `query[i] + 1` to `query[i] + empty[i]`. */
  readonly empty: Int32Array;
  readonly count: number;

  constructor(brackets: number) {
    this.query = new Int32Array(brackets);
    this.empty = new Int32Array(brackets);
    const stride = Math.ceil(brackets / mostEmpty);
    const each = Math.ceil(leastEmpty / Math.max(1, brackets));
    let next = 0;
    for (let bracket = 0; bracket < brackets; bracket++) {
      this.empty[bracket] = bracket % stride === 0 ? each : 0;
      this.query[bracket] = next;
      next += 1 + this.empty[bracket];
    }
    this.count = next;
  }

  /** The brackets' own values out of all queries' values. */
  readings(values: Float64Array): Float64Array {
    return Float64Array.from(this.query, (query) => values[query]);
  }

  /** Median of the empty brackets' values. */
  floor(values: Float64Array): number {
    const floors: number[] = [];
    this.empty.forEach((count, bracket) => {
      for (let after = 1; after <= count; after++) floors.push(values[this.query[bracket] + after]);
    });
    return median(floors.filter(Number.isFinite));
  }
}
