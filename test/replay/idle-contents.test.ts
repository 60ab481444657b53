/** Replays of captures with very many resources hold those that the frames use. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openContext } from '../../src/gl/open.ts';
import type { Argument } from '../../src/model/call.ts';
import type { Capture } from '../../src/model/capture.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { CaptureBuilder } from './memory-capture.ts';

const context = await openContext('egl', { api: 'es' });
after(() => context.destroy());

const vertex = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }`;
const fragment = `#version 300 es
precision mediump float;
uniform sampler2D image;
out vec4 result;
void main() { result = texture(image, vec2(0.5)); }`;

/** Texture n is a red of 10 n; the frame draws with the third. */
function build(): CaptureBuilder {
  const b = new CaptureBuilder();
  for (let id = 1; id <= 5; id++)
    b.call('glGenTextures', 1, [id])
      .call('glBindTexture', 0xde1, id)
      .call('glTexParameteri', 0xde1, 0x2801, 0x2600)
      .call('glTexImage2D', 0xde1, 0, 0x8058, 1, 1, 0, 0x1908, 0x1401, b.resource(Uint8Array.of(10 * id, 0, 0, 255)));
  b.call('glBindTexture', 0xde1, 0).program(1, vertex, fragment).call('glUseProgram', 1);
  return b.frame().call('glBindTexture', 0xde1, 3).call('glDrawArrays', 4, 0, 3);
}

/** Resources by index in the order in which a replay reads them, and a red pixel of its canvas. */
async function replay(capture: Capture): Promise<{ readonly read: number[]; readonly red: number }> {
  const read: number[] = [];
  const watched: Capture = {
    ...capture,
    resource: (index) => {
      read.push(index);
      return capture.resource(index);
    },
  };
  const replayer = await Replayer.create(context, watched);
  try {
    const frame = await replayer.loadFrame(1);
    frame.play();
    assert.deepEqual(replayer.glErrors, []);
    return { read, red: frame.readCanvas().data[0] };
  } finally {
    replayer.destroy();
  }
}

test('of hundreds of megabytes only what a frame uses is read, and draws the same', async () => {
  const capture = build().capture();
  assert.deepEqual(await replay(capture), { read: [0, 1, 2, 3, 4], red: 30 });
  const { manifest } = capture;
  const resources = manifest.resources.map((info, index) => (index === 4 ? { ...info, sizeBytes: 2 ** 30 } : info));
  assert.deepEqual(await replay({ ...capture, manifest: { ...manifest, resources } }), { read: [2], red: 30 });
});

test('a setup that uploads one resource after the other holds few of them at once', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const sizeBytes = 16 * 2 ** 20;
  const count = 20;
  const b = new CaptureBuilder().call('glGenBuffers', 1, [1]).call('glBindBuffer', 0x8892, 1);
  for (let index = 0; index < count; index++) {
    b.resource(new Uint8Array(1));
    const data: Argument = { kind: 'resource', resource: index, byteOffset: 0, byteLength: sizeBytes };
    b.call('glBufferData', 0x8892, sizeBytes, data, 0x88e4);
  }
  const capture = b.frame().call('glClear', 0x4000).capture();
  let mostBytes = 0;
  const replayer = await Replayer.create(context, {
    ...capture,
    resource: async () => {
      collect();
      mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers);
      return new Uint8Array(sizeBytes);
    },
  });
  replayer.destroy();
  // What is kept for calls that use the same again is 64 MiB.
  assert.ok(mostBytes < 120 * 2 ** 20, `${mostBytes} of ${count * sizeBytes} bytes`);
});
