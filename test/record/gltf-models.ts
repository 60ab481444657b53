import { join } from 'node:path';
import { type Accessor, Document, type Material, type Mesh, type Node, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRMaterialsUnlit } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import { openCapture } from '../../src/capture/open.ts';
import { decodePng } from '../../src/capture/png.ts';
import type { Call } from '../../src/model/call.ts';
import { runInSession } from '../helpers/session.ts';

export type Color = [number, number, number, number];
type Numbers = Float32Array<ArrayBuffer> | Int8Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** A model under construction, seen by the orthographic camera "front": x and y from -1 to 1 fill the picture. */
export class Model {
  readonly document = new Document();
  readonly buffer = this.document.createBuffer();
  readonly scene = this.document.createScene('test scene');
  readonly #unlit = this.document.createExtension(KHRMaterialsUnlit);

  constructor() {
    const camera = this.document
      .createCamera('front')
      .setType('orthographic')
      .setXMag(1)
      .setYMag(1)
      .setZNear(0.1)
      .setZFar(10);
    this.scene.addChild(this.document.createNode('eye').setTranslation([0, 0, 5]).setCamera(camera));
  }

  accessor(type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4', array: Numbers): Accessor {
    return this.document.createAccessor().setType(type).setArray(array).setBuffer(this.buffer);
  }

  /** A material that shows its colour as it is. */
  flat(name: string, color: Color): Material {
    return this.document
      .createMaterial(name)
      .setBaseColorFactor(color)
      .setExtension('KHR_materials_unlit', this.#unlit.createUnlit());
  }

  /** A rectangle that faces the camera. */
  quad(name: string, material: Material, [left, bottom, right, top]: Color = [-1, -1, 1, 1]): Mesh {
    const positions = new Float32Array([left, bottom, 0, right, bottom, 0, right, top, 0, left, top, 0]);
    return this.document.createMesh(name).addPrimitive(
      this.document
        .createPrimitive()
        .setAttribute('POSITION', this.accessor('VEC3', positions))
        .setAttribute('TEXCOORD_0', this.accessor('VEC2', new Float32Array([0, 1, 1, 1, 1, 0, 0, 0])))
        .setIndices(this.accessor('SCALAR', new Uint16Array([0, 1, 2, 0, 2, 3])))
        .setMaterial(material),
    );
  }

  node(name: string, mesh: Mesh | null = null, parent?: Node): Node {
    const node = this.document.createNode(name).setMesh(mesh);
    if (parent) parent.addChild(node);
    else this.scene.addChild(node);
    return node;
  }
}

let io: NodeIO | undefined;

/** gltf-transform with every extension and encoder. */
export async function modelIo(): Promise<NodeIO> {
  await MeshoptDecoder.ready;
  await MeshoptEncoder.ready;
  io ??= new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'draco3d.encoder': await (draco as unknown as { createEncoderModule(): Promise<unknown> }).createEncoderModule(),
    'meshopt.encoder': MeshoptEncoder,
  });
  return io;
}

export interface Recorded {
  readonly width: number;
  readonly height: number;
  /** The canvas's colour at a place, x and y from -1 to 1 with y up. */
  at(x: number, y: number): readonly number[];
  readonly calls: readonly Call[];
  /** Draws by what they draw: the marker above each. */
  readonly draws: readonly string[];
  /** All marker paths in order, joined by " > ". */
  readonly paths: readonly string[];
  readonly stderr: string;
}

const isDraw = (call: Call): boolean => /^glDraw(Arrays|Elements)/.test(call.signature.name);

/** Records a model file with the built program and reads the last frame of the capture. */
export async function recordModel(path: string, folder: string, args: readonly string[] = []): Promise<Recorded> {
  const output = join(folder, 'frame.cap');
  const camera = args.includes('--orbit') ? [] : ['--camera', 'front'];
  const result = await runInSession([
    'record',
    'gltf',
    path,
    '-o',
    output,
    '--size',
    '64x64',
    '--driver',
    'egl',
    ...camera,
    ...args,
  ]);
  if (result.code !== 0) throw new Error(`record gltf ended with ${result.code}: ${result.stderr}`);
  const capture = await openCapture(output);
  const stream = await capture.frame(capture.manifest.frames.length);
  const calls = [...stream];
  const reference = await capture.reference();
  await capture.close();
  if (!reference) throw new Error('the capture has no reference picture');
  const { width, height, data } = decodePng(reference);
  const open: string[] = [];
  const draws: string[] = [];
  const paths: string[] = [];
  for (const call of calls) {
    if (call.signature.name === 'glPushGroupMarkerEXT') {
      open.push(String(call.args[1]));
      paths.push(open.join(' > '));
    } else if (call.signature.name === 'glPopGroupMarkerEXT') open.pop();
    else if (isDraw(call)) draws.push(open.join(' > '));
  }
  return {
    width,
    height,
    at: (x, y) => {
      const column = Math.min(width - 1, Math.floor(((x + 1) / 2) * width));
      const row = Math.min(height - 1, Math.floor(((1 - y) / 2) * height));
      return Array.from(data.subarray((row * width + column) * 4, (row * width + column) * 4 + 4));
    },
    calls,
    draws,
    paths,
    stderr: result.stderr,
  };
}

/** Writes the model as GLB into the folder and records it. */
export async function recordDocument(model: Model, folder: string, args: readonly string[] = []): Promise<Recorded> {
  const path = join(folder, 'model.glb');
  await (await modelIo()).write(path, model.document);
  return recordModel(path, folder, args);
}

/** Which of red, green and blue a pixel shows, or "background" for the grey behind the scene. */
export function hueOf([red, green, blue]: readonly number[]): string {
  const strongest = Math.max(red, green, blue);
  const names = [
    [red, 'red'],
    [green, 'green'],
    [blue, 'blue'],
  ] as const;
  const others = names.filter(([value]) => value < strongest - 60);
  return others.length === 2 ? (names.find(([value]) => value === strongest)?.[1] ?? '') : 'background';
}
