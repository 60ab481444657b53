// Most of three.js' materials in one scene, with shadows and an environment map made by PMREMGenerator.
import * as THREE from 'three';
import { RoomEnvironment } from 'three/examples/jsm/environments/RoomEnvironment.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setPixelRatio(1);
renderer.setSize(320, 240);
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFShadowMap;
renderer.toneMapping = THREE.ACESFilmicToneMapping;
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x223344);
scene.fog = new THREE.Fog(0x223344, 12, 30);
const pmrem = new THREE.PMREMGenerator(renderer);
scene.environment = pmrem.fromScene(new RoomEnvironment(), 0.04).texture;
scene.environmentIntensity = 0.5;
const camera = new THREE.PerspectiveCamera(40, 320 / 240, 0.1, 100);
camera.position.set(0, 4.5, 10);
camera.lookAt(0, 0.4, 0);

const sun = new THREE.DirectionalLight(0xfff0dd, 2);
sun.position.set(4, 8, 3);
sun.castShadow = true;
sun.shadow.mapSize.set(512, 512);
const spot = new THREE.SpotLight(0x66aaff, 60, 0, 0.5, 0.4);
spot.position.set(-5, 6, 4);
spot.castShadow = true;
spot.shadow.mapSize.set(256, 256);
const point = new THREE.PointLight(0xff8844, 12);
point.position.set(0, 2.5, 2);
point.castShadow = true;
point.shadow.mapSize.set(128, 128);
scene.add(sun, spot, point, new THREE.HemisphereLight(0x8899bb, 0x332211, 0.6));

/** A texture that goes from one colour to another and back, drawn in a canvas. */
function shades(first, second) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d');
  const gradient = pen.createRadialGradient(32, 32, 0, 32, 32, 40);
  gradient.addColorStop(0, first);
  gradient.addColorStop(1, second);
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, 64, 64);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 4;
  return texture;
}

const bumps = new Uint8Array(32 * 32 * 4).map((_, index) =>
  index % 4 === 3 ? 255 : 128 + 100 * Math.sin((index >> 2) * 0.7) * Math.cos((index >> 7) * 0.9),
);
const bumpMap = new THREE.DataTexture(bumps, 32, 32);
bumpMap.generateMipmaps = true;
bumpMap.minFilter = THREE.LinearMipmapLinearFilter;
bumpMap.magFilter = THREE.LinearFilter;
bumpMap.needsUpdate = true;
const steps = new THREE.DataTexture(new Uint8Array([60, 140, 220, 255]), 4, 1, THREE.RedFormat);
steps.needsUpdate = true;

const map = shades('#dd4422', '#ffeecc');
const materials = [
  new THREE.MeshStandardMaterial({ map, roughness: 0.4, metalness: 0.1 }),
  new THREE.MeshStandardMaterial({ color: 0xccccdd, roughness: 0.15, metalness: 1, roughnessMap: bumpMap }),
  new THREE.MeshPhysicalMaterial({ color: 0x2266cc, clearcoat: 1, sheen: 1, iridescence: 1, roughness: 0.5 }),
  new THREE.MeshPhysicalMaterial({ color: 0xddffee, transmission: 1, thickness: 0.6, roughness: 0.1, ior: 1.4 }),
  new THREE.MeshPhongMaterial({ color: 0x44bb44, shininess: 80, bumpMap, bumpScale: 4 }),
  new THREE.MeshLambertMaterial({ color: 0xcc66cc, emissive: 0x220022 }),
  new THREE.MeshToonMaterial({ color: 0xffaa22, gradientMap: steps }),
  new THREE.MeshNormalMaterial({ flatShading: true }),
  new THREE.MeshMatcapMaterial({ matcap: shades('#334455', '#ddeeff') }),
  new THREE.MeshBasicMaterial({ map, transparent: true, opacity: 0.7, side: THREE.DoubleSide }),
];
const knot = new THREE.TorusKnotGeometry(0.45, 0.17, 64, 12);
const meshes = materials.map((material, index) => {
  const mesh = new THREE.Mesh(index % 3 === 1 ? new THREE.SphereGeometry(0.6, 24, 16) : knot, material);
  mesh.position.set(-3.6 + 1.8 * (index % 5), 0.8, index < 5 ? -1.2 : 1.2);
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.name = `mesh ${index}`;
  return mesh;
});
const ground = new THREE.Mesh(new THREE.PlaneGeometry(14, 9), new THREE.MeshStandardMaterial({ map, roughness: 0.9 }));
ground.rotation.set(-Math.PI / 2, 0, 0.2);
ground.receiveShadow = true;

const spiral = new Float32Array(60).map((_, index) => {
  const turn = Math.floor(index / 3) * 0.2;
  return [Math.cos(turn) * 4, 2 + turn * 0.08, Math.sin(turn) * 3][index % 3];
});
const line = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(spiral, 3));
const dashes = new THREE.Line(line, new THREE.LineDashedMaterial({ color: 0x88ffcc, dashSize: 0.3, gapSize: 0.2 }));
dashes.computeLineDistances();
const points = new THREE.Points(line, new THREE.PointsMaterial({ color: 0xffff66, size: 0.15, map: bumpMap }));
points.position.y = 0.5;
const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: shades('#00ffcc', '#0044ff'), rotation: 0.4 }));
sprite.position.set(0, 2.6, -2);
scene.add(...meshes, ground, dashes, points, sprite);

let frame = 0;
renderer.setAnimationLoop(() => {
  frame++;
  for (const [index, mesh] of meshes.entries()) mesh.rotation.set(frame * 0.02, frame * 0.03 + index, 0);
  spot.position.x = -5 + frame * 0.03;
  renderer.render(scene, camera);
});
