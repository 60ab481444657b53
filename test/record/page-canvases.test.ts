import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInSession } from '../helpers/session.ts';
import { contentsOf, lastRed, page, painted, painter, recordPage, type Site } from './page-kit.ts';

const loop = `
const loop = (gl, first) => {
  let n = 0;
  const draw = () => { n++; paint(gl, first + n); requestAnimationFrame(draw); };
  requestAnimationFrame(draw);
};
`;

/** One that no selector can hold as it is. */
const oddId = 'größe, "x"\\n\'2\'';

test('of several canvases the largest in the document is taken, and the others can be asked for', async (t) => {
  const site = page(
    `${painter}${loop}
    const small = document.querySelector('canvas');
    small.id = ${JSON.stringify(oddId)};
    loop(begin(small), 0);
    loop(begin(document.querySelector('#large'), 1), 50);
    const outside = document.createElement('canvas');
    outside.width = outside.height = 900;
    loop(begin(outside), 100);
    begin(document.querySelectorAll('canvas')[2]);`,
    '<div><canvas width="40" height="30"></canvas></div><canvas id="large" width="80" height="60"></canvas><canvas>',
  );
  const { code, stderr, path } = await recordPage(t, site);
  assert.equal(code, 0, stderr);
  const { manifest } = await contentsOf(path);
  assert.deepEqual([manifest.api, manifest.canvas.width], ['webgl1', 80]);
  const [, note] = stderr.split('\n');
  const noted =
    /^gpuprof: note: recorded #large \(80x60\); the page also drew in (.*) \(40x30\), \d+ frames; a canvas outside the document \(900x900\), \d+ frames: choose with --canvas$/.exec(
      note,
    );
  assert.ok(noted, stderr);
  const chosen = await recordPage(t, site, ['--canvas', noted[1], '--frame', '3']);
  assert.equal(chosen.code, 0, chosen.stderr);
  const contents = await contentsOf(chosen.path);
  assert.deepEqual(contents.manifest.canvas.width, 40);
  assert.deepEqual(contents.frames, [painted(3)]);

  const none = await recordPage(t, site, ['--canvas', '#medium']);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /^gpuprof: no canvas with a WebGL context matches #medium; there is .*#large \(80x60\)/);
});

const workerLoop = `${painter}${loop} onmessage = ({ data }) => loop(begin(data.view.canvas), data.first);`;
const workers: Site = {
  ...page(
    `
    const text = ${JSON.stringify(`'use strict'; if (function () { return this; }()) throw new Error('not strict');${workerLoop}`)};
    const hand = (id, worker, first) => {
      const canvas = document.querySelector(id).transferControlToOffscreen();
      worker.postMessage({ first, view: { canvas } }, [canvas]);
    };
    hand('#classic', new Worker('classic.js'), 10);
    hand('#module', new Worker('sub/module.js', { type: 'module' }), 20);
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    hand('#blob', new Worker(address), 30);
    URL.revokeObjectURL(address);
    class Own extends Worker {}
    const own = new Own('data:text/javascript,' + encodeURIComponent(text));
    if (!(own instanceof Worker) || Worker.name !== 'Worker') throw new Error('Worker is another');
    hand('#data', own, 40);`,
    ['classic', 'module', 'blob', 'data'].map((id) => `<canvas id="${id}" width="32" height="16"></canvas>`).join(''),
  ),
  'classic.js': workerLoop,
  'sub/module.js': "import { start } from './part.js'; onmessage = ({ data }) => start(data.view.canvas, data.first);",
  'sub/part.js': `${painter}${loop} export const start = (canvas, first) => loop(begin(canvas), first);`,
};

for (const [id, first] of [
  ['classic', 10],
  ['module', 20],
  ['blob', 30],
  ['data', 40],
] as const)
  test(`a canvas that a ${id} worker draws in is found by its element`, async (t) => {
    const { code, stderr, path } = await recordPage(t, workers, ['--canvas', `#${id}`, '--frame', '2']);
    assert.equal(code, 0, stderr);
    assert.deepEqual((await contentsOf(path)).frames, [painted(first + 2)]);
  });

