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
 * Which query times which bracket: some brackets have empty ones just before them, spread over the frame, whose readings
 * are the floor. Queries are numbered in the order they happen.
 */
export class BracketQueries {
  /** Query of each bracket. */
  readonly query: Int32Array;
  /** Empty brackets before each bracket: queries `query[i] - empty[i]` to `query[i] - 1`. */
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
      next += this.empty[bracket];
      this.query[bracket] = next++;
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
      for (let before = 1; before <= count; before++) floors.push(values[this.query[bracket] - before]);
    });
    return median(floors.filter(Number.isFinite));
  }
}
