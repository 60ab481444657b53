import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Outcome } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { Model, modelIo } from './gltf-models.ts';

interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: tests break it in every way
  [name: string]: any;
}

/** A good model with one quad, as JSON with its buffer inside. */
async function goodModel(): Promise<{ json: Json; bytes: Uint8Array }> {
  const model = new Model();
  const child = model.node('child', model.quad('panel', model.flat('ink', [1, 0, 0, 1])));
  model.node('parent').addChild(child);
  const { json, resources } = await (await modelIo()).writeJSON(model.document);
  const [bytes] = Object.values(resources);
  const copy = JSON.parse(JSON.stringify(json)) as Json;
  copy.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
  return { json: copy, bytes };
}

function glb(json: string, chunkSize = Math.ceil(json.length / 4) * 4): Buffer {
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const header = Buffer.alloc(20);
  [0x46546c67, 2, 20 + text.length, chunkSize, 0x4e4f534a].map((word, index) => header.writeUInt32LE(word, index * 4));
  return Buffer.concat([header, text]);
}

const recordArgs = (path: string, output: string): string[] => [
  'record',
  'gltf',
  path,
  '-o',
  output,
  '--driver',
  'egl',
  '--size',
  '32x32',
];

/** It must be refused with one line that matches, and leave nothing behind. */
function checkRefusal(result: Outcome, output: string, message: RegExp): void {
  const { code, stdout, stderr } = result;
  assert.equal(code, 2, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^gpuprof: [^\n]+\n$/);
  assert.match(stderr, message);
  assert.equal(existsSync(output), false);
}

async function expectRefusal(
  path: string,
  folder: string,
  message: RegExp,
  args: readonly string[] = [],
): Promise<void> {
  const output = join(folder, 'frame.cap');
  checkRefusal(await runInSession([...recordArgs(path, output), ...args]), output, message);
}

