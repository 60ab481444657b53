import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentsOf, page, painted, painter, recordPage } from './page-kit.ts';

const start = `${painter}
const canvas = document.querySelector('canvas');
const gl = begin(canvas);
let n = 0;
`;

test('a canvas that gets another size within a frame: the frame begins after that', async (t) => {
  const script = `${start}
    const draw = () => {
      n++;
      paint(gl, 10);
      canvas.width = 20 + n;
      gl.viewport(0, 0, canvas.width, canvas.height);
      paint(gl, 100 + n);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`;
  const { code, stderr, path } = await recordPage(t, page(script), ['--frame', '2']);
  assert.equal(code, 0, stderr);
  const { manifest, frames } = await contentsOf(path);
  assert.deepEqual(frames, [['glViewport(x = 0, y = 0, width = 22, height = 48)', ...painted(102)]]);
  assert.equal(manifest.canvas.width, 22);
  assert.deepEqual(manifest.notes, ['the canvas got a new size within the frame, which begins after that']);
});

test('a canvas that gets another size after the frame is drawn has no picture', async (t) => {
  const script = `${start}
    requestAnimationFrame(() => {
      paint(gl, 10);
      canvas.width = 20;
    });`;
  const { code, stderr, left } = await recordPage(t, page(script), ['--frame', '1']);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /the canvas got a new size after the frame was drawn, which emptied it/);
  assert.deepEqual(left, []);
});
