import type { JSONDocument } from '@gltf-transform/core';
import { GpuprofError } from '../../errors.ts';

type Json = JSONDocument['json'];
type Resources = JSONDocument['resources'];
type Definition = Record<string, unknown>;

/** What a model may have at most; far above real models, far below what would exhaust the machine. */
export const modelLimits = {
  fileBytes: 2 ** 30,
  accessorBytes: 2 ** 29,
  nodes: 100_000,
  nodeDepth: 256,
  primitives: 100_000,
  images: 4096,
  imagePixels: 2 ** 26,
  instances: 2 ** 20,
  joints: 2048,
} as const;

/** Required extensions that are drawn, or whose absence only changes the look of a material. */
const known = new Set([
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_anisotropy',
  'KHR_materials_clearcoat',
  'KHR_materials_diffuse_transmission',
  'KHR_materials_dispersion',
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_iridescence',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_unlit',
  'KHR_materials_volume',
  'KHR_mesh_primitive_restart',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_transform',
  'KHR_xmp_json_ld',
]);

const components: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};
const componentBytes: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const isObject = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Checks one model; every failure is a GpuprofError `bad-input` that says where. */
class Checker {
  readonly json: Record<string, unknown>;
  readonly path: string;

  constructor(json: Json, path: string) {
    this.json = json as unknown as Record<string, unknown>;
    this.path = path;
  }

  fail(what: string): never {
    throw new GpuprofError('bad-input', `${this.path}: ${what}`);
  }

  list(name: string): readonly Definition[] {
    const value = this.json[name];
    if (value === undefined) return [];
    if (!Array.isArray(value) || !value.every(isObject)) this.fail(`"${name}" is not a list of objects`);
    return value as Definition[];
  }

  count(where: string, value: unknown, fallback?: number): number {
    if (value === undefined && fallback !== undefined) return fallback;
    if (!isCount(value)) this.fail(`${where} is not a count`);
    return value as number;
  }

  /** Checks that `index` is one of the list's, when there is one. */
  reference(where: string, index: unknown, list: string): void {
    if (index === undefined) return;
    if (!isCount(index) || index >= this.list(list).length)
      this.fail(`${where} refers to ${list} ${JSON.stringify(index)?.slice(0, 20)}, which the model does not have`);
  }

  references(where: string, indices: unknown, list: string): void {
    if (indices === undefined) return;
    if (!Array.isArray(indices)) this.fail(`${where} is not a list`);
    for (const index of indices as unknown[]) this.reference(where, index ?? null, list);
  }

  numbers(where: string, value: unknown, size?: number): void {
    if (value === undefined) return;
    if (!Array.isArray(value) || (size !== undefined && value.length !== size) || !value.every(Number.isFinite))
      this.fail(`${where} is not ${size ?? 'a list of'} numbers`);
  }
}

function checkExtensions(check: Checker): void {
  const required = check.json.extensionsRequired;
  if (required === undefined) return;
  if (!Array.isArray(required)) check.fail('"extensionsRequired" is not a list');
  for (const name of required as unknown[]) {
    if (name === 'KHR_texture_basisu')
      check.fail('its textures are KTX2 (KHR_texture_basisu), which are not supported');
    if (!known.has(String(name)))
      check.fail(`it requires the extension ${String(name).slice(0, 80)}, which is not supported`);
  }
}

/** The bytes an accessor (or part of a sparse one) takes from its buffer view must be there. */
function checkRange(
  check: Checker,
  where: string,
  viewIndex: unknown,
  {
    count,
    size,
    componentSize,
    byteOffset,
  }: { count: number; size: number; componentSize: number; byteOffset: number },
): void {
  check.reference(where, viewIndex, 'bufferViews');
  if (viewIndex === undefined || count === 0) return;
  const view = check.list('bufferViews')[viewIndex as number];
  const stride = check.count(`byteStride of bufferView ${viewIndex}`, view.byteStride, size);
  const end = byteOffset + (count - 1) * stride + size;
  if (byteOffset % componentSize !== 0 || stride < size) check.fail(`${where} is misaligned`);
  if (end > (view.byteLength as number)) check.fail(`${where} reaches beyond its buffer view`);
}

