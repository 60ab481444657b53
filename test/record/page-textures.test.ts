import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runInSession } from '../helpers/session.ts';
import { page, painter, recordPage } from './page-kit.ts';

const start = `${painter}
const canvas = document.querySelector('canvas');
const shader = (gl, type, source) => {
  const made = gl.createShader(type);
  gl.shaderSource(made, source);
  gl.compileShader(made);
  return made;
};
const link = (gl, vertex, fragment) => {
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl, gl.VERTEX_SHADER, vertex));
  gl.attachShader(program, shader(gl, gl.FRAGMENT_SHADER, fragment));
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
};
const picture = (size, colour) => {
  const made = document.createElement('canvas');
  made.width = made.height = size;
  const context = made.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  return made;
};
`;

async function isReplayed(t: TestContext, script: string, frame: string): Promise<void> {
  const { code, stderr, path } = await recordPage(t, page(start + script), ['--frame', frame]);
  assert.equal(code, 0, stderr);
  for (const driver of ['egl', 'headless-gl']) {
    const replayed = await runInSession(['replay', path, '--driver', driver, '--verify', '--no-timing']);
    assert.equal(replayed.code, 0, replayed.stderr);
    assert.match(replayed.stderr, /^gpuprof: verification passed: all 3072 pixels are equal/);
  }
}

for (const [name, kind, at] of [
  ['an array', 'TEXTURE_2D_ARRAY', 'sampler2DArray'],
  ['a volume', 'TEXTURE_3D', 'sampler3D'],
])
  test(`mipmaps that the GPU made, of ${name}`, (t) =>
    isReplayed(
      t,
      `
      const gl = begin(canvas, 2, { antialias: false });
      link(gl, '#version 300 es\\nlayout(location = 0) in vec2 at; void main() { gl_Position = vec4(at, 0, 1); }',
        '#version 300 es\\nprecision highp float; uniform highp ${at} image; out vec4 o; void main() { vec2 at = gl_FragCoord.xy / vec2(64, 48); o = textureLod(image, vec3(at, 0.25), floor(at.x * 4.)); }');
      gl.bindTexture(gl.${kind}, gl.createTexture());
      gl.texStorage3D(gl.${kind}, 6, gl.RGBA8, 32, 32, 4);
      gl.texSubImage3D(gl.${kind}, 0, 0, 0, 0, 32, 32, 4, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(32 * 32 * 16).fill(200));
      gl.generateMipmap(gl.${kind});
      const draw = () => { gl.drawArrays(gl.TRIANGLES, 0, 3); requestAnimationFrame(draw); };
      requestAnimationFrame(draw);`,
      '2',
    ));

test('the faces of a cube that come from canvases within the frame', (t) =>
  isReplayed(
    t,
    `
    const gl = begin(canvas, 1, { antialias: false });
    link(gl, 'attribute vec2 at; varying vec2 v; void main() { v = at; gl_Position = vec4(at, 0, 1); }',
      'precision mediump float; varying vec2 v; uniform samplerCube image; void main() { gl_FragColor = textureCube(image, vec3(v.x > 0. ? 1 : -1, v.y > 0. ? 2 : 0, 0)); }');
    requestAnimationFrame(() => {
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.bindTexture(gl.TEXTURE_CUBE_MAP, gl.createTexture());
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_CUBE_MAP, filter, gl.NEAREST);
      for (let face = 0; face < 6; face++)
        gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE,
          picture(4, 'rgb(' + [40 * face, 255 - 40 * face, 99] + ')'));
      for (let face = 0; face < 6; face += 2)
        gl.texSubImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, picture(2, 'white'));
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    });`,
    '1',
  ));

for (const [name, frame] of [
  ['before the frame', '2'],
  ['in the frame', '1'],
])
  test(`depth that WebGL 1 samples, of a texture made ${name}`, (t) =>
    isReplayed(
      t,
      `
      const gl = begin(canvas, 1, { antialias: false });
      gl.getExtension('WEBGL_depth_texture');
      link(gl, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0, 1); }',
        'precision mediump float; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }');
      let framebuffer;
      const make = () => {
        framebuffer = gl.createFramebuffer();
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
          gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT, 4, 4, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, null);
        const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0);
        gl.clearDepth(0.6);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.bindTexture(gl.TEXTURE_2D, texture);
      };
      const draw = () => {
        gl.clear(gl.COLOR_BUFFER_BIT);
        if (!framebuffer) make();
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw);`,
      frame,
    ));

for (const [name, type, frame] of [
  ['floats, drawn before the frame', 'gl.FLOAT', '2'],
  ['floats, drawn in the frame', 'gl.FLOAT', '1'],
  ['half floats', '0x8d61', '2'],
])
  test(`RGB ${name}: WebGL 1 draws into them`, (t) =>
    isReplayed(
      t,
      `
      const gl = begin(canvas, 1, { antialias: false });
      for (const name of ['OES_texture_float', 'OES_texture_half_float', 'EXT_color_buffer_half_float', 'WEBGL_color_buffer_float'])
        gl.getExtension(name);
      link(gl, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0, 1); }',
        'precision highp float; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)) * vec4(0.1, 0.1, 0.1, 1); }');
      const texture = gl.createTexture();
      const framebuffer = gl.createFramebuffer();
      const make = () => {
        gl.bindTexture(gl.TEXTURE_2D, texture);
        for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
          gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 4, 4, 0, gl.RGB, ${type}, null);
        gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) throw new Error('not drawn into');
        gl.clearColor(2, 4, 6, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      };
      let made = false;
      const draw = () => {
        gl.clear(gl.COLOR_BUFFER_BIT);
        if (!made) make();
        made = true;
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw);`,
      frame,
    ));

for (const frame of ['1', '2'])
  test(`sides that are no powers of two: WebGL 1 samples black unless clamped, frame ${frame}`, (t) =>
    isReplayed(
      t,
      `
      const gl = begin(canvas, 1, { antialias: false });
      link(gl, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0, 1); }',
        'precision mediump float; uniform sampler2D a, b, c; void main() { vec2 at = vec2(0.5); gl_FragColor = vec4(texture2D(a, at).r, texture2D(b, at).g, texture2D(c, at).b, 1); }');
      const program = gl.getParameter(gl.CURRENT_PROGRAM);
      const make = () => ['REPEAT', 'CLAMP_TO_EDGE', 'REPEAT'].forEach((wrap, unit) => {
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 6, 6, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(144).fill(204));
        for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.REPEAT);
        for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl[wrap]);
        gl.uniform1i(gl.getUniformLocation(program, 'abc'[unit]), unit);
      });
      let made = false;
      const draw = () => {
        gl.clear(gl.COLOR_BUFFER_BIT);
        if (!made) make();
        made = true;
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        const pixel = new Uint8Array(4);
        gl.readPixels(9, 9, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        if (pixel.join() !== '0,204,0,255') throw new Error(pixel.join());
        requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw);`,
      frame,
    ));
