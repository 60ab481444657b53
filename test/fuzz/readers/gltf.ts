import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JSONDocument } from '@gltf-transform/core';
import {
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRLightsPunctual,
  KHRMeshQuantization,
  KHRTextureTransform,
} from '@gltf-transform/extensions';
import { encodePng } from '../../../src/capture/png.ts';
import { openContext } from '../../../src/gl/open.ts';
import { pick, type Random } from '../../helpers/random.ts';
import { Model, modelIo } from '../../record/gltf-models.ts';
import { command } from '../command.ts';
import { damagedBytes, damagedJson, damagedValue, damagedWord } from '../damage.ts';
import { readWhole } from '../read-whole.ts';
import type { Reader } from '../reader.ts';

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Everything that a model can have, once. With a lamp it has a shadow, which takes longer to draw and read than all else. */
function fullModel(hasLamp: boolean): Model {
  const model = new Model();
  const { document } = model;
  const picture = encodePng({ width: 2, height: 2, data: new Uint8Array(16).fill(200) });
  const texture = document
    .createTexture('paper')
    .setImage(picture as Uint8Array<ArrayBuffer>)
    .setMimeType('image/png');
  const material = document
    .createMaterial('lit')
    .setBaseColorTexture(texture)
    .setNormalTexture(texture)
    .setAlphaMode('BLEND');
  const shift = document.createExtension(KHRTextureTransform).createTransform().setOffset([0.5, 0.5]);
  material.getBaseColorTextureInfo()?.setExtension('KHR_texture_transform', shift);
  const mesh = model.quad('cloth', material, [-0.5, -0.5, 0.5, 0.5]);
  const four = (values: readonly number[]) => [...values, ...values, ...values, ...values];
  const moved = model.accessor('VEC3', new Float32Array(four([0, 0.5, 0])));
  mesh
    .listPrimitives()[0]
    .setAttribute('NORMAL', model.accessor('VEC3', new Float32Array(four([0, 0, 1]))))
    .setAttribute('COLOR_0', model.accessor('VEC4', new Float32Array(four([1, 1, 0, 1]))))
    .setAttribute('JOINTS_0', model.accessor('VEC4', new Uint8Array(four([1, 0, 0, 0]))))
    .setAttribute('WEIGHTS_0', model.accessor('VEC4', new Float32Array(four([1, 0, 0, 0]))))
    .addTarget(document.createPrimitiveTarget('up').setAttribute('POSITION', moved));
  mesh.setWeights([0.5]);
  const hip = model.node('hip');
  const knee = model.node('knee', null, hip);
  const matrices = model.accessor('MAT4', new Float32Array([...identity, ...identity]));
  const skin = document.createSkin('bones').addJoint(hip).addJoint(knee).setInverseBindMatrices(matrices);
  const cloth = model.node('cloth', mesh).setSkin(skin);
  const animation = document.createAnimation('bend');
  const times = model.accessor('SCALAR', new Float32Array([0, 1]));
  for (const [node, path, type, values] of [
    [knee, 'translation', 'VEC3', [0.5, 0.5, 0, -0.5, -0.5, 0]],
    [hip, 'rotation', 'VEC4', [0, 0, 0, 1, 0, 0, 1, 0]],
    [cloth, 'weights', 'SCALAR', [0, 1]],
  ] as const) {
    const sampler = document
      .createAnimationSampler()
      .setInput(times)
      .setOutput(model.accessor(type, new Float32Array(values)));
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  }
  const lights = document.createExtension(KHRLightsPunctual);
  if (hasLamp)
    model.node('lamp').setExtension('KHR_lights_punctual', lights.createLight('lamp').setType('spot').setIntensity(5));
  const crowd = document.createExtension(EXTMeshGPUInstancing).createInstancedMesh();
  crowd.setAttribute('TRANSLATION', model.accessor('VEC3', new Float32Array([-0.5, 0.5, 0, 0.5, -0.5, 0])));
  model
    .node('crowd', model.quad('one', model.flat('ink', [0, 0, 1, 1])))
    .setExtension('EXT_mesh_gpu_instancing', crowd);
  return model;
}

