import type { UnpackLayout } from '../../../model/pixel-unpack.ts';

const GL_UNPACK_SWAP_BYTES = 0xcf0;
const GL_UNPACK_LSB_FIRST = 0xcf1;
const fields: ReadonlyMap<number, keyof UnpackLayout> = new Map([
  [0xcf2, 'rowLength'],
  [0xcf3, 'skipRows'],
  [0xcf4, 'skipPixels'],
  [0xcf5, 'alignment'],
  [0x806d, 'skipImages'],
  [0x806e, 'imageHeight'],
]);

const GL_CLIENT_PIXEL_STORE_BIT = 1;
/** As deep as no driver's stack is. */
const mostSaved = 64;

type Saved = Pick<UnpackState, 'layout' | 'swapsBytes' | 'isLowestBitFirst'>;

/** One context's `GL_UNPACK_*` settings. */
export class UnpackState {
  layout: { -readonly [Field in keyof UnpackLayout]: number } = {
    alignment: 4,
    rowLength: 0,
    imageHeight: 0,
    skipPixels: 0,
    skipRows: 0,
    skipImages: 0,
  };
  swapsBytes = false;
  isLowestBitFirst = false;
  /** Null where pixel storage was left out. */
  readonly #saved: (Saved | null)[] = [];

  /** `glPixelStore`; what GL would refuse changes nothing. */
  set(name: number, value: number): void {
    if (name === GL_UNPACK_SWAP_BYTES) this.swapsBytes = value !== 0;
    else if (name === GL_UNPACK_LSB_FIRST) this.isLowestBitFirst = value !== 0;
    const field = fields.get(name);
    const whole = Math.round(value);
    if (field && (field === 'alignment' ? [1, 2, 4, 8].includes(whole) : whole >= 0 && whole < 2 ** 31))
      this.layout[field] = whole;
  }

  /** `glPushClientAttrib`. */
  save(mask: number): void {
    const { layout, swapsBytes, isLowestBitFirst } = this;
    const isMeant = (mask & GL_CLIENT_PIXEL_STORE_BIT) !== 0;
    if (this.#saved.length < mostSaved)
      this.#saved.push(isMeant ? { layout: { ...layout }, swapsBytes, isLowestBitFirst } : null);
  }

  /** `glPopClientAttrib`. */
  putBack(): void {
    const saved = this.#saved.pop();
    if (saved) Object.assign(this, saved);
  }
}
