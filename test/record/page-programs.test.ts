import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentsOf, page, painter, recordPage } from './page-kit.ts';

test('a program linked in the frame keeps the attribute locations that this driver gave it', async (t) => {
  const script = `${painter}
    const gl = begin(document.querySelector('canvas'));
    requestAnimationFrame(() => {
      paint(gl, 1);
      const program = gl.createProgram();
      for (const [type, source] of [
        [gl.VERTEX_SHADER, 'attribute vec4 first, second, third; void main() { gl_Position = first + second + third; }'],
        [gl.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(1); }'],
      ]) {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        gl.attachShader(program, shader);
      }
      gl.bindAttribLocation(program, 5, 'second');
      gl.linkProgram(program);
    });`;
  const { code, stderr, path } = await recordPage(t, page(script), ['--frame', '1']);
  assert.equal(code, 0, stderr);
  const [calls] = (await contentsOf(path)).frames;
  const link = calls.indexOf('glLinkProgram(program = program 1)');
  const bound = (line: string) => Number(/index = (\d+)/.exec(line)?.[1]);
  const before = calls.slice(link - 3, link);
  assert.deepEqual(
    before.map((line) => /^glBindAttribLocation\(program = program 1, .* name = "(\w+)"\)$/.exec(line)?.[1]).sort(),
    ['first', 'second', 'third'],
    calls.join('\n'),
  );
  assert.equal(new Set(before.map(bound)).size, 3);
  assert.ok(before.some((line) => line.includes('index = 5, name = "second"')));
});
