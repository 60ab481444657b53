import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentsOf, page, painted, painter, recordPage } from './page-kit.ts';

const start = `${painter}
const canvas = document.querySelector('canvas');
const gl = begin(canvas);
const lose = gl.getExtension('WEBGL_lose_context');
canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
`;

test('what a page draws into a context that is lost is no frame', async (t) => {
  const script = `${start}
    lose.loseContext();
    paint(gl, 1);
    canvas.addEventListener('webglcontextlost', () => { paint(gl, 2); setTimeout(() => lose.restoreContext(), 50); });
    canvas.addEventListener('webglcontextrestored', () => requestAnimationFrame(() => paint(gl, 3)));`;
  const { code, stderr, path } = await recordPage(t, page(script), ['--frame', '1']);
  assert.equal(code, 0, stderr);
  assert.deepEqual((await contentsOf(path)).frames, [[...painted(3).slice(1)]]);
});

test('a context that is lost while its frame is recorded gives no capture', async (t) => {
  const script = `${start} requestAnimationFrame(() => { paint(gl, 1); lose.loseContext(); paint(gl, 2); });`;
  const { code, stderr, left } = await recordPage(t, page(script), ['--frame', '1']);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /the WebGL context was lost while the frame was being recorded/);
  assert.deepEqual(left, []);
});
