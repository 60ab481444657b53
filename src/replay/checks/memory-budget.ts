/** An estimate of the GPU memory a capture asks for, so that a hostile one is refused before the driver tries. */
import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName, bindingTarget, GL } from '../../model/gl-constants.ts';
import { bytesText, memoryHint } from '../../model/memory-limit.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Signature } from '../../model/signature.ts';

const n = (value: Argument): number => Math.max(0, Number(value));
/** Bytes of a texel where only the internal format is known: the common case, not the worst. */
const texelBytes = 4;

interface Storage {
  readonly key: string;
  readonly sizeBytes: number;
}

/** Bytes of `levels` levels, each half the one before. */
function levelsBytes(levels: number, width: number, height: number, depth: number): number {
  let total = 0;
  for (let level = 0; level < Math.min(levels, 32); level++)
    total += Math.max(1, width >> level) * Math.max(1, height >> level) * depth * texelBytes;
  return total;
}

const faces = (target: Argument): number => (Number(target) === GL.TEXTURE_CUBE_MAP ? 6 : 1);

type Estimate = (a: readonly Argument[], b: Bindings) => Storage;

const texture = (target: Argument, b: Bindings, level: Argument | string): string =>
  `texture ${b.texture(Number(target))} ${bindingTarget(Number(target)) === Number(target) ? '' : target} ${level}`;

const estimates: Readonly<Record<string, Estimate>> = {
  BufferData: (a, b) => ({ key: `buffer ${b.buffer(n(a[0]))}`, sizeBytes: n(a[1]) }),
  BufferStorage: (a, b) => ({ key: `buffer ${b.buffer(n(a[0]))}`, sizeBytes: n(a[1]) }),
  NamedBufferData: (a) => ({ key: `buffer ${a[0]}`, sizeBytes: n(a[1]) }),
  NamedBufferStorage: (a) => ({ key: `buffer ${a[0]}`, sizeBytes: n(a[1]) }),
  TexImage2D: (a, b) => ({ key: texture(a[0], b, a[1]), sizeBytes: n(a[3]) * n(a[4]) * texelBytes }),
  CopyTexImage2D: (a, b) => ({ key: texture(a[0], b, a[1]), sizeBytes: n(a[5]) * n(a[6]) * texelBytes }),
  TexImage3D: (a, b) => ({ key: texture(a[0], b, a[1]), sizeBytes: n(a[3]) * n(a[4]) * n(a[5]) * texelBytes }),
  CompressedTexImage2D: (a, b) => ({ key: texture(a[0], b, a[1]), sizeBytes: n(a[6]) }),
  CompressedTexImage3D: (a, b) => ({ key: texture(a[0], b, a[1]), sizeBytes: n(a[7]) }),
  TexStorage2D: (a, b) => ({
    key: texture(a[0], b, 'all'),
    sizeBytes: levelsBytes(n(a[1]), n(a[3]), n(a[4]), faces(a[0])),
  }),
  TexStorage3D: (a, b) => ({
    key: texture(a[0], b, 'all'),
    sizeBytes: levelsBytes(n(a[1]), n(a[3]), n(a[4]), n(a[5])),
  }),
  TexStorage2DMultisample: (a, b) => ({
    key: texture(a[0], b, 'all'),
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * texelBytes,
  }),
  TexStorage3DMultisample: (a, b) => ({
    key: texture(a[0], b, 'all'),
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * n(a[5]) * texelBytes,
  }),
  RenderbufferStorage: (a, b) => ({ key: `renderbuffer ${b.renderbuffer}`, sizeBytes: n(a[2]) * n(a[3]) * texelBytes }),
  RenderbufferStorageMultisample: (a, b) => ({
    key: `renderbuffer ${b.renderbuffer}`,
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * texelBytes,
  }),
  gpuprofCanvasSize: (a) => ({ key: 'canvas', sizeBytes: n(a[0]) * n(a[1]) * 8 }),
};

const texture1D = (width: Argument): number => n(width) * texelBytes;

/** By name; a level, or all of them. */
const named = (id: Argument, level: Argument | string): string => `texture ${id}  ${level}`;

const more: Readonly<Record<string, Estimate>> = {
  TexImage1D: (a, b) => ({ key: texture(a[0], b, a[1]), sizeBytes: texture1D(a[3]) }),
  TexStorage1D: (a, b) => ({ key: texture(a[0], b, 'all'), sizeBytes: 2 * texture1D(a[3]) }),
  TexImage2DMultisample: (a, b) => ({
    key: texture(a[0], b, 'all'),
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * texelBytes,
  }),
  TexImage3DMultisample: (a, b) => ({
    key: texture(a[0], b, 'all'),
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * n(a[5]) * texelBytes,
  }),
  TextureStorage1D: (a) => ({ key: named(a[0], 'all'), sizeBytes: 2 * texture1D(a[3]) }),
  TextureStorage2D: (a, b) => ({
    key: named(a[0], 'all'),
    sizeBytes: levelsBytes(n(a[1]), n(a[3]), n(a[4]), faces(b.textureTargets.get(n(a[0])) ?? 0)),
  }),
  TextureStorage3D: (a) => ({ key: named(a[0], 'all'), sizeBytes: levelsBytes(n(a[1]), n(a[3]), n(a[4]), n(a[5])) }),
  TextureStorage2DMultisample: (a) => ({
    key: named(a[0], 'all'),
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * texelBytes,
  }),
  TextureStorage3DMultisample: (a) => ({
    key: named(a[0], 'all'),
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * n(a[5]) * texelBytes,
  }),
  NamedRenderbufferStorage: (a) => ({ key: `renderbuffer ${a[0]}`, sizeBytes: n(a[2]) * n(a[3]) * texelBytes }),
  NamedRenderbufferStorageMultisample: (a) => ({
    key: `renderbuffer ${a[0]}`,
    sizeBytes: Math.max(1, n(a[1])) * n(a[3]) * n(a[4]) * texelBytes,
  }),
};

/** What a command of this signature has to do with the budget: its estimate, or the kind of objects it makes or deletes. */
const roleOf = perSignature((signature): Estimate | string | null => {
  const name = baseName(signature.name);
  if (/^(Gen|Create)Buffers$/.test(name)) return 'new buffers';
  if (/^Delete(Buffers|Textures|Renderbuffers)$/.test(name)) return name.slice('Delete'.length, -1).toLowerCase();
  // The forms of GL_EXT_direct_state_access name the target too.
  if (/^TextureStorage/.test(name) && signature.params[1]?.name === 'target') return null;
  if (Object.hasOwn(estimates, name)) return estimates[name];
  return Object.hasOwn(more, name) ? more[name] : null;
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
      const { key, sizeBytes } = role(call.args, bindings);
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
      throw new GpuprofError(
        'bad-capture',
        `${what} would bring the capture to ${bytesText(this.#totalBytes)} of GPU memory; at most ${bytesText(this.#maxBytes)}`,
        { hint: memoryHint },
      );
  }
}
