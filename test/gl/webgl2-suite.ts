import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Api, DriverName, GlContext } from '../../src/gl/context.ts';
import { enumValue } from '../../src/gl/enums.ts';
import { openContext } from '../../src/gl/open.ts';
import { constants } from '../../src/gl/webgl2/constants.ts';
import { createWebGL2Context, type WebGl2 } from '../../src/gl/webgl2-context.ts';

const vertex = `#version 300 es
layout(location = 0) in vec2 position;
out vec2 place;
void main() { place = position * 0.5 + 0.5; gl_Position = vec4(position, 0.0, 1.0); }`;

function program(gl: WebGl2, fragmentBody: string, declarations = '') {
  const made = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [
      gl.FRAGMENT_SHADER,
      `#version 300 es\nprecision highp float;\nin vec2 place;\nout vec4 color;\n${declarations}\nvoid main() { ${fragmentBody} }`,
    ],
  ] as const) {
    const shader = gl.createShader(type);
    assert.ok(shader);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    assert.ok(gl.getShaderParameter(shader, gl.COMPILE_STATUS), gl.getShaderInfoLog(shader) ?? '');
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  assert.ok(gl.getProgramParameter(made, gl.LINK_STATUS), gl.getProgramInfoLog(made) ?? '');
  gl.useProgram(made);
  return made;
}

/** A triangle that covers everything. */
function fullScreen(gl: WebGl2): void {
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
}

function pixel(gl: WebGl2, x: number, y: number): number[] {
  const out = new Uint8Array(4);
  gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, out);
  return Array.from(out);
}

/** The texels of the bound 2D texture. */
function texels(gl: WebGl2, texture: ReturnType<WebGl2['createTexture']>, width: number, height: number): number[] {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const out = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, out);
  gl.deleteFramebuffer(framebuffer);
  return Array.from(out);
}

