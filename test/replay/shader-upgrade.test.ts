import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openContext } from '../../src/gl/open.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { bytes, CaptureBuilder } from './memory-capture.ts';

const contexts = {
  es: await openContext('egl', { api: 'es' }),
  gl: await openContext('egl', { api: 'gl' }),
  angle: await openContext('headless-gl', { api: 'es' }),
};
after(() => {
  for (const context of Object.values(contexts)) context.destroy();
});

const vertex = `attribute vec4 p;
uniform vec4 wanted; varying vec2 centroid; varying vec2 sum;
vec4 round(vec4 v) { return floor(v + 0.5); }
void main() { centroid = p.xy; sum = p.xy; gl_PointSize = 64.0; gl_Position = round(p * 0.0) + vec4(0, 0, 0, 1); }`;
const fragment = `#extension GL_EXT_shader_texture_lod : enable
#extension GL_OES_standard_derivatives : enable
#extension GL_EXT_frag_depth : enable
#ifdef GL_EXT_shader_texture_lod
#define AT(level) texture2DLodEXT(texture, vec2(0.5), level)
#endif
precision mediump float;
uniform sampler2D texture; /* hides a function of 3.00 */
varying vec2 centroid; varying vec2 sum;
float transpose(float x) { return x; }
void main() {
  vec4 big = AT(0.0);
  vec4 small = texture2DGradEXT(texture, vec2(0.5), vec2(8.0), vec2(8.0));
  vec4 biased = texture2D(texture, gl_FragCoord.xy / 16.0 + centroid * 0.0, 5.0) + texture2DProjLodEXT(texture, vec3(1.0), 1.0) * 0.0;
  gl_FragDepthEXT = 0.5 + 0.0 * dFdx(sum.x);
  gl_FragColor = vec4(big.r, small.g, transpose(biased.b), 1);
}`;

/** Level 0 is red, the only other one green and blue. */
function levels(): CaptureBuilder {
  const b = new CaptureBuilder({ api: 'webgl1' })
    .program(1, vertex, fragment, (each) => each.call('glBindAttribLocation', 1, 3, 'p'))
    .call('glUseProgram', 1)
    .call('glGenTextures', 1, [1])
    .call('glBindTexture', 0x0de1, 1)
    .call('glTexParameteri', 0x0de1, 0x2801, 0x2700);
  for (const [level, size, r, gb] of [
    [0, 2, 200, 10],
    [1, 1, 20, 150],
  ])
    b.call(
      ...(['glTexImage2D', 0x0de1, level, 0x1908, size, size, 0, 0x1908, 0x1401] as const),
      bytes(...Array.from({ length: size * size }, () => [r, gb, gb, 255]).flat()),
    );
  b.call('glUniform1i', b.location(1, 'texture'), 0).call('glVertexAttrib4f', 3, 1, 1, 1, 1);
  return b.frame().call('glDrawArrays', 0, 0, 1);
}

for (const [api, context] of Object.entries(contexts))
  test(`${api}: a program of GLSL ES 1.00 that samples chosen levels`, async () => {
    context.makeCurrent();
    const replayer = await Replayer.create(context, levels().capture());
    const frame = await replayer.loadFrame(1);
    for (let run = 0; run < 2; run++) {
      frame.restore();
      frame.play();
      assert.deepEqual([...frame.readCanvas().data.slice(0, 4)], [200, 150, 150, 255]);
    }
    assert.deepEqual(replayer.glErrors, []);
    replayer.destroy();
  });
