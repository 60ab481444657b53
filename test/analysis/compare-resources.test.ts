import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventChanges } from '../../src/analysis/compare/event-changes.ts';
import { resourceChanges } from '../../src/analysis/compare/resource-changes.ts';
import { findingsSummary } from '../../src/model/finding-text.ts';
import { findings } from '../../src/model/findings.ts';
import type { ResourceSize } from '../../src/model/life/resource-sizes.ts';
import { withNodes } from '../report/compare-sample.ts';
import { frameOf, group, renderPass } from './compare-match-kit.ts';

const texture = (id: number, side: number, name = `texture ${id}`): ResourceSize => ({
  class: 'texture',
  id,
  name,
  sizeBytes: 4 * side * side,
  size: [side, side],
});
const buffer = (id: number, sizeBytes: number): ResourceSize => ({
  class: 'buffer',
  id,
  name: `buffer ${id}`,
  sizeBytes,
  size: null,
});

/** What is told of them, a sentence each. */
function told(base: readonly ResourceSize[], next: readonly ResourceSize[]): string[] {
  const resources = resourceChanges({ resources: base }, { resources: next });
  return findings(withNodes([], { resources })).map(({ message }) => message);
}

test('a texture of another size is named, in any order and whatever the ids', () => {
  const base = [texture(1, 64), texture(2, 64), buffer(1, 100), texture(3, 32)];
  assert.deepEqual(told(base, base.toReversed()), []);
  // One made before the others gives all of them other ids.
  assert.deepEqual(
    told(base, [texture(1, 16), buffer(2, 100), ...[64, 64, 32].map((side, at) => texture(at + 2, side))]),
    ['texture 1 is new (16×16, 1.0 KiB)'],
  );
  assert.deepEqual(told(base, base.with(1, texture(2, 128))), [
    'texture 2 is heavier: 16.0 KiB → 64.0 KiB (+48.0 KiB, +300.0%), 64×64 → 128×128',
  ]);
  assert.deepEqual(told(base, base.with(2, buffer(1, 90))), ['buffer 1 is lighter: 100 B → 90 B (-10 B, -10.0%)']);
  assert.deepEqual(told(base, base.slice(0, 3)), ['texture 3 is gone (32×32, 4.0 KiB)']);
  // Made in another order, they are the same.
  assert.deepEqual(told(base, [texture(1, 32), texture(2, 64), buffer(1, 100), texture(3, 64)]), []);
});

test('labels tell which is which', () => {
  const base = [texture(1, 8, 'a'), texture(2, 8, 'b'), texture(3, 8, 'c')];
  assert.deepEqual(told(base, [texture(1, 8, 'c'), texture(2, 16, 'a'), texture(3, 8, 'b')]), [
    'texture a is heavier: 256 B → 1.0 KiB (+768 B, +300.0%), 8×8 → 16×16',
  ]);
});

test('views take nothing, and reports that do not tell of resources are not compared', () => {
  const view = { ...texture(9, 64), sizeBytes: 0 };
  assert.deepEqual(told([texture(1, 64)], [texture(1, 64), view]), []);
  assert.deepEqual(resourceChanges({}, { resources: [texture(1, 64)] }), []);
});

test('more memory is worse, less is not; a sentence sums up', () => {
  const resources = resourceChanges(
    { resources: [texture(1, 64), texture(2, 32)] },
    { resources: [texture(1, 128), texture(2, 16)] },
  );
  const list = findings(withNodes([], { resources }));
  assert.deepEqual(
    list.map(({ kind, path, isWorse }) => [kind, path, isWorse]),
    [
      ['heavier', 'texture 1', true],
      ['lighter', 'texture 2', false],
    ],
  );
  assert.equal(findingsSummary(list), '1 resource is heavier, 1 resource is lighter');
});

test('a marker of another name has changed; a render pass is named by what it does', () => {
  const changes = new EventChanges({}, {});
  const [, marker, pass] = frameOf(group('Shadow'), renderPass('pass 1'));
  const [, other, later] = frameOf(group('Shadows'), renderPass('pass 2'));
  assert.deepEqual(changes.of(marker, other), [{ what: 'name', base: 'Shadow', new: 'Shadows' }]);
  assert.deepEqual([changes.of(marker, marker), changes.of(pass, later), changes.of(marker, undefined)], [[], [], []]);
});
