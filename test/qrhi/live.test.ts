/** What a terminal shows while a stream goes on, by its size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrhiLiveLines, qrhiStatus } from '../../src/report/qrhi-usage/live.ts';
import { displayWidth } from '../../src/report/text.ts';
import { buffer, reportOf, smallStream } from './kit.ts';

const report = reportOf('small.csv', `${smallStream}line2,\n`);
const headline = 'small.csv, followed as it grows; Ctrl-C ends';
const screen = (width: number, height: number, what = report): string[] =>
  qrhiLiveLines(headline, what, { top: 5, qt: 5, color: false, width, height });

const tall = `small.csv, followed as it grows; Ctrl-C ends

lines       21, 1.5 KiB, from 5 to 22 ms
malformed   1 line, skipped

memory               live     size     peak  created  released
──────────────────────────────────────────────────────────────
buffers                 1      0 B     84 B        2         1
renderbuffers           1  1.6 KiB  1.6 KiB        2         0
textures                1      0 B    512 B        2         1
swapchains              0      0 B    800 B        1         1
staging of buffers      0      0 B     84 B        1         1
staging of textures     0      0 B      0 B        0         0
readbacks               0      0 B    512 B        1         1
all                     3  1.6 KiB  3.4 KiB        9         5

allocator   1000 B used (peak 2.0 KiB), 1.0 KiB unused, 3 allocations in 1
            block, by its own figures (op 15)

frame times     windows  min ms  max ms   avg ms  last avg
──────────────────────────────────────────────────────────
GPU                   1    1e-7     2.5     0.25      0.25
frame to frame        1       2      13  5.01667   5.01667
frame build           1       1       9      0.5       0.5

Largest
kind          res     size  line  name           what
────────────────────────────────────────────────────────────────────
renderbuffer  300  1.6 KiB     8                 10x10 depth-stencil
swapchain     400    800 B     9                 10x10 2 buffers
texture       200    512 B     5  a_ b é         16x8 RGBA8
buffer        100     84 B     1  Triangle vbuf  immutable vertex`.split('\n');

test('a tall terminal shows everything, with lines between', () => {
  assert.deepEqual(screen(80, 40), tall);
});

test('80x24: every figure, closer together, and that the largest have no room', () => {
  const largest = tall.indexOf('Largest');
  const close = tall.slice(0, largest).filter((line) => line !== '');
  assert.deepEqual(screen(80, 24), [...close, '4 rows not shown: 4 of largest']);
});

test('50x15: times, and the memory that matters most', () => {
  assert.deepEqual(
    screen(50, 15).join('\n'),
    `small.csv, followed as it grows; Ctrl-C ends
malformed   1 line, skipped
memory               live     size     peak
───────────────────────────────────────────
renderbuffers           1  1.6 KiB  1.6 KiB
textures                1      0 B    512 B
swapchains              0      0 B    800 B
readbacks               0      0 B    512 B
all                     3  1.6 KiB  3.4 KiB
frame times     windows  min ms  max ms   avg ms
────────────────────────────────────────────────
GPU                   1    1e-7     2.5     0.25
frame to frame        1       2      13  5.01667
frame build           1       1       9      0.5
9 rows not shown`,
  );
});

test('20x5: memory in all', () => {
  assert.deepEqual(screen(20, 5), [
    'small.csv,…rl-C ends',
    'memory        size',
    '──────────────────',
    'all        1.6 KiB',
    '17 rows not shown',
  ]);
  assert.deepEqual(screen(20, 1), ['small.csv,…rl-C ends']);
});

test('in every size nothing is cut without a word, and nothing is wider or taller than the terminal', () => {
  // The last is the second line of a row.
  const heads = /^(memory|kind|frame times) |^(Largest|─+)?$|^ /;
  const rows = (lines: readonly string[]) => lines.filter((line) => !heads.test(line)).length;
  const all = rows(tall);
  const many = reportOf('many.csv', smallStream + Array.from({ length: 9 }, (_, at) => buffer(at + 1, at)).join(''));
  for (let height = 2; height <= 40; height++) {
    for (const width of [80, 81, 100]) {
      const lines = screen(width, height);
      const left = Number(/^(\d+) rows? not shown/.exec(lines[lines.length - 1])?.[1] ?? 0);
      const shown = rows(lines) - (left > 0 ? 1 : 0);
      assert.equal(shown + left, all, `${width}x${height}\n${lines.join('\n')}`);
    }
    for (const width of [20, 24, 30, 50, 80])
      for (const lines of [screen(width, height), screen(width, height, many)]) {
        assert.ok(lines.length <= height, `${width}x${height}`);
        for (const line of lines) assert.ok(displayWidth(line) <= Math.max(width, 32), `${width}x${height}: ${line}`);
      }
  }
});

test('no stream, and one without anything yet', () => {
  assert.deepEqual(qrhiLiveLines('listening', null, { top: 5, qt: 5, color: false, width: 80, height: 24 }), [
    'listening',
  ]);
  assert.deepEqual(screen(80, 24, reportOf('empty', '')).slice(2, 4), ['lines       0, 0 B', 'malformed   none']);
});

test('one line', () => {
  assert.equal(
    qrhiStatus(report),
    'small.csv: 21 lines, 1 malformed, at 22 ms, 3 resources live of 1.6 KiB (peak 3.4 KiB), frames of 5.01667 ms, GPU 0.25 ms',
  );
});
