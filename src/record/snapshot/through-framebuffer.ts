import { constants as c } from '../../gl/webgl2/constants.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { type Layout, layoutOf } from '../../model/texture-formats.ts';
import { type Image, imageKey } from '../observe/shadows.ts';
import type { Handle } from '../webgl.ts';
import { readImageByBlit } from './blit.ts';
import { leftOutNote } from './notes.ts';
import type { SnapshotContext } from './snapshot.ts';

/**
 * A texture or renderbuffer that is deleted while a framebuffer holds it lives on there, but WebGL lets nobody bind or
 * attach it again: what it holds can only be read through that framebuffer.
 */
export interface Through {
  /** Of the image that is attached, when it is a texture's. */
  readonly key: number;
  /** The texels of that image, zero where they cannot be read. */
  image(image: Image): { layout: Layout; texels: Uint8Array };
  /** Binds the framebuffer for reading, this attachment chosen, works, and puts its read buffer back. WebGL 2 only. */
  read<T>(work: (bind: () => void) => T): T;
}

/** Formats that glTexImage2D takes without a size, as a blit needs them. */
const sizedFormats = new Map<number, number>([
  [c.RGB, c.RGB8],
  [c.RGBA, c.RGBA8],
  [c.DEPTH_STENCIL, c.DEPTH24_STENCIL8],
]);

/** How to reach what is attached to the framebuffer bound now; undefined when it can be reached as any other object. */
export function throughFramebuffer(
  { target, reader, shadows, note }: SnapshotContext,
  framebuffer: Handle,
  attachment: number,
  handle: Handle,
): Through | undefined {
  const { gl, version } = target;
  const texture = shadows.of('texture', handle);
  const lives = texture ? gl.isTexture(handle) : gl.isRenderbuffer(handle);
  if (lives || version === 1) return undefined;
  const read = (name: number) => Number(gl.getFramebufferAttachmentParameter(c.FRAMEBUFFER, attachment, name));
  const [face, level, layer] = texture
    ? [
        read(c.FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE),
        read(c.FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL),
        read(c.FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER),
      ]
    : [0, 0, 0];
  const isColour = attachment >= c.COLOR_ATTACHMENT0 && attachment < c.DEPTH_ATTACHMENT;
  const through: Through = {
    key: imageKey(face || (texture?.target ?? 0), level),
    image(image) {
      const { width, height, depth, internalformat } = image;
      const layout = layoutOf(internalformat, image.format, image.type);
      const layerBytes = width * height * texelBytes(layout.format, layout.type);
      const texels = new Uint8Array(layerBytes * depth);
      const format = sizedFormats.get(internalformat) ?? internalformat;
      const found = through.read((bind) => readImageByBlit(target, reader, format, width, height, bind, () => layout));
      if (found) texels.set(found.texels, layer * layerBytes);
      else note(leftOutNote(`a deleted texture of ${width}x${height}`, ['contents']));
      return { layout, texels };
    },
    read(work) {
      let before: number | undefined;
      const bind = () => {
        gl.bindFramebuffer(c.READ_FRAMEBUFFER, framebuffer);
        before = gl.getParameter(c.READ_BUFFER) as number;
        if (isColour) gl.readBuffer(attachment);
      };
      try {
        return work(bind);
      } finally {
        gl.bindFramebuffer(c.READ_FRAMEBUFFER, framebuffer);
        if (isColour && before !== undefined) gl.readBuffer(before);
      }
    },
  };
  return through;
}
