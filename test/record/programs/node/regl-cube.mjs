// regl's own frame loop over headless-gl.
import createGL from 'gl';
import createREGL from 'regl';

const gl = createGL(96, 64);
const regl = createREGL({ gl, extensions: ['ANGLE_instanced_arrays', 'OES_texture_float'] });
const field = regl.texture({
  width: 8,
  height: 8,
  type: 'float',
  data: Array.from({ length: 256 }, (_, i) => (i % 13) / 13),
  min: 'nearest',
  mag: 'nearest',
});
const target = regl.framebuffer({ width: 32, height: 32, depth: true });

const squares = regl({
  framebuffer: target,
  vert: 'precision highp float; attribute vec2 at; attribute vec2 offset; uniform float time; varying vec2 uv; void main() { uv = at; gl_Position = vec4(at * 0.2 + offset + vec2(sin(time), 0) * 0.1, offset.x * 0.1, 1); }',
  frag: 'precision highp float; varying vec2 uv; uniform sampler2D field; void main() { gl_FragColor = texture2D(field, uv * 0.5 + 0.5); }',
  attributes: {
    at: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ],
    offset: {
      buffer: regl.buffer([
        [-0.5, -0.5],
        [0.5, -0.5],
        [0, 0.5],
      ]),
      divisor: 1,
    },
  },
  uniforms: { time: regl.context('time'), field },
  primitive: 'triangle strip',
  count: 4,
  instances: 3,
});
const show = regl({
  vert: 'precision highp float; attribute vec2 at; varying vec2 uv; void main() { uv = at * 0.5 + 0.5; gl_Position = vec4(at, 0, 1); }',
  frag: 'precision highp float; varying vec2 uv; uniform sampler2D image; uniform float tick; void main() { gl_FragColor = texture2D(image, fract(uv + tick * 0.01)); }',
  attributes: {
    at: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ],
  },
  uniforms: { image: target, tick: regl.context('tick') },
  primitive: 'triangle strip',
  count: 4,
});

const loop = regl.frame(({ tick }) => {
  regl.clear({ color: [0.1, 0.1, 0.1, 1], depth: 1, framebuffer: target });
  squares();
  regl.clear({ color: [0, 0, 0, 1], depth: 1 });
  show();
  if (tick > 12) loop.cancel();
});
