import { constants as c } from '../../gl/webgl2/constants.ts';
import type { DataArgument } from '../../model/call.ts';
import { isFace } from '../observe/textures.ts';
import type { Upload } from '../observe/uploads.ts';
import type { EncodeContext, Encoded } from './encoding.ts';
import { addGreyDepth } from './grey-depth.ts';
import { addOddSizeFilter } from './odd-sizes.ts';
import { hideAlpha, isOpaqueFloats, opaqueTexels } from './opaque-floats.ts';
import { sizedFormat } from './sized-formats.ts';

/** The GL call of a texture upload; texels that only the GPU knows are read back once it has them. */
export function encodeUpload(context: EncodeContext, upload: Upload): Encoded {
  const { calls } = context;
  const { target, level, internalformat, volume, sub, compressed, bufferOffset } = upload;
  const suffix = volume ? '3D' : '2D';
  const size = volume ? [upload.width, upload.height, upload.depth] : [upload.width, upload.height];
  const at = volume ? [upload.x, upload.y, upload.z] : [upload.x, upload.y];
  const add = (givenFormat: number, givenType: number, given: Uint8Array | null) => {
    const opaque = context.version === 1 && isOpaqueFloats(givenFormat, givenType);
    const texels = opaque ? opaqueTexels(givenType, given) : given;
    const [sizedformat, format, type] = opaque
      ? sizedFormat(c.RGBA, c.RGBA, givenType)
      : sizedFormat(internalformat, givenFormat, givenType);
    let data: DataArgument = null;
    if (bufferOffset !== undefined) data = { kind: 'offset', offset: bufferOffset };
    else if (texels && texels.length > 0) data = calls.data(texels);
    const bytes = upload.imageBytes ?? texels?.length ?? 0;
    if (compressed && sub)
      calls.add(`glCompressedTexSubImage${suffix}`, [target, level, ...at, ...size, format, bytes, data]);
    else if (compressed)
      calls.add(`glCompressedTexImage${suffix}`, [target, level, internalformat, ...size, 0, bytes, data]);
    else if (sub) calls.add(`glTexSubImage${suffix}`, [target, level, ...at, ...size, format, type, data]);
    else {
      calls.add(`glTexImage${suffix}`, [target, level, sizedformat, ...size, 0, format, type, data]);
      if (context.version === 1) addGreyDepth(calls, target, format);
      if (opaque) hideAlpha(calls, target);
    }
  };
  return () => {
    if (upload.texels !== undefined || bufferOffset !== undefined)
      add(upload.format, upload.type, upload.texels ?? null);
    else {
      const read = context.uploaded(upload);
      if (read) add(read.format, read.type, read.texels);
    }
    if (context.version === 1 && !sub && level === 0)
      addOddSizeFilter(context.gl, context.shadows, calls, isFace(target) ? c.TEXTURE_CUBE_MAP : target);
  };
}
