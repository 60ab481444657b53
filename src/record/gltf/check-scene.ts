import { type Checker, type Definition, isCount, isObject, modelLimits } from './checker.ts';

/** Numbers of materials, textures and lights by name: how many each is, 1 for a number that stands alone. */
const numbersByName: Readonly<Record<string, number>> = {
  alphaCutoff: 1,
  baseColorFactor: 4,
  color: 3,
  diffuseFactor: 4,
  emissiveFactor: 3,
  emissiveStrength: 1,
  glossinessFactor: 1,
  innerConeAngle: 1,
  intensity: 1,
  metallicFactor: 1,
  offset: 2,
  outerConeAngle: 1,
  range: 1,
  rotation: 1,
  roughnessFactor: 1,
  strength: 1,
  texCoord: 1,
  transmissionFactor: 1,
};

/** Numbers and texture references, wherever in a material or light they are. */
function checkLook(check: Checker, where: string, value: Definition, depth = 0): void {
  if (depth > 8) return;
  for (const [name, inner] of Object.entries(value)) {
    const size = numbersByName[name];
    if (size === 1 && !Number.isFinite(inner)) check.fail(`the ${name} of ${where} is not a number`);
    if (size > 1) check.numbers(`the ${name} of ${where}`, inner, size);
    // A normal map's scale is a number, a texture transform's is two.
    if (name === 'scale' && !Number.isFinite(inner)) check.numbers(`the scale of ${where}`, inner, 2);
    if (name === 'extras' || !isObject(inner)) continue;
    if (/texture$/i.test(name)) check.reference(`${name} of ${where}`, inner.index ?? null, 'textures');
    checkLook(check, where, inner, depth + 1);
  }
}

const filters = new Set<unknown>([undefined, 9728, 9729, 9984, 9985, 9986, 9987]);
const wraps = new Set<unknown>([undefined, 33071, 33648, 10497]);

export function checkMaterials(check: Checker): void {
  for (const [index, material] of check.list('materials').entries()) checkLook(check, `material ${index}`, material);
  for (const [index, sampler] of check.list('samplers').entries()) {
    const { magFilter, minFilter, wrapS, wrapT } = sampler;
    const isMagnifier = magFilter === undefined || magFilter === 9728 || magFilter === 9729;
    if (!isMagnifier || !filters.has(minFilter) || !wraps.has(wrapS) || !wraps.has(wrapT))
      check.fail(`sampler ${index} has a filter or wrap mode that does not exist`);
  }
}

/** KHR_lights_punctual. */
export function checkLights(check: Checker): void {
  const { extensions } = check.json;
  const root = isObject(extensions) ? extensions.KHR_lights_punctual : undefined;
  if (root === undefined) return;
  if (!isObject(root) || !Array.isArray(root.lights) || !root.lights.every(isObject))
    check.fail('KHR_lights_punctual has no list of lights');
  const { lights } = root as { lights: readonly Definition[] };
  for (const [index, light] of lights.entries()) checkLook(check, `light ${index}`, light);
  for (const [index, node] of check.list('nodes').entries()) {
    const placed = isObject(node.extensions) ? node.extensions.KHR_lights_punctual : undefined;
    if (isObject(placed) && !(isCount(placed.light) && placed.light < lights.length))
      check.fail(`node ${index} refers to a light that the model does not have`);
  }
}

export function checkCameras(check: Checker): void {
  for (const [index, camera] of check.list('cameras').entries()) {
    const type = camera.type === 'orthographic' ? 'orthographic' : 'perspective';
    const lens = camera[type];
    if (!isObject(lens)) check.fail(`camera ${index} is neither perspective nor orthographic`);
    const needed = type === 'perspective' ? ['yfov', 'znear'] : ['xmag', 'ymag', 'znear', 'zfar'];
    for (const name of needed)
      if (!Number.isFinite((lens as Definition)[name])) check.fail(`the ${name} of camera ${index} is not a number`);
  }
}

export function checkMeshes(check: Checker): void {
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
export function checkNodes(check: Checker): void {
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
    if (!isObject(instancing) || !isObject(instancing.attributes)) continue;
    for (const accessor of Object.values(instancing.attributes)) {
      check.reference(where, accessor ?? null, 'accessors');
      if (Number(check.list('accessors')[accessor as number].count) > modelLimits.instances)
        check.fail(`${where} has more than ${modelLimits.instances} instances`);
    }
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

export function checkAnimation(check: Checker): void {
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
