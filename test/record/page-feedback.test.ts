import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInSession } from '../helpers/session.ts';
import { contentsOf, page, painter, recordPage } from './page-kit.ts';

/** Points that each picture moves a little to the right, from one buffer to the other. */
const moving = `${painter}
const gl = begin(document.querySelector('canvas'), 2, { antialias: false });
const program = gl.createProgram();
for (const [type, source] of [
  [gl.VERTEX_SHADER, \`#version 300 es
    in vec2 at; out vec2 next; void main() { next = at + vec2(0.25, 0); gl_Position = vec4(next, 0, 1); gl_PointSize = 8.; }\`],
  [gl.FRAGMENT_SHADER, '#version 300 es\\nprecision highp float; out vec4 o; void main() { o = vec4(0, 1, 0, 1); }'],
]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.bindAttribLocation(program, 0, 'at');
gl.transformFeedbackVaryings(program, ['next'], gl.SEPARATE_ATTRIBS);
gl.linkProgram(program);
gl.useProgram(program);
const sides = [0, 1].map(() => {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -0.5, -1, 0.5]), gl.STREAM_COPY);
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.bindVertexArray(null);
  const feedback = gl.createTransformFeedback();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  return { array, feedback };
});
let from = 0;
const draw = () => {
  gl.bindVertexArray(sides[from].array);
  from = 1 - from;
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, sides[from].feedback);
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, 2);
  gl.endTransformFeedback();
  requestAnimationFrame(draw);
};
requestAnimationFrame(draw);
`;

for (const frame of ['1', '4'])
  test(`points that a transform feedback moves, in frame ${frame}`, async (t) => {
    const { code, stderr, path } = await recordPage(t, page(moving), ['--frame', frame]);
    assert.equal(code, 0, stderr);
    const { manifest, setup, frames } = await contentsOf(path);
    assert.equal(manifest.notes, undefined);
    assert.ok(!setup.some((line) => line.startsWith('glBeginTransformFeedback')), setup.join('\n'));
    assert.deepEqual(frames[0].slice(-3), [
      'glBeginTransformFeedback(primitiveMode = GL_POINTS)',
      'glDrawArrays(mode = GL_POINTS, first = 0, count = 2)',
      'glEndTransformFeedback()',
    ]);
    for (const driver of ['egl', 'headless-gl']) {
      const replayed = await runInSession([
        'replay',
        path,
        '--driver',
        driver,
        '--verify',
        '--runs',
        '3',
        '--timer',
        'finish',
      ]);
      assert.equal(replayed.code, 0, replayed.stderr);
      assert.match(replayed.stderr, /^gpuprof: verification passed: all 3072 pixels are equal/);
    }
  });
