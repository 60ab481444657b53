/** Replacements of the browser's functions that look like them to the page. */

type Function_ = (this: unknown, ...args: unknown[]) => unknown;

const { apply, getOwnPropertyDescriptor, defineProperty, getPrototypeOf } = Reflect;
const originals = new WeakMap<object, Function_>();
let toStringReplaced = false;

/** The object on the prototype chain that has the property itself. */
function ownerOf(object: object, name: string): object | undefined {
  for (let at: object | null = object; at; at = getPrototypeOf(at)) if (getOwnPropertyDescriptor(at, name)) return at;
  return undefined;
}

function disguise(replacement: Function_, original: Function_): void {
  for (const property of ['name', 'length'] as const)
    defineProperty(replacement, property, { value: original[property], configurable: true });
  originals.set(replacement, original);
}

/** Functions print as what they replace. */
function replaceToString(): void {
  if (toStringReplaced) return;
  toStringReplaced = true;
  replaceMethod(Function.prototype, 'toString', (print) => ({
    toString(this: unknown, ...args: unknown[]) {
      const original = typeof this === 'function' ? originals.get(this) : undefined;
      return apply(print, original ?? this, args);
    },
  }));
}

/**
 * Puts a method in an original's place, with its name, length, printed text and property attributes. `make` returns an
 * object with the method under any name: methods written so have no `prototype` and cannot be called with `new`, as the
 * browser's cannot. Does nothing where there is no such method.
 */
export function replaceMethod(
  object: object,
  name: string,
  make: (original: Function_) => Readonly<Record<string, Function_>>,
): void {
  const owner = ownerOf(object, name);
  const property = owner && getOwnPropertyDescriptor(owner, name);
  if (!owner || typeof property?.value !== 'function') return;
  const [replacement] = Object.values(make(property.value));
  disguise(replacement, property.value);
  defineProperty(owner, name, { ...property, value: replacement });
  replaceToString();
}