function checkAccessors(check: Checker): void {
  let total = 0;
  for (const [index, accessor] of check.list('accessors').entries()) {
    const where = `accessor ${index}`;
    const size = components[String(accessor.type)];
    const componentSize = componentBytes[Number(accessor.componentType)];
    if (!size || !componentSize) check.fail(`${where} has an unknown type`);
    const count = check.count(`the count of ${where}`, accessor.count);
    total += count * size * componentSize;
    if (total > modelLimits.accessorBytes)
      check.fail(`its accessors hold more than ${modelLimits.accessorBytes / 2 ** 20} MiB`);
    const byteOffset = check.count(`byteOffset of ${where}`, accessor.byteOffset, 0);
    checkRange(check, where, accessor.bufferView, { count, size: size * componentSize, componentSize, byteOffset });
    if (accessor.sparse === undefined) continue;
    const sparse = accessor.sparse;
    if (!isObject(sparse) || !isObject(sparse.indices) || !isObject(sparse.values))
      check.fail(`${where} is broken: sparse`);
    const { indices, values } = sparse as { indices: Definition; values: Definition };
    const sparseCount = check.count(`the sparse count of ${where}`, (sparse as Definition).count);
    if (sparseCount > count) check.fail(`${where} has more sparse values than elements`);
    const indexSize = componentBytes[Number(indices.componentType)];
    if (!indexSize) check.fail(`the sparse indices of ${where} have an unknown type`);
    if (indices.bufferView === undefined || values.bufferView === undefined) check.fail(`${where} is broken: sparse`);
    // Spelt out, because gltf-transform would take the accessor's own offset for a missing one.
    indices.byteOffset ??= 0;
    values.byteOffset ??= 0;
    for (const [part, partSize, partComponent] of [
      [indices, indexSize, indexSize],
      [values, size * componentSize, componentSize],
    ] as const)
      checkRange(check, `the sparse data of ${where}`, part.bufferView, {
        count: sparseCount,
        size: partSize,
        componentSize: partComponent,
        byteOffset: check.count(`a sparse byteOffset of ${where}`, part.byteOffset),
      });
  }
}

function checkViews(check: Checker, resources: Resources | undefined): void {
  const buffers = check.list('buffers');
  for (const [index, buffer] of buffers.entries()) {
    const sizeBytes = check.count(`byteLength of buffer ${index}`, buffer.byteLength);
    if (buffer.uri !== undefined && typeof buffer.uri !== 'string')
      check.fail(`the uri of buffer ${index} is not text`);
    if (!resources) continue;
    const fallback = isObject(buffer.extensions) && Object.keys(buffer.extensions).some((name) => /meshopt/.test(name));
    const bytes = resources[(buffer.uri as string | undefined) ?? '@glb.bin'];
    if (!bytes && !fallback) check.fail(`buffer ${index} is missing`);
    if (bytes && bytes.byteLength < sizeBytes) check.fail(`buffer ${index} is shorter than the model says`);
  }
  for (const [index, view] of check.list('bufferViews').entries()) {
    const where = `bufferView ${index}`;
    const compressed = isObject(view.extensions) ? view.extensions : {};
    const meshopt = compressed.EXT_meshopt_compression ?? compressed.KHR_meshopt_compression;
    for (const part of isObject(meshopt) ? [view, meshopt] : [view]) {
      check.reference(where, part.buffer ?? null, 'buffers');
      const end =
        check.count(`byteOffset of ${where}`, part.byteOffset, 0) +
        check.count(`byteLength of ${where}`, part.byteLength);
      if (end > (buffers[part.buffer as number].byteLength as number)) check.fail(`${where} reaches beyond its buffer`);
    }
    if (!isObject(meshopt)) continue;
    const decoded =
      check.count(`count of ${where}`, meshopt.count) * check.count(`byteStride of ${where}`, meshopt.byteStride);
    if (decoded > (view.byteLength as number)) check.fail(`${where} decompresses to more than the model says`);
  }
}

function checkImages(check: Checker): void {
  const images = check.list('images');
  if (images.length > modelLimits.images) check.fail(`it has more than ${modelLimits.images} images`);
  for (const [index, image] of images.entries()) {
    check.reference(`image ${index}`, image.bufferView, 'bufferViews');
    if (image.uri !== undefined && typeof image.uri !== 'string') check.fail(`the uri of image ${index} is not text`);
    if (image.uri === undefined && image.bufferView === undefined) check.fail(`image ${index} has no data`);
  }
  for (const [index, texture] of check.list('textures').entries()) {
    const where = `texture ${index}`;
    check.reference(where, texture.source, 'images');
    check.reference(where, texture.sampler, 'samplers');
    const extensions = isObject(texture.extensions) ? texture.extensions : {};
    for (const extension of Object.values(extensions))
      if (isObject(extension)) check.reference(where, extension.source, 'images');
    if (texture.source === undefined && extensions.KHR_texture_basisu)
      check.fail(`${where} is KTX2 (KHR_texture_basisu), which is not supported`);
  }
}

