import type { JSONDocument } from '@gltf-transform/core';
import { bytesText } from '../../model/memory-limit.ts';
import { type Checker, type Definition, isObject, modelLimits } from './checker.ts';

type Resources = JSONDocument['resources'];

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

export function checkAccessors(check: Checker): void {
  let total = 0;
  for (const [index, accessor] of check.list('accessors').entries()) {
    const where = `accessor ${index}`;
    const size = components[String(accessor.type)];
    const componentSize = componentBytes[Number(accessor.componentType)];
    if (!size || !componentSize) check.fail(`${where} has an unknown type`);
    const count = check.count(`the count of ${where}`, accessor.count);
    total += count * size * componentSize;
    if (total > modelLimits.accessorBytes)
      check.refuse(
        `its accessors, up to ${where}, hold ${bytesText(total)}; at most ${bytesText(modelLimits.accessorBytes)}`,
      );
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
    for (const [part, partSize, partComponent] of [
      [indices, indexSize, indexSize],
      [values, size * componentSize, componentSize],
    ] as const)
      checkRange(check, `the sparse data of ${where}`, part.bufferView, {
        count: sparseCount,
        size: partSize,
        componentSize: partComponent,
        byteOffset: check.count(`a sparse byteOffset of ${where}`, part.byteOffset, 0),
      });
  }
}

const meshoptOf = (view: Definition): unknown =>
  isObject(view.extensions) ? view.extensions.EXT_meshopt_compression : undefined;

/** Whether a buffer only stands for what its views decompress to (EXT_meshopt_compression, "Fallback buffers"). */
const isPlaceholder = (check: Checker, buffer: number): boolean =>
  check.list('bufferViews').every((view) => view.buffer !== buffer || isObject(meshoptOf(view)));

export function checkViews(check: Checker, resources: Resources | undefined): void {
  const buffers = check.list('buffers');
  for (const [index, buffer] of buffers.entries()) {
    const sizeBytes = check.count(`byteLength of buffer ${index}`, buffer.byteLength);
    if (buffer.uri !== undefined && typeof buffer.uri !== 'string')
      check.fail(`the uri of buffer ${index} is not text`);
    if (!resources) continue;
    // Only the first buffer may be the GLB's own.
    const bytes = resources[(buffer.uri as string | undefined) ?? (index === 0 ? '@glb.bin' : '')];
    if (!bytes && !isPlaceholder(check, index)) check.fail(`buffer ${index} is missing`);
    if (bytes && bytes.byteLength < sizeBytes) check.fail(`buffer ${index} is shorter than the model says`);
  }
  for (const [index, view] of check.list('bufferViews').entries()) {
    const where = `bufferView ${index}`;
    const meshopt = meshoptOf(view);
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

export function checkImages(check: Checker): void {
  const images = check.list('images');
  if (images.length > modelLimits.images) check.fail(`it has more than ${modelLimits.images} images`);
  for (const [index, image] of images.entries()) {
    check.reference(`image ${index}`, image.bufferView, 'bufferViews');
    if (image.uri !== undefined && typeof image.uri !== 'string') check.fail(`the uri of image ${index} is not text`);
    if (image.mimeType !== undefined && typeof image.mimeType !== 'string')
      check.fail(`the mimeType of image ${index} is not text`);
    if (image.uri === undefined && image.bufferView === undefined) check.fail(`image ${index} has no data`);
  }
  for (const [index, texture] of check.list('textures').entries()) {
    const where = `texture ${index}`;
    check.reference(where, texture.source, 'images');
    check.reference(where, texture.sampler, 'samplers');
    const extensions = isObject(texture.extensions) ? texture.extensions : {};
    for (const extension of Object.values(extensions))
      if (isObject(extension)) check.reference(where, extension.source, 'images');
    if (texture.source !== undefined || extensions.EXT_texture_webp || extensions.EXT_texture_avif) continue;
    if (extensions.KHR_texture_basisu) check.fail(`${where} is KTX2 (KHR_texture_basisu), which is not supported`);
    check.fail(`${where} has no image that can be read`);
  }
}
