import type { CounterOrigin } from './counter-sample.ts';

/** Whether counters and times come from one driver and one kind of context, so that they speak of the same work. */
export const isSameOrigin = (one: CounterOrigin, other: CounterOrigin): boolean =>
  one.driver === other.driver &&
  one.api === other.api &&
  one.renderer === other.renderer &&
  one.version === other.version;

/** Where something was measured, in a few words: `OpenGL 4.5 llvmpipe through egl`. Untrusted: drivers wrote it. */
export function originText({ driver, api, renderer, version }: CounterOrigin): string {
  const number = /\d+\.\d+/.exec(version)?.[0];
  return `${api === 'es' ? 'OpenGL ES' : 'OpenGL'} ${number ? `${number} ` : ''}${renderer} through ${driver}`;
}
