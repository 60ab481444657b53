/** Makes an 8-bit picture of whatever a render target holds. */
import type { TargetValues } from '../model/target-values.ts';
import type { Pixels } from './image-difference.ts';

/** The values shown as 0 and as 255; those outside are shown as the nearer one. */
export interface ShownRange {
  readonly low: number;
  readonly high: number;
}

export interface TargetPicture extends Pixels {
  readonly range: ShownRange;
}

/** Of the finite values in red, green and blue, or in the only channel; null when there are none. */
function extent({ values, kind }: TargetValues): ShownRange | null {
  const isColor = kind === 'float' || kind === 'integer' || kind === 'normalized';
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < values.length; at++) {
    if (isColor && at % 4 === 3) continue;
    const value = values[at];
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : null;
}

/**
 * Colours within the usual range (0 to 1, integers 0 to 255) keep it, others are spread from their least to their greatest
 * value; depth is spread likewise, and stencil from 0.
 */
function rangeOf(target: TargetValues): ShownRange {
  const usual = { low: 0, high: target.kind === 'integer' || target.kind === 'stencil' ? 255 : 1 };
  if (target.kind === 'normalized') return usual;
  const found = extent(target);
  if (!found) return usual;
  if (target.kind === 'stencil') return found.high > 0 ? { low: 0, high: found.high } : usual;
  if (target.kind === 'depth') return found.low < found.high ? found : usual;
  return found.low >= usual.low && found.high <= usual.high ? usual : found;
}

/** NaN is black. */
function level(value: number, { low, high }: ShownRange): number {
  if (low === high) return value > low ? 255 : 0;
  return Math.max(0, Math.min(255, Math.round(((value - low) / (high - low)) * 255))) || 0;
}

/** Top row first; floats keep their alpha within 0 to 1, what else is not normalized is opaque. */
export function targetPicture(target: TargetValues): TargetPicture {
  const { kind, width, height, values } = target;
  const range = rangeOf(target);
  const isGrey = kind === 'depth' || kind === 'stencil';
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = (height - 1 - row) * width;
    const to = row * width * 4;
    if (kind === 'normalized') {
      data.set(values.subarray(from * 4, (from + width) * 4), to);
      continue;
    }
    for (let x = 0; x < width; x++) {
      const at = to + x * 4;
      if (isGrey) data.fill(level(values[from + x], range), at, at + 3);
      else
        for (let channel = 0; channel < 3; channel++)
          data[at + channel] = level(values[(from + x) * 4 + channel], range);
      data[at + 3] = kind === 'float' ? level(values[(from + x) * 4 + 3], { low: 0, high: 1 }) : 255;
    }
  }
  return { width, height, data, range };
}
