/** Thumbnails as images. */
import { element } from './dom.ts';

let pictures: readonly string[] = [];

/** To be called first, with PNG files in base 64. */
export function usePictures(list: readonly string[]): void {
  pictures = list;
}

/** `alt` is what it shows; empty beside text that says it. */
export const pictureElement = (index: number, alt: string): HTMLElement =>
  element('img', { class: 'thumbnail', src: `data:image/png;base64,${pictures[index]}`, alt });
