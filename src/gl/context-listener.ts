/** A listener that whichever copy of gpuprof a program uses finds: the recorder may be another one's. */
const key = Symbol.for('gpuprof.context-listener');

type Listener = (gl: object, driver: string) => void;
const everywhere = globalThis as { [key]?: Listener };

/** Has the listener told of each WebGL context that gpuprof makes in this thread, before its first call. */
export function announceContexts(listener: Listener): void {
  Object.defineProperty(everywhere, key, { value: listener, configurable: true });
}

export function contextMade(gl: object, driver: string): void {
  everywhere[key]?.(gl, driver);
}
