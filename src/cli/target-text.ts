import type { TargetPicture } from '../analysis/target-picture.ts';
import type { TargetValues } from '../model/target-values.ts';

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(6));

/** What a picture of a target shows, with the range that its 8 bits stand for. */
export function targetText(target: TargetValues, { width, height, range }: TargetPicture): string {
  const { attachment, framebuffer, kind } = target;
  const shown = kind === 'normalized' ? '' : `; 0 to 255 shows ${number(range.low)} to ${number(range.high)} (${kind})`;
  return `${attachment} of ${framebuffer}, ${width}x${height}${shown}`;
}
