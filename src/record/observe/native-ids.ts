import { kindOf } from '../../gl/webgl2/parameters.ts';
import { creations } from '../encode/webgl-commands.ts';
import type { Handle } from '../webgl.ts';
import type { RecordedClass } from './shadows.ts';

const handleKinds: ReadonlySet<string> = new Set(Object.values(creations));

/**
 * Finds handles by their GL names, for contexts whose getParameter gives names where WebGL gives handles: headless-gl
 * does for most of WebGL 2. Handles are held weakly.
 */
export class NativeIds {
  readonly #idOf: (handle: Handle) => unknown;
  readonly #handles = new Map<string, WeakRef<Handle>>();
  readonly #dead = new FinalizationRegistry<string>((key) => {
    if (!this.#handles.get(key)?.deref()) this.#handles.delete(key);
  });

  constructor(idOf: (handle: Handle) => unknown) {
    this.#idOf = idOf;
  }

  add(kind: RecordedClass, handle: Handle): void {
    const key = `${kind} ${this.#idOf(handle)}`;
    this.#handles.set(key, new WeakRef(handle));
    this.#dead.register(handle, key);
  }

  /** What getParameter should have returned. */
  resolve(pname: number, value: unknown): unknown {
    const kind = kindOf.get(pname);
    if (typeof value !== 'number' || kind === undefined || !handleKinds.has(kind)) return value;
    return this.#handles.get(`${kind} ${value}`)?.deref() ?? null;
  }
}
