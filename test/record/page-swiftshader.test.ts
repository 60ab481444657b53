/** What Chromium draws with SwiftShader is drawn again to the last bit by the swiftshader driver. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { chromium, noChromium } from '../helpers/chromium.ts';
import { runInSession } from '../helpers/session.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpuprof-page-swift-'));
after(() => rmSync(folder, { recursive: true }));

/** Slanted, blended edges and functions that renderers round differently. */
const page = (api: string, attributes: object) => `<!doctype html><body><script>
const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.width = 90; canvas.height = 60;
const gl = canvas.getContext('${api}', ${JSON.stringify(attributes)});
const program = gl.createProgram();
const add = (type, source) => {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
};
add(gl.VERTEX_SHADER, 'attribute vec2 p; varying vec2 q; void main() { q = p; gl_Position = vec4(p, p.x * 0.5, 1.0); }');
add(gl.FRAGMENT_SHADER, 'precision highp float; varying vec2 q; void main() {' +
  'gl_FragColor = vec4(sin(q.x * 9.0), exp(-q.y), pow(abs(q.x), 1.3), 0.4 + 0.5 * cos(q.y * 7.0)); }');
gl.linkProgram(program);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.9, -0.7, 0.8, 0.3, -0.2, 0.9, -0.7, 0.8, 0.9, -0.9, 0.1, 0.6]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
gl.enable(gl.DEPTH_TEST);
gl.enable(gl.BLEND);
gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
requestAnimationFrame(function draw() {
  gl.clearColor(0.1, 0.2, 0.3, 0.5);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.drawArrays(gl.TRIANGLES, 0, 6);
  requestAnimationFrame(draw);
});
</script>`;

const cases = [
  ['webgl', { antialias: true }],
  ['webgl', { antialias: false, premultipliedAlpha: false }],
  ['webgl2', { antialias: true, alpha: false, stencil: true }],
  ['webgl2', { antialias: false, depth: false }],
] as const;

for (const [api, attributes] of cases)
  test(`${api} ${JSON.stringify(attributes)}: every pixel is equal`, { skip: noChromium }, async () => {
    const file = join(folder, 'page.html');
    const capture = join(folder, 'page.cap');
    writeFileSync(file, page(api, attributes));
    const recorded = await runInSession(['record', 'page', file, '-o', capture, '--frame', '3']);
    assert.equal(recorded.code, 0, recorded.stderr);
    const driver = ['--driver', 'swiftshader', '--browser', chromium as string];
    const { code, stderr } = await runInSession(['replay', capture, ...driver, '--verify', '--no-timing']);
    assert.equal(
      stderr,
      'gpuprof: verification passed: all 5400 pixels are equal (on the renderer of the recording)\n',
    );
    assert.equal(code, 0);
  });
