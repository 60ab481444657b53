/** Scales pictures down: each pixel is the mean of the area it stands for. */
import type { Pixels } from './image-difference.ts';

/** Which pixels of a longer side lie in each of a shorter one, and how much of them. */
function shares(from: number, to: number): { readonly first: Uint32Array; readonly weights: readonly Float64Array[] } {
  const step = from / to;
  const first = new Uint32Array(to);
  const weights = Array.from({ length: to }, (_, at) => {
    const [low, high] = [at * step, Math.min(from, (at + 1) * step)];
    first[at] = Math.floor(low);
    const count = Math.min(from, Math.ceil(high)) - first[at];
    return Float64Array.from({ length: count }, (_, index) => {
      const pixel = first[at] + index;
      return (Math.min(high, pixel + 1) - Math.max(low, pixel)) / step;
    });
  });
  return { first, weights };
}

/** The sides of a picture whose longest is `longest` at most, in the same proportion. */
function shrunkSize(width: number, height: number, longest: number): { width: number; height: number } {
  const factor = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** The same picture when neither side is longer than `longest`; channels are averaged each for itself. */
export function shrinkPicture(picture: Pixels, longest: number): Pixels {
  const { width, height } = shrunkSize(picture.width, picture.height, longest);
  if (width === picture.width && height === picture.height) return picture;
  const { data: source } = picture;
  const columns = shares(picture.width, width);
  const rows = shares(picture.height, height);
  const data = new Uint8Array(width * height * 4);
  const length = picture.width * 4;
  const sums = new Float64Array(length);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (const [index, weight] of rows.weights[y].entries()) {
      const from = (rows.first[y] + index) * length;
      for (let at = 0; at < length; at++) sums[at] += source[from + at] * weight;
    }
    for (let x = 0; x < width; x++) {
      const weights = columns.weights[x];
      const to = (y * width + x) * 4;
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let index = 0, at = columns.first[x] * 4 + channel; index < weights.length; index++, at += 4)
          sum += sums[at] * weights[index];
        data[to + channel] = Math.round(sum);
      }
    }
  }
  return { width, height, data };
}
