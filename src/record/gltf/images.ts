import type { Texture } from '@gltf-transform/core';
import sharp from 'sharp';
import { GpuprofError } from '../../errors.ts';
import { memoryHint } from '../../model/memory-limit.ts';
import { modelLimits } from './checker.ts';

/** RGBA, 8 bits each, top row first. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const readable = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif']);

/** By its first bytes: what decodes images would take an SVG too, which may name files and take for ever. */
function isReadable(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return /^(\x89PNG|\xff\xd8\xff|RIFF.{4}WEBP|.{4}ftyp)/s.test(start);
}

export function nameOf(texture: Texture): string {
  return texture.getName() || texture.getURI() || '(unnamed)';
}

/**
 * Decodes a texture's PNG, JPEG, WebP or AVIF, made smaller when a side is over `maxSize` pixels. Values are kept as the file has them (no colour profile is applied), as
 * glTF 2.0 asks for. Throws GpuprofError `bad-input` that names the texture.
 */
export async function decodeImage(texture: Texture, maxSize: number): Promise<Image> {
  const name = nameOf(texture);
  const bytes = texture.getImage();
  if (!bytes) throw new GpuprofError('bad-input', `texture ${name} has no image`);
  const type = texture.getMimeType();
  if (type === 'image/ktx2')
    throw new GpuprofError('bad-input', `texture ${name} is KTX2, which is not supported`, {
      hint: 'convert it to PNG, JPEG or WebP',
    });
  if (type && !readable.has(type))
    throw new GpuprofError('bad-input', `texture ${name} is ${type.slice(0, 60)}, which is not supported`, {
      hint: 'convert it to PNG, JPEG or WebP',
    });
  try {
    if (!isReadable(bytes)) throw new Error('it is no PNG, JPEG, WebP or AVIF');
    const { data, info } = await sharp(bytes, {
      limitInputPixels: modelLimits.imagePixels,
      failOn: 'error',
      ignoreIcc: true,
    })
      .resize(maxSize, maxSize, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 4) throw new Error(`it decodes to ${info.channels} channels`);
    return { width: info.width, height: info.height, pixels: new Uint8Array(data) };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    if (/pixel limit/.test(message))
      throw new GpuprofError('bad-input', `texture ${name} has more than ${modelLimits.imagePixels} pixels`, {
        hint: memoryHint,
        cause,
      });
    throw new GpuprofError('bad-input', `the image of texture ${name} cannot be decoded: ${message}`, { cause });
  }
}
