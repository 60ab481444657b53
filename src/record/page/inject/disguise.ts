/** Replacements of the browser's functions that look like them to the page. */
import { unwrapped } from '../../webgl.ts';

type Callable = (this: unknown, ...args: unknown[]) => unknown;
type Constructor = new (...args: unknown[]) => object;

const { apply, getOwnPropertyDescriptor, defineProperty, getPrototypeOf } = Reflect;
const originals = new WeakMap<object, object>();
let printsReplaced = false;

/** The object on the prototype chain that has the property itself. */
function ownerOf(object: object, name: string): object | undefined {
  for (let at: object | null = object; at; at = getPrototypeOf(at)) if (getOwnPropertyDescriptor(at, name)) return at;
  return undefined;
}

/** Replacements print as what they replace. */
function replacePrints(): void {
  if (printsReplaced) return;
  printsReplaced = true;
  replaceMethod(Function.prototype, 'toString', (print) => ({
    toString(this: unknown, ...args: unknown[]) {
      const original = typeof this === 'function' ? (originals.get(this) ?? unwrapped(this as Callable)) : undefined;
      return apply(print, original ?? this, args);
    },
  }));
}

function replace(object: object, name: string, make: (original: unknown) => object | undefined): void {
  const owner = ownerOf(object, name);
  const property = owner && getOwnPropertyDescriptor(owner, name);
  if (!owner || typeof property?.value !== 'function') return;
  const replacement = make(property.value);
  if (!replacement) return;
  originals.set(replacement, property.value);
  defineProperty(owner, name, { ...property, value: replacement });
  replacePrints();
}

/**
 * Puts a method in an original's place, with its name, length, printed text and property attributes. `make` returns an
 * object with the method under any name: methods written so have no `prototype` and cannot be called with `new`, as the
 * browser's cannot. Does nothing where there is no such method.
 */
export function replaceMethod(
  object: object,
  name: string,
  make: (original: Callable) => Readonly<Record<string, Callable>>,
): void {
  replace(object, name, (original) => {
    const [replacement] = Object.values(make(original as Callable));
    for (const property of ['name', 'length'] as const)
      defineProperty(replacement, property, { value: (original as Callable)[property], configurable: true });
    return replacement;
  });
}

/** Puts a function in the place of what `new` does with a constructor. */
export function replaceConstructor(
  object: object,
  name: string,
  build: (original: Constructor, args: unknown[], newTarget: NewableFunction) => object,
): void {
  replace(object, name, (original) => {
    const proxy = new Proxy(original as Constructor, { construct: build });
    defineProperty(proxy.prototype, 'constructor', { value: proxy, writable: true, configurable: true });
    return proxy;
  });
}