/** What WebGL 2 promises, on one driver's real context. */
export function webgl2Suite(driver: DriverName, api: Api): void {
  describe(`WebGL 2 over ${driver} ${api}`, () => {
    let context: GlContext;
    let gl: WebGl2;
    before(async () => {
      context = await openContext(driver, { api });
    });
    after(() => context.destroy());
    beforeEach(() => {
      gl = createWebGL2Context(context, { width: 16, height: 8, stencil: true });
    });

    it('has every constant of the specification with the value of the registry', () => {
      assert.equal(Object.keys(constants).length, 559);
      for (const [name, value] of Object.entries(constants)) {
        assert.equal((gl as unknown as Record<string, number>)[name], value);
        const known = enumValue(`GL_${name}`);
        if (known !== undefined && value !== -1) assert.equal(value, known, name);
      }
    });

    it('has every method, as a property that can be replaced', () => {
      const methods = Object.keys(gl).filter((name) => typeof gl[name as 'flush'] === 'function');
      assert.equal(methods.length, 224);
    });

    it('draws with a program, uniforms and a vertex buffer', () => {
      const made = program(gl, 'color = tint[1] * vec4(place, 1.0, 1.0);', 'uniform vec4 tint[2];');
      fullScreen(gl);
      const location = gl.getUniformLocation(made, 'tint[1]');
      assert.ok(location);
      gl.uniform4fv(location, [9, 9, 1, 1, 0.6, 1], 2);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      assert.deepEqual(Array.from(gl.getUniform(made, location) as Float32Array, Math.fround), [
        1,
        1,
        Math.fround(0.6),
        1,
      ]);
      assert.deepEqual(pixel(gl, 15, 0), [247, 16, 153, 255]);
      assert.deepEqual(gl.getActiveUniform(made, 0), { name: 'tint[0]', size: 2, type: gl.FLOAT_VEC4 });
      assert.deepEqual(gl.getActiveAttrib(made, 0), { name: 'position', size: 1, type: gl.FLOAT_VEC2 });
      assert.equal(gl.getUniformLocation(made, 'none'), null);
      gl.uniform1f(null, 1);
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('refuses uniforms of another program and lists of a wrong length', () => {
      const first = program(gl, 'color = vec4(value);', 'uniform float value;');
      const location = gl.getUniformLocation(first, 'value');
      gl.uniform1fv(location, []);
      assert.equal(gl.getError(), gl.INVALID_VALUE);
      program(gl, 'color = vec4(1.0);');
      gl.uniform1f(location, 1);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
    });

    it('returns the bound objects themselves, and null for the canvas and the default vertex array', () => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      assert.equal(gl.getParameter(gl.ELEMENT_ARRAY_BUFFER_BINDING), buffer);
      assert.equal(gl.getParameter(gl.TEXTURE_BINDING_2D), texture);
      assert.equal(gl.getParameter(gl.FRAMEBUFFER_BINDING), null);
      assert.equal(gl.getParameter(gl.VERTEX_ARRAY_BINDING), null);
      assert.equal(gl.getParameter(gl.DRAW_BUFFER0), gl.BACK);
      assert.deepEqual(Array.from(gl.getParameter(gl.VIEWPORT)), [0, 0, 16, 8]);
      assert.deepEqual(gl.getParameter(gl.COLOR_WRITEMASK), [true, true, true, true]);
      assert.equal(gl.getParameter(gl.DEPTH_TEST), false);
      assert.equal(gl.getParameter(gl.STENCIL_WRITEMASK) > 0, true);
      assert.match(gl.getParameter(gl.VERSION), /^WebGL 2\.0 \(/);
      assert.deepEqual([gl.drawingBufferWidth, gl.drawingBufferHeight], [16, 8]);
      assert.equal(gl.isTexture(texture), true);
      gl.deleteTexture(texture);
      assert.equal(gl.isTexture(texture), false);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
    });

    it('treats null as the canvas, whose buffers have their own names', () => {
      gl.drawBuffers([gl.COLOR_ATTACHMENT0]);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
      gl.drawBuffers([gl.BACK]);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, null, 0);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
      gl.invalidateFramebuffer(gl.FRAMEBUFFER, [gl.DEPTH]);
      assert.equal(
        gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, gl.BACK, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE),
        gl.FRAMEBUFFER_DEFAULT,
      );
      const framebuffer = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.deleteFramebuffer(framebuffer);
      assert.equal(gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING), null);
      gl.clearColor(0, 1, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      assert.deepEqual(pixel(gl, 3, 3), [0, 255, 0, 255]);
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('flips and premultiplies what is uploaded from views', () => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 1);
      const source = new Uint8Array([7, 7, 7, 7, 200, 100, 0, 255, 200, 100, 50, 128]);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, source);
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 0);
      assert.deepEqual(texels(gl, texture, 1, 2), [100, 50, 25, 128, 200, 100, 0, 255]);
      assert.equal(gl.getParameter(gl.UNPACK_FLIP_Y_WEBGL), true);
      gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, source, 4);
      assert.deepEqual(texels(gl, texture, 1, 2), [100, 50, 25, 128, 200, 100, 0, 255]);
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('refuses uploads from views that are too small', () => {
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(63));
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
      gl.readPixels(0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(63));
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
    });

    it('uploads from and reads into pixel buffers', () => {
      const unpack = gl.createBuffer();
      gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, unpack);
      gl.bufferData(gl.PIXEL_UNPACK_BUFFER, new Uint8Array([0, 0, 0, 0, 10, 20, 30, 40]), gl.STATIC_DRAW);
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, 4);
      gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
      assert.deepEqual(texels(gl, texture, 1, 1), [10, 20, 30, 40]);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.clearColor(1, 0, 1, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, gl.createBuffer());
      gl.bufferData(gl.PIXEL_PACK_BUFFER, 8, gl.STREAM_READ);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, 4);
      const out = new Uint8Array(8);
      gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, out);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
      assert.deepEqual(Array.from(out), [0, 0, 0, 0, 255, 0, 255, 255]);
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('reads buffers back, with offsets on both sides', () => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Uint16Array([1, 2, 3, 4, 5, 6]), gl.STATIC_DRAW, 1, 4);
      gl.bufferSubData(gl.ARRAY_BUFFER, 2, new Uint16Array([9, 8]), 1);
      const out = new Uint16Array(6);
      gl.getBufferSubData(gl.ARRAY_BUFFER, 2, out, 2, 3);
      assert.deepEqual(Array.from(out), [0, 0, 8, 4, 5, 0]);
      assert.equal(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE), 8);
      gl.getBufferSubData(gl.ARRAY_BUFFER, 4, out);
      assert.equal(gl.getError(), gl.INVALID_VALUE);
    });

    it('refuses draws that would read from no buffer', () => {
      program(gl, 'color = vec4(1.0);');
      fullScreen(gl);
      gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
      gl.enableVertexAttribArray(3);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
      gl.bindBuffer(gl.ARRAY_BUFFER, null);
      gl.vertexAttribPointer(3, 2, gl.FLOAT, false, 0, 64);
      assert.equal(gl.getError(), gl.INVALID_OPERATION);
    });

    it('resolves a multisampled canvas when it is read', () => {
      const smooth = createWebGL2Context(context, { width: 16, height: 8, antialias: true });
      program(smooth, 'color = vec4(1.0, 0.6, 0.0, 1.0);');
      fullScreen(smooth);
      smooth.drawArrays(smooth.TRIANGLES, 0, 3);
      assert.equal(smooth.getContextAttributes().antialias, true);
      assert.deepEqual(pixel(smooth, 8, 4), [255, 153, 0, 255]);
      const texture = smooth.createTexture();
      smooth.bindTexture(smooth.TEXTURE_2D, texture);
      smooth.copyTexImage2D(smooth.TEXTURE_2D, 0, smooth.RGBA8, 0, 0, 1, 1, 0);
      assert.deepEqual(texels(smooth, texture, 1, 1), [255, 153, 0, 255]);
      assert.equal(smooth.getError(), smooth.NO_ERROR);
    });

    it('runs transform feedback, queries and syncs', () => {
      const made = gl.createProgram();
      for (const [type, source] of [
        [
          gl.VERTEX_SHADER,
          '#version 300 es\nin float value;\nout float twice;\nvoid main() { twice = value * 2.0; gl_Position = vec4(0.0); }',
        ],
        [
          gl.FRAGMENT_SHADER,
          '#version 300 es\nprecision highp float;\nout vec4 color;\nvoid main() { color = vec4(0.0); }',
        ],
      ] as const) {
        const shader = gl.createShader(type);
        assert.ok(shader);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        gl.attachShader(made, shader);
      }
      gl.transformFeedbackVaryings(made, ['twice'], gl.INTERLEAVED_ATTRIBS);
      gl.linkProgram(made);
      gl.useProgram(made);
      assert.deepEqual(gl.getTransformFeedbackVarying(made, 0), { name: 'twice', size: 1, type: gl.FLOAT });
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([1, 2, 3]), gl.STATIC_DRAW);
      const location = gl.getAttribLocation(made, 'value');
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, 1, gl.FLOAT, false, 0, 0);
      const feedback = gl.createTransformFeedback();
      gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
      const target = gl.createBuffer();
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, target);
      gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12, gl.DYNAMIC_READ);
      const query = gl.createQuery();
      gl.enable(gl.RASTERIZER_DISCARD);
      gl.beginQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
      gl.beginTransformFeedback(gl.POINTS);
      gl.drawArrays(gl.POINTS, 0, 3);
      gl.endTransformFeedback();
      gl.endQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
      gl.disable(gl.RASTERIZER_DISCARD);
      const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      assert.ok(sync);
      assert.notEqual(gl.clientWaitSync(sync, gl.SYNC_FLUSH_COMMANDS_BIT, 1e9), gl.WAIT_FAILED);
      gl.waitSync(sync, 0, gl.TIMEOUT_IGNORED);
      assert.equal(gl.getSyncParameter(sync, gl.SYNC_STATUS), gl.SIGNALED);
      gl.deleteSync(sync);
      assert.equal(gl.isSync(sync), false);
      const out = new Float32Array(3);
      gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out);
      assert.deepEqual(Array.from(out), [2, 4, 6]);
      assert.equal(gl.getQueryParameter(query, gl.QUERY_RESULT), 3);
      gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('feeds uniform blocks from buffers and tells about them', () => {
      const made = program(gl, 'color = tint;', 'layout(std140) uniform Block { float unused; vec4 tint; };');
      const block = gl.getUniformBlockIndex(made, 'Block');
      gl.uniformBlockBinding(made, block, 2);
      assert.equal(gl.getActiveUniformBlockName(made, block), 'Block');
      assert.equal(gl.getActiveUniformBlockParameter(made, block, gl.UNIFORM_BLOCK_BINDING), 2);
      assert.equal(
        gl.getActiveUniformBlockParameter(made, block, gl.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER),
        true,
      );
      const indices = gl.getUniformIndices(made, ['tint', 'missing']);
      assert.ok(indices);
      assert.equal(indices[1], gl.INVALID_INDEX);
      assert.deepEqual(gl.getActiveUniforms(made, [indices[0]], gl.UNIFORM_OFFSET), [16]);
      const buffer = gl.createBuffer();
      gl.bindBufferBase(gl.UNIFORM_BUFFER, 2, buffer);
      gl.bufferData(gl.UNIFORM_BUFFER, new Float32Array([0, 0, 0, 0, 0, 0, 1, 1]), gl.STATIC_DRAW);
      assert.equal(gl.getIndexedParameter(gl.UNIFORM_BUFFER_BINDING, 2), buffer);
      fullScreen(gl);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      assert.deepEqual(pixel(gl, 1, 1), [0, 0, 255, 255]);
    });

    it('clears buffers by number lists and blits between framebuffers', () => {
      const made = gl.createFramebuffer();
      gl.bindFramebuffer(gl.FRAMEBUFFER, made);
      const color = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, color);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 16, 8);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color);
      gl.clearBufferfv(gl.COLOR, 0, [7, 1, 1, 0, 1], 1);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
      gl.blitFramebuffer(0, 0, 16, 8, 0, 0, 16, 8, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      assert.deepEqual(pixel(gl, 9, 7), [255, 255, 0, 255]);
      assert.equal(gl.getRenderbufferParameter(gl.RENDERBUFFER, gl.RENDERBUFFER_WIDTH), 16);
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('hands out the extensions that it lists, each with what it promises', () => {
      const names = gl.getSupportedExtensions();
      assert.deepEqual(names, [...names].toSorted());
      for (const name of names) {
        const extension = gl.getExtension(name);
        assert.equal(typeof extension, 'object', name);
        assert.equal(gl.getExtension(name.toLowerCase()), extension);
      }
      assert.equal(gl.getExtension('EXT_none'), null);
      assert.equal(gl.getExtension('EXT_color_buffer_float') !== null, true);
      const marker = gl.getExtension('EXT_debug_marker');
      for (let depth = 0; depth < 100; depth++) marker.pushGroupMarkerEXT(`group ${depth}`);
      for (let depth = 0; depth < 101; depth++) marker.popGroupMarkerEXT();
      assert.equal(gl.getError(), gl.NO_ERROR);
    });

    it('draws several at once with WEBGL_multi_draw', () => {
      const multi = gl.getExtension('WEBGL_multi_draw');
      program(gl, 'color = vec4(1.0);');
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      const quads = new Float32Array([-1, -1, 0, -1, -1, 1, 0, -1, 0, 1, -1, 1, 0, -1, 1, -1, 1, 1]);
      gl.bufferData(gl.ARRAY_BUFFER, quads, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
      multi.multiDrawArraysWEBGL(gl.TRIANGLES, [99, 0, 6], 1, new Int32Array([6, 3]), 0, 2);
      assert.deepEqual(pixel(gl, 2, 4), [255, 255, 255, 255]);
      assert.deepEqual(pixel(gl, 15, 0), [255, 255, 255, 255]);
      assert.deepEqual(pixel(gl, 9, 7), [0, 0, 0, 0]);
    });

    it('refuses canvases that cannot be', () => {
      assert.throws(() => createWebGL2Context(context, { width: 0, height: 4 }), { code: 'bad-usage' });
      assert.throws(() => createWebGL2Context(context, { width: 1e6, height: 4 }), { code: 'missing-feature' });
    });
  });
}
