import { type Checker, type Definition, isCount, isObject, modelLimits } from './checker.ts';

/** Texture references, wherever in a material they are. */
export function checkMaterials(check: Checker): void {
  const visit = (where: string, value: unknown, depth: number): void => {
    if (!isObject(value) || depth > 8) return;
    for (const [name, inner] of Object.entries(value)) {
      if (/texture$/i.test(name) && isObject(inner))
        check.reference(`${name} of ${where}`, inner.index ?? null, 'textures');
      visit(where, inner, depth + 1);
    }
  };
  for (const [index, material] of check.list('materials').entries()) visit(`material ${index}`, material, 0);
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
