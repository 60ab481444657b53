// luma.gl: models with uniform buffers and instances, a framebuffer, a cube texture, transform feedback.
import { luma } from '@luma.gl/core';
import { BufferTransform, CubeGeometry, Geometry, Model, SphereGeometry } from '@luma.gl/engine';
import { webgl2Adapter } from '@luma.gl/webgl';

const canvas = document.createElement('canvas');
canvas.width = 320;
canvas.height = 240;
canvas.style.cssText = 'width: 320px; height: 240px';
document.body.append(canvas);
const device = await luma.createDevice({
  type: 'webgl',
  adapters: [webgl2Adapter],
  createCanvasContext: { canvas, autoResize: false, useDevicePixels: false },
});

const count = 64;
const positions = new Float32Array(count * 4).map((_, index) => Math.sin(index * 12.9) * 0.8);
const speeds = new Float32Array(count * 4).map((_, index) => Math.cos(index * 7.3) * 0.02);
const places = [positions, positions].map((data) => device.createBuffer({ data }));
const motion = device.createBuffer({ data: speeds });

/** Moves the places on and turns them back at the edges, into the other buffer. */
const moves = [0, 1].map(
  (from) =>
    new BufferTransform(device, {
      vs: `#version 300 es
        in vec4 place; in vec4 motion; out vec4 moved;
        void main() { moved = mod(place + motion + 1.0, 2.0) - 1.0; gl_Position = moved; }`,
      outputs: ['moved'],
      attributes: { place: places[from], motion },
      bufferLayout: [
        { name: 'place', format: 'float32x4' },
        { name: 'motion', format: 'float32x4' },
      ],
      vertexCount: count,
      topology: 'point-list',
      feedbackBuffers: { moved: places[1 - from] },
    }),
);

const scene = device.createBuffer({ byteLength: 32, usage: 1 << 6 /* uniform */ });
const block = 'layout(std140) uniform sceneUniforms { vec4 tint; float turn; float aspect; } scene;';
const spin = `
  vec3 spin(vec3 p, float a) {
    p = vec3(p.x * cos(a) - p.z * sin(a), p.y, p.x * sin(a) + p.z * cos(a));
    return vec3(p.x, p.y * 0.9 - p.z * 0.4, p.z * 0.9 + p.y * 0.4);
  }`;
const instanced = {
  vs: `#version 300 es
    in vec3 positions; in vec3 normals; in vec4 place; out vec3 normal; out vec4 colour;
    ${block} ${spin}
    void main() {
      normal = spin(normals, scene.turn + place.w * 6.0);
      colour = vec4(place.xyz * 0.5 + 0.5, 1.0);
      vec3 at = spin(positions, scene.turn + place.w * 6.0) * 0.07 + place.xyz;
      gl_Position = vec4(at.x / scene.aspect * 1.3, at.y, at.z * 0.5, 1.0);
    }`,
  fs: `#version 300 es
    precision highp float;
    in vec3 normal; in vec4 colour; out vec4 result;
    ${block}
    void main() { result = vec4(colour.rgb * scene.tint.rgb * (0.5 + 0.5 * dot(normalize(normal), vec3(0.3, 0.6, -0.7))), 1.0); }`,
  bufferLayout: [{ name: 'place', format: 'float32x4', stepMode: 'instance' }],
  instanceCount: count,
  bindings: { sceneUniforms: scene },
  parameters: { depthWriteEnabled: true, depthCompare: 'less-equal', cullMode: 'back' },
};
const boxes = [0, 1].map(
  (from) => new Model(device, { ...instanced, geometry: new CubeGeometry(), attributes: { place: places[from] } }),
);

const sky = device.createTexture({
  dimension: 'cube',
  width: 16,
  height: 16,
  format: 'rgba8unorm',
  mipLevels: 5,
  sampler: { minFilter: 'linear', magFilter: 'linear', mipmapFilter: 'linear' },
});
for (let face = 0; face < 6; face++) {
  const data = new Uint8Array(1024).map((_, index) =>
    index % 4 === 3 ? 255 : index % 4 === face % 3 ? 255 - (index >> 4) * 2 : 40 + face * 20,
  );
  sky.writeData(data, { z: face });
}
sky.generateMipmapsWebGL();
const ball = new Model(device, {
  vs: `#version 300 es
    in vec3 positions; out vec3 direction;
    ${block} ${spin}
    void main() {
      direction = spin(positions, scene.turn);
      gl_Position = vec4(positions.x * 0.45 / scene.aspect, positions.y * 0.45, positions.z * 0.2, 1.0);
    }`,
  fs: `#version 300 es
    precision highp float;
    uniform samplerCube sky; in vec3 direction; out vec4 result;
    void main() { result = textureLod(sky, direction, 1.5); }`,
  geometry: new SphereGeometry({ nlat: 12, nlong: 20 }),
  bindings: { sky, sceneUniforms: scene },
  parameters: instanced.parameters,
});

const image = device.createTexture({
  width: 160,
  height: 120,
  format: 'rgba16float',
  usage: 0x14 /* sampled, rendered */,
  sampler: { magFilter: 'linear', minFilter: 'linear' },
});
const target = device.createFramebuffer({
  width: 160,
  height: 120,
  colorAttachments: [image],
  depthStencilAttachment: 'depth24plus-stencil8',
});
const corners = new Geometry({
  topology: 'triangle-strip',
  vertexCount: 4,
  attributes: { positions: { size: 2, value: new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]) } },
});
const show = new Model(device, {
  vs: '#version 300 es\nin vec2 positions; out vec2 at; void main() { at = positions * 0.5 + 0.5; gl_Position = vec4(positions, 0.0, 1.0); }',
  fs: `#version 300 es
    precision highp float;
    uniform sampler2D image; in vec2 at; out vec4 result;
    void main() {
      vec2 step = vec2(dFdx(at.x), dFdy(at.y)) * 2.0;
      vec3 glow = (texture(image, at + step).rgb + texture(image, at - step).rgb) * 0.3;
      result = vec4(texture(image, at).rgb * 0.7 + glow, 1.0);
    }`,
  geometry: corners,
  bindings: { image },
  parameters: { depthWriteEnabled: false, depthCompare: 'always' },
});

let frame = 0;
function draw() {
  const from = frame++ % 2;
  moves[from].run();
  scene.write(new Float32Array([1, 0.9, 0.8, 1, frame * 0.05, 4 / 3, 0, 0]));
  const offscreen = device.beginRenderPass({
    framebuffer: target,
    clearColor: [0.1, 0.15, 0.25, 1],
    clearDepth: 1,
    clearStencil: 0,
  });
  boxes[1 - from].draw(offscreen);
  ball.draw(offscreen);
  offscreen.end();
  const onscreen = device.beginRenderPass({ clearColor: [0, 0, 0, 1] });
  show.draw(onscreen);
  onscreen.end();
  device.submit();
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
