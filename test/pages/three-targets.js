// three.js render targets: multisampled with a depth texture, several outputs, a cube camera, layers of an array; and 3D data.
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer();
renderer.setPixelRatio(1);
renderer.setSize(320, 240);
renderer.autoClear = false;
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x6688aa);
const camera = new THREE.PerspectiveCamera(50, 320 / 240, 1, 20);
camera.position.set(0, 2, 6);
camera.lookAt(0, 0.5, 0);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(2, 5, 4);
scene.add(sun, new THREE.AmbientLight(0x667788, 1.5));

const boxes = new THREE.Group();
for (let index = 0; index < 8; index++) {
  const colour = new THREE.Color().setHSL(index / 8, 0.8, 0.5);
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(0.7, 0.7, 0.7), new THREE.MeshLambertMaterial({ color: colour }));
  mesh.position.set(Math.cos(index * 0.785) * 2.4, 0.4, Math.sin(index * 0.785) * 2.4);
  boxes.add(mesh);
}
scene.add(boxes);

// A mirror ball that a cube camera draws the scene for, with mipmaps.
const cubeTarget = new THREE.WebGLCubeRenderTarget(64, {
  generateMipmaps: true,
  minFilter: THREE.LinearMipmapLinearFilter,
});
const cubeCamera = new THREE.CubeCamera(0.1, 20, cubeTarget);
cubeCamera.position.set(0, 0.6, 0);
const mirror = new THREE.Mesh(
  new THREE.SphereGeometry(1, 32, 16),
  new THREE.MeshBasicMaterial({ envMap: cubeTarget.texture }),
);
mirror.position.copy(cubeCamera.position);
scene.add(mirror);

const multisampled = new THREE.WebGLRenderTarget(160, 120, { samples: 4 });
multisampled.depthTexture = new THREE.DepthTexture(160, 120, THREE.UnsignedIntType);
const plain = new THREE.WebGLRenderTarget(160, 120);
plain.depthTexture = new THREE.DepthTexture(160, 120, THREE.UnsignedInt248Type);
plain.depthTexture.format = THREE.DepthStencilFormat;
const several = new THREE.WebGLRenderTarget(160, 120, { count: 3, type: THREE.HalfFloatType });
const layers = new THREE.WebGLArrayRenderTarget(80, 60, 4);

const volume = new Uint8Array(16 ** 3).map((_, index) => {
  const [x, y, z] = [index & 15, (index >> 4) & 15, index >> 8];
  return Math.max(0, 255 - 4 * ((x - 8) ** 2 + (y - 8) ** 2 + (z - 8) ** 2));
});
const cloud = new THREE.Data3DTexture(volume, 16, 16, 16);
cloud.format = THREE.RedFormat;
cloud.minFilter = cloud.magFilter = THREE.LinearFilter;
cloud.unpackAlignment = 1;
cloud.needsUpdate = true;
const stripes = new Uint8Array(3 * 8 * 8 * 4).map((_, index) =>
  (index % 4 === index >> 8 || index % 4 === 3) && (index >> 2) % 3 ? 255 : 30,
);
const array = new THREE.DataArrayTexture(stripes, 8, 8, 3);
array.needsUpdate = true;

/** A full-screen shader that reads the given textures. */
function shader(uniforms, body) {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    depthTest: false,
    uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
    vertexShader: 'out vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader: `in vec2 at; ${body}`,
  });
}
const mixing = shader(
  { cloud, stripes: array, phase: 0 },
  `layout(location = 0) out vec4 first; layout(location = 1) out vec4 second; layout(location = 2) out vec4 third;
   precision highp sampler3D; precision highp sampler2DArray;
   uniform sampler3D cloud; uniform sampler2DArray stripes; uniform float phase;
   void main() {
     float density = texture(cloud, vec3(at, 0.5 + 0.4 * sin(phase))).r;
     first = vec4(density * 1.6, density * density, 0.2, 1.0);
     second = texture(stripes, vec3(at * 2.0, floor(at.x * 3.0)));
     third = vec4(at, 1.0 - density, 1.0);
   }`,
);
const layering = shader(
  { layer: 0 },
  'uniform float layer; out vec4 colour; void main() { colour = vec4(at.x, layer / 3.0, step(0.5, fract(at.y * 4.0)), 1.0); }',
);
const showing = shader(
  { image: null, depth: null, layers: layers.texture, mode: 0 },
  `precision highp sampler2DArray;
   uniform sampler2D image, depth; uniform sampler2DArray layers; uniform int mode; out vec4 colour;
   void main() {
     if (mode == 0) colour = vec4(texture(image, at).rgb, 1.0);
     else if (mode == 1) colour = vec4(vec3(pow(texture(depth, at).r, 12.0)), 1.0);
     else colour = texture(layers, vec3(fract(at * 2.0), floor(at.x * 2.0) + 2.0 * floor(at.y * 2.0)));
   }`,
);
const screen = new THREE.Mesh(new THREE.PlaneGeometry(2, 2));
screen.frustumCulled = false;

function drawScreen(material, target, layer = 0) {
  screen.material = material;
  renderer.setRenderTarget(target, layer);
  renderer.render(screen, camera);
}

function show(x, y, size, mode, image, depth) {
  renderer.setViewport(x, y, size, size * 0.75);
  Object.assign(showing.uniforms.image, { value: image });
  Object.assign(showing.uniforms.depth, { value: depth });
  showing.uniforms.mode.value = mode;
  drawScreen(showing, null);
}

let frame = 0;
renderer.setAnimationLoop(() => {
  frame++;
  boxes.rotation.y = frame * 0.02;
  mirror.visible = false;
  cubeCamera.update(renderer, scene);
  mirror.visible = true;
  for (const target of [multisampled, plain]) {
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(scene, camera);
  }
  mixing.uniforms.phase.value = frame * 0.05;
  drawScreen(mixing, several);
  for (let layer = 0; layer < 4; layer++) {
    layering.uniforms.layer.value = layer;
    drawScreen(layering, layers, layer);
  }
  show(0, 120, 160, 0, multisampled.texture, null);
  show(160, 120, 160, 0, plain.texture, null);
  show(0, 60, 80, 1, null, multisampled.depthTexture);
  show(80, 60, 80, 1, null, plain.depthTexture);
  show(160, 60, 80, 2, null, null);
  for (let index = 0; index < 3; index++) show(index * 80, 0, 80, 0, several.textures[index], null);
  renderer.setRenderTarget(null);
});
