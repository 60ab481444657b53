// three.js: instancing, batching, skinning, morph targets and an animation mixer.
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
renderer.setPixelRatio(1);
renderer.setSize(320, 240);
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(45, 320 / 240, 0.1, 100);
camera.position.set(0, 3, 9);
camera.lookAt(0, 1, 0);
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.position.set(3, 6, 5);
scene.add(sun, new THREE.AmbientLight(0x8899aa, 1));

// Instances with their own matrices and colours.
const cubes = new THREE.InstancedMesh(new THREE.BoxGeometry(0.3, 0.3, 0.3), new THREE.MeshLambertMaterial(), 200);
const matrix = new THREE.Matrix4();
for (let index = 0; index < cubes.count; index++)
  cubes.setColorAt(index, new THREE.Color().setHSL(index / cubes.count, 0.8, 0.5));
scene.add(cubes);

// A batch: several geometries, one (multi-)draw.
const batch = new THREE.BatchedMesh(12, 2000, 6000, new THREE.MeshStandardMaterial({ roughness: 0.6 }));
const shapes = [new THREE.ConeGeometry(0.3, 0.7, 12), new THREE.SphereGeometry(0.3, 12, 8)].map((shape) =>
  batch.addGeometry(shape),
);
for (let index = 0; index < 12; index++) {
  const id = batch.addInstance(shapes[index % 2]);
  batch.setMatrixAt(id, matrix.makeTranslation(-3.3 + index * 0.6, -1.2, 2));
  batch.setColorAt(id, new THREE.Color().setHSL(index / 12, 0.5, 0.6));
}
scene.add(batch);

// A pipe that bends on a chain of bones.
const segments = 6;
const pipe = new THREE.CylinderGeometry(0.35, 0.5, segments * 0.6, 10, segments * 3, true);
const skinIndices = [];
const skinWeights = [];
const vertex = new THREE.Vector3();
for (let index = 0; index < pipe.attributes.position.count; index++) {
  const along = (vertex.fromBufferAttribute(pipe.attributes.position, index).y + segments * 0.3) / 0.6;
  const bone = Math.min(Math.floor(along), segments - 1);
  skinIndices.push(bone, bone + 1, 0, 0);
  skinWeights.push(1 - (along - bone), along - bone, 0, 0);
}
pipe.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(skinIndices, 4));
pipe.setAttribute('skinWeight', new THREE.Float32BufferAttribute(skinWeights, 4));
const bones = Array.from({ length: segments + 1 }, () => new THREE.Bone());
bones[0].position.y = -segments * 0.3;
for (let index = 1; index < bones.length; index++) {
  bones[index].position.y = 0.6;
  bones[index - 1].add(bones[index]);
}
const worm = new THREE.SkinnedMesh(pipe, new THREE.MeshStandardMaterial({ color: 0x44aa88, side: THREE.DoubleSide }));
worm.add(bones[0]);
worm.bind(new THREE.Skeleton(bones));
worm.position.set(-2.2, 1.4, 0);
scene.add(worm);

// A box that morphs into a ball and twists.
const box = new THREE.BoxGeometry(1.6, 1.6, 1.6, 12, 12, 12);
const ball = [];
const twist = [];
for (let index = 0; index < box.attributes.position.count; index++) {
  vertex.fromBufferAttribute(box.attributes.position, index);
  const { x, y, z } = vertex;
  twist.push(x * Math.cos(y) - z * Math.sin(y), y, x * Math.sin(y) + z * Math.cos(y));
  vertex.setLength(1.1);
  ball.push(vertex.x, vertex.y, vertex.z);
}
box.morphAttributes.position = [ball, twist].map((values) => new THREE.Float32BufferAttribute(values, 3));
const morphing = new THREE.Mesh(box, new THREE.MeshPhongMaterial({ color: 0xdd7733, flatShading: true }));
morphing.position.set(2.2, 1.4, 0);
scene.add(morphing);

const times = [0, 1, 2];
const clip = new THREE.AnimationClip('morph', 2, [
  new THREE.NumberKeyframeTrack('.morphTargetInfluences[0]', times, [0, 1, 0]),
  new THREE.NumberKeyframeTrack('.morphTargetInfluences[1]', times, [1, 0, 1]),
]);
const mixer = new THREE.AnimationMixer(morphing);
mixer.clipAction(clip).play();

let frame = 0;
renderer.setAnimationLoop(() => {
  frame++;
  for (let index = 0; index < cubes.count; index++) {
    const turn = index * 0.25 + frame * 0.02;
    matrix.makeRotationY(turn).setPosition(Math.cos(turn) * 4, 3.5 - index * 0.02, Math.sin(turn) * 2 - 2);
    cubes.setMatrixAt(index, matrix);
  }
  cubes.instanceMatrix.needsUpdate = true;
  for (const bone of bones) bone.rotation.z = 0.3 * Math.sin(frame * 0.08);
  mixer.setTime(frame / 60);
  renderer.render(scene, camera);
});
