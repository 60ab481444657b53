import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathGlob } from '../../../src/analysis/gate/path-glob.ts';

const paths = [
  '',
  'Shadow',
  'main/Shadow',
  'main/a/Shadow',
  'main/a/Shadow/draw',
  String.raw`main/a\/b`,
  'main/a*b',
  'shadow',
];

const meant = (glob: string): string[] => paths.filter(pathGlob(glob));

test('globs over event paths', () => {
  assert.deepEqual(meant('Shadow'), ['Shadow']);
  assert.deepEqual(meant('**/Shadow'), ['Shadow', 'main/Shadow', 'main/a/Shadow']);
  assert.deepEqual(meant('main/*'), ['main/Shadow', String.raw`main/a\/b`, 'main/a*b']);
  assert.deepEqual(meant('main/**/Shadow'), ['main/Shadow', 'main/a/Shadow']);
  assert.deepEqual(meant('main/a/**'), ['main/a/Shadow', 'main/a/Shadow/draw'], 'what is below, not the thing itself');
  assert.deepEqual(meant('?hadow'), ['Shadow', 'shadow']);
  assert.deepEqual(meant('**'), paths.slice(1), 'every event, and not the frame');
  assert.deepEqual(meant(String.raw`main/a\/b`), [String.raw`main/a\/b`]);
  assert.deepEqual(meant(String.raw`main/a\*b`), ['main/a*b']);
  assert.deepEqual(
    meant('main/a?b'),
    [String.raw`main/a\/b`, 'main/a*b'],
    'a slash within a name is a character of it',
  );
  assert.deepEqual(meant('main'), []);
});

test('what means something elsewhere is text here', () => {
  const glob = pathGlob('a/glDrawArrays(3) [x] {y} .+^$|-');
  assert.ok(glob('a/glDrawArrays(3) [x] {y} .+^$|-'));
  assert.ok(!glob('a/glDrawArrays3 x y'));
  assert.ok(pathGlob('?')('🙂'), 'a character is one, whatever it takes');
});
