import type { CanvasLabel } from '../protocol.ts';

export type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

function stepOf(element: Element): string {
  const parent = element.parentElement;
  const same = parent ? [...parent.children].filter((child) => child.localName === element.localName) : [element];
  return same.length === 1 ? element.localName : `${element.localName}:nth-of-type(${same.indexOf(element) + 1})`;
}

/** A short CSS selector that finds this element and no other of its document. */
function selectorOf(element: Element): string {
  const root = element.getRootNode() as ParentNode;
  const finds = (selector: string) => root.querySelectorAll(selector).length === 1;
  let selector = '';
  for (let at: Element | null = element; at; at = at.parentElement) {
    const id = at.id && `#${CSS.escape(at.id)}`;
    const step = id && finds(id) ? id : stepOf(at);
    selector = selector === '' ? step : `${step} > ${selector}`;
    if (finds(selector)) break;
  }
  return selector;
}

/**
 * Knows the element behind each canvas: itself, or for an OffscreenCanvas the placeholder whose control was handed over,
 * which for a worker is a label that came with it.
 */
export class Canvases {
  readonly #wanted: string | undefined;
  readonly #placeholders = new WeakMap<AnyCanvas, HTMLCanvasElement>();
  readonly #labels = new WeakMap<AnyCanvas, CanvasLabel>();
  /** How many were handed to an OffscreenCanvas. */
  transferred = 0;

  /** `wanted` is the CSS selector that {@link CanvasLabel.matches} is about. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  transfer(element: HTMLCanvasElement, offscreen: OffscreenCanvas): void {
    this.transferred++;
    this.#placeholders.set(offscreen, element);
  }

  setLabel(canvas: AnyCanvas, label: CanvasLabel): void {
    this.#labels.set(canvas, label);
  }

  label(canvas: AnyCanvas): CanvasLabel {
    const { width, height } = canvas;
    const known = this.#labels.get(canvas);
    if (known) return { ...known, width, height };
    const element = 'ownerDocument' in canvas ? canvas : this.#placeholders.get(canvas);
    const matches = this.#wanted === undefined || (element?.matches(this.#wanted) ?? false);
    if (!element?.isConnected) return { connected: false, width, height, matches };
    return { selector: selectorOf(element), connected: true, width, height, matches };
  }

  matches(canvas: AnyCanvas): boolean {
    return this.#wanted === undefined || this.label(canvas).matches;
  }
}
