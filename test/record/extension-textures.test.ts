import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCapture } from '../../src/capture/open.ts';
import { type Gl, link } from './programs/kit.ts';
import { play, record, webgl2 } from './replaying.ts';

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-extension-textures-'));
const [width, height] = [96, 64];

const cover = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3. : -1., gl_VertexID == 2 ? 3. : -1., 0., 1.); }`;
const written = `#version 300 es
precision highp float; out vec4 o;
void main() { o = vec4((gl_FragCoord.x * 601. + gl_FragCoord.y * 37.) / 65535., 0, 0, 0); }`;
const shown = `#version 300 es
precision highp float; precision highp usampler2D; precision highp sampler2D;
uniform sampler2D norm; uniform usampler2D stencil; out vec4 o;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float value = floor(texelFetch(norm, at, 0).r * 65535. + 0.5);
  o = vec4(floor(value / 256.) / 255., mod(value, 256.) / 255., float(texelFetch(stencil, at, 0).r) / 255., 1);
}`;

/** The first frame draws into a 16-bit texture and a stencil; later ones look at them. */
function program(gl: Gl): () => void {
  assert.ok(gl.getExtension('EXT_texture_norm16'));
  const mode = gl.getExtension('WEBGL_stencil_texturing');
  assert.ok(mode);
  const [write, show] = [link(gl, cover, written), link(gl, cover, shown)];
  const texture = (unit: number, format: number) => {
    const made = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return made;
  };
  const norm = texture(0, 0x822a);
  const stencil = texture(1, gl.DEPTH24_STENCIL8);
  gl.texParameteri(gl.TEXTURE_2D, mode.DEPTH_STENCIL_TEXTURE_MODE_WEBGL, mode.STENCIL_INDEX_WEBGL);
  let frame = 0;
  return () => {
    if (frame++ === 0) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, norm, 0);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.TEXTURE_2D, stencil, 0);
      gl.viewport(0, 0, width, height);
      gl.clearDepth(0.25);
      gl.clearStencil(9);
      gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(3, 5, 40, 30);
      gl.clearStencil(200);
      gl.clear(gl.STENCIL_BUFFER_BIT);
      gl.disable(gl.SCISSOR_TEST);
      gl.useProgram(write);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.useProgram(show);
    gl.uniform1i(gl.getUniformLocation(show, 'stencil'), 1);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
}

test('16-bit norms keep their bits, and a sampled stencil its mode', async () => {
  const path = join(folder, 'norm16.cap');
  const drawn = await webgl2(async (gl) => {
    const pixels = await record(gl, program, 3, path);
    assert.equal(gl.getError(), 0);
    return pixels;
  });
  assert.ok(new Set(drawn).size > 200, 'the program draws something');
  const capture = await openCapture(path);
  assert.deepEqual(capture.manifest.requires.extensions, ['GL_ANGLE_stencil_texturing', 'GL_EXT_texture_norm16']);
  await capture.close();
  for (const driver of ['egl', 'headless-gl'] as const) {
    const played = await play(path, driver);
    assert.deepEqual(played.glErrors, []);
    assert.deepEqual(played.pixels, drawn, driver);
    assert.deepEqual(played.again, drawn, driver);
  }
});
