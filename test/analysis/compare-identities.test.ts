import assert from 'node:assert/strict';
import { test } from 'node:test';
import { action, draw, frameOf, group, lines, type Spec } from './compare-match-kit.ts';

const to = (target: string, ...specs: readonly Spec[]): Spec[] => specs.map((spec) => ({ ...spec, target }));
const six = (program: number) => draw('glDrawElements(6)', program);

test('the same framebuffers under other numbers are the same', () => {
  const clear = action('clear', 'glClear(Color)');
  const frame = (first: number, ...extra: readonly Spec[]) =>
    frameOf(
      ...extra,
      ...to(`framebuffer ${first}`, clear, six(1)),
      ...to(`framebuffer ${first + 1}`, clear, six(1)),
      ...to(`framebuffer ${first + 2}`, clear, six(2)),
    );
  assert.deepEqual(
    lines(frame(3), frame(4)).filter((line) => !line.startsWith('=')),
    [],
  );
  // One more at the front: without its own contents nothing would tell the other two apart.
  assert.deepEqual(lines(frame(3), frame(4, ...to('framebuffer 3', clear, six(3)))), [
    '+ glClear(Color)',
    '+ glDrawElements(6)',
    ...['=', '=', '=', '=', '=', '='].map(
      (sign, at) => `${sign} ${at % 2 === 0 ? 'glClear(Color)' : 'glDrawElements(6)'}`,
    ),
  ]);
});

test('a framebuffer that is used otherwise keeps its draws', () => {
  const base = [...to('framebuffer 3', six(1), six(1)), ...to('framebuffer 4', six(2), six(2))];
  const next = [
    ...to('framebuffer 3', six(1), six(1)),
    ...to('framebuffer 4', six(2), draw('glDrawArrays(3)', 5), six(2)),
  ];
  assert.deepEqual(lines(frameOf(...base), frameOf(...next)), [
    '= glDrawElements(6)',
    '= glDrawElements(6)',
    '= glDrawElements(6)',
    '+ glDrawArrays(3)',
    '= glDrawElements(6)',
  ]);
});

test('framebuffers that change places move their draws', () => {
  const shadow = [six(1), six(2), six(1)];
  const scene = [six(3), draw('glDrawArrays(3)', 3)];
  const base = frameOf(...to('framebuffer 3', ...shadow), ...to('framebuffer 4', ...scene));
  const next = frameOf(...to('framebuffer 9', ...scene), ...to('framebuffer 8', ...shadow));
  assert.deepEqual(lines(base, next), [
    '> glDrawElements(6)',
    '> glDrawArrays(3)',
    '= glDrawElements(6)',
    '= glDrawElements(6)',
    '= glDrawElements(6)',
  ]);
});

test('many uploads to buffers of their own, one more among them', () => {
  const upload = (at: number, size: number) => action('upload', `glBufferSubData(${size} B)`, `buffer ${at}`);
  const base = Array.from({ length: 100 }, (_, at) => upload(at + 1, 64));
  const next = Array.from({ length: 101 }, (_, at) => upload(at + 5, 64));
  assert.deepEqual(
    lines(frameOf(...base), frameOf(...next)).filter((line) => !line.startsWith('=')),
    ['+ glBufferSubData(64 B)'],
  );
});

test('programs are known by their keys, whatever their numbers', () => {
  const base = frameOf(six(1), six(2), six(3));
  const next = frameOf(six(3), six(1), six(2), six(4));
  const programs = { base: { 1: 'a', 2: 'b', 3: 'c' }, next: { 1: 'x', 2: 'b', 3: 'a', 4: 'c' } };
  assert.deepEqual(lines(base, next, programs), [
    '= glDrawElements(6)',
    '+ glDrawElements(6)',
    '= glDrawElements(6)',
    '= glDrawElements(6)',
  ]);
});

test('programs without keys are known by what they draw', () => {
  const at = (program: number) =>
    group('Scene', draw(`glDrawElements(${program})`, program), draw('glDrawArrays(3)', program));
  const shifted = (program: number) =>
    group('Scene', draw(`glDrawElements(${program})`, program + 7), draw('glDrawArrays(3)', program + 7));
  const fresh = group('Scene', draw('glDrawElements(99)', 7), draw('glDrawArrays(3)', 7));
  assert.deepEqual(
    lines(frameOf(at(1), at(2), at(3)), frameOf(shifted(1), fresh, shifted(2), shifted(3))).filter(
      (line) => !line.startsWith('='),
    ),
    ['+ Scene', '+   glDrawElements(99)', '+   glDrawArrays(3)'],
  );
});

test('a program with other sources draws the same draws, also where they moved', () => {
  const base = frameOf(group('A', six(1), draw('glDrawArrays(3)', 2)), group('B'));
  const next = frameOf(group('A', draw('glDrawArrays(3)', 2)), group('B', six(1)));
  assert.deepEqual(lines(base, next, { base: { 1: 'a', 2: 'b' }, next: { 1: 'edited', 2: 'b' } }), [
    '= A',
    '=   glDrawArrays(3)',
    '= B',
    '>   glDrawElements(6)',
  ]);
});