function checkMeshes(check: Checker): void {
  let total = 0;
  for (const [index, mesh] of check.list('meshes').entries()) {
    if (!Array.isArray(mesh.primitives) || !mesh.primitives.every(isObject))
      check.fail(`mesh ${index} has no primitives`);
    check.numbers(`the weights of mesh ${index}`, mesh.weights);
    for (const [place, primitive] of (mesh.primitives as Definition[]).entries()) {
      const where = `primitive ${place} of mesh ${index}`;
      if (++total > modelLimits.primitives) check.fail(`it has more than ${modelLimits.primitives} primitives`);
      check.reference(where, primitive.indices, 'accessors');
      check.reference(where, primitive.material, 'materials');
      if (primitive.mode !== undefined && !(isCount(primitive.mode) && primitive.mode <= 6))
        check.fail(`${where} has no such mode`);
      for (const attributes of [primitive.attributes, ...(Array.isArray(primitive.targets) ? primitive.targets : [])]) {
        if (!isObject(attributes)) check.fail(`${where} has no attributes`);
        for (const accessor of Object.values(attributes as Definition))
          check.reference(where, accessor ?? null, 'accessors');
      }
      const draco = isObject(primitive.extensions) ? primitive.extensions.KHR_draco_mesh_compression : undefined;
      if (isObject(draco)) check.reference(where, draco.bufferView ?? null, 'bufferViews');
    }
  }
}

/** Children form a forest: no node has two parents, none is its own ancestor. */
function checkNodes(check: Checker): void {
  const nodes = check.list('nodes');
  if (nodes.length > modelLimits.nodes) check.fail(`it has more than ${modelLimits.nodes} nodes`);
  const parent = new Map<number, number>();
  for (const [index, node] of nodes.entries()) {
    const where = `node ${index}`;
    check.references(where, node.children, 'nodes');
    check.reference(where, node.mesh, 'meshes');
    check.reference(where, node.camera, 'cameras');
    check.reference(where, node.skin, 'skins');
    for (const [name, size] of [
      ['translation', 3],
      ['rotation', 4],
      ['scale', 3],
      ['matrix', 16],
    ] as const)
      check.numbers(`the ${name} of ${where}`, node[name], size);
    check.numbers(`the weights of ${where}`, node.weights);
    for (const child of (node.children as number[] | undefined) ?? []) {
      if (parent.has(child)) check.fail(`node ${child} has two parents`);
      parent.set(child, index);
    }
    const instancing = isObject(node.extensions) ? node.extensions.EXT_mesh_gpu_instancing : undefined;
    if (isObject(instancing) && isObject(instancing.attributes))
      for (const accessor of Object.values(instancing.attributes))
        check.reference(where, accessor ?? null, 'accessors');
  }
  for (const start of nodes.keys()) {
    let depth = 0;
    for (let at = parent.get(start); at !== undefined; at = parent.get(at)) {
      if (at === start) check.fail(`node ${start} is its own ancestor`);
      if (++depth > modelLimits.nodeDepth) check.fail(`its nodes are nested more than ${modelLimits.nodeDepth} deep`);
    }
  }
  for (const [index, scene] of check.list('scenes').entries()) check.references(`scene ${index}`, scene.nodes, 'nodes');
  check.reference('the model', check.json.scene, 'scenes');
}

function checkAnimation(check: Checker): void {
  for (const [index, skin] of check.list('skins').entries()) {
    check.references(`skin ${index}`, skin.joints ?? null, 'nodes');
    if ((skin.joints as unknown[]).length > modelLimits.joints)
      check.fail(`skin ${index} has more than ${modelLimits.joints} joints`);
    check.reference(`skin ${index}`, skin.inverseBindMatrices, 'accessors');
    check.reference(`skin ${index}`, skin.skeleton, 'nodes');
  }
  for (const [index, animation] of check.list('animations').entries()) {
    const where = `animation ${index}`;
    const samplers = animation.samplers;
    const channels = animation.channels;
    if (!Array.isArray(samplers) || !samplers.every(isObject)) check.fail(`${where} has no samplers`);
    if (!Array.isArray(channels) || !channels.every((channel) => isObject(channel) && isObject(channel.target)))
      check.fail(`${where} has no channels`);
    for (const sampler of samplers as Definition[]) {
      check.reference(where, sampler.input ?? null, 'accessors');
      check.reference(where, sampler.output ?? null, 'accessors');
    }
    for (const channel of channels as (Definition & { target: Definition })[]) {
      if (!isCount(channel.sampler) || channel.sampler >= (samplers as unknown[]).length)
        check.fail(`${where} has a channel without a sampler`);
      check.reference(where, channel.target.node, 'nodes');
    }
  }
}

/**
 * Checks a model's JSON before anything is decoded by it: references, ranges, counts, the node graph, extensions. With
 * `resources` it also checks that each buffer has the bytes it claims. Throws GpuprofError `bad-input`.
 */
export function checkModelJson(json: Json, path: string, resources?: Resources): void {
  const check = new Checker(json, path);
  if (!isObject(json) || !isObject(json.asset)) check.fail('it is not a glTF model');
  if (!/^2\./.test(String(json.asset.version)))
    check.fail(`it is glTF ${String(json.asset.version).slice(0, 20)}; glTF 2.0 is read`);
  checkExtensions(check);
  checkViews(check, resources);
  checkAccessors(check);
  checkImages(check);
  checkMeshes(check);
  checkNodes(check);
  checkAnimation(check);
}
