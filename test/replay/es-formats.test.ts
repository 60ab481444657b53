import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { bytes, CaptureBuilder, floats } from './memory-capture.ts';

const contexts = {
  es: await openContext('egl', { api: 'es' }),
  gl: await openContext('egl', { api: 'gl' }),
  angle: await openContext('headless-gl', { api: 'es' }),
};
after(() => {
  for (const context of Object.values(contexts)) context.destroy();
});

const texture2D = 0x0de1;

/** A canvas-wide point shows the texture. */
function shown(upload: (b: CaptureBuilder) => CaptureBuilder): CaptureBuilder {
  const b = new CaptureBuilder({ api: 'webgl1' })
    .program(
      1,
      'void main() { gl_PointSize = 64.0; gl_Position = vec4(0, 0, 0, 1); }',
      'precision highp float; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }',
    )
    .call('glUseProgram', 1)
    .call('glGenTextures', 1, [1])
    .call('glBindTexture', texture2D, 1)
    .call('glTexParameteri', texture2D, 0x2801, 0x2600)
    .call('glTexParameteri', texture2D, 0x2800, 0x2600);
  return upload(b).frame().call('glDrawArrays', 0, 0, 1);
}

const cases: readonly (readonly [name: string, capture: () => CaptureBuilder, pixel: number[]])[] = [
  [
    'an ETC1 image',
    () =>
      shown((b) =>
        b.call('glCompressedTexImage2D', texture2D, 0, 0x8d64, 4, 4, 0, 8, bytes(0x88, 0x88, 0x88, 0, 0, 0, 0, 0)),
      ),
    [138, 138, 138, 255],
  ],
  [
    'an ETC1 image that the frame writes to',
    () => {
      const image = (b: CaptureBuilder, base: number) =>
        b.call('glCompressedTexImage2D', texture2D, 0, 0x8d64, 4, 4, 0, 8, bytes(base, base, base, 0, 0, 0, 0, 0));
      return image(
        shown((b) => image(b, 0x88)),
        0x11,
      );
    },
    [138, 138, 138, 255],
  ],
  [
    'a luminance texture of floats that the frame writes to',
    () => {
      const [luminance, float] = [0x1909, 0x1406];
      const image = (b: CaptureBuilder, value: number) =>
        b.call('glTexImage2D', texture2D, 0, luminance, 1, 1, 0, luminance, float, floats(value));
      return image(
        shown((b) => image(b, 0.2)),
        0.8,
      );
    },
    [51, 51, 51, 255],
  ],
];

for (const [api, context] of Object.entries(contexts))
  for (const [name, capture, pixel] of cases)
    test(`${api}: ${name}`, async () => {
      context.makeCurrent();
      const replayer = await Replayer.create(context, capture().capture());
      const frame = await replayer.loadFrame(1);
      for (let run = 0; run < 2; run++) {
        frame.restore();
        frame.play();
        assert.deepEqual([...frame.readCanvas().data.slice(0, 4)], pixel, `run ${run + 1}`);
      }
      assert.deepEqual(replayer.glErrors, []);
      replayer.destroy();
    });