describe('models that are refused', () => {
  const spoilt: readonly (readonly [string, (json: Json) => void, RegExp])[] = [
    [
      'a missing buffer file',
      (json) => Object.assign(json.buffers[0], { uri: 'gone.bin' }),
      /buffer 0 .*gone\.bin.* does not exist/,
    ],
    [
      'a missing image file',
      (json) => {
        json.images = [{ uri: 'gone.png' }];
        json.textures = [{ source: 0 }];
      },
      /image 0 .*gone\.png.* does not exist/,
    ],
    [
      'a buffer on the network',
      (json) => Object.assign(json.buffers[0], { uri: 'https://example.org/a.bin' }),
      /only files and data URIs/,
    ],
    [
      'a buffer that is too short',
      (json) => Object.assign(json.buffers[0], { byteLength: 1e6 }),
      /buffer 0 is shorter/,
    ],
    ['a buffer without data', (json) => delete json.buffers[0].uri, /buffer 0 is missing/],
    [
      'a view beyond its buffer',
      (json) => Object.assign(json.bufferViews[0], { byteLength: 1e6 }),
      /bufferView 0 reaches beyond/,
    ],
    [
      'an accessor beyond its view',
      (json) => Object.assign(json.accessors[0], { count: 1000 }),
      /accessor 0 reaches beyond/,
    ],
    [
      'an accessor of an absurd count',
      (json) => {
        json.accessors[0] = { componentType: 5126, type: 'VEC3', count: 4e9 };
      },
      /accessor 0, hold 45776\.4 MiB; at most 512 MiB; raise --max-memory/,
    ],
    [
      'an accessor of no type',
      (json) => Object.assign(json.accessors[0], { componentType: 1 }),
      /accessor 0 has an unknown type/,
    ],
    [
      'fewer normals than positions',
      (json) => {
        const { attributes } = json.meshes[0].primitives[0];
        json.accessors.push({ ...json.accessors[attributes.POSITION], count: 2 });
        attributes.NORMAL = json.accessors.length - 1;
      },
      /NORMAL has fewer elements/,
    ],
    ['a mesh that is not there', (json) => Object.assign(json.nodes[0], { mesh: 7 }), /refers to meshes 7/],
    [
      'a material that is not there',
      (json) => Object.assign(json.meshes[0].primitives[0], { material: 'x' }),
      /refers to materials "x"/,
    ],
    ['a mode that is not there', (json) => Object.assign(json.meshes[0].primitives[0], { mode: 9 }), /no such mode/],
    ['a scene that is not there', (json) => Object.assign(json, { scene: 3 }), /refers to scenes 3/],
    [
      'a node that is its own ancestor',
      (json) => {
        const parent = json.nodes.findIndex((node: Json) => node.children);
        json.nodes[json.nodes[parent].children[0]].children = [parent];
      },
      /own ancestor/,
    ],
    [
      'a node with two parents',
      (json) => json.nodes.push({ children: json.nodes.find((node: Json) => node.children).children }),
      /two parents/,
    ],
    [
      'a matrix that is not finite',
      (json) => Object.assign(json.nodes[0], { scale: [1, 'INFINITE', 1] }),
      /scale of node 0/,
    ],
    [
      'nodes nested too deep',
      (json) => {
        const first = json.nodes.length;
        for (let depth = 0; depth < 300; depth++) json.nodes.push({ children: [first + depth + 1] });
        json.nodes.push({});
      },
      /nested more than 256 deep/,
    ],
    [
      'an unknown extension',
      (json) => Object.assign(json, { extensionsRequired: ['ACME_magic'] }),
      /requires the extension ACME_magic/,
    ],
    ['KTX2 by extension', (json) => Object.assign(json, { extensionsRequired: ['KHR_texture_basisu'] }), /KTX2/],
    [
      'KTX2 by texture',
      (json) => {
        json.images = [{ uri: 'data:image/ktx2;base64,AAAA', mimeType: 'image/ktx2' }];
        json.textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
        json.extensionsUsed = ['KHR_texture_basisu'];
      },
      /texture 0 is KTX2/,
    ],
    [
      'KTX2 by type',
      (json) => {
        json.images = [{ uri: 'data:image/ktx2;base64,AAAA' }];
        json.textures = [{ source: 0 }];
        json.materials[0].pbrMetallicRoughness.baseColorTexture = { index: 0 };
      },
      /is KTX2, which is not supported; convert it/,
    ],
    [
      'an image that is no image',
      (json) => {
        json.images = [{ uri: 'data:image/png;base64,AAAA', name: 'wood' }];
        json.textures = [{ source: 0 }];
        json.materials[0].pbrMetallicRoughness.baseColorTexture = { index: 0 };
      },
      /image of texture wood cannot be decoded/,
    ],
    [
      'an image of no type',
      (json) => {
        json.images = [{ uri: 'data:;base64,AAAA', mimeType: 1 }];
      },
      /the mimeType of image 0 is not text/,
    ],
    ['glTF 1.0', (json) => Object.assign(json.asset, { version: '1.0' }), /it is glTF 1\.0/],
    ['lists that are none', (json) => Object.assign(json, { meshes: { 0: 1 } }), /"meshes" is not a list/],
  ];
  let folder: string;
  let results: readonly Outcome[];
  const output = (index: number) => join(folder, `${index}.cap`);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gpuprof-test-'));
    const lines = spoilt.map(async ([, spoil], index) => {
      const { json } = await goodModel();
      spoil(json);
      const path = join(folder, `${index}.gltf`);
      await writeFile(path, JSON.stringify(json).replaceAll('"INFINITE"', '1e999'));
      return recordArgs(path, output(index));
    });
    results = await Promise.all((await Promise.all(lines)).map((line) => runInSession(line)));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  for (const [index, [name, , message]] of spoilt.entries())
    it(name, () => {
      checkRefusal(results[index], output(index), message);
      assert.match(results[index].stderr, new RegExp(`\\b${index}\\.gltf\\b`), 'it names the model');
    });

  it('an index beyond the vertices', async (t) => {
    const folder = await tempFolder(t);
    const { json, bytes } = await goodModel();
    const view = json.bufferViews[json.accessors[json.meshes[0].primitives[0].indices].bufferView];
    const spoilt = Buffer.from(bytes);
    spoilt.writeUInt16LE(500, view.byteOffset ?? 0);
    json.buffers[0].uri = `data:;base64,${spoilt.toString('base64')}`;
    const path = join(folder, 'model.gltf');
    await writeFile(path, JSON.stringify(json));
    await expectRefusal(path, folder, /primitive 0 of panel: index 500 is beyond its 4 vertices/);
  });

  it('files outside its folder, by name or by link', async (t) => {
    const folder = await tempFolder(t);
    const own = join(folder, 'model');
    await mkdir(join(own, 'parts'), { recursive: true });
    const { json, bytes } = await goodModel();
    await writeFile(join(folder, 'secret.bin'), bytes);
    await writeFile(join(own, 'parts', 'own.bin'), bytes);
    await symlink(join(folder, 'secret.bin'), join(own, 'link.bin'));
    await symlink('..', join(own, 'up'));
    await symlink('parts', join(own, 'way'));
    const path = join(own, 'model.gltf');
    const read = (uri: string) => writeFile(path, JSON.stringify({ ...json, buffers: [{ ...json.buffers[0], uri }] }));
    const absolute = join(folder, 'secret.bin');
    for (const uri of [
      '../secret.bin',
      '%2e%2e/secret.bin',
      'parts/../../secret.bin',
      absolute,
      'link.bin',
      'up/secret.bin',
    ]) {
      await read(uri);
      await expectRefusal(
        path,
        folder,
        /buffer 0 of .*model\.gltf \(.*\) is not in the model's folder or below it; a model's files/,
      );
    }
    await read('parts/../way/own.bin');
    const { code, stderr } = await runInSession(recordArgs(path, join(folder, 'frame.cap')));
    assert.equal(code, 0, stderr);
  });

  it('files that are no model, or cut short anywhere', async (t) => {
    const folder = await tempFolder(t);
    const path = join(folder, 'model.glb');
    await expectRefusal(join(folder, 'none.glb'), folder, /none\.glb does not exist/);
    await expectRefusal(folder, folder, /is not a file/);
    for (const [bytes, message] of [
      [Buffer.alloc(0), /is not a glTF model/],
      [Buffer.from('not a model at all'), /is not a glTF model/],
      [Buffer.from('[]'), /it is not a glTF model/],
      [Buffer.from('{"asset":{"version":"2.0"}}').subarray(0, 20), /JSON cannot be read/],
      [glb('{"asset":{"version":"2.0"}}', 4000), /cut short/],
      [glb('{"asset":{"version":"2.0"}}').subarray(0, 12), /no JSON chunk/],
      [glb('{"asset":'), /JSON cannot be read/],
    ] as const) {
      await writeFile(path, bytes);
      await expectRefusal(path, folder, message);
    }
  });

  it('a node that 32 bits do not place is left out, which is told', async (t) => {
    const folder = await tempFolder(t);
    const { json } = await goodModel();
    const path = join(folder, 'model.gltf');
    const child = json.nodes.find(({ name }: Json) => name === 'child');
    const note = 'gpuprof: note: left out, since 32 bits do not hold where they stand: "child", and what is below them';
    for (const [entry, told] of [
      [1, false],
      [1e39, true],
      [1e308, true],
    ] as const) {
      child.matrix = [entry, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
      await writeFile(path, JSON.stringify(json));
      const { code, stderr } = await runInSession(recordArgs(path, join(folder, 'frame.cap')));
      assert.deepEqual([code, stderr.includes(note)], [0, told], stderr);
    }
  });

  it('a camera that the model does not have', async (t) => {
    const folder = await tempFolder(t);
    const { json } = await goodModel();
    const path = join(folder, 'model.gltf');
    await writeFile(path, JSON.stringify(json));
    await expectRefusal(path, folder, /no camera "side"; it has front/, ['--camera', 'side']);
    await expectRefusal(path, folder, /cannot be used with option '--orbit/, ['--camera', 'front', '--orbit', '3']);
    await expectRefusal(path, folder, /1280x720/, ['--size', '0x10']);
  });
});
