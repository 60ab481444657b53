// three.js' EffectComposer: depth of field, bloom, a pass of our own, film-like output, anti-aliasing.
import * as THREE from 'three';
import { BokehPass } from 'three/examples/jsm/postprocessing/BokehPass.js';
import { EffectComposer } from 'three/examples/jsm/postprocessing/EffectComposer.js';
import { OutputPass } from 'three/examples/jsm/postprocessing/OutputPass.js';
import { RenderPass } from 'three/examples/jsm/postprocessing/RenderPass.js';
import { ShaderPass } from 'three/examples/jsm/postprocessing/ShaderPass.js';
import { SMAAPass } from 'three/examples/jsm/postprocessing/SMAAPass.js';
import { UnrealBloomPass } from 'three/examples/jsm/postprocessing/UnrealBloomPass.js';

const renderer = new THREE.WebGLRenderer();
renderer.setPixelRatio(1);
renderer.setSize(320, 240);
renderer.toneMapping = THREE.AgXToneMapping;
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(50, 320 / 240, 0.5, 40);
camera.position.set(0, 2, 7);
camera.lookAt(0, 0, 0);
scene.add(new THREE.AmbientLight(0x445566, 2));
const lamp = new THREE.PointLight(0xffddaa, 40);
lamp.position.set(2, 4, 3);
scene.add(lamp);

const group = new THREE.Group();
for (let index = 0; index < 24; index++) {
  const glows = index % 4 === 0;
  const hue = index / 24;
  const material = new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(hue, 0.7, 0.5), roughness: 0.5 });
  if (glows) material.emissive.setHSL(hue, 1, 0.5);
  material.emissiveIntensity = glows ? 3 : 0;
  const mesh = new THREE.Mesh(new THREE.IcosahedronGeometry(0.45, 2), material);
  mesh.position.setFromSphericalCoords(2.6, 0.5 + (index % 6) * 0.4, index * 0.9);
  group.add(mesh);
}
scene.add(group, new THREE.GridHelper(12, 12, 0x335577, 0x223344));

const wave = {
  name: 'wave',
  uniforms: { tDiffuse: { value: null }, phase: { value: 0 } },
  vertexShader: `
    varying vec2 at;
    void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`,
  fragmentShader: `
    uniform sampler2D tDiffuse;
    uniform float phase;
    varying vec2 at;
    void main() {
      vec2 moved = at + vec2(0.004 * sin(at.y * 40.0 + phase), 0.0);
      vec3 colour = texture2D(tDiffuse, moved).rgb;
      gl_FragColor = vec4(colour * (1.0 - 0.5 * dot(at - 0.5, at - 0.5)), 1.0);
    }`,
};

const size = new THREE.Vector2(320, 240);
const target = new THREE.WebGLRenderTarget(320, 240, { type: THREE.HalfFloatType, samples: 4 });
const composer = new EffectComposer(renderer, target);
const wavePass = new ShaderPass(wave);
composer.addPass(new RenderPass(scene, camera));
composer.addPass(new BokehPass(scene, camera, { focus: 6, aperture: 0.002, maxblur: 0.01 }));
composer.addPass(new UnrealBloomPass(size, 0.7, 0.4, 0.6));
composer.addPass(wavePass);
composer.addPass(new OutputPass());
composer.addPass(new SMAAPass());

let frame = 0;
renderer.setAnimationLoop(() => {
  frame++;
  group.rotation.y = frame * 0.02;
  wavePass.uniforms.phase.value = frame * 0.1;
  composer.render(1 / 60);
});
