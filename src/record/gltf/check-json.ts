import type { JSONDocument } from '@gltf-transform/core';
import { checkAccessors, checkImages, checkViews } from './check-data.ts';
import { checkAnimation, checkCameras, checkLights, checkMaterials, checkMeshes, checkNodes } from './check-scene.ts';
import { Checker, type Definition, isObject } from './checker.ts';

type Json = JSONDocument['json'];
type Resources = JSONDocument['resources'];

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
  'KHR_materials_pbrSpecularGlossiness',
  'KHR_materials_unlit',
  'KHR_materials_volume',
  'KHR_mesh_primitive_restart',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_transform',
  'KHR_xmp_json_ld',
]);

const lists = [
  'accessors',
  'animations',
  'bufferViews',
  'buffers',
  'cameras',
  'images',
  'materials',
  'meshes',
  'nodes',
  'samplers',
  'scenes',
  'skins',
  'textures',
];

function checkExtensions(check: Checker): void {
  for (const list of ['extensionsUsed', 'extensionsRequired']) {
    const names = check.json[list] ?? [];
    if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
      check.fail(`"${list}" is not a list of names`);
  }
  for (const name of (check.json.extensionsRequired ?? []) as string[]) {
    if (name === 'KHR_texture_basisu')
      check.fail('its textures are KTX2 (KHR_texture_basisu), which are not supported');
    if (!known.has(String(name)))
      check.fail(`it requires the extension ${String(name).slice(0, 80)}, which is not supported`);
  }
}

/**
 * Checks a model's JSON before anything is decoded by it: references, ranges, counts, the node graph, extensions. With
 * `resources` it also checks that each buffer has the bytes it claims. Throws GpuprofError `bad-input`.
 */
export function checkModelJson(json: Json, path: string, resources?: Resources): void {
  const check = new Checker(json as unknown as Definition, path);
  if (!isObject(json) || !isObject(json.asset)) check.fail('it is not a glTF model');
  const version = String(json.asset.minVersion ?? json.asset.version ?? 'of no version');
  // Later 2.x are read as 2.0 unless they say that they cannot be.
  if (json.asset.minVersion === undefined ? !/^2\.\d+$/.test(version) : version !== '2.0')
    check.fail(`it is glTF ${version.slice(0, 20)}; glTF 2.0 is read`);
  checkExtensions(check);
  for (const name of lists)
    for (const [index, item] of check.list(name).entries())
      if (item.name !== undefined && typeof item.name !== 'string')
        check.fail(`the name of ${name} ${index} is not text`);
  checkViews(check, resources);
  checkAccessors(check);
  checkImages(check);
  checkMaterials(check);
  checkLights(check);
  checkCameras(check);
  checkMeshes(check);
  checkNodes(check);
  checkAnimation(check);
}
