import type { ElementType, ObjectClass, Param, ParamType, Result, Signature } from '../model/signature.ts';
import { angleLines } from './registry/angle-lines.ts';
import { commandLines } from './registry/command-lines.ts';
import { pseudoLines } from './registry/pseudo-lines.ts';

interface Command {
  readonly signature: Signature;
  /** The name the registry calls this one an alias of. */
  readonly alias: string | undefined;
  /** What brings it: `gl3.0`, `es3.0`, or an extension's name. */
  readonly providers: readonly string[];
}

const lineOf = new Map<string, string>();
const commands = new Map<string, Command>();
let aliasGroups: Map<string, string[]> | undefined;

function lines(): Map<string, string> {
  if (lineOf.size === 0)
    for (const line of (commandLines + angleLines + pseudoLines).split('\n'))
      if (line) lineOf.set(line.slice(0, line.indexOf('|')), line);
  return lineOf;
}

function parseParam(text: string): Param {
  const [name, declared] = text.split(' ');
  const [type, detail] = declared.split(':') as [ParamType, string | undefined];
  if (detail === undefined) return { name, type };
  if (type === 'object' || type === 'objects') return { name, type, objectClass: detail as ObjectClass };
  if (type === 'data' || type === 'out') return { name, type, element: detail as ElementType };
  return { name, type, group: detail };
}

function command(name: string): Command | undefined {
  const known = commands.get(name);
  if (known) return known;
  const line = lines().get(name);
  if (!line) return undefined;
  const [, alias, providers, result, ...params] = line.split('|');
  const [type, objectClass] = result.split(':') as [Result['type'], ObjectClass | undefined];
  const parsed: Command = {
    signature: { name, result: objectClass ? { type, objectClass } : { type }, params: params.map(parseParam) },
    alias: alias || undefined,
    providers: providers.split(' '),
  };
  commands.set(name, parsed);
  return parsed;
}

/** The signature of a GL command by its full name (`glDrawArrays`), or undefined when no registry knows it. */
export function signatureOf(name: string): Signature | undefined {
  return command(name)?.signature;
}

/** Full names of all known commands. */
export const commandNames = (): readonly string[] => [...lines().keys()];

/** What brings a command: versions (`gl3.0`, `es3.0`) and extension names; empty when no registry knows it. */
export function providersOf(name: string): readonly string[] {
  return command(name)?.providers ?? [];
}

/**
 * The names under which a driver may offer a command, best first: its own, then the registry's aliases
 * (`glGenQueriesEXT` for `glGenQueries`). All take the same arguments.
 */
export function namesFor(name: string): readonly string[] {
  if (!aliasGroups) {
    aliasGroups = new Map();
    for (const line of lines().values()) {
      const [member, alias] = line.split('|', 2);
      const root = alias || member;
      const group = aliasGroups.get(root);
      if (group) group.push(member);
      else aliasGroups.set(root, [member]);
    }
  }
  const root = command(name)?.alias ?? name;
  const group = aliasGroups.get(root) ?? [];
  return [...new Set([name, root, ...group])];
}
