/** Copies images inside the GPU, bit for bit: by glCopyImageSubData where the context has it, else by blits. */
import type { GlContext } from '../../gl/context.ts';
import { Scratch } from '../../gl/native.ts';
import { bindingTarget, GL } from '../../model/gl-constants.ts';
import { glEnums } from '../constants.ts';

const e = glEnums('GL_FRAMEBUFFER_COMPLETE', 'GL_NEAREST', 'GL_TEXTURE_1D', 'GL_TEXTURE_2D_MULTISAMPLE');

/** An image of a texture or a renderbuffer, by GL name. */
export interface CopyImage {
  readonly name: number;
  /** GL_RENDERBUFFER or a texture target, a face's for a cube map. */
  readonly target: number;
  readonly level: number;
}

export interface CopySize {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** Copies whole images between storage of the same format. */
export interface ImageCopier {
  /** Whether the images can be copied; the second is the copy. */
  accepts(from: CopyImage, to: CopyImage): boolean;
  copy(from: CopyImage, to: CopyImage, size: CopySize): void;
  destroy(): void;
}

const faceOf = (target: number) =>
  bindingTarget(target) === GL.TEXTURE_CUBE_MAP && target !== GL.TEXTURE_CUBE_MAP
    ? target - GL.TEXTURE_CUBE_MAP_POSITIVE_X
    : 0;

class DirectCopier implements ImageCopier {
  readonly #context: GlContext;
  constructor(context: GlContext) {
    this.#context = context;
  }
  accepts(): boolean {
    return true;
  }
  copy(from: CopyImage, to: CopyImage, { width, height, depth }: CopySize): void {
    const [a, b] = [bindingTarget(from.target), bindingTarget(to.target)];
    const [za, zb] = [faceOf(from.target), faceOf(to.target)];
    this.#context.gl.glCopyImageSubData(
      from.name,
      a,
      from.level,
      0,
      0,
      za,
      to.name,
      b,
      to.level,
      0,
      0,
      zb,
      width,
      height,
      depth,
    );
  }
  destroy(): void {}
}

type Attach = (target: number, image: CopyImage, layer: number) => void;
interface Aspect {
  readonly point: number;
  readonly mask: number;
}
const aspects: readonly Aspect[] = [
  { point: GL.COLOR_ATTACHMENT0, mask: GL.COLOR_BUFFER_BIT },
  { point: GL.DEPTH_STENCIL_ATTACHMENT, mask: GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT },
  { point: GL.DEPTH_ATTACHMENT, mask: GL.DEPTH_BUFFER_BIT },
  { point: GL.STENCIL_ATTACHMENT, mask: GL.STENCIL_BUFFER_BIT },
];

/** Layered in the sense of attachments: one slice at a time, by number. */
const layered = (target: number) => [GL.TEXTURE_3D, 0x8c1a, 0x9009, 0x9102].includes(target);

class BlitCopier implements ImageCopier {
  readonly #context: GlContext;
  readonly #framebuffers = new Scratch(64);
  readonly #aspectOf = new Map<string, Aspect | null>();

  constructor(context: GlContext) {
    this.#context = context;
    context.gl.glGenFramebuffers(2, this.#framebuffers.address);
  }

  #attach(point: number): Attach {
    const { gl } = this.#context;
    return (target, image, layer) => {
      if (image.target === GL.RENDERBUFFER) gl.glFramebufferRenderbuffer(target, point, GL.RENDERBUFFER, image.name);
      else if (layered(image.target)) gl.glFramebufferTextureLayer(target, point, image.name, image.level, layer);
      else gl.glFramebufferTexture2D(target, point, image.target, image.name, image.level);
    };
  }

  #bind(): void {
    const { gl } = this.#context;
    gl.glBindFramebuffer(GL.READ_FRAMEBUFFER, this.#framebuffers.u32[0]);
    gl.glBindFramebuffer(GL.DRAW_FRAMEBUFFER, this.#framebuffers.u32[1]);
  }

  #detach(): void {
    const { gl } = this.#context;
    for (const target of [GL.READ_FRAMEBUFFER, GL.DRAW_FRAMEBUFFER])
      for (const point of [GL.COLOR_ATTACHMENT0, GL.DEPTH_ATTACHMENT, GL.STENCIL_ATTACHMENT])
        gl.glFramebufferRenderbuffer(target, point, GL.RENDERBUFFER, 0);
  }

  #aspect(from: CopyImage, to: CopyImage): Aspect | null {
    const { gl } = this.#context;
    const key = `${from.target}/${from.name}/${from.level}`;
    let found = this.#aspectOf.get(key);
    if (found !== undefined) return found;
    this.#bind();
    found = null;
    for (const aspect of aspects) {
      const attach = this.#attach(aspect.point);
      attach(GL.READ_FRAMEBUFFER, from, 0);
      attach(GL.DRAW_FRAMEBUFFER, to, 0);
      const complete =
        gl.glCheckFramebufferStatus(GL.READ_FRAMEBUFFER) === e.GL_FRAMEBUFFER_COMPLETE &&
        gl.glCheckFramebufferStatus(GL.DRAW_FRAMEBUFFER) === e.GL_FRAMEBUFFER_COMPLETE;
      this.#detach();
      // A multisampled copy cannot be blitted into in ES, and attaching what does not fit raises errors.
      const clean = gl.glGetError() === 0;
      if (!complete || !clean) continue;
      found = aspect;
      break;
    }
    this.#aspectOf.set(key, found);
    return found;
  }

  accepts(from: CopyImage, to: CopyImage): boolean {
    return from.target !== e.GL_TEXTURE_2D_MULTISAMPLE && this.#aspect(from, to) !== null;
  }

  copy(from: CopyImage, to: CopyImage, { width, height, depth }: CopySize): void {
    const { gl } = this.#context;
    const aspect = this.#aspect(from, to) ?? this.#aspect(to, from);
    if (!aspect) return;
    const attach = this.#attach(aspect.point);
    this.#bind();
    for (let layer = 0; layer < depth; layer++) {
      attach(GL.READ_FRAMEBUFFER, from, layer);
      attach(GL.DRAW_FRAMEBUFFER, to, layer);
      gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, aspect.mask, e.GL_NEAREST);
    }
    this.#detach();
  }

  destroy(): void {
    this.#context.gl.glDeleteFramebuffers(2, this.#framebuffers.address);
  }
}

export function makeCopier(context: GlContext): ImageCopier {
  return context.find('glCopyImageSubData') ? new DirectCopier(context) : new BlitCopier(context);
}
