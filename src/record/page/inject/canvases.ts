import type { CanvasLabel } from '../protocol.ts';

export type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;

const isElement = (canvas: AnyCanvas): canvas is HTMLCanvasElement =>
  typeof HTMLCanvasElement !== 'undefined' && 'ownerDocument' in canvas;

/** A short CSS selector that finds this element and no other of its document. */
function selectorOf(element: Element): string | undefined {
  const root = element.getRootNode() as ParentNode;
  const steps: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const id = at.id && `#${CSS.escape(at.id)}`;
    const step = id && root.querySelectorAll(id).length === 1 ? id : stepOf(at);
    steps.unshift(step);
    if (step === id) break;
    if (root.querySelectorAll(steps.join(' > ')).length === 1) break;
  }
  return steps.join(' > ');
}

function stepOf(element: Element): string {
  const tag = element.localName;
  const parent = element.parentElement;
  if (!parent) return tag;
  const same = [...parent.children].filter((child) => child.localName === tag);
  return same.length === 1 ? tag : `${tag}:nth-of-type(${same.indexOf(element) + 1})`;
}

/** Placeholders of canvases whose control went to an OffscreenCanvas, by that. */
const placeholders = new WeakMap<AnyCanvas, HTMLCanvasElement>();

export const setPlaceholder = (offscreen: OffscreenCanvas, element: HTMLCanvasElement): void => {
  placeholders.set(offscreen, element);
};

const elementOf = (canvas: AnyCanvas): HTMLCanvasElement | undefined =>
  isElement(canvas) ? canvas : placeholders.get(canvas);

export function labelOf(canvas: AnyCanvas): CanvasLabel {
  const { width, height } = canvas;
  const element = elementOf(canvas);
  if (!element?.isConnected) return { connected: false, width, height };
  const selector = selectorOf(element);
  return { ...(selector && { selector }), connected: true, width, height };
}

/** Whether a CSS selector means this canvas. */
export const matches = (canvas: AnyCanvas, selector: string): boolean => elementOf(canvas)?.matches(selector) ?? false;
