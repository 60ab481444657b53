/** Books what draws and dispatches reach: vertices, indices, uniforms, textures, storage and targets. */
import type { IndexedBuffer } from '../bindings.ts';
import type { Call } from '../call.ts';
import { GL } from '../gl-constants.ts';
import { dataLength } from '../named-arguments.ts';
import { type DrawPart, type DrawParts, drawParts } from './draw-parts.ts';
import type { Followers } from './followers.ts';
import type { Ledger } from './ledger.ts';
import type { Block } from './shader-interface.ts';
import { useDrawTargets } from './targets.ts';

/** Targets by what a sampler's or image's type says of its texture. */
const targets: readonly (readonly [RegExp, number])[] = [
  [/^1DArray/, GL.TEXTURE_1D_ARRAY],
  [/^1D/, GL.TEXTURE_1D],
  [/^2DMSArray/, GL.TEXTURE_2D_MULTISAMPLE_ARRAY],
  [/^2DMS/, GL.TEXTURE_2D_MULTISAMPLE],
  [/^2DArray/, GL.TEXTURE_2D_ARRAY],
  [/^2DRect/, GL.TEXTURE_RECTANGLE],
  [/^2D/, GL.TEXTURE_2D],
  [/^3D/, GL.TEXTURE_3D],
  [/^CubeArray/, GL.TEXTURE_CUBE_MAP_ARRAY],
  [/^Cube/, GL.TEXTURE_CUBE_MAP],
  [/^Buffer/, GL.TEXTURE_BUFFER],
  [/^ExternalOES/, GL.TEXTURE_EXTERNAL],
];

const targetOf = (dimensions: string): number => targets.find(([pattern]) => pattern.test(dimensions))?.[1] ?? 0;

function useTexture(f: Followers, ledger: Ledger, id: number, unit: number, target: number, isFetched: boolean): void {
  const range = f.textures.bufferRange(id);
  if (range) {
    useBuffer(f, ledger, 'texture', range);
    return;
  }
  const { key, sizeBytes } = f.textures.texture(id);
  if (key === '') return;
  for (const level of f.textures.reachable(id, f.bindings.samplers.get(unit) ?? 0, target, isFetched))
    ledger.use('texture', key, sizeBytes, level.sizeBytes, `level ${level.level}`);
  ledger.use('texture', key, sizeBytes, 0);
}

function useTextures(f: Followers, ledger: Ledger, program: number): void {
  const { bindings, programs } = f;
  if (!programs.isKnown(program)) {
    // Without sources, or without a program, whatever is bound may be read.
    for (const [unit, bound] of bindings.textures)
      for (const [target, id] of bound) useTexture(f, ledger, id, unit, target, true);
    return;
  }
  for (const { uniform, unit } of programs.opaque(program)) {
    if (uniform.isImage) {
      const image = bindings.images.get(unit);
      if (image) useImage(f, ledger, image.texture, image.level, image.layered);
      continue;
    }
    const target = targetOf(uniform.dimensions);
    const id = bindings.texture(target, unit);
    if (id) useTexture(f, ledger, id, unit, target, uniform.isFetched);
  }
}

function useImage(f: Followers, ledger: Ledger, id: number, level: number, isLayered: boolean): void {
  const range = f.textures.bufferRange(id);
  if (range) {
    useBuffer(f, ledger, 'storage', range);
    return;
  }
  const { key, sizeBytes, levels } = f.textures.texture(id);
  const image = levels.find((each) => each.level === level);
  if (!image) return;
  const touched = isLayered ? image.sizeBytes : image.sizeBytes / Math.max(1, image.layers);
  ledger.use('storage', key, sizeBytes, touched, `level ${level}`);
}

/** Books a buffer, or the part of one that is bound. */
function useBuffer(f: Followers, ledger: Ledger, memoryClass: 'uniform' | 'texture' | 'storage', bound: IndexedBuffer) {
  const { buffer, offset, sizeBytes } = bound;
  const whole = f.buffers.sizeBytes(buffer);
  const range = Math.max(0, Math.min(sizeBytes ?? whole, whole - offset));
  const key = range === whole ? `buffer ${buffer}` : `buffer ${buffer} at ${offset}, ${range} bytes`;
  if (whole > 0) ledger.use(memoryClass, key, range, range);
}

function useBlocks(f: Followers, ledger: Ledger, program: number, kind: Block['kind'], target: number): void {
  const points = f.programs.blockBindings(program, kind);
  for (const [point, bound] of f.bindings.indexedBuffers.get(target) ?? [])
    if (!points || points.has(point)) useBuffer(f, ledger, kind === 'uniform' ? 'uniform' : 'storage', bound);
}

/** What shaders read and write beside vertices and targets. */
function useResources(f: Followers, ledger: Ledger): void {
  const programs = f.programs.running(f.bindings);
  if (programs.length === 0) useTextures(f, ledger, 0);
  for (const program of programs) {
    const bytes = f.programs.uniformBytes(program);
    if (bytes > 0) ledger.use('uniform', `program ${program} uniforms`, bytes, bytes);
    useTextures(f, ledger, program);
    useBlocks(f, ledger, program, 'uniform', GL.UNIFORM_BUFFER);
    useBlocks(f, ledger, program, 'storage', GL.SHADER_STORAGE_BUFFER);
    useBlocks(f, ledger, program, 'atomic', GL.ATOMIC_COUNTER_BUFFER);
  }
}

