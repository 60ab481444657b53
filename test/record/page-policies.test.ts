import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentsOf, painted, painter, recordPage, serve } from './page-kit.ts';

/** Everything that a server can forbid. */
const strict = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; worker-src 'self'; require-trusted-types-for 'script'; sandbox allow-scripts allow-same-origin",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'sync-xhr=(), local-network-access=(), loopback-network=()',
};
const script = { ...strict, 'Content-Type': 'text/javascript' };
const loop = `
let n = 0;
const draw = () => { paint(gl, first + ++n); requestAnimationFrame(draw); };
requestAnimationFrame(draw);
`;

test('a page with strict policies, in the page and in a worker', async (t) => {
  const origin = await serve(t, (path) => {
    if (path === '/page.js')
      return {
        headers: script,
        body: `${painter} const first = 0; const gl = begin(document.querySelector('#own')); ${loop}
          if (!crossOriginIsolated) throw new Error('not isolated');
          const handed = document.querySelector('#handed').transferControlToOffscreen();
          new Worker('/worker.js').postMessage(handed, [handed]);`,
      };
    if (path === '/worker.js')
      return {
        headers: script,
        body: `${painter} onmessage = ({ data }) => { const first = 100; const gl = begin(data); ${loop} };`,
      };
    const canvas = (id: string) => `<canvas id="${id}" width="32" height="32"></canvas>`;
    const meta = `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`;
    return {
      headers: strict,
      body: `<!doctype html>${meta}${canvas('own')}${canvas('handed')}<script src="/page.js"></script>`,
    };
  });
  for (const [id, first] of [
    ['own', 0],
    ['handed', 100],
  ] as const) {
    const { code, stderr, path } = await recordPage(t, `${origin}/`, ['--canvas', `#${id}`, '--frame', '2']);
    assert.equal(code, 0, stderr);
    assert.deepEqual((await contentsOf(path)).frames, [painted(first + 2)]);
  }
});

test('a page that is its own address', async (t) => {
  const html = `<canvas width="8" height="8"></canvas><script>${painter} paint(begin(document.querySelector('canvas')), 3);</script>`;
  const { code, stderr, path } = await recordPage(t, `data:text/html,${encodeURIComponent(html)}`);
  assert.equal(code, 0, stderr);
  assert.deepEqual((await contentsOf(path)).frames, [['glClear(mask = GL_COLOR_BUFFER_BIT)']]);
});
