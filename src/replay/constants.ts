import { enumValue } from '../gl/enums.ts';

/** GL's numbers by name, from the registry; a name that no registry knows is a mistake in this program. */
export function glEnum(name: string): number {
  const value = enumValue(name);
  if (value === undefined) throw new Error(`no GL enum is called ${name}`);
  return value;
}

/** The numbers of the named enums as an object: `const { GL_BACK } = glEnums('GL_BACK')`. */
export function glEnums<Name extends `GL_${string}`>(...names: Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, glEnum(name)])) as Record<Name, number>;
}
