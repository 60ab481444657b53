/** An estimate of the GPU memory a capture asks for, so that a hostile one is refused before the driver tries. */
import type { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import { baseName, bindingTarget, GL } from '../../model/gl-constants.ts';
import { imageBytes } from '../../model/memory/image-bytes.ts';
import { tooLarge } from '../../model/memory-limit.ts';
import { firstObject, numberNamed } from '../../model/named-arguments.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Signature } from '../../model/signature.ts';
import { blockOf } from '../../model/texture-formats.ts';
import { textureOf } from '../../model/texture-shapes.ts';

/** Drivers pad smaller texels to so many bytes. */
const leastTexelBytes = 4;

/** What a call gives storage, which takes the place of what was under this key. */
interface Storage {
  readonly key: string;
  readonly sizeBytes: number;
}

const size = (call: Call, name: string, absent = 0): number => Math.max(0, numberNamed(call, name) ?? absent);

/** Bytes of one image; a texture's levels are each half the one before. */
function levelBytes(call: Call, level: number): number {
  const [width, height] = ['width', 'height'].map((name) => Math.max(1, Math.floor(size(call, name, 1) / 2 ** level)));
  const depth = size(call, 'depth', 1);
  const internalFormat = numberNamed(call, 'internalformat', 'internalFormat') ?? 0;
  const kept = imageBytes({
    internalFormat,
    width,
    height,
    depth,
    format: size(call, 'format'),
    type: size(call, 'type'),
  });
  return blockOf(internalFormat) ? kept : Math.max(kept, width * height * depth * leastTexelBytes);
}

/** Bytes of all images that a call makes, of one face. */
function imagesBytes(call: Call): number {
  const compressed = numberNamed(call, 'imageSize');
  if (compressed !== undefined) return Math.max(0, compressed);
  if (size(call, 'width', 1) * size(call, 'height', 1) === 0) return 0;
  const samples = Math.max(1, numberNamed(call, 'samples', 'coverageSamples') ?? 1);
  let total = 0;
  for (let level = 0; level < Math.min(size(call, 'levels', 1), 32); level++) total += levelBytes(call, level);
  return total * samples;
}

/** A level of a texture, a face of a cube map's; without levels, all of it. */
function textureStorage(call: Call, b: Bindings): Storage {
  const id = textureOf(call, b);
  const target = numberNamed(call, 'target') ?? b.textureTargets.get(id) ?? 0;
  const face = bindingTarget(target) === target ? '' : target;
  const faces = target === GL.TEXTURE_CUBE_MAP ? 6 : 1;
  return { key: `texture ${id} ${face} ${numberNamed(call, 'level') ?? 'all'}`, sizeBytes: imagesBytes(call) * faces };
}

type Estimate = (call: Call, b: Bindings) => Storage;

const estimates: readonly (readonly [RegExp, Estimate])[] = [
  [
    /^(Named)?Buffer(Data|Storage)$/,
    (call, b) => ({
      key: `buffer ${firstObject(call, 'buffer') ?? b.buffer(size(call, 'target'))}`,
      sizeBytes: size(call, 'size'),
    }),
  ],
  [
    /^(Compressed|Copy)?(Multi)?Tex(ture)?Image[123]D(Multisample(Coverage)?)?$|^Tex(ture)?Storage[123]D/,
    textureStorage,
  ],
  [
    /^(Named)?RenderbufferStorage/,
    (call, b) => ({
      key: `renderbuffer ${firstObject(call, 'renderbuffer') ?? b.renderbuffer}`,
      sizeBytes: imagesBytes(call),
    }),
  ],
  [/^gpuprofCanvasSize$/, (call) => ({ key: 'canvas', sizeBytes: size(call, 'width') * size(call, 'height') * 8 })],
];

/** What a command of this signature has to do with the budget: its estimate, or the kind of objects it makes or deletes. */
const roleOf = perSignature((signature): Estimate | string | null => {
  const name = baseName(signature.name);
  if (/^(Gen|Create)Buffers$/.test(name)) return 'new buffers';
  if (/^Delete(Buffers|Textures|Renderbuffers)$/.test(name)) return name.slice('Delete'.length, -1).toLowerCase();
  return estimates.find(([pattern]) => pattern.test(name))?.[1] ?? null;
});

/** Vertex arrays that are not bound keep the buffers they read from, whose names are gone (GL 4.6, section 5.1.2). */
function isHeld({ vertexArray, vertexArrays }: Bindings, buffer: number): boolean {
  for (const [array, { elementBuffer, buffers }] of vertexArrays)
    if (array !== vertexArray && (elementBuffer === buffer || [...buffers.values()].includes(buffer))) return true;
  return false;
}

export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #sizes = new Map<string, number>();
  readonly #bufferSizes = new Map<number, number>();
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether calls of this signature change what is booked. */
  static follows = (signature: Signature): boolean => roleOf(signature) !== null;

  /** Books what a call allocates. Throws GpuprofError `bad-capture` when all live storage would exceed the budget. */
  book(call: Call, bindings: Bindings): void {
    const role = roleOf(call.signature);
    if (role === null) return;
    if (typeof role !== 'string') {
      const { key, sizeBytes } = role(call, bindings);
      if (key.startsWith('buffer ')) this.#bufferSizes.set(Number(key.slice('buffer '.length)), sizeBytes);
      this.set(key, sizeBytes, call.signature.name);
      return;
    }
    const ids = call.args[1] as readonly number[];
    if (role === 'new buffers') {
      for (const id of ids) this.#bufferSizes.delete(id);
      return;
    }
    const deleted = role === 'buffer' ? ids.filter((id) => !isHeld(bindings, id)) : ids;
    const gone = new Set(deleted.map((id) => `${role} ${id}`));
    if (role === 'buffer') for (const id of deleted) this.#bufferSizes.delete(id);
    for (const [key, sizeBytes] of this.#sizes)
      if (gone.has(key.split(' ', 2).join(' '))) {
        this.#totalBytes -= sizeBytes;
        this.#sizes.delete(key);
      }
  }

  /** Size of a buffer as last specified; 0 when it has no storage. */
  bufferBytes(id: number): number {
    return this.#bufferSizes.get(id) ?? 0;
  }

  set(key: string, sizeBytes: number, what: string): void {
    this.#totalBytes += sizeBytes - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, sizeBytes);
    if (this.#totalBytes > this.#maxBytes)
      throw tooLarge(
        'bad-capture',
        `${what} would bring the capture's GPU memory to`,
        this.#totalBytes,
        this.#maxBytes,
      );
  }
}
