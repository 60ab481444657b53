import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchEvents } from '../../src/analysis/compare/match-events.ts';
import { randomFrom } from '../helpers/random.ts';
import { draw, frameOf, group, type Spec } from './compare-match-kit.ts';

/** A tree that can be edited. */
interface Node {
  readonly name: string;
  readonly program: number;
  readonly target: string;
  readonly children: Node[] | null;
}

class Scene {
  readonly root: Node = { name: 'Frame', program: 0, target: '', children: [] };
  readonly #random: () => number;
  #groups = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  /** Few kinds, so that many leaves are equal. */
  leaf(): Node {
    const program = 1 + this.#below(4);
    return {
      name: `glDrawElements(${3 * this.#below(6)})`,
      program,
      target: `framebuffer ${program % 2}`,
      children: null,
    };
  }

  fill(node: Node, depth: number): void {
    for (let left = 2 + this.#below(8); left > 0; left--) {
      if (depth < 4 && this.#random() < 0.35) {
        const inner: Node = { name: `group ${++this.#groups}`, program: 0, target: '', children: [] };
        this.fill(inner, depth + 1);
        node.children!.push(inner);
      } else node.children!.push(this.leaf());
    }
  }

  /** Every node but the root, with its parent. */
  all(from: Node = this.root): { readonly node: Node; readonly parent: Node }[] {
    return (from.children ?? []).flatMap((node) => [{ node, parent: from }, ...this.all(node)]);
  }

  /** Edits one place and gives how many rows that may take, at most. */
  edit(): number {
    const all = this.all();
    const { node, parent } = all[this.#below(all.length)];
    const from = parent.children!;
    const choice = this.#below(3);
    if (choice === 0) {
      from.splice(this.#below(from.length + 1), 0, this.leaf());
      return 1;
    }
    // An empty group would be no group in a real frame.
    if (from.length === 1) return 0;
    from.splice(from.indexOf(node), 1);
    if (choice === 1) return 1 + this.all(node).length;
    const groups = [this.root, ...this.all().map((entry) => entry.node)].filter(({ children }) => children !== null);
    const to = groups[this.#below(groups.length)].children!;
    to.splice(this.#below(to.length + 1), 0, node);
    return 1;
  }
}

const specOf = ({ name, program, target, children }: Node): Spec =>
  children ? group(name, ...children.map(specOf)) : draw(name, program, target);

const frameOfScene = ({ root }: Scene) => frameOf(...root.children!.map(specOf));

const seeds = Array.from({ length: 300 }, (_, seed) => seed + 1);

test('random edits: no more rows than edits, and every event in exactly one row', () => {
  const keys = { 1: 'a', 2: 'b', 3: 'c', 4: 'd' };
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const scene = new Scene(random);
    scene.fill(scene.root, 0);
    const base = frameOfScene(scene);
    let most = 0;
    for (let edits = 1 + Math.floor(random() * 6); edits > 0; edits--) most += scene.edit();
    const next = frameOfScene(scene);
    const rows = matchEvents(base, next, { base: keys, next: keys });
    const changed = rows.filter(({ match }) => match !== 'matched').length;
    assert.ok(changed <= most, `seed ${seed}: ${changed} rows for edits of ${most}`);
    const sorted = (values: readonly number[]) => values.filter((value) => value >= 0).sort((a, b) => a - b);
    assert.deepEqual(sorted(rows.map((row) => row.base)), [...base.keys()], `seed ${seed}`);
    // In new's order.
    assert.deepEqual(
      rows.map((row) => row.next).filter((value) => value >= 0),
      [...next.keys()],
      `seed ${seed}`,
    );
    for (const [at, { parent, depth, next: index, base: from }] of rows.entries()) {
      if (at === 0) continue;
      assert.ok(parent < at && depth === rows[parent].depth + 1, `seed ${seed}`);
      if (index >= 0) assert.equal(depth, next[index].depth);
      else assert.ok(from >= 0);
    }
  }
});
