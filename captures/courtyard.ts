import { Document, type Material, type Mesh, type Node, type Texture } from '@gltf-transform/core';
import { EXTMeshGPUInstancing, KHRMaterialsUnlit } from '@gltf-transform/extensions';
import { encode } from 'fast-png';
import { box, pillar, type Shape, sphere } from './shapes.ts';

type Color = [number, number, number, number];

/** A small PNG whose pixels come from a function of x and y. */
function picture(size: number, pixel: (x: number, y: number) => Color): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) data.set(pixel(x, y).map(Math.round), (y * size + x) * 4);
  return new Uint8Array(encode({ width: size, height: size, data, channels: 4, depth: 8 }));
}

/** Numbers that look random and are the same every time. */
const speckle = (x: number, y: number): number => (Math.imul(x * 374761393 + y * 668265263, 1274126177) >>> 24) / 255;

/** Builds the scene of scene.cap: a courtyard with a colonnade, trees, a statue, lanterns, banners and glass. */
class Courtyard {
  readonly document = new Document();
  readonly #buffer = this.document.createBuffer();
  readonly #scene = this.document.createScene('courtyard');
  readonly #unlit = this.document.createExtension(KHRMaterialsUnlit);
  readonly #instancing = this.document.createExtension(EXTMeshGPUInstancing);

  texture(name: string, size: number, pixel: (x: number, y: number) => Color): Texture {
    return this.document.createTexture(name).setMimeType('image/png').setImage(picture(size, pixel));
  }

  material(name: string, color: Color, roughness: number, metallic = 0): Material {
    return this.document
      .createMaterial(name)
      .setBaseColorFactor(color)
      .setRoughnessFactor(roughness)
      .setMetallicFactor(metallic);
  }

