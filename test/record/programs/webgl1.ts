import { buffer, link, type Program, quad, texels } from './kit.ts';

const plainVertex =
  'attribute vec2 at; uniform vec2 offset; void main() { gl_Position = vec4(at * 0.5 + offset, 0.0, 1.0); }';
const plainFragment = 'precision mediump float; uniform vec4 colour; void main() { gl_FragColor = colour; }';
const fullVertex =
  'attribute vec2 at; varying vec2 uv; void main() { uv = at * 0.5 + 0.5; gl_Position = vec4(at, 0.0, 1.0); }';
const textureFragment =
  'precision highp float; varying vec2 uv; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, uv * 1.3); }';

const triangle: Program = (gl) => {
  const program = link(gl, plainVertex, plainFragment);
  buffer(gl, new Float32Array([-1, -1, 1, -1, 0, 1]));
  const at = gl.getAttribLocation(program, 'at');
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 0, 0);
  gl.useProgram(program);
  gl.uniform4f(gl.getUniformLocation(program, 'colour'), 1, 0.5, 0.25, 1);
  const offset = gl.getUniformLocation(program, 'offset');
  let frame = 0;
  return () => {
    gl.clearColor(0, 0, 0.2, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.uniform2f(offset, Math.sin(frame++) * 0.4, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
};

/** A mipmapped texture with sub-uploads, one in every frame, and flipped rows. */
const textured: Program = (gl) => {
  const program = link(gl, fullVertex, textureFragment);
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 128, 128, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(128 * 128 * 4));
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  let frame = 0;
  return () => {
    gl.texSubImage2D(gl.TEXTURE_2D, 0, frame % 32, 4, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, texels(64, frame++));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Each frame draws the last one's result a little changed: what frame 50 shows depends on all before. */
const pingPong: Program = (gl) => {
  const step = link(
    gl,
    fullVertex,
    'precision highp float; varying vec2 uv; uniform sampler2D image; void main() { gl_FragColor = fract(texture2D(image, uv.yx + 0.01) * 1.01 + 0.013); }',
  );
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const sides = [1, 2].map((seed) => {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 64, 64, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(64 * 64 * 4, seed));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    return { texture, framebuffer };
  });
  gl.useProgram(step);
  let frame = 0;
  return () => {
    const [from, to] = frame++ % 2 ? [sides[1], sides[0]] : sides;
    gl.bindTexture(gl.TEXTURE_2D, from.texture);
    gl.bindFramebuffer(gl.FRAMEBUFFER, to.framebuffer);
    gl.viewport(0, 0, 64, 64);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.bindTexture(gl.TEXTURE_2D, to.texture);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Depth and stencil renderbuffer, scissor, blending, culling; depth of the frames before matters. */
const passes: Program = (gl) => {
  const program = link(gl, plainVertex, plainFragment);
  const colour = gl.getUniformLocation(program, 'colour');
  const offset = gl.getUniformLocation(program, 'offset');
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.useProgram(program);
  gl.enable(gl.STENCIL_TEST);
  gl.enable(gl.BLEND);
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
  gl.clearStencil(1);
  let frame = 0;
  return () => {
    gl.disable(gl.SCISSOR_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.stencilFunc(gl.ALWAYS, 2, 0xff);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    gl.uniform4f(colour, 0.9, 0.2, 0.1, 0.7);
    gl.uniform2f(offset, -0.3, 0.1 * (frame % 5));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.stencilFunc(gl.EQUAL, 2, 0xff);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(5, 5, 40, 30 + (frame++ % 10));
    gl.uniform4f(colour, 0.1, 0.3, 0.9, 0.5);
    gl.uniform2f(offset, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Nearest filters: headless-gl's ES 2 context does not filter across a cube's edges, the replay's ES 3 context does. */
const cube: Program = (gl) => {
  const program = link(
    gl,
    fullVertex,
    'precision highp float; varying vec2 uv; uniform samplerCube image; uniform mat3 turn; void main() { gl_FragColor = textureCube(image, turn * vec3(uv * 4.0 - 2.0, 1.0)); }',
  );
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.useProgram(program);
  gl.activeTexture(gl.TEXTURE2);
  gl.bindTexture(gl.TEXTURE_CUBE_MAP, gl.createTexture());
  for (let face = 0; face < 6; face++)
    gl.texImage2D(
      gl.TEXTURE_CUBE_MAP_POSITIVE_X + face,
      0,
      gl.RGBA,
      16,
      16,
      0,
      gl.RGBA,
      gl.UNSIGNED_BYTE,
      texels(16 * 16 * 4, face),
    );
  gl.generateMipmap(gl.TEXTURE_CUBE_MAP);
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
  gl.texParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.uniform1i(gl.getUniformLocation(program, 'image'), 2);
  const turn = gl.getUniformLocation(program, 'turn');
  let frame = 0;
  return () => {
    const [s, c] = [Math.sin(frame / 7), Math.cos(frame++ / 7)];
    gl.uniformMatrix3fv(turn, false, new Float32Array([c, 0, s, 0, 1, 0, -s, 0, c]));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Instancing and vertex arrays by extension; a dynamic buffer; points; markers. */
const instances: Program = (gl) => {
  const instanced = gl.getExtension('ANGLE_instanced_arrays');
  const arrays = gl.getExtension('OES_vertex_array_object');
  const program = link(
    gl,
    'attribute vec2 at; attribute vec3 place; varying vec3 tint; void main() { tint = place; gl_PointSize = 5.0; gl_Position = vec4(at * 0.2 + place.xy, 0.0, 1.0); }',
    'precision mediump float; varying vec3 tint; void main() { gl_FragColor = vec4(fract(tint * 3.0), 1.0); }',
    (made) => {
      gl.bindAttribLocation(made, 0, 'at');
      gl.bindAttribLocation(made, 3, 'place');
    },
  );
  const array = arrays.createVertexArrayOES();
  arrays.bindVertexArrayOES(array);
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const places = buffer(gl, new Float32Array(3 * 6), gl.ARRAY_BUFFER, gl.DYNAMIC_DRAW);
  gl.enableVertexAttribArray(3);
  gl.vertexAttribPointer(3, 3, gl.FLOAT, false, 0, 0);
  instanced.vertexAttribDivisorANGLE(3, 1);
  buffer(gl, new Uint16Array([0, 1, 2, 2, 1, 3]), gl.ELEMENT_ARRAY_BUFFER);
  arrays.bindVertexArrayOES(null);
  gl.useProgram(program);
  let frame = 0;
  return () => {
    gl.clear(gl.COLOR_BUFFER_BIT);
    arrays.bindVertexArrayOES(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, places);
    const one = frame++ % 6;
    gl.bufferSubData(gl.ARRAY_BUFFER, one * 12, new Float32Array([Math.sin(frame), Math.cos(frame), frame / 60]));
    gl.pushGroupMarkerEXT?.('instances');
    instanced.drawElementsInstancedANGLE(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 0, 6);
    gl.popGroupMarkerEXT?.();
    gl.drawArrays(gl.POINTS, 0, 4);
    arrays.bindVertexArrayOES(null);
  };
};

const floats: Program = (gl) => {
  gl.getExtension('OES_texture_float');
  const program = link(
    gl,
    fullVertex,
    'precision highp float; varying vec2 uv; uniform sampler2D image; void main() { gl_FragColor = fract(texture2D(image, uv) / 1000.0); }',
  );
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  const values = Float32Array.from({ length: 16 * 16 * 4 }, (_, index) => Math.sin(index) * 10 ** ((index % 9) - 4));
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 16, 16, 0, gl.RGBA, gl.FLOAT, values);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  return () => {
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Everything made anew in each frame: what the frame creates is part of the frame. */
const churn: Program = (gl) => {
  let frame = 0;
  return () => {
    const program = link(gl, fullVertex, textureFragment);
    const vertices = buffer(gl, quad);
    const texture = gl.createTexture();
    gl.useProgram(program);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 5, 3, 0, gl.RGB, gl.UNSIGNED_BYTE, texels(3 * 16, frame++));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.deleteTexture(texture);
    gl.deleteBuffer(vertices);
    gl.deleteProgram(program);
  };
};

/** Image sources as headless-gl takes them, flipped and premultiplied; small formats; a canvas that is never cleared. */
const sources: Program = (gl) => {
  const program = link(
    gl,
    plainVertex
      .replace('uniform vec2 offset;', 'uniform vec2 offset; varying vec2 uv;')
      .replace('{ gl', '{ uv = at; gl'),
    textureFragment,
  );
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.useProgram(program);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  const offset = gl.getUniformLocation(program, 'offset');
  const make = (upload: () => void) => {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
      [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ])
      gl.texParameteri(gl.TEXTURE_2D, name, value);
    upload();
    return texture;
  };
  const image = (seed: number) => ({ width: 6, height: 4, data: texels(96, seed) });
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
  const textures = [
    make(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image(1))),
    make(() => {
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image(2));
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    }),
    make(() =>
      gl.texImage2D(
        gl.TEXTURE_2D,
        0,
        gl.RGB,
        4,
        4,
        0,
        gl.RGB,
        gl.UNSIGNED_SHORT_5_6_5,
        new Uint16Array(texels(32).buffer),
      ),
    ),
    make(() =>
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.LUMINANCE_ALPHA, 6, 4, 0, gl.LUMINANCE_ALPHA, gl.UNSIGNED_BYTE, texels(48)),
    ),
    make(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.ALPHA, 8, 2, 0, gl.ALPHA, gl.UNSIGNED_BYTE, texels(16))),
  ];
  let frame = 0;
  return () => {
    gl.bindTexture(gl.TEXTURE_2D, textures[1]);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, image(frame));
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.bindTexture(gl.TEXTURE_2D, textures[frame++ % textures.length]);
    gl.uniform2f(offset, Math.sin(frame) * 0.7, Math.cos(frame * 1.3) * 0.7);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

export const webgl1Programs: Readonly<Record<string, Program>> = {
  triangle,
  textured,
  pingPong,
  passes,
  cube,
  instances,
  floats,
  churn,
  sources,
};
