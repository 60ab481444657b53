import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { contentsOf, lastRed, page, painted, painter, recordPage } from './page-kit.ts';

const start = `${painter}
const canvas = document.querySelector('canvas');
const gl = begin(canvas);
let n = 0;
`;

/** Records a page and returns its frames' calls. */
async function framesOf(
  t: TestContext,
  script: string,
  args: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const { code, stderr, path } = await recordPage(t, page(start + script), args);
  assert.equal(code, 0, stderr);
  return (await contentsOf(path)).frames;
}

const buffer = (name: string): string => `
const ${name} = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, ${name});
`;

test('a frame is what the callbacks of one phase draw, however many they are', async (t) => {
  const frames = await framesOf(
    t,
    `
    const second = () => { gl.enable(gl.DITHER); paint(gl, 100 + n); requestAnimationFrame(second); };
    const first = () => {
      n++;
      gl.viewport(0, 0, 9, 9);
      requestAnimationFrame(first);
      Promise.resolve().then(() => gl.disable(gl.DITHER));
    };
    requestAnimationFrame(first);
    requestAnimationFrame(second);
    `,
    ['--frame', '3', '--frames', '2'],
  );
  const frame = (n: number) => [
    'glViewport(x = 0, y = 0, width = 9, height = 9)',
    'glDisable(cap = GL_DITHER)',
    'glEnable(cap = GL_DITHER)',
    ...painted(100 + n),
  ];
  assert.deepEqual(frames, [frame(3), frame(4)]);
});

test('a loop of timers: a frame begins with what it draws', async (t) => {
  const frames = await framesOf(
    t,
    `setInterval(() => { n++; gl.viewport(0, 0, n, n); paint(gl, 7); gl.flush(); }, 100);`,
    ['--frame', '2'],
  );
  const [first] = frames[0];
  assert.equal(first, 'glClear(mask = GL_COLOR_BUFFER_BIT)');
  assert.ok(!frames[0].some((line) => line.startsWith('glViewport')), frames[0].join('\n'));
});

test('what is drawn after waiting in a callback belongs to the picture that it appears in', async (t) => {
  const frames = await framesOf(
    t,
    `
    const draw = async () => {
      n++;
      const now = n;
      await new Promise((resolve) => setTimeout(resolve, 5));
      paint(gl, now);
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    `,
    ['--frame', '4'],
  );
  assert.deepEqual(frames, [['glClear(mask = GL_COLOR_BUFFER_BIT)']]);
});

test('uploads between frames are setup, and a callback that draws nothing is no frame', async (t) => {
  const { code, stderr, path } = await recordPage(
    t,
    page(`${start}
    ${buffer('b')}
    gl.bufferData(gl.ARRAY_BUFFER, 4, gl.STATIC_DRAW);
    const draw = () => {
      n++;
      gl.bindBuffer(gl.ARRAY_BUFFER, b);
      if (n % 2 === 0) paint(gl, n);
      setTimeout(() => {
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, new Uint8Array([n, 0, 0, 0]));
        requestAnimationFrame(draw);
      }, 0);
    };
    requestAnimationFrame(draw);
    `),
    ['--frame', '2'],
  );
  assert.equal(code, 0, stderr);
  const { setup, frames } = await contentsOf(path);
  assert.deepEqual(frames, [['glBindBuffer(target = GL_ARRAY_BUFFER, buffer = buffer 1)', ...painted(4)]]);
  const data = setup.filter((line) => line.startsWith('glBufferData'));
  assert.deepEqual(data, [
    'glBufferData(target = GL_ARRAY_BUFFER, size = 4, data = [3, 0, 0, 0], usage = GL_STATIC_DRAW)',
  ]);
});

test('a page that draws once, without any callback, is loaded again for that frame', async (t) => {
  const { code, stderr, path } = await recordPage(
    t,
    page(`${start} gl.enable(gl.BLEND); gl.viewport(1, 2, 3, 4); paint(gl, 50); gl.disable(gl.BLEND);`),
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^\S+: 1 frame of 2 calls, 0 draws, 64x48, ANGLE \(Google, .*SwiftShader.*\)\n$/);
  const { setup, frames, manifest } = await contentsOf(path);
  assert.deepEqual(frames, [['glClear(mask = GL_COLOR_BUFFER_BIT)', 'glDisable(cap = GL_BLEND)']]);
  assert.ok(setup.includes('glEnable(cap = GL_BLEND)'));
  assert.deepEqual(manifest.canvas, {
    width: 64,
    height: 48,
    alpha: true,
    depth: true,
    stencil: false,
    samples: 4,
    preserved: false,
  });
});

test('--trigger and --after choose the first frame for which they hold', async (t) => {
  const loop = `const draw = () => { n++; paint(gl, n); requestAnimationFrame(draw); }; requestAnimationFrame(draw);`;
  const triggered = await framesOf(t, `${loop} setTimeout(() => { window.ready = { at: n }; }, 300);`, [
    '--trigger',
    'window.ready.at > 0 && n > window.ready.at + 4',
  ]);
  assert.equal(triggered[0].length, 2);
  // The colour says when the frame was drawn, in tenths of a second.
  const { code, stderr, path } = await recordPage(
    t,
    page(`${start}
    const draw = () => { paint(gl, Math.min(250, Math.floor(performance.now() / 100))); requestAnimationFrame(draw); };
    requestAnimationFrame(draw);`),
    ['--after', '2000'],
  );
  assert.equal(code, 0, stderr);
  const red = lastRed(await contentsOf(path));
  assert.ok(red >= 20 && red <= 250, String(red));
});

test('callbacks, ids, cancelling, order, times and errors of requestAnimationFrame are as without the recorder', async (t) => {
  const script = `
    const said = [];
    addEventListener('error', (event) => { said.push(event.message); event.preventDefault(); });
    const ids = [requestAnimationFrame(() => said.push('a')), requestAnimationFrame(() => { throw new Error('b'); })];
    const cancelled = requestAnimationFrame(() => said.push('never'));
    cancelAnimationFrame(cancelled);
    ids.push(requestAnimationFrame((time) => {
      said.push('c ' + (Math.abs(time - performance.now()) < 1000));
      const later = requestAnimationFrame(() => said.push('never'));
      requestAnimationFrame(() => said.push('d'));
      requestAnimationFrame(() => cancelAnimationFrame(last));
      const last = requestAnimationFrame(() => said.push('never'));
      cancelAnimationFrame(later);
      cancelAnimationFrame(12345);
    }));
    try { requestAnimationFrame(5); } catch (error) { said.push(error.message); }
    said.push(ids.join(), cancelled, requestAnimationFrame.name, requestAnimationFrame.length, String(requestAnimationFrame));
    setTimeout(() => {
      const wrong = said.findIndex((what, index) => String(what) !== window.expected[index]);
      if (wrong < 0) paint(gl, 1);
      else console.error(wrong + ': ' + said[wrong] + ' is not ' + window.expected[wrong]);
    }, 500);
  `;
  const expected = [
    "Failed to execute 'requestAnimationFrame' on 'Window': parameter 1 is not of type 'Function'.",
    '1,2,4',
    '3',
    'requestAnimationFrame',
    '1',
    'function requestAnimationFrame() { [native code] }',
    'a',
    'Uncaught Error: b',
    'c true',
    'd',
  ];
  const { code, stderr } = await recordPage(
    t,
    page(`window.expected = ${JSON.stringify(expected)}; ${start} ${script}`),
  );
  assert.equal(code, 0, stderr);
});
