import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInSession } from '../helpers/session.ts';
import { contentsOf, page, painted, painter, recordPage } from './page-kit.ts';

const start = `${painter}
const canvas = document.querySelector('canvas');
const gl = begin(canvas);
let n = 0;
`;

test('a canvas that gets another size within a frame is replayed so, again and again', async (t) => {
  const script = `${start}
    const draw = () => {
      n++;
      paint(gl, 10);
      canvas.width = 20 + n;
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(0, 0, 4, 4);
      paint(gl, 100 + n);
      gl.disable(gl.SCISSOR_TEST);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`;
  const { code, stderr, path } = await recordPage(t, page(script), ['--frame', '2', '--frames', '2']);
  assert.equal(code, 0, stderr);
  const { manifest, frames } = await contentsOf(path);
  const frame = (n: number) => [
    ...painted(10),
    `gpuprofCanvasSize(width = ${20 + n}, height = 48)`,
    'glEnable(cap = GL_SCISSOR_TEST)',
    'glScissor(x = 0, y = 0, width = 4, height = 4)',
    ...painted(100 + n),
    'glDisable(cap = GL_SCISSOR_TEST)',
  ];
  assert.deepEqual(frames, [frame(2), frame(3)]);
  assert.equal(manifest.canvas.width, 21);
  // By name, since on a busy machine the check may find no timer to trust, and the pictures are what counts here.
  const args = ['--driver', 'egl', '--verify', '--runs', '3', '--timer', 'finish'];
  const { code: replayed, stderr: said } = await runInSession(['replay', path, ...args]);
  assert.equal(replayed, 0, said);
  assert.match(said, /all 1104 pixels are equal/);
});

test('a canvas that gets another size after the frame is drawn is empty', async (t) => {
  const script = `${start}
    requestAnimationFrame(() => {
      paint(gl, 10);
      canvas.width = 20;
    });`;
  const { code, stderr, path } = await recordPage(t, page(script), ['--frame', '1']);
  assert.equal(code, 0, stderr);
  const { frames } = await contentsOf(path);
  assert.deepEqual(frames, [[...painted(10).slice(1), 'gpuprofCanvasSize(width = 20, height = 48)']]);
  const { code: replayed, stderr: said } = await runInSession([
    'replay',
    path,
    '--driver',
    'egl',
    '--verify',
    '--no-timing',
  ]);
  assert.equal(replayed, 0, said);
  assert.match(said, /all 960 pixels are equal/);
});