  glowing(name: string, color: Color): Material {
    return this.material(name, color, 1).setExtension('KHR_materials_unlit', this.#unlit.createUnlit());
  }

  mesh(name: string, ...parts: readonly (readonly [Shape, Material])[]): Mesh {
    const { document } = this;
    const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>) =>
      document.createAccessor().setType(type).setArray(array).setBuffer(this.#buffer);
    const mesh = document.createMesh(name);
    for (const [shape, material] of parts)
      mesh.addPrimitive(
        document
          .createPrimitive()
          .setAttribute('POSITION', accessor('VEC3', shape.positions))
          .setAttribute('NORMAL', accessor('VEC3', shape.normals))
          .setAttribute('TEXCOORD_0', accessor('VEC2', shape.uvs))
          .setIndices(accessor('SCALAR', shape.indices))
          .setMaterial(material),
      );
    return mesh;
  }

  /** A node below `parent`, or below the scene. */
  node(name: string, at: [number, number, number], mesh: Mesh | null = null, parent?: Node): Node {
    const node = this.document.createNode(name).setTranslation(at).setMesh(mesh);
    if (parent) parent.addChild(node);
    else this.#scene.addChild(node);
    return node;
  }

  /** Draws the node's mesh at each of the places. */
  instance(node: Node, places: readonly (readonly [number, number, number])[]): void {
    const array = new Float32Array(places.flat());
    const translation = this.document.createAccessor().setType('VEC3').setArray(array).setBuffer(this.#buffer);
    node.setExtension(
      'EXT_mesh_gpu_instancing',
      this.#instancing.createInstancedMesh().setAttribute('TRANSLATION', translation),
    );
  }
}

/** The courtyard as a glTF document: 54 primitives to draw, 46 of which cast a shadow. */
export function courtyard(): Document {
  const yard = new Courtyard();
  const paving = yard.texture('paving', 64, (x, y) => {
    const joint = x % 16 === 0 || y % 16 === 0;
    const light = joint ? 90 : 150 + 60 * speckle(x >> 4, y >> 4) + 20 * speckle(x, y);
    return [light, light * 0.95, light * 0.85, 255];
  });
  const cloth = yard.texture('cloth', 64, (x, y) => {
    const hole = Math.hypot((x % 16) - 8, (y % 16) - 8) < 4;
    return [180, 30 + 60 * (y / 64), 40, hole ? 0 : 255];
  });
  const grain = yard.texture('grain', 32, (x, y) => {
    const light = 170 + 50 * speckle(x >> 1, y >> 3);
    return [light, light, light, 255];
  });
  const ripples = yard.texture('ripples', 32, (x) => [128 + 60 * Math.cos((x / 32) * 8 * Math.PI), 128, 230, 255]);

  const stone = yard.material('stone', [0.8, 0.78, 0.72, 1], 0.8).setBaseColorTexture(grain);
  const ground = yard.material('paving', [1, 1, 1, 1], 0.9).setBaseColorTexture(paving);
  const bronze = yard.material('bronze', [0.8, 0.5, 0.25, 1], 0.3, 1).setNormalTexture(ripples);
  const bark = yard.material('bark', [0.35, 0.22, 0.12, 1], 1).setBaseColorTexture(grain);
  const leaves = yard.material('leaves', [0.15, 0.42, 0.12, 1], 0.8);
  const glass = yard.material('glass', [0.55, 0.8, 0.9, 0.35], 0.05).setAlphaMode('BLEND').setDoubleSided(true);
  const banner = yard
    .material('banner', [1, 1, 1, 1], 0.9)
    .setBaseColorTexture(cloth)
    .setAlphaMode('MASK')
    .setDoubleSided(true);
  const flame = yard.glowing('flame', [1, 0.8, 0.35, 1]);

  yard.node('ground', [0, -0.1, 0], yard.mesh('slab', [box(16, 0.1, 16, 4), ground]));

  const column = yard.mesh(
    'column',
    [box(1, 0.3, 1), stone],
    [pillar(0.36, 0.3, 2.6, 12), stone],
    [box(0.9, 0.25, 0.9), bronze],
  );
  for (const [side, x] of [
    ['left', -5],
    ['right', 5],
  ] as const) {
    const row = yard.node(`${side} colonnade`, [x, 0, 0]);
    for (let index = 0; index < 6; index++) yard.node(`column ${index + 1}`, [0, 0, index * 2.4 - 6], column, row);
  }

  const grove = yard.node('grove', [0, 0, 0]);
  const places = Array.from({ length: 16 }, (_, index) => {
    const angle = (index / 16) * 2 * Math.PI;
    return [7.2 * Math.cos(angle), 0, 7.2 * Math.sin(angle)] as const;
  });
  const trunks = yard.node('trunks', [0, 0, 0], yard.mesh('trunk', [pillar(0.12, 0.09, 0.8, 6), bark]), grove);
  const crowns = yard.node('crowns', [0, 0.7, 0], yard.mesh('crown', [pillar(0.55, 0, 1.5, 8), leaves]), grove);
  yard.instance(trunks, places);
  yard.instance(crowns, places);

  const statue = yard.node('statue', [0, 0, 0], yard.mesh('pedestal', [box(1.6, 0.8, 1.6), stone]));
  const body = yard.node('body', [0, 0.8, 0], yard.mesh('robe', [pillar(0.6, 0.25, 1.5, 16), bronze]), statue);
  const head = yard.node('head', [0, 1.75, 0], yard.mesh('face', [sphere(0.33, 16, 10), bronze]), body);
  yard.node('hat', [0, 0.2, 0], yard.mesh('cone', [pillar(0.3, 0, 0.6, 12), bronze]), head);

  const lantern = yard.mesh('lantern', [sphere(0.2, 8, 6), flame]);
  const pane = yard.mesh('pane', [box(2.2, 1.6, 0.04), glass]);
  const flag = yard.mesh('flag', [box(1.2, 2, 0.02), banner]);
  for (const [index, [x, z]] of [
    [-2.5, -2.5],
    [2.5, -2.5],
    [2.5, 2.5],
    [-2.5, 2.5],
  ].entries()) {
    const corner = yard.node(`corner ${index + 1}`, [x, 0, z]);
    yard.node('lantern', [0, 2.2, 0], lantern, corner);
    yard.node('screen', [0, 0, 0], pane, corner);
  }
  yard.node('west banner', [-3.5, 0.6, 5], flag);
  yard.node('east banner', [3.5, 0.6, 5], flag);
  return yard.document;
}
