/** Two libraries share a thread's current context; each order in a process of its own, since a mistake ends it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { typescript } from '../helpers/cli.ts';

const open = fileURLToPath(new URL('../../src/gl/open.ts', import.meta.url));
/** Clears to a colour in every context, in turn and twice, and reads it back. */
const script = `
import { openContext } from ${JSON.stringify(open)};
const contexts = [];
for (const kind of process.argv[1].split(',')) {
  const [driver, api] = kind.split(':');
  contexts.push(await openContext(driver, { api }));
}
const seen = [];
for (let round = 0; round < 2; round++)
  for (const [index, context] of contexts.entries()) {
    context.makeCurrent();
    const { gl, scratch } = context;
    if (round === 0) {
      gl.glGenRenderbuffers(1, scratch.address);
      gl.glBindRenderbuffer(0x8d41, scratch.u32[0]);
      const renderbuffer = scratch.u32[0];
      gl.glRenderbufferStorage(0x8d41, 0x8058, 1, 1);
      gl.glGenFramebuffers(1, scratch.address);
      gl.glBindFramebuffer(0x8d40, scratch.u32[0]);
      gl.glFramebufferRenderbuffer(0x8d40, 0x8ce0, 0x8d41, renderbuffer);
      gl.glClearColor(0, (index + 1) / 255, 0, 1);
      gl.glClear(0x4000);
    } else {
      gl.glReadPixels(0, 0, 1, 1, 0x1908, 0x1401, scratch.address);
      seen.push(scratch.u8[1]);
    }
    seen.push(gl.glGetError());
  }
if (process.argv[2] === 'destroy') for (const context of contexts) context.destroy();
console.log(seen.join(' '));
`;

const orders = [
  'egl:es,headless-gl:es',
  'headless-gl:es,egl:es',
  'egl:gl,headless-gl:es',
  'headless-gl:es,egl:gl',
  'headless-gl:es,egl:es,headless-gl:es,egl:gl',
];
for (const order of orders)
  for (const end of ['destroy', 'leave'])
    test(`${order} in one process, then ${end}`, () => {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [...typescript, '--input-type=module', '-e', script, order, end],
        { encoding: 'utf8' },
      );
      const count = order.split(',').length;
      const expected = [...Array(count).fill(0), ...Array.from({ length: count }, (_, index) => `${index + 1} 0`)];
      assert.deepEqual(
        { stdout: stdout.trim(), stderr, status },
        { stdout: expected.join(' '), stderr: '', status: 0 },
      );
    });
