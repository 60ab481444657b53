// regl on WebGL 1: instanced and indexed draws, a cube map, a float framebuffer that is read the frame after, stencil, blending.
import createRegl from 'regl';

const canvas = document.createElement('canvas');
canvas.width = 320;
canvas.height = 240;
document.body.append(canvas);
const regl = createRegl({
  canvas,
  pixelRatio: 1,
  attributes: { stencil: true, antialias: true, preserveDrawingBuffer: true },
  extensions: ['ANGLE_instanced_arrays', 'OES_texture_float', 'OES_element_index_uint', 'OES_standard_derivatives'],
  optionalExtensions: ['WEBGL_color_buffer_float', 'OES_vertex_array_object', 'EXT_texture_filter_anisotropic'],
});

const checks = Array.from({ length: 16 }, (_, y) =>
  Array.from({ length: 16 }, (_, x) => (((x >> 1) + (y >> 1)) % 2 ? [255, 220, 160, 255] : [60, 40, 90, 255])),
);
const texture = regl.texture({ data: checks, mag: 'linear', min: 'mipmap', mipmap: 'nice', wrap: 'repeat' });
const face = (r, g, b) => ({
  width: 8,
  height: 8,
  data: new Uint8Array(256).map((_, index) => [r, g, b, 255][index % 4] - ((index >> 2) % 8) * 8),
});
const cube = regl.cube(
  face(255, 80, 80),
  face(80, 255, 80),
  face(80, 80, 255),
  face(255, 255, 80),
  face(80, 255, 255),
  face(255, 80, 255),
);
// Two targets by turns: each frame blends the one before with the new picture.
const trails = [0, 1].map(() => regl.framebuffer({ width: 128, height: 128, colorType: 'float', depthStencil: false }));

const quad = {
  attributes: {
    position: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ],
  },
  primitive: 'triangle strip',
  count: 4,
};
const feedback = regl({
  ...quad,
  vert: 'attribute vec2 position; varying vec2 at; void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0.0, 1.0); }',
  frag: `
    precision highp float;
    uniform sampler2D before;
    uniform float tick;
    varying vec2 at;
    void main() {
      float dot = smoothstep(0.12, 0.1, distance(at, vec2(0.5 + 0.35 * cos(tick * 0.1), 0.5 + 0.35 * sin(tick * 0.13))));
      gl_FragColor = vec4(texture2D(before, at).rgb * 0.94 + dot * vec3(0.9, 0.5 + 0.4 * sin(tick * 0.2), 0.2), 1.0);
    }`,
  uniforms: { before: ({ tick }) => trails[tick % 2], tick: ({ tick }) => tick },
  framebuffer: ({ tick }) => trails[(tick + 1) % 2],
});
const show = regl({
  ...quad,
  vert: 'attribute vec2 position; varying vec2 at; void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position, 0.9, 1.0); }',
  frag: `
    #extension GL_OES_standard_derivatives : enable
    precision highp float;
    uniform sampler2D trails, checks;
    varying vec2 at;
    void main() {
      float edge = smoothstep(0.5 - fwidth(at.x * 6.0), 0.5, fract(at.x * 6.0)) * 0.1;
      gl_FragColor = vec4(texture2D(trails, at).rgb + texture2D(checks, at * 3.0).rgb * 0.3 + edge, 1.0);
    }`,
  uniforms: { trails: ({ tick }) => trails[(tick + 1) % 2], checks: texture },
  depth: { enable: false },
});

const boxVertices = [];
const boxElements = [];
for (let corner = 0; corner < 8; corner++)
  boxVertices.push([corner & 1, (corner >> 1) & 1, corner >> 2].map((bit) => bit * 2 - 1));
for (const [a, b, d, e] of [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
])
  boxElements.push([a, b, d], [a, d, e]);
const boxes = regl({
  vert: `
    precision highp float;
    attribute vec3 position;
    attribute vec2 place;
    attribute vec3 tint;
    uniform float tick;
    uniform float aspect;
    varying vec3 direction;
    varying vec3 colour;
    void main() {
      float turn = tick * 0.03 + place.x * 2.0;
      vec3 p = vec3(position.x * cos(turn) - position.z * sin(turn), position.y, position.x * sin(turn) + position.z * cos(turn));
      direction = p;
      colour = tint;
      gl_Position = vec4(place + vec2(p.x / aspect, p.y * 0.9 + p.z * 0.3) * 0.11, p.z * 0.1, 1.0);
    }`,
  frag: `
    precision highp float;
    uniform samplerCube cube;
    varying vec3 direction;
    varying vec3 colour;
    void main() { gl_FragColor = vec4(textureCube(cube, direction).rgb * colour, 1.0); }`,
  attributes: {
    position: boxVertices,
    place: {
      buffer: Array.from({ length: 24 }, (_, index) => [
        -0.85 + (index % 6) * 0.34,
        -0.7 + Math.floor(index / 6) * 0.45,
      ]),
      divisor: 1,
    },
    tint: { buffer: Array.from({ length: 24 }, (_, index) => [1 - index / 40, 0.5 + index / 48, 0.8]), divisor: 1 },
  },
  elements: regl.elements({ data: boxElements.flat(), type: 'uint32', primitive: 'triangles' }),
  instances: 24,
  uniforms: { cube, tick: ({ tick }) => tick, aspect: 320 / 240 },
});

const disc = Array.from({ length: 34 }, (_, index) =>
  index ? [Math.cos(index * 0.196) * 0.5, Math.sin(index * 0.196) * 0.6] : [0, 0],
);
const flat = (options) =>
  regl({
    vert: 'attribute vec2 position; uniform float turn; void main() { gl_Position = vec4(mat2(cos(turn), sin(turn), -sin(turn), cos(turn)) * position, 0.0, 1.0); }',
    frag: 'precision mediump float; uniform vec4 colour; void main() { gl_FragColor = colour; }',
    uniforms: { colour: regl.prop('colour'), turn: regl.prop('turn') },
    depth: { enable: false },
    ...options,
  });
const stencil = { enable: true, mask: 0xff };
const cutOut = flat({
  attributes: { position: disc },
  count: 34,
  primitive: 'triangle fan',
  colorMask: [false, false, false, false],
  stencil: {
    ...stencil,
    func: { cmp: 'always', ref: 1, mask: 0xff },
    opFront: { fail: 'keep', zfail: 'keep', zpass: 'replace' },
  },
});
const stripes = flat({
  attributes: {
    position: Array.from({ length: 36 }, (_, index) => [
      -0.9 + Math.floor(index / 3) * 0.15 + (index % 3) * 0.03,
      index % 3 === 1 ? 1 : -1,
    ]),
  },
  count: 36,
  stencil: { ...stencil, func: { cmp: 'equal', ref: 1, mask: 0xff } },
  blend: { enable: true, func: { src: 'src alpha', dst: 'one minus src alpha' } },
});

regl.frame(({ tick }) => {
  regl.clear({ color: [0, 0, 0, 1], depth: 1, stencil: 0 });
  feedback();
  show();
  boxes();
  cutOut({ colour: [0, 0, 0, 0], turn: 0 });
  stripes([0, 0.7].map((turn) => ({ colour: [1 - turn / 2, 1, turn / 2, 0.6], turn: turn + tick * 0.01 })));
});
