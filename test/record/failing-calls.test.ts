import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buffer, type Gl, link, type Program, quad, texels } from './programs/kit.ts';
import { play, record, webgl2 } from './replaying.ts';

/** Calls that GL refuses change nothing: a recorder that waits must not take them for what they asked. */

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-failing-'));

/** Draws the bound texture over everything. */
function showTexture(gl: Gl): () => void {
  const program = link(
    gl,
    '#version 300 es\nin vec2 at; out vec2 uv; void main() { uv = at; gl_Position = vec4(at, 0, 1); }',
    `#version 300 es
    precision highp float; uniform sampler2D image; in vec2 uv; out vec4 o;
    void main() { o = texture(image, uv * 0.5 + 0.5); }`,
    (made) => gl.bindAttribLocation(made, 0, 'at'),
  );
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return () => {
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(program);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
}

function image(gl: Gl, filter: number): void {
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(64));
}

const programs: Readonly<Record<string, Program>> = {
  'renderbuffer storage'(gl) {
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8);
    gl.framebufferRenderbuffer(
      gl.FRAMEBUFFER,
      gl.COLOR_ATTACHMENT0,
      gl.RENDERBUFFER,
      gl.getParameter(gl.RENDERBUFFER_BINDING),
    );
    gl.clearColor(0.25, 0.5, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.LUMINANCE, 4, 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return () => {
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer);
      gl.blitFramebuffer(0, 0, 8, 8, 0, 0, 32, 32, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    };
  },
  'a texture image'(gl) {
    const show = showTexture(gl);
    image(gl, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(16, 2));
    gl.texStorage2D(gl.TEXTURE_2D, 9, gl.RGBA8, 2, 2);
    gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.R32F, 0, 0, 3, 3, 0);
    return show;
  },
  'a texture bound where it does not belong'(gl) {
    const show = showTexture(gl);
    const texture = gl.createTexture();
    gl.bindTexture(gl.RENDERBUFFER, texture);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(64, 3));
    return show;
  },
  'mipmaps of integers, which stay incomplete'(gl) {
    const show = showTexture(gl);
    image(gl, gl.NEAREST_MIPMAP_NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8UI, 4, 4, 0, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, texels(64));
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(64));
    return show;
  },
  'pixel storage'(gl) {
    const show = showTexture(gl);
    image(gl, gl.NEAREST);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 3);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, -1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 3, 3, 0, gl.RGB, gl.UNSIGNED_BYTE, texels(36));
    return show;
  },
  'attributes that are not there'(gl) {
    const show = showTexture(gl);
    image(gl, gl.NEAREST);
    gl.vertexAttrib4f(-1, 1, 2, 3, 4);
    gl.vertexAttrib3fv(1e6, [1, 2, 3]);
    gl.vertexAttribI4ui(gl.getParameter(gl.MAX_VERTEX_ATTRIBS), 1, 2, 3, 4);
    return show;
  },
  'buffer data'(gl) {
    const show = showTexture(gl);
    image(gl, gl.NEAREST);
    gl.bufferData(gl.ARRAY_BUFFER, 8, gl.RGBA);
    gl.bufferData(gl.ARRAY_BUFFER, -1, gl.STATIC_DRAW);
    return show;
  },
};

for (const [name, program] of Object.entries(programs))
  test(`${name} that GL refuses`, async () => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.cap`);
    let error = 0;
    const asking: Program = (gl) => {
      const step = program(gl);
      error = gl.getError();
      return step;
    };
    const expected = await webgl2((gl) => record(gl, asking, 2, path));
    assert.notEqual(error, 0, 'GL refuses it, and the program learns of it');
    assert.ok(new Set(expected).size > 1, 'the program draws something');
    const { pixels, again, glErrors } = await play(path, 'egl');
    assert.deepEqual(glErrors, []);
    assert.deepEqual(pixels, expected);
    assert.deepEqual(again, expected);
  });
