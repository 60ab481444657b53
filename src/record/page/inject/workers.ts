import { withRecorder } from '../with-recorder.ts';
import { replaceConstructor } from './disguise.ts';
import type { Transport } from './transport.ts';

const { construct } = Reflect;

/**
 * Gets the recorder into the dedicated workers that this window or worker starts, before their own script: the tool puts it
 * into what comes over the network, and what the page has made itself (blob: and data: addresses) is made anew with it.
 */
export function recordWorkers(transport: Transport): void {
  if (typeof Worker === 'undefined') return;
  replaceConstructor(globalThis, 'Worker', (original, args, newTarget) => {
    try {
      const url = new URL(String(args[0]), typeof document === 'undefined' ? location.href : document.baseURI);
      if (url.protocol === 'blob:' || url.protocol === 'data:') {
        const recorder = transport.post('worker', '').text;
        const text = withRecorder(recorder, transport.get(url.href));
        const own = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
        return construct(original, [own, ...args.slice(1)], newTarget);
      }
      transport.post('worker', url.href);
    } catch {
      // The worker runs without a recorder, or does not run at all, as it would have.
    }
    return construct(original, args, newTarget);
  });
}
