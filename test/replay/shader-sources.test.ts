import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { shaderSources } from '../../src/replay/shader-sources.ts';
import { CaptureBuilder } from './memory-capture.ts';

const contexts = {
  es: await openContext('egl', { api: 'es' }),
  gl: await openContext('egl', { api: 'gl' }),
  angle: await openContext('headless-gl', { api: 'es' }),
};
after(() => {
  for (const context of Object.values(contexts)) context.destroy();
});

const lacking = (...texts: string[]) =>
  shaderSources({ ...contexts.es, extensions: new Set<string>() } as never, texts);

test('what needs no other words stays as it is', () => {
  const texts = ['#version 300 es\n// gl_DrawID\n', 'void main() {}'];
  assert.deepEqual(lacking(...texts), texts);
  const multi = ['#extension GL_ANGLE_multi_draw : enable\nvoid main() { gl_DrawID; }'];
  const having = { ...contexts.es, extensions: new Set(['GL_ANGLE_multi_draw']) } as never;
  assert.equal(shaderSources(having, multi), multi);
});

test('directives go, and gl_DrawID becomes a uniform behind all that must come first, outside any condition', () => {
  assert.deepEqual(
    lacking(`#version 300 es
#extension GL_ANGLE_multi_draw : require /* here */
#ifdef GL_FOO
#extension GL_FOO : enable
precision highp float;
#endif
in float at; void main() { gl_Position = vec4(at + float(gl_DrawID)); }`).map((text) => text.replace(/ +\n/g, '\n')),
    [
      `#version 300 es

#ifdef GL_FOO
#extension GL_FOO : enable
precision highp float;
#endif
#define gpuprof_multi_draw 1
uniform highp int gpuprof_DrawID;
in float at; void main() { gl_Position = vec4(at + float(gpuprof_DrawID)); }`,
    ],
  );
});

const lateExtension = `#version 100
// #extension GL_NO : enable
precision highp float;
#extension GL_OES_standard_derivatives : require
#ifdef GL_FOO
 # extension GL_FOO : enable
#endif
#extension GL_OES_standard_derivatives : disable
void main() { gl_FragColor = vec4(0, 1, 0, 1); }`;

test("WebGL 1's extension directives behind code come first, as wishes", () => {
  assert.deepEqual(
    lacking(lateExtension).map((text) => text.replace(/ +\n/g, '\n')),
    [
      `#version 100
#extension GL_OES_standard_derivatives : enable
#extension GL_FOO : enable

precision highp float;

#ifdef GL_FOO

#endif

void main() { gl_FragColor = vec4(0, 1, 0, 1); }`,
    ],
  );
  const early = ['#extension GL_OES_standard_derivatives : enable\n', 'precision highp float;'];
  assert.deepEqual(lacking(...early), early);
  const newer = ['#version 300 es\nprecision highp float;\n#extension GL_FOO : enable\n'];
  assert.deepEqual(lacking(...newer), newer);
});

const vertex = (head: string, body: string) =>
  `#version 300 es\n${head}\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1., 0., 1.); ${body} }`;
const fragment = (head: string, body: string) =>
  `#version 300 es\n${head}\nprecision highp float; out vec4 o; void main() { o = vec4(0, 1, 0, 1); ${body} }`;

function drawn(vertexSource: string, fragmentSource: string, before: (b: CaptureBuilder) => unknown = () => {}) {
  const b = new CaptureBuilder().program(1, vertexSource, fragmentSource).call('glUseProgram', 1);
  before(b);
  return b.frame().call('glDrawArrays', 4, 0, 3);
}

for (const [api, context] of Object.entries(contexts)) {
  const pixels = async (builder: CaptureBuilder) => {
    context.makeCurrent();
    const replayer = await Replayer.create(context, builder.capture());
    const frame = await replayer.loadFrame(1);
    frame.restore();
    frame.play();
    const { data } = frame.readCanvas();
    assert.deepEqual(replayer.glErrors, []);
    replayer.destroy();
    context.gl.glDisable(0x3000);
    return [data[1], data[15 * 4 + 1]];
  };

  test(`${api}: clip distances`, async () => {
    const clipped = drawn(
      vertex('#extension GL_ANGLE_clip_cull_distance : require', 'gl_ClipDistance[0] = -gl_Position.x;'),
      fragment('', ''),
      (b) => b.call('glEnable', 0x3000),
    );
    assert.deepEqual(await pixels(clipped), [255, 0]);
  });

  test(`${api}: an extension directive behind code`, async () => {
    const point = 'void main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 64.; }';
    const b = new CaptureBuilder().program(1, point, lateExtension).call('glUseProgram', 1);
    assert.deepEqual(await pixels(b.frame().call('glDrawArrays', 0, 0, 1)), [255, 255]);
  });

  test(`${api}: conservative depth, and multi-draw without gl_DrawID`, async () => {
    const promised = drawn(
      vertex('#extension GL_ANGLE_multi_draw : require', ''),
      fragment(
        '#extension GL_EXT_conservative_depth : require\nlayout (depth_less) out highp float gl_FragDepth;',
        'gl_FragDepth = 0.25;',
      ),
    );
    assert.deepEqual(await pixels(promised), [255, 255]);
  });

  test(`${api}: what the driver's compiler does not take is said in its words`, async () => {
    const views = drawn(
      vertex('#extension GL_OVR_multiview2 : require\nlayout(num_views = 2) in;', ''),
      fragment('#extension GL_IMG_no_such_extension : require', ''),
    );
    context.makeCurrent();
    await assert.rejects(Replayer.create(context, views.capture()), {
      code: 'missing-feature',
      message: /does not take program 1, which the capture uses: .*(GL_OVR_multiview2|GL_IMG_no_such_extension)/,
    });
  });
}

test('llvmpipe computes in 32 bits what was recorded in 32 bits, whatever the precision asked for', () => {
  const texts = ['precision mediump float; varying lowp vec2 mediump_uv; void main() {}'];
  const full = ['precision highp float; varying highp vec2 mediump_uv; void main() {}'];
  assert.deepEqual(shaderSources(contexts.es, texts), full);
  assert.deepEqual(shaderSources(contexts.gl, texts), full);
  assert.equal(shaderSources(contexts.angle, texts), texts);
});