/** Adds up without making NaN of what is not known. */
const total = (parts: readonly DrawPart[], value: (part: DrawPart) => number): number =>
  parts.reduce((sum, part) => sum + (part.count === 0 || part.instances === 0 ? 0 : value(part)), 0);

function useVertices(f: Followers, ledger: Ledger, parts: readonly DrawPart[], vertices: number): void {
  const touched = new Map<string, { sizeBytes: number; touched: number }>();
  for (const input of f.vertexFormats.inputs(f.bindings)) {
    const { divisor } = input;
    const key = input.client?.key ?? `buffer ${input.buffer}`;
    const sizeBytes = input.client?.sizeBytes ?? f.buffers.sizeBytes(input.buffer);
    if (sizeBytes === 0) continue;
    const elements = divisor === 0 ? vertices : total(parts, ({ instances }) => Math.ceil(instances / divisor));
    const there = Math.max(0, sizeBytes - input.offset);
    // As many elements as begin in the buffer; a stride of 0 means the same one each time.
    const most = input.strideBytes === 0 ? 1 : Math.ceil(there / input.strideBytes);
    const bytes = Math.min(there, Math.min(elements, most) * input.elementBytes);
    const sum = touched.get(key) ?? { sizeBytes, touched: 0 };
    touched.set(key, { sizeBytes, touched: Math.min(sizeBytes, sum.touched + bytes) });
  }
  for (const [key, use] of touched) ledger.use('vertex', key, use.sizeBytes, use.touched);
}

/** Books the indices; gives how many vertices they can mean at most. */
async function useIndices(f: Followers, ledger: Ledger, draw: DrawParts, eventId: number): Promise<number> {
  const { parts, indexBytes, clientIndices } = draw;
  const restart = f.state.restart(indexBytes);
  const length = dataLength(clientIndices);
  if (length !== null) {
    const bytes = Math.min(length, total(parts, ({ count }) => count) * indexBytes);
    ledger.use('index', `client indices of event ${eventId}`, length, bytes);
    const span =
      clientIndices?.kind === 'inline'
        ? f.contents.spanOf(clientIndices.bytes, indexBytes, restart)
        : Number.POSITIVE_INFINITY;
    return total(parts, ({ count, spanAtMost }) => Math.min(count, spanAtMost, span));
  }
  const buffer = f.bindings.buffer(GL.ELEMENT_ARRAY_BUFFER);
  const sizeBytes = f.buffers.sizeBytes(buffer);
  let vertices = 0;
  let bytes = 0;
  for (const { count, instances, offset, spanAtMost } of parts) {
    if (count === 0 || instances === 0) continue;
    const there = offset === null ? sizeBytes : Math.max(0, sizeBytes - offset);
    bytes += Math.min(there, count * indexBytes);
    const isKnown = offset !== null && Number.isFinite(count);
    const span = isKnown ? await f.contents.span(buffer, indexBytes, offset, count, restart) : Number.POSITIVE_INFINITY;
    vertices += Math.min(count, spanAtMost, span);
  }
  if (sizeBytes > 0) ledger.use('index', `buffer ${buffer}`, sizeBytes, bytes);
  return vertices;
}

function useFeedback(f: Followers, ledger: Ledger): void {
  const { active, paused, buffers } = f.bindings.transformFeedbackBindings();
  if (active && !paused) for (const bound of buffers.values()) useBuffer(f, ledger, 'storage', bound);
}

/** Books one drawing command. May read resources: throws GpuprofError `bad-capture` for broken ones. */
export async function useDraw(f: Followers, ledger: Ledger, call: Call, eventId: number): Promise<void> {
  const draw = await drawParts(call, f.bindings, f.contents);
  const { parts, indexBytes, indirectBytes } = draw;
  const indirect = f.bindings.buffer(GL.DRAW_INDIRECT_BUFFER);
  if (indirectBytes > 0 && indirect)
    ledger.use('storage', `buffer ${indirect}`, f.buffers.sizeBytes(indirect), indirectBytes);
  const vertices = indexBytes > 0 ? await useIndices(f, ledger, draw, eventId) : total(parts, ({ count }) => count);
  if (parts.length > 0) useVertices(f, ledger, parts, vertices);
  useResources(f, ledger);
  useFeedback(f, ledger);
  useDrawTargets(f, ledger);
  const isEmpty = parts.length > 0 && parts.every(({ count, instances }) => count === 0 || instances === 0);
  ledger.endAction(!isEmpty);
}

export function useDispatch(f: Followers, ledger: Ledger, call: Call): void {
  const indirect = f.bindings.buffer(GL.DISPATCH_INDIRECT_BUFFER);
  const isIndirect = call.signature.name.includes('Indirect');
  if (isIndirect && indirect) ledger.use('storage', `buffer ${indirect}`, f.buffers.sizeBytes(indirect), 12);
  useResources(f, ledger);
  ledger.endAction(isIndirect || call.args.slice(0, 3).every((groups) => Number(groups) > 0));
}
