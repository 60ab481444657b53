import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Api, DriverName } from '../../src/gl/context.ts';
import { openContext } from '../../src/gl/open.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { CaptureBuilder, floats, inline, offset, words } from './memory-capture.ts';

const vertex = `#version 300 es
layout(location = 0) in vec2 p; flat out int instance;
void main() { instance = gl_InstanceID; gl_Position = vec4(p, 0.0, 1.0); }`;
const fragment = `#version 300 es
precision highp float; flat in int instance; out vec4 o; void main() { o = vec4(0.25, 0.5, 0.125, 0.25); }`;
const drawId = `#version 300 es
#extension GL_ANGLE_multi_draw : require
layout(location = 0) in vec2 p; flat out int instance;
void main() { instance = gl_DrawID; gl_Position = vec4(p, 0.0, 1.0); }`;
/** As libraries write it, for contexts with and without the extension. */
const drawIdOrUniform = drawId.replace(
  'layout',
  `#ifndef GL_ANGLE_multi_draw
#define gl_DrawID uniformDrawID
uniform int uniformDrawID;
#endif
layout`,
);

const countedFragment = `#version 300 es
precision highp float; flat in int instance; out vec4 o; void main() { o = vec4(0.25 + 0.5 * float(instance), 0, 0, 0); }`;

/** Three columns of two triangles each; the index buffer names the first and the last. Additive blending. */
function columns(vertexShader = vertex, fragmentShader = fragment, extension = 'GL_ANGLE_multi_draw'): CaptureBuilder {
  const b = new CaptureBuilder({ requires: { extensions: [extension] } });
  b.program(1, vertexShader, fragmentShader).call('glUseProgram', 1);
  const corners = [-1, -0.5, 0.5].flatMap((x) => [x, -1, x + 0.5, -1, x, 1, x, 1, x + 0.5, -1, x + 0.5, 1]);
  b.call('glGenVertexArrays', 1, [1]).call('glBindVertexArray', 1).call('glGenBuffers', 2, [1, 2]);
  b.call('glBindBuffer', 0x8892, 1).call('glBufferData', 0x8892, corners.length * 4, floats(...corners), 0x88e4);
  b.call('glBindBuffer', 0x8893, 2);
  b.call('glBufferData', 0x8893, 48, words(0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17), 0x88e4);
  b.call('glEnableVertexAttribArray', 0).call('glVertexAttribPointer', 0, 2, 0x1406, 0, 0, offset(0));
  return b.call('glEnable', 0x0be2).call('glBlendFunc', 1, 1).frame();
}
const offsets = (...values: number[]) => inline(BigUint64Array.from(values, BigInt));

/** How many times each of the first three columns is drawn. */
const cases: readonly (readonly [string, (b: CaptureBuilder) => CaptureBuilder, readonly number[]])[] = [
  ['glMultiDrawArraysANGLE', (b) => b.call('glMultiDrawArraysANGLE', 4, words(0, 12), words(6, 6), 2), [1, 0, 1]],
  [
    'glMultiDrawArraysInstancedANGLE',
    (b) => b.call('glMultiDrawArraysInstancedANGLE', 4, words(0, 6, 12), words(6, 6, 6), words(2, 0, 3), 3),
    [2, 0, 3],
  ],
  [
    'glMultiDrawElementsANGLE',
    (b) => b.call('glMultiDrawElementsANGLE', 4, words(6, 6), 0x1405, offsets(0, 24), 2),
    [1, 0, 1],
  ],
  [
    'glMultiDrawElementsInstancedANGLE',
    (b) => b.call('glMultiDrawElementsInstancedANGLE', 4, words(6, 6), 0x1405, offsets(24, 0), words(3, 1), 2),
    [1, 0, 3],
  ],
  [
    'lists kept apart from the call',
    (b) => {
      const list = (values: number[]) => b.resource(new Uint8Array(Uint32Array.from(values).buffer));
      return b.call(
        'glMultiDrawArraysANGLE',
        4,
        list(new Array(100).fill(6)),
        list([6, ...new Array(99).fill(0)]),
        100,
      );
    },
    [0, 1, 0],
  ],
];

const shifted = `#version 300 es
layout(location = 0) in vec2 p; layout(location = 1) in float shift; flat out int instance;
void main() { instance = 0; gl_Position = vec4(p.x + shift, p.y, 0.0, 1.0); }`;