/** The same, packed in every way. */
async function models(): Promise<JSONDocument[]> {
  const io = await modelIo();
  const packings = [
    () => {},
    (model: Model) => model.document.createExtension(KHRDracoMeshCompression).setRequired(true),
    (model: Model) => {
      model.document.createExtension(KHRMeshQuantization).setRequired(true);
      model.document.createExtension(EXTMeshoptCompression).setRequired(true);
    },
  ];
  const made: JSONDocument[] = [];
  for (const packing of packings) {
    const model = fullModel(made.length === 0);
    packing(model);
    made.push(await io.writeJSON(model.document, { basename: 'model' }));
  }
  return made;
}

/** Where geometry and animation are: half of the damage goes there. */
const telling = ['accessors', 'bufferViews', 'buffers', 'meshes', 'skins', 'animations', 'nodes', 'images'] as const;

function damagedModel(random: Random, json: JSONDocument['json']): JSONDocument['json'] {
  if (random(2) === 0) return damagedJson(random, json);
  const copy = structuredClone(json) as unknown as Record<string, Record<string, unknown>[] | undefined>;
  for (let times = 1 + random(2) * random(3); times > 0; times--) {
    const item = pick(random, copy[pick(random, telling)] ?? [{}]);
    const key = pick(random, Object.keys(item));
    if (key === undefined) continue;
    item[key] = typeof item[key] === 'object' ? damagedJson(random, item[key]) : damagedValue(random, item[key]);
  }
  return copy as unknown as JSONDocument['json'];
}

/** Chunks of a GLB, whose lengths may be wrong. */
function glb(random: Random, chunks: readonly (readonly [kind: number, bytes: Uint8Array])[]): Buffer {
  const word = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(random(60) === 0 ? damagedWord(random, value) : value);
    return bytes;
  };
  const parts = chunks.flatMap(([kind, bytes]) => {
    const padding = Buffer.alloc(-bytes.length & 3, 0x20);
    return [word(bytes.length + padding.length), word(kind), bytes, padding];
  });
  const length = parts.reduce((sum, part) => sum + part.length, 12);
  return Buffer.concat([word(0x46546c67), word(2), word(length), ...parts]);
}

const asData = (bytes: Uint8Array): string =>
  `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

/** glTF models: the JSON, buffers that are packed or not, pictures, and the GLB around them; drawn and recorded on egl. */
export const reader: Reader = {
  async open() {
    const all = await models();
    // Loads the driver.
    (await openContext('egl', { api: 'es' })).destroy();
    return {
      async make(random, folder) {
        const { json, resources } = pick(random, all);
        const damaged = random(6) === 0 ? structuredClone(json) : damagedModel(random, json);
        const hurt = (bytes: Uint8Array): Uint8Array => (random(6) === 0 ? damagedBytes(random, bytes, 8) : bytes);
        const isBinary = random(3) === 0;
        const [first = Buffer.alloc(0)] = Object.values(resources);
        const listed = [damaged.buffers, damaged.images] as unknown[];
        const places = listed
          .flatMap((list) => (Array.isArray(list) ? (list as { uri?: unknown }[]) : []))
          .filter((one) => typeof one?.uri === 'string');
        for (const [index, place] of places.entries()) {
          const bytes = Object.entries(resources).find(([name]) => name === place.uri)?.[1];
          if (bytes === undefined) continue;
          if (isBinary && index === 0) delete place.uri;
          else if (random(2) === 0) place.uri = asData(hurt(bytes));
          else await writeFile(join(folder, String(place.uri)), hurt(bytes));
        }
        const text = Buffer.from(JSON.stringify(damaged));
        const file = isBinary
          ? glb(random, [
              [0x4e4f534a, text],
              [0x004e4942, hurt(first)],
            ])
          : text;
        const path = join(folder, isBinary ? 'hostile.glb' : 'hostile.gltf');
        await writeFile(path, random(20) === 0 ? damagedBytes(random, file) : file);
        return path;
      },
      async read(path, random) {
        const out = join(path, '..', 'out.cap');
        const options = pick(random, [[], ['--camera', '0'], ['--time', '0.5'], ['--frames', '2']]);
        await command('record', 'gltf', path, '-o', out, '--driver', 'egl', '--size', '16x16', ...options);
        await readWhole(out);
      },
    };
  },
};
