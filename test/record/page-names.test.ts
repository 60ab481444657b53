import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { page, painter, recordPage } from './page-kit.ts';

const names = [
  'Größe 尺寸 🙂',
  'a,b',
  '"quoted" \'too\'',
  'two\nlines\r\tand a tab',
  'same',
  'same',
  '',
  '\u0000\u001b[31m',
  'x'.repeat(10_000),
];

test('markers keep any name, and two captures of a page are the same bytes', async (t) => {
  const site = page(`${painter}
    const gl = begin(document.querySelector('canvas'));
    const names = ${JSON.stringify(names)};
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    const texels = Uint8Array.from({ length: 64 * 64 * 4 }, (_, index) => (index * 7919) % 251);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    const draw = () => {
      for (const name of names) gl.pushGroupMarkerEXT?.(name);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      paint(gl, 3);
      for (const name of names) gl.popGroupMarkerEXT?.();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);`);
  const captures = [];
  for (let round = 0; round < 2; round++) {
    const { code, stderr, path } = await recordPage(t, site, ['--frame', '3']);
    assert.equal(code, 0, stderr);
    captures.push(path);
  }
  const capture = await openCapture(captures[0]);
  const calls = [...(await capture.frame(1))];
  await capture.close();
  const pushed = calls.filter(({ signature }) => signature.name === 'glPushGroupMarkerEXT').map(({ args }) => args[1]);
  assert.deepEqual(pushed, names);
  assert.ok((await readFile(captures[0])).equals(await readFile(captures[1])));
});
