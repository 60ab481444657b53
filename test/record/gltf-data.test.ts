import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { tempFolder } from '../helpers/files.ts';
import { type Color, hueOf, Model, modelIo, recordDocument, recordModel } from './gltf-models.ts';

const green: Color = [0, 1, 0, 1];

/** A quad that covers the lower left quarter, and nothing else. */
async function expectQuarter({ at }: { at(x: number, y: number): readonly number[] }): Promise<void> {
  assert.deepEqual([at(-0.5, -0.5), at(0.5, -0.5), at(-0.5, 0.5), at(0.5, 0.5)].map(hueOf), [
    'green',
    'background',
    'background',
    'background',
  ]);
}

describe('how a glTF model may hold its meshes', () => {
  it('quantised: normalized bytes and the scale of the node', async (t) => {
    const model = new Model();
    model.document.createExtension(KHRMeshQuantization).setRequired(true);
    const mesh = model.quad('small', model.flat('ink', green));
    const positions = new Int8Array([-127, -127, 0, 127, -127, 0, 127, 127, 0, -127, 127, 0]);
    mesh.listPrimitives()[0].setAttribute('POSITION', model.accessor('VEC3', positions).setNormalized(true));
    model.node('small', mesh).setScale([0.5, 0.5, 1]).setTranslation([-0.5, -0.5, 0]);
    await expectQuarter(await recordDocument(model, await tempFolder(t)));
  });

  it('sparse: over zeros, and over an accessor with an offset of its own', async (t) => {
    const folder = await tempFolder(t);
    // Padding, four positions of a quad that covers everything, the four places to replace, and what to.
    const bytes = Buffer.concat([
      Buffer.alloc(12),
      Buffer.from(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]).buffer),
      Buffer.from(new Uint16Array([0, 1, 2, 3]).buffer),
      Buffer.from(new Float32Array([-1, -1, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0]).buffer),
      Buffer.from(new Uint16Array([0, 1, 2, 0, 2, 3]).buffer),
    ]);
    for (const base of [{}, { bufferView: 0, byteOffset: 12 }]) {
      const json = {
        asset: { version: '2.0' },
        extensionsUsed: ['KHR_materials_unlit'],
        scene: 0,
        scenes: [{ nodes: [0, 1] }],
        nodes: [{ mesh: 0 }, { name: 'front', camera: 0, translation: [0, 0, 5] }],
        cameras: [{ type: 'orthographic', orthographic: { xmag: 1, ymag: 1, znear: 0.1, zfar: 10 } }],
        materials: [{ pbrMetallicRoughness: { baseColorFactor: green }, extensions: { KHR_materials_unlit: {} } }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
        buffers: [
          { byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` },
        ],
        bufferViews: [
          { buffer: 0, byteLength: 60 },
          { buffer: 0, byteOffset: 60, byteLength: 8 },
          { buffer: 0, byteOffset: 68, byteLength: 48 },
          { buffer: 0, byteOffset: 116, byteLength: 12 },
        ],
        accessors: [
          {
            ...base,
            componentType: 5126,
            count: 4,
            type: 'VEC3',
            min: [-1, -1, 0],
            max: [1, 1, 0],
            sparse: { count: 4, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 2 } },
          },
          { bufferView: 3, componentType: 5123, count: 6, type: 'SCALAR' },
        ],
      };
      const path = join(folder, 'sparse.gltf');
      await writeFile(path, JSON.stringify(json));
      await expectQuarter(await recordModel(path, folder));
    }
  });

  for (const [name, require] of [
    ['Draco', (model: Model) => model.document.createExtension(KHRDracoMeshCompression).setRequired(true)],
    ['meshopt', (model: Model) => model.document.createExtension(EXTMeshoptCompression).setRequired(true)],
  ] as const)
    it(`compressed with ${name}`, async (t) => {
      const model = new Model();
      require(model);
      const mesh = model.quad('panel', model.flat('ink', green), [-1, -1, 0, 0]);
      mesh
        .listPrimitives()[0]
        .setAttribute('NORMAL', model.accessor('VEC3', new Float32Array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])));
      model.node('panel', mesh);
      await expectQuarter(await recordDocument(model, await tempFolder(t)));
    });

  it('in files beside it, with names that are percent-encoded', async (t) => {
    const model = new Model();
    model.node('panel', model.quad('panel', model.flat('ink', green), [-1, -1, 0, 0]));
    model.buffer.setURI('my data.bin');
    const folder = await tempFolder(t);
    const { json, resources } = await (await modelIo()).writeJSON(model.document);
    await writeFile(join(folder, 'my data.bin'), resources['my data.bin']);
    for (const buffer of json.buffers ?? []) buffer.uri = 'my%20data.bin';
    await writeFile(join(folder, 'model.gltf'), JSON.stringify(json));
    await expectQuarter(await recordModel(join(folder, 'model.gltf'), folder));
  });

  it('with a skin, posed at a time', async (t) => {
    const model = new Model();
    const mesh = model.quad('cloth', model.flat('ink', green), [-0.5, -0.5, 0.5, 0.5]);
    mesh
      .listPrimitives()[0]
      .setAttribute(
        'JOINTS_0',
        model.accessor('VEC4', new Uint8Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])),
      )
      .setAttribute(
        'WEIGHTS_0',
        model.accessor('VEC4', new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])),
      );
    const root = model.node('hip');
    const knee = model.node('knee', null, root);
    const skin = model.document
      .createSkin('bones')
      .addJoint(root)
      .addJoint(knee)
      .setInverseBindMatrices(model.accessor('MAT4', new Float32Array([...unit(0, 0), ...unit(0, 0)])));
    // The node's own place does not count for a skinned mesh.
    model.node('cloth', mesh).setSkin(skin).setTranslation([9, 9, 9]);
    const times = model.accessor('SCALAR', new Float32Array([0, 1]));
    const path = model.accessor('VEC3', new Float32Array([0.5, 0.5, 0, -0.5, -0.5, 0]));
    const sampler = model.document.createAnimationSampler().setInput(times).setOutput(path);
    const channel = model.document
      .createAnimationChannel()
      .setTargetNode(knee)
      .setTargetPath('translation')
      .setSampler(sampler);
    model.document.createAnimation('bend').addSampler(sampler).addChannel(channel);
    const folder = await tempFolder(t);
    const before = await recordDocument(model, folder, ['--time', '0']);
    assert.equal(hueOf(before.at(0.5, 0.5)), 'green');
    assert.equal(hueOf(before.at(-0.5, -0.5)), 'background');
    await expectQuarter(await recordDocument(model, folder, ['--time', '1']));
  });

  for (const [interpolation, values, half] of [
    ['LINEAR', [0, 1], 'middle'],
    ['STEP', [0, 1], 'start'],
    ['CUBICSPLINE', [0, 0, 0, 0, 1, 0], 'middle'],
  ] as const)
    it(`with morph targets, ${interpolation} between keys`, async (t) => {
      const model = new Model();
      const mesh = model.quad('drop', model.flat('ink', green), [-0.2, 0.6, 0.2, 1]).setWeights([0]);
      const down = new Float32Array([0, -1.6, 0, 0, -1.6, 0, 0, -1.6, 0, 0, -1.6, 0]);
      const target = model.document
        .createPrimitiveTarget('down')
        .setAttribute('POSITION', model.accessor('VEC3', down));
      mesh.listPrimitives()[0].addTarget(target);
      const node = model.node('drop', mesh);
      const sampler = model.document
        .createAnimationSampler()
        .setInput(model.accessor('SCALAR', new Float32Array([0, 1])))
        .setOutput(model.accessor('SCALAR', new Float32Array(values)))
        .setInterpolation(interpolation);
      const channel = model.document
        .createAnimationChannel()
        .setTargetNode(node)
        .setTargetPath('weights')
        .setSampler(sampler);
      model.document.createAnimation('fall').addSampler(sampler).addChannel(channel);
      const folder = await tempFolder(t);
      const where = async (time: string) => {
        const { at } = await recordDocument(model, folder, ['--time', time]);
        const places = { start: at(0, 0.8), middle: at(0, 0), end: at(0, -0.8) };
        return Object.entries(places).flatMap(([name, pixel]) => (hueOf(pixel) === 'green' ? [name] : []));
      };
      assert.deepEqual(await where('0'), ['start']);
      assert.deepEqual(await where('0.5'), [half]);
      assert.deepEqual(await where('2'), ['end']);
    });

  it('moves on from frame to frame', async (t) => {
    const model = new Model();
    const node = model.node('slider', model.quad('panel', model.flat('ink', green), [-0.2, -0.2, 0.2, 0.2]));
    const sampler = model.document
      .createAnimationSampler()
      .setInput(model.accessor('SCALAR', new Float32Array([0, 2 / 60])))
      .setOutput(model.accessor('VEC3', new Float32Array([-0.8, 0, 0, 0.8, 0, 0])));
    const channel = model.document
      .createAnimationChannel()
      .setTargetNode(node)
      .setTargetPath('translation')
      .setSampler(sampler);
    model.document.createAnimation('slide').addSampler(sampler).addChannel(channel);
    const { at, stderr } = await recordDocument(model, await tempFolder(t), ['--frames', '3']);
    assert.match(stderr, /: 3 frames of /);
    assert.equal(hueOf(at(0.8, 0)), 'green');
    assert.equal(hueOf(at(-0.8, 0)), 'background');
  });
});

function unit(x: number, y: number): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1];
}