/** As columns, with a shift for each instance: none, half a canvas to the right, out of sight. */
function perInstance(): CaptureBuilder {
  const b = columns(shifted, fragment, 'GL_ANGLE_base_vertex_base_instance');
  b.call('glGenBuffers', 1, [3]).call('glBindBuffer', 0x8892, 3);
  b.call('glBufferData', 0x8892, 12, floats(0, 1.5, 9), 0x88e4).call('glEnableVertexAttribArray', 1);
  return b.call('glVertexAttribPointer', 1, 1, 0x1406, 0, 0, offset(0)).call('glVertexAttribDivisor', 1, 1);
}

const baseInstances: typeof cases = [
  [
    'glMultiDrawArraysInstancedBaseInstanceANGLE',
    (b) =>
      b.call(
        'glMultiDrawArraysInstancedBaseInstanceANGLE',
        4,
        words(0, 0, 6),
        words(6, 6, 6),
        words(2, 1, 1),
        words(0, 1, 2),
        3,
      ),
    [1, 0, 2],
  ],
  [
    'glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE',
    (b) =>
      b.call(
        'glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE',
        4,
        words(6, 6),
        0x1405,
        offsets(0, 0),
        words(1, 1),
        words(0, 6),
        words(1, 0),
        2,
      ),
    [0, 1, 1],
  ],
];

/** Recorded multi-draws draw the same whether or not the context has them. */
export function multiDrawSuite(driver: DriverName, api: Api): void {
  let opened: ReturnType<typeof openContext> | undefined;
  const context = () => (opened ??= openContext(driver, { api }));
  after(async () => (await context()).destroy());
  for (const [name, make, times] of cases)
    test(`${driver} ${api}: ${name}`, async () => {
      const replayer = await Replayer.create(await context(), make(columns()).capture());
      try {
        const frame = await replayer.loadFrame(1);
        for (let run = 0; run < 2; run++) {
          frame.restore();
          frame.play();
        }
        const { data } = frame.readCanvas();
        const green = [2, 6, 14].map((x) => data[x * 4 + 2]);
        assert.deepEqual(
          green,
          times.map((count) => Math.round(count * 0.125 * 255)),
        );
        assert.deepEqual(replayer.glErrors, []);
      } finally {
        replayer.destroy();
      }
    });

  for (const [name, shader, title] of [
    ['glMultiDrawArraysANGLE', drawId, 'gl_DrawID'],
    ['glMultiDrawElementsInstancedANGLE', drawId, 'gl_DrawID'],
    ['glMultiDrawArraysANGLE', drawIdOrUniform, 'gl_DrawID where there is no uniform for it'],
  ] as const)
    test(`${driver} ${api}: ${title} in ${name}`, async () => {
      const b = columns(shader, countedFragment);
      if (name === 'glMultiDrawArraysANGLE') b.call(name, 4, words(0, 12), words(6, 6), 2);
      else b.call(name, 4, words(6, 6), 0x1405, offsets(0, 24), words(1, 1), 2);
      // Draws by themselves count as the first.
      b.call('glDrawArrays', 4, 6, 6);
      const replayer = await Replayer.create(await context(), b.capture());
      try {
        const frame = await replayer.loadFrame(1);
        for (let run = 0; run < 2; run++) {
          frame.restore();
          frame.play();
        }
        const { data } = frame.readCanvas();
        // Of four quarters of the canvas the first and the last are drawn by the call, with 0.25 + 0.5 * gl_DrawID.
        const red = [2, 6, 14].map((x) => data[x * 4]);
        assert.deepEqual(red, [64, 64, 191]);
        assert.deepEqual(replayer.glErrors, []);
      } finally {
        replayer.destroy();
      }
    });

  for (const [name, make, times] of baseInstances)
    test(`${driver} ${api}: ${name}`, async () => {
      const gl = await context();
      const played = Replayer.create(gl, make(perInstance()).capture());
      if (!gl.find('glDrawArraysInstancedBaseInstanceANGLE')) {
        await assert.rejects(played, { code: 'missing-feature', message: /GL_ANGLE_base_vertex_base_instance/ });
        return;
      }
      const replayer = await played;
      const frame = await replayer.loadFrame(1);
      frame.play();
      const { data } = frame.readCanvas();
      assert.deepEqual(
        [2, 6, 14].map((x) => data[x * 4 + 2]),
        times.map((count) => Math.round(count * 0.125 * 255)),
      );
      assert.deepEqual(replayer.glErrors, []);
      replayer.destroy();
    });
}
