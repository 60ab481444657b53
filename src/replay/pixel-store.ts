import type { GlContext } from '../gl/context.ts';
import { glEnums } from './constants.ts';

const e = glEnums('GL_UNPACK_ALIGNMENT', 'GL_PACK_ALIGNMENT');
const unpackNames = glEnums(
  'GL_UNPACK_ALIGNMENT',
  'GL_UNPACK_ROW_LENGTH',
  'GL_UNPACK_IMAGE_HEIGHT',
  'GL_UNPACK_SKIP_PIXELS',
  'GL_UNPACK_SKIP_ROWS',
  'GL_UNPACK_SKIP_IMAGES',
  'GL_UNPACK_SWAP_BYTES',
  'GL_UNPACK_LSB_FIRST',
  'GL_UNPACK_COMPRESSED_BLOCK_WIDTH',
  'GL_UNPACK_COMPRESSED_BLOCK_HEIGHT',
  'GL_UNPACK_COMPRESSED_BLOCK_DEPTH',
  'GL_UNPACK_COMPRESSED_BLOCK_SIZE',
);
const packNames = glEnums(
  'GL_PACK_ALIGNMENT',
  'GL_PACK_ROW_LENGTH',
  'GL_PACK_IMAGE_HEIGHT',
  'GL_PACK_SKIP_PIXELS',
  'GL_PACK_SKIP_ROWS',
  'GL_PACK_SKIP_IMAGES',
  'GL_PACK_SWAP_BYTES',
  'GL_PACK_LSB_FIRST',
);
const GL_CLIENT_PIXEL_STORE_BIT = 1;
/** As deep as no driver's stack is. */
const mostSaved = 64;
const unpackable = new Set(Object.values(unpackNames));
const packable = new Set(Object.values(packNames));

type Setting = readonly [name: number, value: number];

/**
 * Pixel storage modes. Pixels in a capture are tightly packed, so GL's own state is tight all the time; what the program
 * had set matters only for transfers from and to buffer objects, which are wrapped in it.
 */
export class PixelStore {
  readonly #context: GlContext;
  #set = new Map<number, number>();
  /** What glPushClientAttrib saved; null where it left pixel storage out. */
  readonly #saved: (Map<number, number> | null)[] = [];

  constructor(context: GlContext) {
    this.#context = context;
    this.#apply([
      [e.GL_UNPACK_ALIGNMENT, 1],
      [e.GL_PACK_ALIGNMENT, 1],
    ]);
  }

  /** Remembers glPixelStorei; nothing reaches GL yet. */
  remember(name: number, value: number): void {
    this.#set.set(name, value);
  }

  /** Follows glPushClientAttrib. */
  save(mask: number): void {
    if (this.#saved.length < mostSaved) this.#saved.push(mask & GL_CLIENT_PIXEL_STORE_BIT ? new Map(this.#set) : null);
  }

  /** Follows glPopClientAttrib. */
  putBack(): void {
    this.#set = this.#saved.pop() ?? this.#set;
  }

  /** Where the last pixel of an image in a buffer ends, as the program's modes have it: bytes from the image's beginning. */
  unpackedBytes(width: number, height: number, depth: number, pixelBytes: number): number {
    if (width === 0 || height === 0 || depth === 0) return 0;
    const mode = (name: number): number => this.#set.get(name) ?? 0;
    const alignment = this.#set.get(e.GL_UNPACK_ALIGNMENT) ?? 4;
    const rowPixels = mode(unpackNames.GL_UNPACK_ROW_LENGTH) || width;
    const rowBytes = Math.ceil((rowPixels * pixelBytes) / alignment) * alignment;
    const imageRows = mode(unpackNames.GL_UNPACK_IMAGE_HEIGHT) || height;
    const images = depth > 1 ? mode(unpackNames.GL_UNPACK_SKIP_IMAGES) + depth - 1 : 0;
    const rows = images * imageRows + mode(unpackNames.GL_UNPACK_SKIP_ROWS) + height - 1;
    return rows * rowBytes + (mode(unpackNames.GL_UNPACK_SKIP_PIXELS) + width) * pixelBytes;
  }

  /** Functions that put the program's modes in place, as they stand now, and take them away again. */
  around(direction: 'pack' | 'unpack'): { before: () => void; after: () => void } {
    const names = direction === 'pack' ? packable : unpackable;
    const alignment = direction === 'pack' ? e.GL_PACK_ALIGNMENT : e.GL_UNPACK_ALIGNMENT;
    const wanted: Setting[] = [[alignment, this.#set.get(alignment) ?? 4]];
    for (const [name, value] of this.#set)
      if (names.has(name) && name !== alignment && value !== 0) wanted.push([name, value]);
    const tight: Setting[] = wanted.map(([name]) => [name, name === alignment ? 1 : 0]);
    return { before: () => this.#apply(wanted), after: () => this.#apply(tight) };
  }

  #apply(settings: readonly Setting[]): void {
    for (const [name, value] of settings) this.#context.gl.glPixelStorei(name, value);
  }
}
