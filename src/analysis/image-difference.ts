/** RGBA, 8 bits a channel, rows one after the other. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** How two pictures of one size differ. Channels count from 0 to 255. */
export interface ImageDifference {
  readonly pixels: number;
  /** Pixels that differ at all. */
  readonly differing: number;
  /** Pixels of which a channel differs by more than the tolerance. */
  readonly beyondTolerance: number;
  readonly maxDifference: number;
  /** Over all channels of all pixels. */
  readonly meanDifference: number;
}

/** Compares two pictures channel by channel, alpha included. Throws a RangeError when their sizes differ. */
export function imageDifference(left: Pixels, right: Pixels, tolerance: number): ImageDifference {
  const pixels = left.width * left.height;
  if (left.width !== right.width || left.height !== right.height) throw new RangeError('pictures of different sizes');
  let differing = 0;
  let beyondTolerance = 0;
  let maxDifference = 0;
  let sum = 0;
  for (let at = 0; at < pixels * 4; at += 4) {
    let most = 0;
    for (let channel = at; channel < at + 4; channel++) {
      const difference = Math.abs(left.data[channel] - right.data[channel]);
      sum += difference;
      if (difference > most) most = difference;
    }
    if (most > 0) differing++;
    if (most > tolerance) beyondTolerance++;
    if (most > maxDifference) maxDifference = most;
  }
  const meanDifference = pixels === 0 ? 0 : sum / (pixels * 4);
  return { pixels, differing, beyondTolerance, maxDifference, meanDifference };
}

/**
 * By how much each channel of two pictures of one size differs, times `scale` and at most 255; opaque, so that a difference
 * in alpha shows as grey.
 */
export function differencePicture(left: Pixels, right: Pixels, scale: number): Pixels {
  const data = new Uint8ClampedArray(left.data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = Math.abs(left.data[at + 3] - right.data[at + 3]);
    for (let channel = at; channel < at + 3; channel++)
      data[channel] = Math.max(alpha, Math.abs(left.data[channel] - right.data[channel])) * scale;
    data[at + 3] = 255;
  }
  return { width: left.width, height: left.height, data: new Uint8Array(data.buffer) };
}
