import type { CanvasLabel } from '../protocol.ts';
import type { Canvases } from './canvases.ts';
import { replaceMethod } from './disguise.ts';

const { apply } = Reflect;
const deepest = 8;

/** The OffscreenCanvases in a message, in an order that is the same for the one sent and the one that arrives. */
function canvasesIn(value: unknown, depth = 0, seen = new Set<unknown>()): OffscreenCanvas[] {
  if (typeof value !== 'object' || value === null || depth > deepest || seen.has(value)) return [];
  seen.add(value);
  if (value instanceof OffscreenCanvas) return [value];
  if (ArrayBuffer.isView(value)) return [];
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value);
  return parts.flatMap((part) => canvasesIn(part, depth + 1, seen));
}

/** Sends a label ahead of each canvas that the page hands to a worker: there it would have no element. */
export function labelTransfers(canvases: Canvases, secret: string): void {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') return;
  replaceMethod(Worker.prototype, 'postMessage', (original) => ({
    postMessage(this: unknown, ...args: unknown[]) {
      const transfer = args[1];
      // Only with a transfer list can there be a canvas.
      const labels = typeof transfer === 'object' ? canvasesIn(args[0]).map((canvas) => canvases.label(canvas)) : [];
      if (labels.length > 0) apply(original, this, [{ [secret]: labels }]);
      return apply(original, this, args);
    },
  }));
}

/** The other end: takes the labels out of the worker's messages before the page's own code sees them. */
export function receiveLabels(canvases: Canvases, secret: string): void {
  let labels: readonly CanvasLabel[] = [];
  addEventListener('message', (event: MessageEvent) => {
    const sent: unknown = event.data?.[secret];
    if (Array.isArray(sent)) {
      labels = sent;
      event.stopImmediatePropagation();
    } else if (labels.length > 0) {
      for (const [index, canvas] of canvasesIn(event.data).entries())
        if (labels[index]) canvases.setLabel(canvas, labels[index]);
      labels = [];
    }
  });
}
