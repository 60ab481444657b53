import { clearNewImage, clearNewStorage, type NewImage } from '../new-storage/textures.ts';
import { constants as c } from './constants.ts';
import type { Core, View } from './core.ts';
import { deriveMethod } from './derived.ts';
import type { WebGLTexture } from './objects.ts';
import { unpackLayout, unpackPixels } from './pixels.ts';

type Source = View | number | null;
type Size = readonly [number, number, number];

const elementBytes = (view: View): number => (view as Uint8Array).BYTES_PER_ELEMENT ?? 1;

/** The bytes of a view from element `offset` on, `length` elements or all. */
export function viewBytes(view: View, offset = 0, length = 0): Uint8Array {
  const size = elementBytes(view);
  const end = length > 0 ? Math.min(view.byteLength, (offset + length) * size) : view.byteLength;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).subarray(offset * size, end);
}

/**
 * Texture uploads from views, and from the bound PIXEL_UNPACK_BUFFER where the source is a byte offset. DOM sources
 * (images, canvases, videos) do not exist here.
 */
export function textureMethods(core: Core) {
  const { gl } = core;

  /** Checks the source against the unpack state and passes its address, or the buffer offset, on. */
  const upload = (
    source: Source,
    offset: number,
    size: Size,
    [format, type]: readonly [number, number],
    is3d: boolean,
    call: (pixels: number) => void,
  ) => {
    const unpackBuffer = core.integer(c.PIXEL_UNPACK_BUFFER_BINDING) !== 0;
    const changed = core.flipY || core.premultiply;
    if (typeof source === 'number') {
      if (!unpackBuffer || changed) core.fail(c.INVALID_OPERATION);
      else call(source);
      return;
    }
    if (unpackBuffer || (changed && is3d && source)) return core.fail(c.INVALID_OPERATION);
    if (!source) return call(0);
    const bytes = viewBytes(source, offset);
    const layout = unpackLayout(core, size, format, type, is3d);
    if (!layout) return core.fail(c.INVALID_ENUM);
    if (layout.end > bytes.byteLength) return core.fail(c.INVALID_OPERATION);
    const { flipY, premultiply } = core;
    const pixels =
      changed && layout.end > 0 ? unpackPixels(bytes, layout, size, { flipY, premultiply, format, type }) : bytes;
    call(core.bytes(pixels.subarray(0, Math.max(layout.end, 1))));
  };

  const specify = (image: NewImage, source: Source, call: () => void) => {
    if (source === null) core.allocate(call, () => clearNewImage(core.context, image));
    else call();
  };
  const bindTexture = deriveMethod(core, 'glBindTexture') as (target: number, texture: WebGLTexture | null) => void;

  /** As {@link upload}, for compressed data: (imageSize, offset) of the bound buffer, or a view. */
  const compressed = (
    source: Source,
    offset: number,
    length: number,
    call: (sizeBytes: number, data: number) => void,
  ) => {
    const unpackBuffer = core.integer(c.PIXEL_UNPACK_BUFFER_BINDING) !== 0;
    if (typeof source === 'number') {
      if (unpackBuffer) call(source, offset);
      else core.fail(c.INVALID_OPERATION);
    } else if (unpackBuffer || !source) core.fail(unpackBuffer ? c.INVALID_OPERATION : c.INVALID_VALUE);
    else {
      const bytes = viewBytes(source, offset, length);
      call(bytes.byteLength, core.bytes(bytes));
    }
  };

  return {
    pixelStorei(pname: number, param: number | boolean) {
      if (pname === c.UNPACK_FLIP_Y_WEBGL) core.flipY = Boolean(param);
      else if (pname === c.UNPACK_PREMULTIPLY_ALPHA_WEBGL) core.premultiply = Boolean(param);
      else if (pname === c.UNPACK_COLORSPACE_CONVERSION_WEBGL) core.colorspaceConversion = Number(param);
      else gl.glPixelStorei(pname, Number(param));
    },
    texImage2D(
      target: number,
      level: number,
      internalformat: number,
      width: number,
      height: number,
      border: number,
      format: number,
      type: number,
      source: Source,
      offset = 0,
    ) {
      const image = { target, level, internalFormat: internalformat, format, type, width, height, depth: 1 };
      upload(source, offset, [width, height, 1], [format, type], false, (pixels) =>
        specify(image, source, () =>
          gl.glTexImage2D(target, level, internalformat, width, height, border, format, type, pixels),
        ),
      );
    },
    bindTexture(target: number, texture: WebGLTexture | null) {
      if (texture && !core.textureTargets.has(texture)) core.textureTargets.set(texture, target);
      return bindTexture(target, texture);
    },
    texStorage2D(target: number, levels: number, internalFormat: number, width: number, height: number) {
      core.allocate(
        () => gl.glTexStorage2D(target, levels, internalFormat, width, height),
        () => clearNewStorage(core.context, { target, levels, internalFormat, width, height, depth: 1 }),
      );
    },
    texStorage3D(target: number, levels: number, internalFormat: number, width: number, height: number, depth: number) {
      core.allocate(
        () => gl.glTexStorage3D(target, levels, internalFormat, width, height, depth),
        () => clearNewStorage(core.context, { target, levels, internalFormat, width, height, depth }),
      );
    },
    texSubImage2D(
      target: number,
      level: number,
      x: number,
      y: number,
      width: number,
      height: number,
      format: number,
      type: number,
      source: Source,
      offset = 0,
    ) {
      if (source === null) return core.fail(c.INVALID_VALUE);
      upload(source, offset, [width, height, 1], [format, type], false, (pixels) =>
        gl.glTexSubImage2D(target, level, x, y, width, height, format, type, pixels),
      );
    },
    texImage3D(
      target: number,
      level: number,
      internalformat: number,
      width: number,
      height: number,
      depth: number,
      border: number,
      format: number,
      type: number,
      source: Source,
      offset = 0,
    ) {
      const image = { target, level, internalFormat: internalformat, format, type, width, height, depth };
      upload(source, offset, [width, height, depth], [format, type], true, (pixels) =>
        specify(image, source, () =>
          gl.glTexImage3D(target, level, internalformat, width, height, depth, border, format, type, pixels),
        ),
      );
    },
    texSubImage3D(
      target: number,
      level: number,
      x: number,
      y: number,
      z: number,
      width: number,
      height: number,
      depth: number,
      format: number,
      type: number,
      source: Source,
      offset = 0,
    ) {
      if (source === null) return core.fail(c.INVALID_VALUE);
      upload(source, offset, [width, height, depth], [format, type], true, (pixels) =>
        gl.glTexSubImage3D(target, level, x, y, z, width, height, depth, format, type, pixels),
      );
    },
    compressedTexImage2D(
      target: number,
      level: number,
      format: number,
      width: number,
      height: number,
      border: number,
      source: Source,
      offset = 0,
      length = 0,
    ) {
      compressed(source, offset, length, (size, data) =>
        gl.glCompressedTexImage2D(target, level, format, width, height, border, size, data),
      );
    },
    compressedTexSubImage2D(
      target: number,
      level: number,
      x: number,
      y: number,
      width: number,
      height: number,
      format: number,
      source: Source,
      offset = 0,
      length = 0,
    ) {
      compressed(source, offset, length, (size, data) =>
        gl.glCompressedTexSubImage2D(target, level, x, y, width, height, format, size, data),
      );
    },
    compressedTexImage3D(
      target: number,
      level: number,
      format: number,
      width: number,
      height: number,
      depth: number,
      border: number,
      source: Source,
      offset = 0,
      length = 0,
    ) {
      compressed(source, offset, length, (size, data) =>
        gl.glCompressedTexImage3D(target, level, format, width, height, depth, border, size, data),
      );
    },
    compressedTexSubImage3D(
      target: number,
      level: number,
      x: number,
      y: number,
      z: number,
      width: number,
      height: number,
      depth: number,
      format: number,
      source: Source,
      offset = 0,
      length = 0,
    ) {
      compressed(source, offset, length, (size, data) =>
        gl.glCompressedTexSubImage3D(target, level, x, y, z, width, height, depth, format, size, data),
      );
    },
  };
}
