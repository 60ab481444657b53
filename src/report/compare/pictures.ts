/** What both sides of a comparison drew, for HTML. */

export interface ComparedPicture {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

/** The canvas of each side at the end of the last frame that was compared. */
export interface ComparedPictures {
  readonly base: ComparedPicture;
  readonly new: ComparedPicture;
  /** Null for canvases of two sizes. */
  readonly difference: PictureDifference | null;
}

/** The part by which each channel differs, made `scale` times as large so that the largest is white. */
interface PictureDifference extends ComparedPicture {
  readonly scale: number;
  readonly pixels: number;
  /** Pixels that differ at all. */
  readonly differing: number;
  /** Of any channel of any pixel, and over all of them: 0 to 255. */
  readonly maxDifference: number;
  readonly meanDifference: number;
}
