import { constants as c } from '../../gl/webgl2/constants.ts';
import type { CallList } from './call-list.ts';

/** TEXTURE_SWIZZLE_G and TEXTURE_SWIZZLE_B, which WebGL does not have. */
const others = [0x8e43, 0x8e44];

/** WebGL 1 samples depth as grey, which GL ES 3 leaves to drivers: some give red alone. The texture is bound. */
export function addGreyDepth(calls: CallList, target: number, format: number): void {
  if (format !== c.DEPTH_COMPONENT && format !== c.DEPTH_STENCIL) return;
  for (const channel of others) calls.add('glTexParameteri', [target, channel, c.RED]);
}
