import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { numberNamed } from '../../model/named-arguments.ts';
import { perSignature } from '../../model/per-signature.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import type { PixelStore } from '../pixel-store.ts';

const uploads = perSignature(({ name }) => /^gl((Multi)?Tex(ture)?(Sub)?Image|DrawPixels)/.test(name));

/**
 * Pixels that come from a buffer must lie inside it: NVIDIA's driver looks for that in 32 bits, and reads wherever a row of
 * 2^30 pixels leads it. Throws GpuprofError `bad-capture`; `bufferBytes` gives the size of a buffer by id.
 */
export function checkUnpackBuffer(
  call: Call,
  bindings: Bindings,
  store: PixelStore,
  bufferBytes: (buffer: number) => number,
): void {
  if (!uploads(call.signature)) return;
  const buffer = bindings.buffer(GL.PIXEL_UNPACK_BUFFER);
  const data = call.args[call.args.length - 1] as DataArgument;
  const pixelBytes = texelBytes(numberNamed(call, 'format') ?? 0, numberNamed(call, 'type') ?? 0);
  if (buffer === 0 || data?.kind !== 'offset' || !pixelBytes) return;
  const [width, height, depth] = ['width', 'height', 'depth'].map((name) => Math.max(0, numberNamed(call, name) ?? 1));
  const end = data.offset + store.unpackedBytes(width, height, depth, pixelBytes);
  const sizeBytes = bufferBytes(buffer);
  if (end > sizeBytes)
    throw new GpuprofError(
      'bad-capture',
      `${call.signature.name} reads its unpack buffer up to byte ${end}, which has ${sizeBytes} bytes`,
    );
}
