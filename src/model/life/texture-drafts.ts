/** Textures between their first definition and their first use: programs define them level by level. */
import type { Bindings } from '../bindings.ts';
import type { Call } from '../call.ts';
import { numberNamed } from '../named-arguments.ts';
import type { TextureImage, TextureResource } from './resource.ts';

/** A texture whose images are not final. */
export interface Draft extends TextureResource {
  images: readonly TextureImage[];
  samples: number;
}

function attachedTextures(bindings: Bindings, framebuffer: number): number[] {
  if (framebuffer === 0) return [];
  const attachments = [...bindings.framebuffer(framebuffer).attachments.values()];
  return attachments.filter(({ kind }) => kind === 'texture').map(({ id }) => id);
}

export class TextureDrafts {
  readonly #drafts = new Map<number, Draft>();

  add(draft: Draft): void {
    this.#drafts.set(draft.id, draft);
  }

  get(id: number): Draft | undefined {
    return this.#drafts.get(id);
  }

  /** From now on another definition makes another texture. */
  close(id: number): void {
    this.#drafts.delete(id);
  }

  closeAll(): void {
    this.#drafts.clear();
  }

  /** Closes what an action may read or write: what is bound, attached or named. `written`: what it defines itself. */
  use(call: Call, bindings: Bindings, written: number): void {
    if (this.#drafts.size === 0) return;
    const used = [
      ...attachedTextures(bindings, bindings.drawFramebuffer),
      ...attachedTextures(bindings, bindings.readFramebuffer),
      ...[...bindings.images.values()].map(({ texture }) => texture),
      numberNamed(call, 'srcName') ?? 0,
      numberNamed(call, 'dstName') ?? 0,
    ];
    // An upload has nothing to do with what else is bound.
    if (written === 0) for (const unit of bindings.textures.values()) used.push(...unit.values());
    for (const id of used) if (id !== written) this.close(id);
  }
}
