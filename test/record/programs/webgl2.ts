import { buffer, type Gl, link, type Program, quad, texels } from './kit.ts';

const fullVertex = `#version 300 es
layout(location = 0) in vec2 at; out vec2 uv; void main() { uv = at * 0.5 + 0.5; gl_Position = vec4(at, 0.0, 1.0); }`;
const fragment = (declarations: string, colour: string) => `#version 300 es
precision highp float; precision highp int; precision highp sampler3D; precision highp sampler2DArray; precision highp isampler2D; precision highp usampler2D;
in vec2 uv; ${declarations} layout(location = 0) out vec4 colour; void main() { colour = ${colour}; }`;

function drawQuad(gl: Gl): void {
  buffer(gl, quad);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
}

function nearest(gl: Gl, target: number): void {
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
}

/** Every pixel transfer format that a shader can tell apart, in one picture; drawn from uploads and from GPU copies. */
const formats: Program = (gl) => {
  gl.getExtension('EXT_color_buffer_float');
  const table: [string, string, string, 'sampler2D' | 'isampler2D' | 'usampler2D', number][] = [
    ['RGBA8', 'RGBA', 'UNSIGNED_BYTE', 'sampler2D', 1],
    ['SRGB8_ALPHA8', 'RGBA', 'UNSIGNED_BYTE', 'sampler2D', 1],
    ['RGB8', 'RGB', 'UNSIGNED_BYTE', 'sampler2D', 1],
    ['SRGB8', 'RGB', 'UNSIGNED_BYTE', 'sampler2D', 1],
    ['RG8', 'RG', 'UNSIGNED_BYTE', 'sampler2D', 1],
    ['R8', 'RED', 'UNSIGNED_BYTE', 'sampler2D', 1],
    ['RGBA8_SNORM', 'RGBA', 'BYTE', 'sampler2D', 1],
    ['RGB565', 'RGB', 'UNSIGNED_SHORT_5_6_5', 'sampler2D', 1],
    ['RGBA4', 'RGBA', 'UNSIGNED_SHORT_4_4_4_4', 'sampler2D', 1],
    ['RGB5_A1', 'RGBA', 'UNSIGNED_SHORT_5_5_5_1', 'sampler2D', 1],
    ['RGB10_A2', 'RGBA', 'UNSIGNED_INT_2_10_10_10_REV', 'sampler2D', 1],
    ['RGBA8UI', 'RGBA_INTEGER', 'UNSIGNED_BYTE', 'usampler2D', 255],
    ['RGBA8I', 'RGBA_INTEGER', 'BYTE', 'isampler2D', 127],
    ['RG16UI', 'RG_INTEGER', 'UNSIGNED_SHORT', 'usampler2D', 65535],
    ['R32I', 'RED_INTEGER', 'INT', 'isampler2D', 2147483647],
    ['RGB10_A2UI', 'RGBA_INTEGER', 'UNSIGNED_INT_2_10_10_10_REV', 'usampler2D', 1023],
    ['RGBA16F', 'RGBA', 'FLOAT', 'sampler2D', 1],
    ['RGBA32F', 'RGBA', 'FLOAT', 'sampler2D', 1],
    ['R11F_G11F_B10F', 'RGB', 'FLOAT', 'sampler2D', 1],
    ['RGB9_E5', 'RGB', 'FLOAT', 'sampler2D', 1],
    ['DEPTH_COMPONENT16', 'DEPTH_COMPONENT', 'UNSIGNED_SHORT', 'sampler2D', 1],
    ['DEPTH_COMPONENT24', 'DEPTH_COMPONENT', 'UNSIGNED_INT', 'sampler2D', 1],
    ['DEPTH_COMPONENT32F', 'DEPTH_COMPONENT', 'FLOAT', 'sampler2D', 1],
  ];
  const bytes: Record<string, number> = {
    FLOAT: 4,
    INT: 4,
    UNSIGNED_SHORT: 2,
    UNSIGNED_INT: 4,
    UNSIGNED_INT_2_10_10_10_REV: 4,
  };
  const counts: Record<string, number> = { RGBA: 4, RGBA_INTEGER: 4, RGB: 3, RG: 2, RG_INTEGER: 2 };
  const views: Record<string, (raw: Uint8Array) => ArrayBufferView> = {
    BYTE: (raw) => new Int8Array(raw.buffer),
    FLOAT: (raw) => Float32Array.from(raw, (value) => value / 255),
    INT: (raw) => new Int32Array(raw.buffer),
  };
  const side = 8;
  const draws = table.map(([internal, format, type, sampler, scale], index) => {
    const packed = /_\d_\d/.test(type);
    const size = packed ? (/INT/.test(type) ? 4 : 2) : (bytes[type] ?? 1) * (counts[format] ?? 1);
    const raw = texels(side * side * (type === 'FLOAT' ? size / 4 : size), index);
    const view =
      views[type]?.(raw) ??
      (type === 'UNSIGNED_BYTE'
        ? raw
        : size % 4 === 0 && /INT/.test(type)
          ? new Uint32Array(raw.buffer)
          : new Uint16Array(raw.buffer));
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    if (index % 2) gl.texStorage2D(gl.TEXTURE_2D, 1, gl[internal], side, side);
    if (index % 2) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, side, side, gl[format], gl[type], view);
    else gl.texImage2D(gl.TEXTURE_2D, 0, gl[internal], side, side, 0, gl[format], gl[type], view);
    nearest(gl, gl.TEXTURE_2D);
    // An attachment makes the recorder read the texture back from the GPU, whether or not it can be drawn to.
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTexture2D(
      gl.FRAMEBUFFER,
      /DEPTH/.test(internal) ? gl.DEPTH_ATTACHMENT : gl.COLOR_ATTACHMENT0,
      gl.TEXTURE_2D,
      texture,
      0,
    );
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const program = link(
      gl,
      fullVertex,
      fragment(`uniform ${sampler} image;`, `fract(vec4(texture(image, uv)) / ${scale}.0 * 0.999)`),
    );
    return { texture, program };
  });
  drawQuad(gl);
  return () => {
    draws.forEach(({ texture, program }, index) => {
      gl.viewport((index % 6) * 16, Math.floor(index / 6) * 16, 15, 15);
      gl.useProgram(program);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    });
  };
};

