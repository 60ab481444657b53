/** What a setup fills and nothing sees is left out of a replay; what may be seen is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Argument } from '../../src/model/call.ts';
import { idleFills } from '../../src/model/idle-contents.ts';
import { bytes, CaptureBuilder, offset } from '../replay/memory-capture.ts';

type Line = readonly [name: string, ...args: Argument[]];

const texture = 0xde1;
const array = 0x8892;
const bindTexture = (id: number): Line => ['glBindTexture', texture, id];
const bindBuffer = (id: number, target = array): Line => ['glBindBuffer', target, id];
const image: Line = ['glTexImage2D', texture, 0, 0x8058, 1, 1, 0, 0x1908, 0x1401, bytes(1, 2, 3, 4)];
const data = (target = array): Line => ['glBufferData', target, 4, bytes(1, 2, 3, 4), 0x88e4];
const draw: Line = ['glDrawArrays', 4, 0, 3];
const pointer: Line = ['glVertexAttribPointer', 0, 1, 0x1406, 0, 0, offset(0)];

/** The calls of the setup that are idle, counted from 1. */
async function idle(setup: readonly Line[], ...frames: readonly Line[][]): Promise<number[] | null> {
  const b = new CaptureBuilder();
  for (const line of setup) b.call(...line);
  for (const frame of frames) {
    b.frame();
    for (const line of frame) b.call(...line);
  }
  const flags = await idleFills(b.capture(), 0);
  return flags && [...flags].flatMap((flag, index) => (flag ? [index + 1] : []));
}

test('only what nothing uses is idle', async () => {
  const setup = [bindTexture(1), image, bindTexture(2), image, ['glGenerateMipmap', texture], bindTexture(0)] as Line[];
  assert.deepEqual(await idle(setup, [draw]), [2, 4, 5]);
  assert.deepEqual(await idle(setup, [bindTexture(2), draw]), [2], 'a frame names it');
  assert.deepEqual(await idle(setup, [draw], [bindTexture(1)]), [4, 5], 'any frame');
  assert.deepEqual(await idle(setup.slice(0, -1), [draw]), [2], 'bound when the first frame begins');
  const buffers = [bindBuffer(1), data(), ['glBufferSubData', array, 0, 4, bytes(1, 2, 3, 4)], bindBuffer(0)] as Line[];
  assert.deepEqual(await idle(buffers, [draw]), [2, 3]);
  assert.deepEqual(await idle(buffers, [['glDeleteBuffers', 1, [1]]]), []);
  assert.deepEqual(await idle([bindTexture(0), image], [draw]), [], 'the default texture');
});

test('a setup that draws, reads or copies sees what is bound then', async () => {
  for (const use of [draw, ['glReadPixels', 0, 0, 1, 1, 0x1908, 0x1401, 4], ['glClear', 0x4000]] as Line[])
    assert.deepEqual(await idle([bindTexture(1), image, bindTexture(2), image, use, bindTexture(0)], [draw]), [2]);
  const copy: Line = ['glCopyImageSubData', 1, texture, 0, 0, 0, 0, 2, texture, 0, 0, 0, 0, 1, 1, 1];
  const filled: Line[] = [bindTexture(1), image, bindTexture(2), image, bindTexture(3), image, bindTexture(0)];
  assert.deepEqual(await idle([...filled, copy], [draw]), [6]);
  assert.deepEqual(await idle(filled, [copy]), [6]);
  // Texels that come from a buffer.
  const unpack = 0x88ec;
  const from: Line = ['glTexImage2D', texture, 0, 0x8058, 1, 1, 0, 0x1908, 0x1401, offset(0)];
  assert.deepEqual(
    await idle(
      [bindBuffer(1, unpack), data(unpack), bindTexture(1), from, bindTexture(0), bindBuffer(0, unpack)],
      [draw],
    ),
    [4],
  );
});

test('what containers hold counts with them', async () => {
  const attach: Line = ['glFramebufferTexture2D', 0x8d40, 0x8ce0, texture, 1, 0];
  assert.deepEqual(await idle([bindTexture(1), image, bindTexture(0), attach], [draw]), []);
  const arrays: Line[] = [];
  for (const id of [1, 2])
    arrays.push(['glBindVertexArray', id], bindBuffer(id), data(), pointer, bindBuffer(id + 2, 0x8893), data(0x8893));
  arrays.push(['glBindVertexArray', 0], bindBuffer(0));
  assert.deepEqual(await idle(arrays, [draw]), [3, 6, 9, 12]);
  assert.deepEqual(await idle(arrays, [['glBindVertexArray', 2], draw]), [3, 6]);
  assert.deepEqual(await idle(arrays.slice(0, -2), [draw]), [3, 6], 'the one that is bound');
  const indexed: Line = ['glBindBufferBase', 0x8a11, 0, 1];
  assert.deepEqual(await idle([bindBuffer(1), data(), indexed, bindBuffer(0)], [draw]), []);
});

test('display lists keep everything', async () => {
  const setup: Line[] = [['glNewList', 1, 0x1300], ['glEndList'], bindTexture(1), image, bindTexture(0)];
  assert.equal(await idle(setup, [draw]), null);
});
