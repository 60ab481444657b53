import type { JSONDocument } from '@gltf-transform/core';

type Json = JSONDocument['json'];

const khrMeshopt = 'KHR_meshopt_compression';
const extMeshopt = 'EXT_meshopt_compression';

/**
 * KHR_meshopt_compression is EXT_meshopt_compression with newer codecs, which the decoder has; gltf-transform knows only
 * the older name.
 */
function useOlderMeshoptName(json: Json): void {
  const rename = (name: string) => (name === khrMeshopt ? extMeshopt : name);
  json.extensionsUsed = [...new Set(json.extensionsUsed?.map(rename))];
  json.extensionsRequired = [...new Set(json.extensionsRequired?.map(rename))];
  for (const { extensions } of [...(json.buffers ?? []), ...(json.bufferViews ?? [])])
    if (extensions?.[khrMeshopt]) extensions[extMeshopt] ??= extensions[khrMeshopt];
}

/**
 * Changes a checked model's JSON where gltf-transform reads less than glTF allows. `registered` are the extensions that
 * gltf-transform is to read; others that the model requires only change how a material looks.
 */
export function adaptJson(json: Json, registered: ReadonlySet<string>): void {
  json.asset.version = '2.0';
  useOlderMeshoptName(json);
  json.extensionsRequired = json.extensionsRequired?.filter((name) => registered.has(name));
  // Extensions walk these without looking whether they are there.
  json.nodes ??= [];
  json.meshes ??= [];
  // gltf-transform would take the accessor's own offset for a missing one.
  for (const { sparse } of json.accessors ?? []) {
    if (!sparse) continue;
    sparse.indices.byteOffset ??= 0;
    sparse.values.byteOffset ??= 0;
  }
}
