// Babylon.js: PBR with an environment, shadows (blurred and cascaded), glow, post-processes, instances, a mirror.
import { ArcRotateCamera } from '@babylonjs/core/Cameras/arcRotateCamera.js';
import { Constants } from '@babylonjs/core/Engines/constants.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { GlowLayer } from '@babylonjs/core/Layers/glowLayer.js';
import { CascadedShadowGenerator } from '@babylonjs/core/Lights/Shadows/cascadedShadowGenerator.js';
import { ShadowGenerator } from '@babylonjs/core/Lights/Shadows/shadowGenerator.js';
import '@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent.js';
import { DirectionalLight } from '@babylonjs/core/Lights/directionalLight.js';
import { HemisphericLight } from '@babylonjs/core/Lights/hemisphericLight.js';
import { SpotLight } from '@babylonjs/core/Lights/spotLight.js';
import { PBRMaterial } from '@babylonjs/core/Materials/PBR/pbrMaterial.js';
import { StandardMaterial } from '@babylonjs/core/Materials/standardMaterial.js';
import { DynamicTexture } from '@babylonjs/core/Materials/Textures/dynamicTexture.js';
import { MirrorTexture } from '@babylonjs/core/Materials/Textures/mirrorTexture.js';
import { RawCubeTexture } from '@babylonjs/core/Materials/Textures/rawCubeTexture.js';
import { Color3, Color4 } from '@babylonjs/core/Maths/math.color.js';
import { Plane } from '@babylonjs/core/Maths/math.plane.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { MeshBuilder } from '@babylonjs/core/Meshes/meshBuilder.js';
import '@babylonjs/core/Meshes/thinInstanceMesh.js';
import '@babylonjs/core/Meshes/instancedMesh.js';
import { DefaultRenderingPipeline } from '@babylonjs/core/PostProcesses/RenderPipeline/Pipelines/defaultRenderingPipeline.js';
import { Scene } from '@babylonjs/core/scene.js';

const canvas = document.createElement('canvas');
canvas.width = 320;
canvas.height = 240;
document.body.append(canvas);
const engine = new Engine(canvas, true, { stencil: true, adaptToDeviceRatio: false });
// Shaders are ready when they are first used, so every load draws the same frames.
engine.getCaps().parallelShaderCompile = undefined;

const scene = new Scene(engine);
scene.clearColor = new Color4(0.15, 0.2, 0.3, 1);
const camera = new ArcRotateCamera('camera', -1.2, 1.1, 9, new Vector3(0, 0.6, 0), scene);
camera.minZ = 0.5;
camera.maxZ = 40;
new HemisphericLight('sky', new Vector3(0, 1, 0), scene).intensity = 0.3;
const sun = new DirectionalLight('sun', new Vector3(-1, -2, 1), scene);
sun.position = new Vector3(5, 9, -5);
sun.intensity = 2;
const spot = new SpotLight('spot', new Vector3(-4, 6, -3), new Vector3(0.6, -1, 0.4), 1, 2, scene);
spot.diffuse = new Color3(0.3, 0.6, 1);
spot.intensity = 60;

// Six faces: a sky that brightens upwards, each face tinted its own way.
const faces = Array.from({ length: 6 }, (_, face) =>
  new Uint8Array(32 * 32 * 4).map((_, index) => {
    const row = (index >> 2) >> 5;
    return index % 4 === 3 ? 255 : 60 + (31 - row) * 4 + (index % 4 === face % 3 ? 60 : 0);
  }),
);
scene.environmentTexture = new RawCubeTexture(scene, faces, 32, Constants.TEXTUREFORMAT_RGBA, 0, true, false, 3);

const image = new DynamicTexture('image', { width: 64, height: 64 }, scene, true);
const pen = image.getContext();
const gradient = pen.createRadialGradient(32, 32, 0, 32, 32, 45);
gradient.addColorStop(0, '#ddccbb');
gradient.addColorStop(1, '#885533');
pen.fillStyle = gradient;
pen.fillRect(0, 0, 64, 64);
image.update();

const balls = Array.from({ length: 6 }, (_, index) => {
  const material = new PBRMaterial(`pbr ${index}`, scene);
  material.albedoColor = Color3.FromHSV(index * 60, 0.6, 0.9);
  material.metallic = (index % 3) / 2;
  material.roughness = 0.1 + index * 0.12;
  if (index === 1) material.albedoTexture = image;
  if (index === 2) material.clearCoat.isEnabled = true;
  if (index === 3) material.emissiveColor = new Color3(0.9, 0.3, 0.1);
  if (index === 4) material.alpha = 0.6;
  const ball = MeshBuilder.CreateSphere(`ball ${index}`, { diameter: 1.1, segments: 12 }, scene);
  ball.position = new Vector3(Math.cos(index) * 2.4, 0.8, Math.sin(index) * 2.4);
  ball.material = material;
  return ball;
});

const post = MeshBuilder.CreateCylinder('post', { height: 1.4, diameter: 0.25, tessellation: 10 }, scene);
post.material = new StandardMaterial('plain', scene);
post.material.diffuseTexture = image;
const posts = [post];
for (let index = 1; index < 6; index++) posts.push(post.createInstance(`post ${index}`));
for (const [index, each] of posts.entries())
  each.position = new Vector3(Math.cos(index * 1.05) * 3.6, 0.7, Math.sin(index * 1.05) * 3.6);
const gem = MeshBuilder.CreatePolyhedron('gem', { type: 1, size: 0.2 }, scene);
gem.material = new PBRMaterial('gem', scene);
gem.thinInstanceAdd(
  Array.from({ length: 6 }, (_, index) =>
    Matrix.Translation(Math.cos(index) * 1.2, 0.2 + index * 0.4, Math.sin(index) * 1.2),
  ),
);

const ground = MeshBuilder.CreateGround('ground', { width: 12, height: 12 }, scene);
const floor = new StandardMaterial('floor', scene);
floor.diffuseTexture = image;
floor.specularColor = Color3.Black();
floor.reflectionTexture = new MirrorTexture('mirror', 128, scene, true);
floor.reflectionTexture.mirrorPlane = new Plane(0, -1, 0, 0);
floor.reflectionTexture.renderList = [...balls, gem];
floor.reflectionTexture.level = 0.4;
ground.material = floor;
ground.receiveShadows = true;

const cascades = new CascadedShadowGenerator(256, sun);
const blurred = new ShadowGenerator(128, spot);
blurred.useBlurExponentialShadowMap = true;
for (const caster of [...balls, ...posts]) {
  cascades.addShadowCaster(caster);
  blurred.addShadowCaster(caster);
}
new GlowLayer('glow', scene, { mainTextureFixedSize: 128, blurKernelSize: 16 }).intensity = 0.8;
const pipeline = new DefaultRenderingPipeline('pipeline', true, scene, [camera]);
pipeline.samples = 4;
pipeline.bloomEnabled = true;
pipeline.fxaaEnabled = true;
pipeline.imageProcessing.toneMappingEnabled = true;

await scene.whenReadyAsync();
let frame = 0;
engine.runRenderLoop(() => {
  frame++;
  camera.alpha = -1.2 + frame * 0.01;
  for (const [index, ball] of balls.entries()) ball.position.y = 0.8 + 0.3 * Math.sin(frame * 0.1 + index);
  scene.render();
});
