/** What the recorder costs a page while it waits for the frame: a page with 5,000 draws a frame, with it and without. */
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../src/record/page/find-browser.ts';
import { injectScript } from '../../src/record/page/inject-script.ts';
import { webglSignatures } from '../../src/record/page/webgl-signatures.ts';
import { median } from './processes.ts';

const draws = 5000;
const frames = 20;
const rounds = 3;

/** Each draw has a program, a vertex array, a texture and three uniforms to itself, as engines do without batching. */
const html = `<canvas width="16" height="16"></canvas><script>
const gl = document.querySelector('canvas').getContext('webgl2', { antialias: false });
const programs = [0, 1].map((shade) => {
  const program = gl.createProgram();
  for (const [type, text] of [
    [gl.VERTEX_SHADER, 'in vec2 p; uniform mat4 m; void main() { gl_Position = m * vec4(p, 0, 1); }'],
    [gl.FRAGMENT_SHADER, 'precision mediump float; uniform vec4 c; uniform sampler2D t; out vec4 o; void main() { o = c + texture(t, c.xy) * ' + shade + '.0; }'],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, '#version 300 es\\n' + text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return { program, m: gl.getUniformLocation(program, 'm'), c: gl.getUniformLocation(program, 'c'), t: gl.getUniformLocation(program, 't') };
});
const arrays = [0, 1, 2, 3].map(() => {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(6), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 1, 1);
  return { array, texture };
});
const matrix = new Float32Array(16);
globalThis.timesMs = [];
const draw = () => {
  const startMs = performance.now();
  for (let index = 0; index < ${draws}; index++) {
    const { program, m, c, t } = programs[index & 1];
    const { array, texture } = arrays[index & 3];
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniformMatrix4fv(m, false, matrix);
    gl.uniform4f(c, index, 0, 0, 1);
    gl.uniform1i(t, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
  timesMs.push(performance.now() - startMs);
  gl.finish();
  requestAnimationFrame(draw);
};
requestAnimationFrame(draw);
</script>`;

/** Median time of a frame's calls in the page, after as many frames to warm up. */
async function frameMs(browser: Browser, script: string | undefined): Promise<number> {
  const page = await browser.newPage();
  if (script !== undefined) await page.addInitScript({ content: script });
  await page.setContent(html);
  await page.waitForFunction(`globalThis.timesMs.length >= ${2 * frames}`, undefined, { timeout: 0 });
  const timesMs = await page.evaluate<number[]>(`globalThis.timesMs.slice(${frames}, ${2 * frames})`);
  await page.close();
  return median(timesMs);
}

const waiting = injectScript({
  endpoint: 'http://127.0.0.1:1/none',
  secret: 'gpuprofWaiting',
  producer: 'gpuprof bench',
  choice: { kind: 'frame', frame: 1e9 },
  frames: 1,
  signatures: webglSignatures(),
});
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
  const without: number[] = [];
  const within: number[] = [];
  for (let round = 0; round < rounds; round++) {
    without.push(await frameMs(browser, undefined));
    within.push(await frameMs(browser, waiting));
  }
  const [plainMs, waitingMs] = [median(without), median(within)];
  process.stdout.write(
    `${draws} draws and ${draws * 7} calls a frame, medians of ${rounds} rounds of ${frames} frames:\n`,
  );
  process.stdout.write(`without the recorder ${plainMs.toFixed(2)} ms, with it ${waitingMs.toFixed(2)} ms: `);
  process.stdout.write(`${(waitingMs / plainMs).toFixed(2)} times\n`);
} finally {
  await browser.close();
}
