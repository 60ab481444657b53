import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from '../../src/report/printable.ts';
import { displayWidth, shorten, wrap } from '../../src/report/text.ts';

test('control characters become visible ones', () => {
  assert.equal(printable('a\u001b[31mred\u0007\r\nb\u007f\u009bc'), 'a␛[31mred␇␍␊b␡�c');
});

test('text that hides or turns around what is written is made visible', () => {
  assert.equal(printable('a\u202eb\u2066c\u200bd\ufeffe\u2028f'), 'a�b�c�d�e�f');
  assert.equal(printable('half \ud800 pair'), 'half � pair');
});

test('ordinary text of any script stays as it is', () => {
  for (const text of ['Sofa/body', '日本語', 'Прожектор', 'é', 'e\u0301', '🙂', '👨‍👩‍👧'])
    assert.equal(printable(text), text);
});

test('a name is shortened in its middle, by columns', () => {
  assert.equal(shorten('abcdefghij', 10), 'abcdefghij');
  assert.equal(shorten('abcdefghijk', 10), 'abcde…hijk');
  assert.equal(shorten('日本語日本語', 12), '日本語日本語');
  assert.equal(shorten('日本語日本語', 11), '日本…本語');
  assert.equal(shorten('abc', 1), '…');
  assert.equal(shorten('abc', 0), '');
});

test('shortening never goes over the width and never splits a character', () => {
  const names = [
    '🙂🙃🙂🙃🙂🙃',
    '👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧',
    'ééééééééé',
    '日a本b語c日d本e',
    `a${'\u0301'.repeat(100_000)}`,
    'x'.repeat(1_000_000),
  ];
  for (const name of names)
    for (let width = 0; width < 14; width++) {
      const short = shorten(name, width);
      assert.ok(displayWidth(short) <= width, `${JSON.stringify(short.slice(0, 50))} in ${width}`);
      assert.doesNotMatch(short, /\p{Cs}/u);
      assert.ok(short.length <= 16 * width + 2);
    }
});

test('text is wrapped at spaces', () => {
  assert.deepEqual(wrap('the quick brown fox', 10), ['the quick', 'brown fox']);
  assert.deepEqual(wrap('incomprehensibilities of it', 10), ['incom…ties', 'of it']);
  assert.deepEqual(wrap('', 10), ['']);
});
