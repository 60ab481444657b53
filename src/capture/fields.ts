import { GpuprofError } from '../errors.ts';

/** Checks of untrusted JSON. Each returns the value or throws naming the field: "canvas.width must be ..., got -3". */

export type JsonObject = Readonly<Record<string, unknown>>;

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function fail(path: string, wanted: string, value: unknown): never {
  throw new GpuprofError('bad-capture', `${path} must be ${wanted}, got ${show(value)}`);
}

/** A plain object with all of `required`, maybe some of `optional`, and nothing else. */
export function fields(
  value: unknown,
  path: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path || 'the file', 'an object', value);
  const object = value as JsonObject;
  const prefix = path ? `${path}.` : '';
  for (const name of required)
    if (!Object.hasOwn(object, name)) throw new GpuprofError('bad-capture', `${prefix}${name} is missing`);
  for (const name of Object.keys(object))
    if (!required.includes(name) && !optional.includes(name))
      throw new GpuprofError('bad-capture', `${prefix}${name.slice(0, 60)} is not a field of this version`);
  return object;
}

export function integer(value: unknown, path: string, min: number, max: number): number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max)
    fail(path, `${min} to ${max}`, value);
  return value as number;
}

export function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(path, 'a number', value);
  return value;
}

export function boolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') fail(path, 'true or false', value);
  return value;
}

/** Text of at most `max` UTF-16 units, of the given form when there is one. */
export function text(value: unknown, path: string, max: number, form?: RegExp, wanted = 'text'): string {
  if (typeof value !== 'string' || (form && !form.test(value))) fail(path, wanted, value);
  if (value.length > max) fail(path, `at most ${max} characters long`, value);
  return value;
}

export function oneOf<T extends string>(value: unknown, path: string, choices: readonly T[]): T {
  if (!choices.includes(value as T)) fail(path, `one of ${choices.join(', ')}`, value);
  return value as T;
}

/** A list of at most `max` items, each checked; `path[3]` names an item. */
export function list<T>(
  value: unknown,
  path: string,
  max: number,
  item: (value: unknown, path: string) => T,
): readonly T[] {
  if (!Array.isArray(value)) fail(path, 'a list', value);
  if (value.length > max) throw new GpuprofError('bad-capture', `${path} has ${value.length} items; at most ${max}`);
  return value.map((each, index) => item(each, `${path}[${index}]`));
}

/** Refuses a list in which two items have the same key. */
export function unique<T>(items: readonly T[], path: string, key: (item: T) => string): readonly T[] {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const each = key(item);
    if (seen.has(each)) throw new GpuprofError('bad-capture', `${path}[${index}] repeats an earlier item`);
    seen.add(each);
  }
  return items;
}
