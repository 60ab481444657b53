/** An estimate of the GPU memory a capture asks for, so that a hostile one is refused before the driver tries. */
import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, Call } from '../../model/call.ts';
import { baseName, bindingTarget, GL } from '../../model/gl-constants.ts';

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

export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #sizes = new Map<string, number>();
  #totalBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Books what a call allocates. Throws GpuprofError `bad-capture` when all live storage would exceed the budget. */
  book(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    if (Object.hasOwn(estimates, name)) {
      const { key, sizeBytes } = estimates[name](call.args, bindings);
      this.set(key, sizeBytes, call.signature.name);
    } else if (/^Delete(Buffers|Textures|Renderbuffers)$/.test(name)) {
      const kind = name.slice('Delete'.length, -1).toLowerCase();
      const gone = new Set((call.args[1] as readonly number[]).map((id) => `${kind} ${id}`));
      for (const [key, sizeBytes] of this.#sizes)
        if (gone.has(key.split(' ', 2).join(' '))) {
          this.#totalBytes -= sizeBytes;
          this.#sizes.delete(key);
        }
    }
  }

  /** Size of a buffer as last specified; 0 when it has no storage. */
  bufferBytes(id: number): number {
    return this.#sizes.get(`buffer ${id}`) ?? 0;
  }

  set(key: string, sizeBytes: number, what: string): void {
    this.#totalBytes += sizeBytes - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, sizeBytes);
    if (this.#totalBytes > this.#maxBytes)
      throw new GpuprofError(
        'bad-capture',
        `${what} would bring the capture to ${Math.round(this.#totalBytes / 2 ** 20)} MiB of GPU memory, over the limit of ${Math.round(this.#maxBytes / 2 ** 20)}`,
        { hint: 'raise the limit only for a capture you trust' },
      );
  }
}