/** 3D and array textures with mips, samplers, uniform buffers, integer attributes. */
const volumes: Program = (gl) => {
  const program = link(
    gl,
    fullVertex,
    fragment(
      'uniform sampler3D volume; uniform sampler2DArray layers; layout(std140) uniform First { vec4 tint; }; layout(std140) uniform Second { vec4 shade[2]; };',
      'texture(volume, vec3(uv, tint.w)) * tint + textureLod(layers, vec3(uv * 2.0, 2.0), 1.0) * shade[1]',
    ),
  );
  drawQuad(gl);
  gl.useProgram(program);
  gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
  gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA8, 8, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels(8 * 8 * 8 * 4));
  gl.generateMipmap(gl.TEXTURE_3D);
  gl.activeTexture(gl.TEXTURE5);
  gl.bindTexture(gl.TEXTURE_2D_ARRAY, gl.createTexture());
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 3, gl.RGBA8, 16, 16, 4);
  for (let layer = 0; layer < 4; layer++)
    gl.texSubImage3D(
      gl.TEXTURE_2D_ARRAY,
      0,
      0,
      0,
      layer,
      16,
      16,
      1,
      gl.RGBA,
      gl.UNSIGNED_BYTE,
      texels(16 * 16 * 4, layer),
    );
  gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
  const sampler = gl.createSampler();
  gl.samplerParameteri(sampler, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
  gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT);
  gl.bindSampler(5, sampler);
  gl.uniform1i(gl.getUniformLocation(program, 'layers'), 5);
  gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, 'First'), 3);
  gl.uniformBlockBinding(program, gl.getUniformBlockIndex(program, 'Second'), 1);
  const first = buffer(gl, new Float32Array(4), gl.UNIFORM_BUFFER, gl.DYNAMIC_DRAW);
  const second = buffer(gl, new Float32Array(128), gl.UNIFORM_BUFFER);
  gl.bufferSubData(gl.UNIFORM_BUFFER, 256, new Float32Array([9, 9, 9, 9, 0.1, 0.2, 0.3, 0.4]));
  gl.bindBufferBase(gl.UNIFORM_BUFFER, 3, first);
  gl.bindBufferRange(gl.UNIFORM_BUFFER, 1, second, 256, 32);
  let frame = 0;
  return () => {
    gl.bindBuffer(gl.UNIFORM_BUFFER, first);
    gl.bufferSubData(gl.UNIFORM_BUFFER, 0, new Float32Array([0, 0.5, 0.5, 0.5, (frame++ % 10) / 10]), 1, 4);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Particles by transform feedback: what is in the buffers at frame 50 only the GPU knows. */
const particles: Program = (gl) => {
  const move = link(
    gl,
    `#version 300 es
in vec4 state; out vec4 next; void main() { next = vec4(state.xy + state.zw, mix(state.zw, -state.zw, vec2(greaterThan(abs(state.xy), vec2(0.9))))); }`,
    '#version 300 es\nprecision highp float; void main() {}',
    (program) => gl.transformFeedbackVaryings(program, ['next'], gl.INTERLEAVED_ATTRIBS),
  );
  const show = link(
    gl,
    `#version 300 es
layout(location = 0) in vec4 state; out vec2 uv; void main() { uv = state.zw * 20.0; gl_PointSize = 4.0; gl_Position = vec4(state.xy, 0.0, 1.0); }`,
    fragment('', 'vec4(fract(uv), 0.5, 1.0)'),
  );
  const start = Float32Array.from(texels(64 * 4), (value, index) =>
    index % 4 < 2 ? value / 128 - 1 : value / 2550 - 0.05,
  );
  const sides = [0, 1].map(() => {
    const points = buffer(gl, start, gl.ARRAY_BUFFER, gl.DYNAMIC_COPY);
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const at = gl.getAttribLocation(move, 'state');
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 4, gl.FLOAT, false, 0, 0);
    const feedback = gl.createTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, points);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindVertexArray(null);
    return { array, feedback };
  });
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, null);
  let frame = 0;
  return () => {
    const [from, to] = frame++ % 2 ? [sides[1], sides[0]] : sides;
    gl.bindVertexArray(from.array);
    gl.useProgram(move);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, to.feedback);
    gl.enable(gl.RASTERIZER_DISCARD);
    gl.beginTransformFeedback(gl.POINTS);
    gl.drawArrays(gl.POINTS, 0, 64);
    gl.endTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.disable(gl.RASTERIZER_DISCARD);
    gl.useProgram(show);
    gl.bindVertexArray(to.array);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.drawArrays(gl.POINTS, 0, 64);
    gl.bindVertexArray(null);
  };
};

