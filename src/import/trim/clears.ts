/** Clears that leave nothing of what was there: what came before them need not be drawn. */
import type { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { type Key, keyOf } from './keys.ts';

const aspects = [
  [GL.COLOR_BUFFER_BIT, 'color'],
  [GL.DEPTH_BUFFER_BIT, 'depth'],
  [GL.STENCIL_BUFFER_BIT, 'stencil'],
] as const;

const [DEPTH, STENCIL, DEPTH_STENCIL] = [GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT, GL.DEPTH_STENCIL_ATTACHMENT];

/** What a glPushAttrib mask saves of it. */
const DEPTH_BIT = 0x100;
const STENCIL_BIT = 0x400;
const ENABLE_BIT = 0x2000;
const COLOR_BIT = 0x4000;
const SCISSOR_BIT = 0x80000;
const GL_BACK_LEFT = 0x402;
const RASTERIZER_DISCARD = 0x8c89;

interface Restraints {
  readonly scissors: boolean;
  readonly discards: boolean;
  readonly colorMask: boolean;
  readonly depthMask: boolean;
  readonly stencilMask: boolean;
}

/** Follows what holds a clear back: scissors, masks and conditions. */
export class Clears {
  #now: Restraints = { scissors: false, discards: false, colorMask: true, depthMask: true, stencilMask: true };
  #isConditional = false;
  readonly #saved: (Restraints & { readonly mask: number })[] = [];

  /** To be called with each call in order. */
  observe({ signature, args }: Call): void {
    const all = (from = 0) => args.slice(from).every((value) => Number(value) !== 0);
    const now = this.#now;
    const set = (change: Partial<Restraints>) => {
      this.#now = { ...now, ...change };
    };
    const base = baseName(signature.name);
    switch (base) {
      case 'Enable':
      case 'Enablei':
      case 'Disable':
        if (args[0] === GL.SCISSOR_TEST) set({ scissors: base !== 'Disable' });
        if (args[0] === RASTERIZER_DISCARD) set({ discards: base !== 'Disable' });
        break;
      case 'ColorMask':
        set({ colorMask: all() });
        break;
      case 'ColorMaski':
        set({ colorMask: now.colorMask && all(1) });
        break;
      case 'DepthMask':
        set({ depthMask: all() });
        break;
      case 'StencilMask':
        set({ stencilMask: (Number(args[0]) & 255) === 255 });
        break;
      case 'StencilMaskSeparate':
        set({ stencilMask: now.stencilMask && (Number(args[1]) & 255) === 255 });
        break;
      case 'BeginConditionalRender':
      case 'EndConditionalRender':
        this.#isConditional = base.startsWith('Begin');
        break;
      case 'PushAttrib':
        this.#saved.push({ ...now, mask: Number(args[0]) });
        break;
      case 'PopAttrib':
        this.#putBack();
        break;
    }
  }

  #putBack(): void {
    const saved = this.#saved.pop();
    if (!saved) return;
    const pick = (bits: number): Restraints => ((saved.mask & bits) !== 0 ? saved : this.#now);
    this.#now = {
      scissors: pick(SCISSOR_BIT | ENABLE_BIT).scissors,
      discards: pick(ENABLE_BIT).discards,
      colorMask: pick(COLOR_BIT).colorMask,
      depthMask: pick(DEPTH_BIT).depthMask,
      stencilMask: pick(STENCIL_BIT).stencilMask,
    };
  }

  /** What the call leaves nothing of. The bindings are those before it. */
  replaced(call: Call, b: Bindings): Key[] {
    const { signature, args } = call;
    switch (baseName(signature.name)) {
      case 'Clear':
        return this.#cleared(Number(args[0]), b);
      case 'BufferData':
        return [keyOf('buffer', b.buffer(Number(args[0])))];
      case 'NamedBufferData':
        return [keyOf('buffer', Number(args[0]))];
      default:
        return [];
    }
  }

  #cleared(mask: number, b: Bindings): Key[] {
    const { scissors, discards, colorMask, depthMask, stencilMask } = this.#now;
    if (scissors || discards || this.#isConditional) return [];
    const bits =
      (colorMask ? mask & GL.COLOR_BUFFER_BIT : 0) |
      (depthMask ? mask & GL.DEPTH_BUFFER_BIT : 0) |
      (stencilMask ? mask & GL.STENCIL_BUFFER_BIT : 0);
    const { attachments, drawBuffers } = b.framebuffer(b.drawFramebuffer);
    if (b.drawFramebuffer === 0) {
      // What a window has in front is another buffer.
      const draws = drawBuffers.some((buffer) => buffer === GL.BACK || buffer === GL_BACK_LEFT);
      return aspects.flatMap(([bit, name]) =>
        bits & bit && (bit !== GL.COLOR_BUFFER_BIT || draws) ? [`canvas ${name}`] : [],
      );
    }
    // Only images that are whole: one level, one layer, everything of it attached here and cleared.
    const isCleared = (point: number): boolean => {
      if (point === DEPTH) return (bits & GL.DEPTH_BUFFER_BIT) !== 0;
      if (point === STENCIL) return (bits & GL.STENCIL_BUFFER_BIT) !== 0;
      return point !== DEPTH_STENCIL && (bits & GL.COLOR_BUFFER_BIT) !== 0 && drawBuffers.includes(point);
    };
    const kept = new Set(
      [...attachments].filter(([point]) => !isCleared(point)).map(([, held]) => keyOf(held.kind, held.id)),
    );
    return [...attachments.values()].flatMap(({ kind, id, level, layer, textureTarget }) => {
      const isWhole =
        kind === 'renderbuffer' ||
        (level === 0 &&
          layer === 0 &&
          (textureTarget === GL.TEXTURE_2D || textureTarget === GL.TEXTURE_2D_MULTISAMPLE));
      const key = keyOf(kind, id);
      return isWhole && !kept.has(key) ? [key] : [];
    });
  }
}
