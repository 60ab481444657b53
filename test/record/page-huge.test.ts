import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { projectRoot, runProgram, typescript } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { page, painter, writeSite } from './page-kit.ts';

const mebibyte = 2 ** 20;

test('5,000 draws and 32 textures of 4 MB: whole, with little memory in the tool', async (t) => {
  const folder = await tempFolder(t);
  // Each texture differs, so that none is stored twice; they compress well, which keeps the test short.
  const site = await writeSite(
    folder,
    page(`${painter}
    const gl = begin(document.querySelector('canvas'), 2, { antialias: false });
    const program = gl.createProgram();
    for (const [type, text] of [
      [gl.VERTEX_SHADER, 'void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1.0; }'],
      [gl.FRAGMENT_SHADER, 'precision mediump float; uniform float u; uniform sampler2D t; out vec4 o; void main() { o = texture(t, vec2(u)); }'],
    ]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, '#version 300 es\\n' + text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    const u = gl.getUniformLocation(program, 'u');
    const texels = new Uint8Array(1024 * 1024 * 4);
    const textures = Array.from({ length: 32 }, (_, index) => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      texels.fill(index + 1);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1024, 1024, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
      return texture;
    });
    let n = 0;
    const draw = () => {
      paint(gl, n);
      const draws = ++n === 2 ? 5000 : 1;
      for (let index = 0; index < draws; index++) {
        gl.bindTexture(gl.TEXTURE_2D, textures[index % 32]);
        gl.uniform1f(u, index / 5000);
        gl.drawArrays(gl.POINTS, 0, 1);
      }
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`),
  );
  const path = join(folder, 'huge.cap');
  const args = ['record', 'page', site, '-o', path, '--frame', '2', '--timeout', '240'];
  const peak = join(projectRoot, 'test', 'cli', 'peak.ts');
  const { code, stdout, stderr } = await runProgram(process.execPath, [...typescript, peak, ...args]);
  assert.equal(code, 0, stderr);
  t.diagnostic(`peak ${Math.round(Number(stdout) / mebibyte)} MB`);
  assert.match(stderr, /: 1 frame of 15002 calls, 5000 draws, 64x48, /);
  const capture = await openCapture(path);
  const textures = capture.manifest.resources.filter(({ sizeBytes }) => sizeBytes === 4 * mebibyte);
  await capture.close();
  assert.equal(textures.length, 32);
  assert.ok((await stat(path)).size < 32 * mebibyte);
  // The tool itself takes 200 MB; the textures are 128.
  assert.ok(Number(stdout) < 300 * mebibyte, `${Math.round(Number(stdout) / mebibyte)} MB`);
});
