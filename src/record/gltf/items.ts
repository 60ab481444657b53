import type { Accessor, Document, Primitive } from '@gltf-transform/core';
import type { WebGl2 } from '../../gl/webgl2-context.ts';
import { readFloats } from './accessors.ts';
import { type Box, centerOf, emptyBox, grow, growByPrimitive } from './bounds.ts';
import { type Drawable, type GeometryStore, type PrimitiveShape, shapeOf } from './geometry.ts';
import { type Surface, surfaceOf } from './materials.ts';
import type { Vec3 } from './math.ts';
import { morphAttribute, morphed } from './morph.ts';
import type { PathStep, PosedMesh, PosedScene } from './pose.ts';

type Buffer = ReturnType<WebGl2['createBuffer']>;
type Texture = ReturnType<WebGl2['createTexture']>;

/** One draw: a primitive of a mesh on a node, with what it needs on the GPU. */
export interface Item {
  readonly shape: PrimitiveShape;
  readonly surface: Surface;
  readonly drawable: Drawable;
  readonly path: readonly PathStep[];
  /** What of the geometry the programs must know. */
  readonly defines: readonly string[];
  readonly joints: Texture | null;
  readonly instanceCount: number | null;
  /** Middle of the mesh's own box, for sorting. */
  readonly center: Vec3;
  /** Changed by {@link ItemStore.pose}. */
  posed: PosedMesh;
}

interface Entry extends Item {
  readonly morphBuffers: ReadonlyMap<(typeof morphed)[number], Buffer> | null;
}

const geometryDefines: readonly (readonly [string, string])[] = [
  ['NORMAL', 'HAS_NORMAL'],
  ['TANGENT', 'HAS_TANGENT'],
  ['TEXCOORD_0', 'HAS_UV0'],
  ['TEXCOORD_1', 'HAS_UV1'],
  ['COLOR_0', 'HAS_COLOR'],
];

const flat = (matrices: readonly (readonly number[])[]): Float32Array => new Float32Array(matrices.flat());

function middleOf(shape: PrimitiveShape): Vec3 {
  const box = emptyBox();
  const positions = readFloats((shape.attributes.get('POSITION') as { accessor: Accessor }).accessor);
  for (let at = 0; at + 3 <= positions.length; at += 3) grow(box, positions.subarray(at, at + 3));
  return centerOf(box);
}

/** The draws of a scene. The list is made once; poses change what the draws' buffers hold. */
export class ItemStore {
  readonly #gl: WebGl2;
  readonly #geometry: GeometryStore;
  readonly #entries: Entry[] = [];

  constructor(gl: WebGl2, geometry: GeometryStore, document: Document, scene: PosedScene) {
    this.#gl = gl;
    this.#geometry = geometry;
    const meshes = new Map(
      document
        .getRoot()
        .listMeshes()
        .map((mesh, index) => [mesh, index]),
    );
    const plain = new Map<Primitive, Drawable>();
    const shapes = new Map<Primitive, PrimitiveShape | null>();
    for (const posed of scene.meshes) {
      const meshName = posed.mesh.getName() || `mesh ${meshes.get(posed.mesh)}`;
      const joints = posed.joints ? gl.createTexture() : null;
      const instances = posed.instances ? this.#upload(flat(posed.instances)) : undefined;
      for (const [index, primitive] of posed.mesh.listPrimitives().entries()) {
        if (!shapes.has(primitive)) shapes.set(primitive, shapeOf(primitive, `primitive ${index} of ${meshName}`));
        const shape = shapes.get(primitive);
        if (shape) this.#add(posed, shape, { meshName, index, joints, instances, plain });
      }
    }
  }

  #upload(data: Float32Array): Buffer {
    const gl = this.#gl;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  }

  #add(
    posed: PosedMesh,
    shape: PrimitiveShape,
    from: {
      meshName: string;
      index: number;
      joints: Texture | null;
      instances: Buffer | undefined;
      plain: Map<Primitive, Drawable>;
    },
  ): void {
    const { primitive } = shape;
    const isSkinned = from.joints !== null && shape.attributes.has('JOINTS_0') && shape.attributes.has('WEIGHTS_0');
    const morphBuffers =
      primitive.listTargets().length > 0
        ? new Map(morphed.filter((name) => shape.attributes.has(name)).map((name) => [name, this.#gl.createBuffer()]))
        : null;
    const isPlain = !isSkinned && !morphBuffers && !from.instances;
    const drawable =
      (isPlain && from.plain.get(primitive)) ||
      this.#geometry.drawable(shape, {
        replaced: morphBuffers ?? undefined,
        instances: isSkinned ? undefined : from.instances,
        jointCount: posed.joints?.length,
      });
    if (isPlain) from.plain.set(primitive, drawable);
    const surface = surfaceOf(primitive.getMaterial(), shape, `primitive ${from.index}`);
    const defines = geometryDefines.flatMap(([semantic, define]) =>
      shape.attributes.has(semantic as 'NORMAL') ? [define] : [],
    );
    if (isSkinned) defines.push('SKINNED');
    if (isSkinned && shape.attributes.has('JOINTS_1') && shape.attributes.has('WEIGHTS_1')) defines.push('SKINNED_8');
    if (!isSkinned && posed.instances) defines.push('INSTANCED');
    this.#entries.push({
      shape,
      surface,
      drawable,
      path: [...posed.path, { key: posed, name: from.meshName }, { key: {}, name: surface.name }],
      defines,
      joints: isSkinned ? from.joints : null,
      instanceCount: !isSkinned && posed.instances ? posed.instances.length : null,
      center: middleOf(shape),
      posed,
      morphBuffers,
    });
  }

  get items(): readonly Item[] {
    return this.#entries;
  }

  /** Where everything stands, for framing. */
  bounds(): Box {
    const box = emptyBox();
    for (const { posed, shape } of this.#entries) growByPrimitive(box, posed, shape);
    return box;
  }

  /** Uploads what `scene` (the same document at some time) moves: joints and morphed vertices. */
  pose(scene: PosedScene): void {
    const gl = this.#gl;
    const byNode = new Map(scene.meshes.map((posed) => [posed.node, posed]));
    const done = new Set<object>();
    for (const entry of this.#entries) {
      entry.posed = byNode.get(entry.posed.node) ?? entry.posed;
      const { posed, joints, morphBuffers, shape } = entry;
      if (joints && posed.joints && !done.has(joints)) {
        done.add(joints);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, joints);
        const rows = posed.joints.length;
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 4, rows, 0, gl.RGBA, gl.FLOAT, flat(posed.joints));
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
      }
      for (const [semantic, buffer] of morphBuffers ?? []) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        const values = morphAttribute(shape, semantic, posed.weights);
        if (values) gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
      }
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
  }
}
