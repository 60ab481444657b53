import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type Document, type JSONDocument, Logger, NodeIO } from '@gltf-transform/core';
import {
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRLightsPunctual,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMeshPrimitiveRestart,
  KHRMeshQuantization,
  KHRNodeVisibility,
  KHRTextureTransform,
} from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import { GpuprofError } from '../../errors.ts';
import { tooLarge } from '../../model/memory-limit.ts';
import { adaptJson } from './adapt-json.ts';
import { checkModelJson } from './check-json.ts';
import { modelLimits } from './checker.ts';

/** Extensions that matter to what is drawn. */
const extensions = [
  EXTMeshGPUInstancing,
  EXTMeshoptCompression,
  EXTTextureAVIF,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRLightsPunctual,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMeshPrimitiveRestart,
  KHRMeshQuantization,
  KHRNodeVisibility,
  KHRTextureTransform,
];

const bad = (message: string, cause?: unknown) =>
  new GpuprofError('bad-input', message, cause === undefined ? {} : { cause });

/** `before` is how many bytes the model's other files have. */
async function readBounded(path: string, shown: string, before: number): Promise<Uint8Array<ArrayBuffer>> {
  const info = await stat(path).catch((cause) => {
    throw bad(`${shown} does not exist or cannot be read`, cause);
  });
  if (!info.isFile()) throw bad(`${shown} is not a file`);
  const { fileBytes } = modelLimits;
  if (before + info.size > fileBytes)
    throw tooLarge('bad-input', `the model's files, up to ${shown}, have`, before + info.size, fileBytes);
  const bytes = new Uint8Array(info.size);
  let at = 0;
  for await (const chunk of createReadStream(path)) {
    if (at + chunk.length > bytes.length) throw bad(`${shown} grew while it was read`);
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes.subarray(0, at);
}

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
/** What gltf-transform calls the GLB's own buffer. */
const glbBuffer = '@glb.bin';

function parseJson(bytes: Uint8Array, path: string): JSONDocument['json'] {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw bad(`${path} is not a glTF model: its JSON cannot be read`, cause);
  }
}

/** The JSON and the binary chunk of a file that may be either kind of glTF. */
function split(bytes: Uint8Array<ArrayBuffer>, path: string): JSONDocument {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0, true) !== GLB_MAGIC)
    return { json: parseJson(bytes, path), resources: {} };
  if (view.getUint32(4, true) !== 2) throw bad(`${path} is GLB version ${view.getUint32(4, true)}; version 2 is read`);
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {};
  let json: JSONDocument['json'] | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at, true);
    const kind = view.getUint32(at + 4, true);
    if (at + 8 + size > bytes.length) throw bad(`${path} ends inside a chunk: the file is cut short`);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (kind === JSON_CHUNK) json ??= parseJson(chunk, path);
    else if (kind === BIN_CHUNK) resources[glbBuffer] ??= chunk;
    at += 8 + size;
  }
  if (!json) throw bad(`${path} has no JSON chunk`);
  return { json, resources };
}

const liesBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** The path of a file that a model names: one in the model's folder or below it, wherever links lead. */
async function pathInFolder(model: string, file: string, shown: string): Promise<string> {
  const folder = dirname(resolve(model));
  const path = resolve(folder, file);
  const outside = () =>
    new GpuprofError('bad-input', `${shown} is not in the model's folder or below it`, {
      hint: "a model's files are read from there only",
    });
  if (isAbsolute(file) || !liesBelow(folder, path)) throw outside();
  const [realFolder, realFile] = await Promise.all([folder, path].map((one) => realpath(one))).catch((cause) => {
    throw bad(`${shown} does not exist or cannot be read`, cause);
  });
  if (!liesBelow(realFolder, realFile)) throw outside();
  return realFile;
}

/** Reads what the model keeps in other files or in data URIs, so that sizes are known before anything is decoded. */
async function readResources({ json, resources }: JSONDocument, path: string, before: number): Promise<void> {
  let total = before;
  for (const [list, kind] of [
    [json.buffers, 'buffer'],
    [json.images, 'image'],
  ] as const)
    for (const [index, item] of (list ?? []).entries()) {
      if (item.uri === undefined || resources[item.uri]) continue;
      const shown = `${kind} ${index} of ${path}`;
      if (item.uri.startsWith('data:')) {
        const comma = item.uri.indexOf(',');
        const encoding = item.uri.slice(0, comma).endsWith(';base64') ? 'base64' : 'utf8';
        const name = `${kind}-${index}.data`;
        if (kind === 'image' && !('mimeType' in item && item.mimeType))
          Object.assign(item, { mimeType: /^data:([^;,]+)/.exec(item.uri)?.[1] });
        resources[name] = new Uint8Array(Buffer.from(item.uri.slice(comma + 1), encoding));
        item.uri = name;
      } else if (/^[a-z][a-z0-9+.-]+:/i.test(item.uri))
        throw bad(`${shown} is at ${item.uri.slice(0, 80)}; only files and data URIs are read`);
      else {
        let file = item.uri;
        try {
          file = decodeURIComponent(item.uri);
        } catch {
          // A name with a bare percent sign stands for itself.
        }
        const named = `${shown} (${file})`;
        const bytes = await readBounded(await pathInFolder(path, file, named), named, total);
        total += bytes.length;
        resources[item.uri] = bytes;
      }
    }
}

/**
 * Reads a .glb or .gltf model with all its buffers and images (still encoded), decompressing Draco and meshopt meshes.
 * Throws GpuprofError `bad-input` that names what is missing, broken or not supported.
 */
export async function loadModel(path: string): Promise<Document> {
  const bytes = await readBounded(path, path, 0);
  const parts = split(bytes, path);
  checkModelJson(parts.json, path);
  adaptJson(parts.json, new Set(extensions.map((extension) => extension.EXTENSION_NAME)));
  await readResources(parts, path, bytes.length);
  checkModelJson(parts.json, path, parts.resources);
  const io = new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(extensions)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  await MeshoptDecoder.ready;
  // It takes longer to start than most models take to read.
  if (parts.json.extensionsUsed?.includes(KHRDracoMeshCompression.EXTENSION_NAME)) {
    const { default: draco } = await import('draco3dgltf');
    io.registerDependencies({ 'draco3d.decoder': await draco.createDecoderModule() });
  }
  try {
    return await io.readJSON(parts);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw bad(`${path} cannot be read: ${message.replace(/\.$/, '')}`, cause);
  }
}