test('a worker of a worker, which has no animation frames', async (t) => {
  const site: Site = {
    ...page(`const worker = new Worker('outer.js');
      const view = { canvas: document.querySelector('canvas').transferControlToOffscreen() };
      worker.postMessage(view, [view.canvas]);`),
    'outer.js': `onmessage = ({ data }) => {
      const text = ${JSON.stringify(painter)} + 'onmessage = ({ data }) => { const gl = begin(data.canvas); let n = 0; setInterval(() => { n++; paint(gl, n); paint(gl, n); }, 50); };';
      const inner = new Worker(URL.createObjectURL(new Blob([text])));
      inner.postMessage(data, [data.canvas]);
    };`,
  };
  const { code, stderr, path } = await recordPage(t, site, ['--frame', '3']);
  assert.equal(code, 0, stderr);
  const { frames } = await contentsOf(path);
  // It begins with the first action, as everywhere outside animation frames.
  assert.deepEqual(frames, [[...painted(3).slice(1), ...painted(3)]]);
  const replayed = await runInSession(['replay', path, '--verify', '--no-timing']);
  assert.match(replayed.stderr, /^gpuprof: verification passed: all \d+ pixels are equal/);
});

test('transferToImageBitmap ends a frame of its canvas, several times in a phase', async (t) => {
  const site = page(
    `${painter}
    const offscreen = new OffscreenCanvas(20, 10);
    const gl = begin(offscreen);
    const shown = document.querySelector('canvas').getContext('bitmaprenderer');
    let n = 0;
    const draw = () => {
      for (let part = 0; part < 3; part++) {
        paint(gl, ++n);
        shown.transferFromImageBitmap(offscreen.transferToImageBitmap());
      }
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`,
  );
  const { code, stderr, path } = await recordPage(t, site, ['--frame', '5']);
  assert.equal(code, 0, stderr);
  assert.deepEqual((await contentsOf(path)).frames, [painted(5)]);
});

test('a canvas that changes its size in the frame, before its first call', async (t) => {
  const site = page(
    `${painter}
    const canvas = document.querySelector('canvas');
    const gl = begin(canvas, 2, { antialias: false });
    let n = 0;
    const draw = () => { n++; if (n === 3) canvas.width = 50; paint(gl, 64 * n); requestAnimationFrame(draw); };
    requestAnimationFrame(draw);`,
  );
  const { code, stderr, path } = await recordPage(t, site, ['--frame', '3']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /, 50x48, /);
  const replay = await runInSession(['replay', path, '--driver', 'egl', '--verify', '--no-timing']);
  assert.equal(replay.code, 0, replay.stderr);
});

test('an iframe, and a context made through an iframe’s prototype', async (t) => {
  const framed = `<canvas width="24" height="24"></canvas><script>${painter}${loop} loop(begin(document.querySelector('canvas')), 70);</script>`;
  const inside = await recordPage(t, page('', `<iframe srcdoc='${framed.replaceAll("'", '&#39;')}'></iframe>`), [
    '--frame',
    '2',
  ]);
  assert.equal(inside.code, 0, inside.stderr);
  assert.deepEqual((await contentsOf(inside.path)).frames, [painted(72)]);

  const through = await recordPage(
    t,
    page(`${painter}${loop}
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const { getContext } = frame.contentWindow.HTMLCanvasElement.prototype;
    loop(getContext.call(document.querySelector('canvas'), 'webgl2'), 80);`),
    ['--frame', '2'],
  );
  assert.equal(through.code, 0, through.stderr);
  assert.deepEqual((await contentsOf(through.path)).frames, [painted(82)]);
});

test('a context that is lost and restored is recorded with what the page makes anew', async (t) => {
  const site = page(
    `${painter}
    const canvas = document.querySelector('canvas');
    const gl = begin(canvas);
    const { isContextLost } = gl;
    let n = 0;
    let buffer;
    const setUp = () => {
      buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array([1, 2, 3, n]), gl.STATIC_DRAW);
    };
    setUp();
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => { n = 50; setUp(); });
    const draw = () => {
      n++;
      if (!gl.isContextLost()) paint(gl, n);
      if (n === 3) {
        const extension = gl.getExtension('WEBGL_lose_context');
        extension.loseContext();
        setTimeout(() => extension.restoreContext(), 100);
      }
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`,
  );
  const { code, stderr, path } = await recordPage(t, site, ['--trigger', 'n > 52']);
  assert.equal(code, 0, stderr);
  const contents = await contentsOf(path);
  assert.equal(lastRed(contents), 53);
  const data = contents.setup.filter((line) => line.startsWith('glBufferData'));
  assert.deepEqual(data, [
    'glBufferData(target = GL_ARRAY_BUFFER, size = 4, data = [1, 2, 3, 50], usage = GL_STATIC_DRAW)',
  ]);
});