/** Multisampled renderbuffers that keep what earlier frames drew, resolved into two targets; depth and stencil stay too. */
const multisampled: Program = (gl) => {
  const program = link(
    gl,
    `#version 300 es
layout(location = 0) in vec2 at; uniform vec3 place; out vec2 uv; void main() { uv = at; gl_Position = vec4(at * 0.4 + place.xy, place.z, 1.0); }`,
    fragment('uniform vec4 tint;', 'tint'),
  );
  const [place, tint] = ['place', 'tint'].map((name) => gl.getUniformLocation(program, name));
  drawQuad(gl);
  const target = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  for (const [attachment, format] of [
    [gl.COLOR_ATTACHMENT0, gl.RGBA8],
    [gl.DEPTH_STENCIL_ATTACHMENT, gl.DEPTH24_STENCIL8],
  ]) {
    const renderbuffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, format, 96, 64);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, renderbuffer);
  }
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.enable(gl.STENCIL_TEST);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
  let frame = 0;
  return () => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    frame++;
    gl.stencilFunc(gl.GREATER, 9, 0xff);
    // Whole pixels: samples of one pixel are alike, so that contents that go through a resolve are the same again.
    gl.uniform3f(place, ((frame * 7) % 12) / 12 - 0.5, ((frame * 5) % 16) / 16 - 0.5, ((frame * 3) % 11) / 11);
    gl.uniform4f(tint, (frame % 7) / 7, (frame % 5) / 5, (frame % 3) / 3, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, target);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, 96, 64, 0, 0, 96, 64, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  };
};

