/** Both canvases of a comparison and how they differ, as pictures for its page. */
import { differencePicture, imageDifference, type Pixels } from '../../analysis/image-difference.ts';
import { encodePng } from '../../capture/png.ts';
import type { ComparedPicture, ComparedPictures } from '../../report/compare/pictures.ts';

const picture = (pixels: Pixels): ComparedPicture => ({
  width: pixels.width,
  height: pixels.height,
  png: encodePng(pixels),
});

export function comparedPictures(base: Pixels, next: Pixels): ComparedPictures {
  const isOneSize = base.width === next.width && base.height === next.height;
  const numbers = isOneSize ? imageDifference(base, next, 0) : null;
  const scale = numbers && numbers.maxDifference > 0 ? 255 / numbers.maxDifference : 1;
  return {
    base: picture(base),
    new: picture(next),
    difference: numbers && { ...numbers, ...picture(differencePicture(base, next, scale)), scale },
  };
}
