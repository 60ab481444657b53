/** What the commands of each family have in common: how they are written, and lists of ids. */
import type { Bindings } from '../bindings.ts';
import type { Argument } from '../call.ts';

/** What one GL command does to the bindings; arguments in the registry's order. */
export type BindingCommand = (bindings: Bindings, args: readonly Argument[]) => void;

/** Commands by name, without prefix and vendor. */
export type BindingCommands = Readonly<Record<string, BindingCommand>>;

export const number = (value: Argument): number => Number(value);
/** Empty for what is no list: a bad capture may give a command other parameters than GL does. */
export const ids = (value: Argument): readonly number[] => (Array.isArray(value) ? value : []);

export function setOrDelete(map: Map<number, number>, key: number, id: number): void {
  if (id) map.set(key, id);
  else map.delete(key);
}

/**
 * Lists that may be a null pointer are stored empty: then every one of `count` places is unbound (as many as a context
 * can have at most, whatever a bad capture says).
 */
export function eachOf(count: Argument, list: Argument, visit: (id: number, index: number) => void): void {
  const length = Math.min(number(count), Math.max(ids(list).length, 4096));
  for (let index = 0; index < length; index++) visit(ids(list)[index] ?? 0, index);
}

export const deleting =
  (forget: (b: Bindings, id: number) => void): BindingCommand =>
  (b, a) => {
    for (const id of ids(a[1])) if (id) forget(b, id);
  };