/** Several draw buffers, a depth texture, uploads from a pixel buffer, a read into one, queries, syncs. */
const targets: Program = (gl) => {
  const fill = link(
    gl,
    fullVertex,
    `#version 300 es
precision highp float; in vec2 uv; uniform float time; layout(location = 0) out vec4 a; layout(location = 2) out vec4 b; void main() { a = vec4(uv, time, 1.0); b = vec4(time, uv, 1.0); gl_FragDepth = fract(uv.x + time); }`,
  );
  const show = link(
    gl,
    fullVertex,
    fragment(
      'uniform sampler2D a, b, depth, image;',
      'uv.x < 0.5 ? texture(a, uv) + texture(image, uv) : texture(b, uv) * texture(depth, uv).r',
    ),
  );
  drawQuad(gl);
  const make = (unit: number, internal: number) => {
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, internal, 32, 32);
    nearest(gl, gl.TEXTURE_2D);
    return texture;
  };
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const [a, b, depth, image] = [make(0, gl.RGBA8), make(1, gl.RGBA8), make(2, gl.DEPTH_COMPONENT24), make(3, gl.RGBA8)];
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, a, 0);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT2, gl.TEXTURE_2D, b, 0);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth, 0);
  gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.NONE, gl.COLOR_ATTACHMENT2]);
  gl.useProgram(show);
  for (const [index, name] of ['a', 'b', 'depth', 'image'].entries())
    gl.uniform1i(gl.getUniformLocation(show, name), index);
  const time = gl.getUniformLocation(fill, 'time');
  const pixels = buffer(gl, texels(64 * 64 * 4), gl.PIXEL_UNPACK_BUFFER);
  const packed = gl.createBuffer();
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  const query = gl.createQuery();
  let frame = 0;
  return () => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, 32, 32);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.ALWAYS);
    gl.useProgram(fill);
    if (frame % 3 === 0) gl.uniform1f(time, (frame % 9) / 9);
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
    if (frame % 3 === 0) gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.endQuery(gl.ANY_SAMPLES_PASSED);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, packed);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, 32 * 32 * 4, gl.STREAM_READ);
    gl.readBuffer(gl.COLOR_ATTACHMENT2);
    gl.readPixels(0, 0, 32, 32, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.activeTexture(gl.TEXTURE3);
    gl.bindTexture(gl.TEXTURE_2D, image);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, frame % 2 ? packed : pixels);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, frame % 2 ? 0 : 64);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, frame % 2 ? 0 : 5);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 32, 16, gl.RGBA, gl.UNSIGNED_BYTE, 1024);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 0);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
    gl.deleteSync(gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0));
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, 96, 64);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(show);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    frame++;
  };
};

