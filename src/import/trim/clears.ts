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

/** Follows what holds a clear back: scissors and masks. */
export class Clears {
  #scissors = false;
  #colorMask = true;
  #depthMask = true;
  #stencilMask = true;

  /** To be called with each call in order. */
  observe({ signature, args }: Call): void {
    const all = (from = 0) => args.slice(from).every((value) => Number(value) !== 0);
    switch (baseName(signature.name)) {
      case 'Enable':
      case 'Enablei':
        if (args[0] === GL.SCISSOR_TEST) this.#scissors = true;
        break;
      case 'Disable':
        if (args[0] === GL.SCISSOR_TEST) this.#scissors = false;
        break;
      case 'ColorMask':
        this.#colorMask = all();
        break;
      case 'ColorMaski':
        this.#colorMask &&= all(1);
        break;
      case 'DepthMask':
        this.#depthMask = all();
        break;
      case 'StencilMask':
        this.#stencilMask = (Number(args[0]) & 255) === 255;
        break;
      case 'StencilMaskSeparate':
        this.#stencilMask &&= (Number(args[1]) & 255) === 255;
        break;
      case 'PopAttrib':
        // Whatever was saved: nothing is known until it is set again.
        this.#scissors = true;
        break;
    }
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
    if (this.#scissors) return [];
    const bits =
      (this.#colorMask ? mask & GL.COLOR_BUFFER_BIT : 0) |
      (this.#depthMask ? mask & GL.DEPTH_BUFFER_BIT : 0) |
      (this.#stencilMask ? mask & GL.STENCIL_BUFFER_BIT : 0);
    const { attachments, drawBuffers } = b.framebuffer(b.drawFramebuffer);
    if (b.drawFramebuffer === 0) {
      const draws = drawBuffers.some((buffer) => buffer !== GL.NONE);
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
