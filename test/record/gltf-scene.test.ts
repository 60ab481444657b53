import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXTMeshGPUInstancing, KHRTextureTransform } from '@gltf-transform/extensions';
import sharp from 'sharp';
import { tempFolder } from '../helpers/files.ts';
import { type Color, hueOf, Model, recordDocument } from './gltf-models.ts';

const red: Color = [1, 0, 0, 1];
const green: Color = [0, 1, 0, 1];
const blue: Color = [0, 0, 1, 1];

describe('what a glTF scene is drawn as', () => {
  it('gives every draw the names of scene, pass, nodes, mesh and material', async (t) => {
    const model = new Model();
    const lit = model.document.createMaterial('paint').setBaseColorFactor(green).setMetallicFactor(0);
    const parent = model.node('parent');
    model.node('left', model.quad('panel', lit, [-1, -1, 0, 1]), parent);
    model.node('right', model.quad('panel', model.flat('ink', red), [0, -1, 1, 1]), parent);
    const { draws, at, stderr } = await recordDocument(model, await tempFolder(t));
    assert.deepEqual(draws, [
      'test scene > shadow pass > parent > left > panel > paint',
      'test scene > main pass > parent > left > panel > paint',
      'test scene > main pass > parent > right > panel > ink',
      'test scene > post pass',
    ]);
    assert.equal(hueOf(at(-0.5, 0)), 'green');
    assert.equal(hueOf(at(0.5, 0)), 'red');
    assert.match(stderr, /frame\.cap: 1 frame of 4 draws, 64x64, /);
  });

  it('places nodes by their parents, with mirrored faces still in front', async (t) => {
    const model = new Model();
    const mirrored = model.node('mirror').setScale([-0.5, 0.5, 1]).setTranslation([-0.5, 0.5, 0]);
    model.node('child', model.quad('panel', model.flat('ink', blue)), mirrored);
    const { at } = await recordDocument(model, await tempFolder(t));
    assert.equal(hueOf(at(-0.5, 0.5)), 'blue');
    assert.equal(hueOf(at(0.5, 0.5)), 'background');
    assert.equal(hueOf(at(-0.5, -0.5)), 'background');
  });

  it('culls back faces unless the material has two sides', async (t) => {
    const model = new Model();
    const turned = (name: string, x: number, twoSided: boolean) =>
      model
        .node(name, model.quad(name, model.flat(name, red).setDoubleSided(twoSided), [-0.4, -1, 0.4, 1]))
        .setRotation([0, 1, 0, 0])
        .setTranslation([x, 0, 0]);
    turned('one', -0.5, false);
    turned('two', 0.5, true);
    const { at } = await recordDocument(model, await tempFolder(t));
    assert.equal(hueOf(at(-0.5, 0)), 'background');
    assert.equal(hueOf(at(0.5, 0)), 'red');
  });

  for (const type of ['png', 'jpeg', 'webp'] as const)
    it(`samples ${type} textures, through their transform`, async (t) => {
      const model = new Model();
      const pixels = sharp({ create: { width: 32, height: 32, channels: 3, background: '#ff0000' } }).composite([
        { input: { create: { width: 16, height: 32, channels: 3, background: '#00ff00' } }, left: 16, top: 0 },
      ]);
      const image = new Uint8Array(await pixels.toFormat(type).toBuffer());
      const texture = model.document.createTexture('two halves').setMimeType(`image/${type}`).setImage(image);
      const material = model.flat('print', [1, 1, 1, 1]).setBaseColorTexture(texture);
      const moved = model.flat('moved', [1, 1, 1, 1]).setBaseColorTexture(texture);
      const transform = model.document.createExtension(KHRTextureTransform).createTransform().setOffset([0.5, 0]);
      moved.getBaseColorTextureInfo()?.setExtension('KHR_texture_transform', transform);
      model.node('above', model.quad('above', material, [-1, 0, 1, 1]));
      model.node('below', model.quad('below', moved, [-1, -1, 1, 0]));
      if (type === 'webp') {
        const { EXTTextureWebP } = await import('@gltf-transform/extensions');
        model.document.createExtension(EXTTextureWebP).setRequired(true);
      }
      const { at } = await recordDocument(model, await tempFolder(t));
      assert.deepEqual([at(-0.5, 0.5), at(0.5, 0.5)].map(hueOf), ['red', 'green']);
      assert.deepEqual([at(-0.5, -0.5), at(0.5, -0.5)].map(hueOf), ['green', 'red']);
    });

  it('multiplies vertex colours in', async (t) => {
    const model = new Model();
    const mesh = model.quad('painted', model.flat('white', [1, 1, 1, 1]));
    const colors = new Uint8Array([255, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 255]);
    mesh.listPrimitives()[0].setAttribute('COLOR_0', model.accessor('VEC4', colors).setNormalized(true));
    model.node('painted', mesh);
    const { at } = await recordDocument(model, await tempFolder(t));
    assert.equal(hueOf(at(-0.95, 0)), 'red');
    assert.equal(hueOf(at(0.95, 0)), 'blue');
  });

  it('cuts out by alpha, and blends the farthest first', async (t) => {
    const model = new Model();
    const cut = model.flat('cut', [0, 1, 0, 0.4]).setAlphaMode('MASK').setAlphaCutoff(0.5);
    const kept = model.flat('kept', [0, 1, 0, 0.6]).setAlphaMode('MASK').setAlphaCutoff(0.5);
    model.node('cut', model.quad('cut', cut, [-1, 0, 0, 1]));
    model.node('kept', model.quad('kept', kept, [0, 0, 1, 1]));
    const near = model.flat('near', [1, 0, 0, 0.9]).setAlphaMode('BLEND');
    const far = model.flat('far', [0, 0, 1, 0.9]).setAlphaMode('BLEND');
    model.node('near', model.quad('near', near, [-1, -1, 1, 0])).setTranslation([0, 0, 1]);
    model.node('far', model.quad('far', far, [-1, -1, 1, 0])).setTranslation([0, 0, -1]);
    const { at, draws } = await recordDocument(model, await tempFolder(t));
    assert.equal(hueOf(at(-0.5, 0.5)), 'background');
    assert.equal(hueOf(at(0.5, 0.5)), 'green');
    assert.equal(hueOf(at(0, -0.5)), 'red');
    assert.deepEqual(
      draws.slice(-3).map((path) => path.split(' > ').at(-1)),
      ['far', 'near', 'post pass'],
    );
  });

  it('casts a shadow on what is behind', async (t) => {
    const model = new Model();
    const paint = model.document.createMaterial('paint').setMetallicFactor(0).setRoughnessFactor(1);
    model.node('wall', model.quad('wall', paint)).setTranslation([0, 0, -1]);
    model.node('blocker', model.quad('blocker', paint, [-0.2, 0.2, 0.2, 0.6])).setTranslation([0, 0, 0]);
    const { at } = await recordDocument(model, await tempFolder(t));
    // The default sun comes from the upper right and the front: (0.45, 0.8, 0.55).
    const shade = at(-0.75, -0.95)[0];
    const light = at(0.8, 0.8)[0];
    assert.ok(light - shade > 30, `lit ${light}, in the shadow ${shade}`);
  });

  it('draws points, lines, strips and fans, with and without indices', async (t) => {
    const model = new Model();
    const draw = (mode: 0 | 1 | 2 | 3 | 4 | 5 | 6, points: readonly number[], indices?: readonly number[]) => {
      const primitive = model.document
        .createPrimitive()
        .setMode(mode)
        .setAttribute('POSITION', model.accessor('VEC3', new Float32Array(points)))
        .setMaterial(model.flat(`mode ${mode}`, green));
      if (indices) primitive.setIndices(model.accessor('SCALAR', new Uint8Array(indices)));
      model.node(`mode ${mode}`, model.document.createMesh(`mode ${mode}`).addPrimitive(primitive));
    };
    draw(0, [-0.75, 0.75, 0]);
    draw(1, [-0.4, 0.75, 0, -0.1, 0.75, 0], [0, 1]);
    draw(2, [0.1, 0.9, 0, 0.4, 0.9, 0, 0.4, 0.6, 0]);
    draw(3, [0.6, 0.9, 0, 0.9, 0.9, 0, 0.9, 0.6, 0], [0, 1, 2]);
    draw(4, [-0.9, -0.9, 0, -0.6, -0.9, 0, -0.6, -0.6, 0]);
    draw(5, [-0.4, -0.4, 0, -0.4, -0.9, 0, 0, -0.4, 0, 0, -0.9, 0], [0, 1, 2, 3]);
    draw(6, [0.5, -0.9, 0, 0.9, -0.9, 0, 0.9, -0.4, 0, 0.5, -0.4, 0]);
    const { at, calls } = await recordDocument(model, await tempFolder(t));
    const modes = calls.filter((call) => /^glDraw(A|E)/.test(call.signature.name)).map((call) => call.args[0]);
    assert.deepEqual(modes, [0, 1, 2, 3, 4, 5, 6, 4]);
    assert.equal(hueOf(at(-0.75, 0.75)), 'green');
    assert.equal(hueOf(at(-0.65, -0.85)), 'green');
    assert.equal(hueOf(at(-0.2, -0.6)), 'green');
    assert.equal(hueOf(at(0.7, -0.6)), 'green');
  });

  it('draws instances in one call', async (t) => {
    const model = new Model();
    const instancing = model.document.createExtension(EXTMeshGPUInstancing).setRequired(true);
    const places = model.accessor('VEC3', new Float32Array([-0.5, 0.5, 0, 0.5, -0.5, 0]));
    const sizes = model.accessor('VEC3', new Float32Array([0.2, 0.2, 1, 0.4, 0.4, 1]));
    model
      .node('crowd', model.quad('one', model.flat('ink', blue)))
      .setExtension(
        'EXT_mesh_gpu_instancing',
        instancing.createInstancedMesh().setAttribute('TRANSLATION', places).setAttribute('SCALE', sizes),
      );
    const { at, calls } = await recordDocument(model, await tempFolder(t));
    const instanced = calls.filter((call) => call.signature.name === 'glDrawElementsInstanced');
    assert.deepEqual(
      instanced.map((call) => call.args[4]),
      [2],
    );
    assert.deepEqual([at(-0.5, 0.5), at(0.5, -0.5), at(0.2, -0.2), at(-0.2, 0.5), at(0, 0.9)].map(hueOf), [
      'blue',
      'blue',
      'blue',
      'background',
      'background',
    ]);
  });

  it('frames the whole model when no camera is asked for', async (t) => {
    const model = new Model();
    model
      .node('far away', model.quad('panel', model.flat('ink', red).setDoubleSided(true)))
      .setTranslation([1000, 50, 0]);
    const { at } = await recordDocument(model, await tempFolder(t), ['--orbit', '0']);
    assert.equal(hueOf(at(0, 0)), 'red');
    assert.equal(hueOf(at(0.98, 0.98)), 'background');
  });
});