/** Draws over what the canvas still holds, depth and stencil included. */
const accumulating: Program = (gl) => {
  const program = link(
    gl,
    `#version 300 es
layout(location = 0) in vec2 at; uniform vec3 place; out vec2 uv; void main() { uv = at; gl_Position = vec4(at * 0.3 + place.xy, place.z, 1.0); }`,
    fragment('uniform vec4 tint;', 'tint'),
  );
  drawQuad(gl);
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.STENCIL_TEST);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
  const [place, tint] = ['place', 'tint'].map((name) => gl.getUniformLocation(program, name));
  let frame = 0;
  return () => {
    frame++;
    gl.stencilFunc(gl.GREATER, 5, 0xff);
    gl.uniform3f(place, Math.sin(frame), Math.cos(frame * 1.7), Math.sin(frame * 2.3));
    gl.uniform4f(tint, (frame % 7) / 7, (frame % 5) / 5, (frame % 3) / 3, 0.5);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** Row lengths, skips, alignments, flipped rows, premultiplied alpha, element offsets; in every frame and before. */
const unpacking: Program = (gl) => {
  const program = link(
    gl,
    fullVertex,
    fragment(
      'uniform sampler2D image; uniform sampler3D volume;',
      'texture(image, uv) + texture(volume, vec3(uv, 0.7)) * 0.5',
    ),
  );
  drawQuad(gl);
  gl.useProgram(program);
  gl.uniform1i(gl.getUniformLocation(program, 'volume'), 1);
  const raw = texels(4096);
  const settings: [number, number | boolean][] = [
    [gl.UNPACK_ROW_LENGTH, 19],
    [gl.UNPACK_SKIP_PIXELS, 2],
    [gl.UNPACK_SKIP_ROWS, 3],
    [gl.UNPACK_ALIGNMENT, 8],
  ];
  const upload = (frame: number) => {
    for (const [name, value] of settings) gl.pixelStorei(name, value);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, frame % 2 === 0);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 1, 2, 9, 5, gl.RGBA, gl.UNSIGNED_BYTE, raw, 4 * (frame % 50));
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.activeTexture(gl.TEXTURE1);
    gl.pixelStorei(gl.UNPACK_IMAGE_HEIGHT, 7);
    gl.pixelStorei(gl.UNPACK_SKIP_IMAGES, 1);
    gl.texSubImage3D(gl.TEXTURE_3D, 0, 1, 0, 1, 3, 4, 2, gl.RG, gl.UNSIGNED_BYTE, raw, frame % 9);
    for (const [name] of settings) gl.pixelStorei(name, name === gl.UNPACK_ALIGNMENT ? 4 : 0);
    gl.pixelStorei(gl.UNPACK_IMAGE_HEIGHT, 0);
    gl.pixelStorei(gl.UNPACK_SKIP_IMAGES, 0);
    gl.activeTexture(gl.TEXTURE0);
  };
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 12, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, raw, 7);
  nearest(gl, gl.TEXTURE_2D);
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
  gl.texStorage3D(gl.TEXTURE_3D, 1, gl.RG8, 5, 5, 5);
  nearest(gl, gl.TEXTURE_3D);
  gl.activeTexture(gl.TEXTURE0);
  let frame = 0;
  return () => {
    upload(frame++);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

/** A compressed texture that changes in part in every frame. */
const compressed: Program = (gl) => {
  const { COMPRESSED_RGBA8_ETC2_EAC } = gl.getExtension('WEBGL_compressed_texture_etc');
  gl.useProgram(link(gl, fullVertex, fragment('uniform sampler2D image;', 'texture(image, uv)')));
  drawQuad(gl);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.compressedTexImage2D(gl.TEXTURE_2D, 0, COMPRESSED_RGBA8_ETC2_EAC, 16, 12, 0, texels(4 * 3 * 16));
  nearest(gl, gl.TEXTURE_2D);
  let frame = 0;
  return () => {
    const blocks = texels(64 + 16, frame);
    gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 4 * (frame++ % 3), 4, 8, 8, COMPRESSED_RGBA8_ETC2_EAC, blocks, 16);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
};

export const webgl2Programs: Readonly<Record<string, Program>> = {
  formats,
  volumes,
  particles,
  multisampled,
  targets,
  accumulating,
  unpacking,
  compressed,
};
