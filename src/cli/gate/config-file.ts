/** Where a configuration is and what is in it. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { GpuprofError } from '../../errors.ts';
import { readText } from '../read-text.ts';
import type { ConfigGuard } from './config-guard.ts';

const configNames = ['json', 'js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((end) => `gpuprof.config.${end}`);
const packageKey = 'gpuprof';

export interface ConfigFile {
  /** As messages name it: from the working folder. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** What its paths start from, absolute. */
  readonly folder: string;
  readonly content: unknown;
}

const badConfig = (name: string, problem: string, cause?: unknown): GpuprofError =>
  new GpuprofError('bad-input', `${name}: ${problem}`, { cause });

function readJson(name: string): unknown {
  try {
    return JSON.parse(readText(name));
  } catch (error) {
    if (error instanceof GpuprofError) throw error;
    throw badConfig(name, error instanceof Error ? error.message : String(error), error);
  }
}

const hasKey = (content: unknown): content is Record<typeof packageKey, unknown> =>
  typeof content === 'object' && content !== null && packageKey in content;

/** Whether a module has named exports, and is not itself what it exports (`module.exports =`, `export =`). */
const isEsModule = (module: object): boolean => types.isModuleNamespaceObject(module) || '__esModule' in module;

/** The default export, or what a default-exported function gives. */
async function settle(module: { readonly default?: unknown }, name: string): Promise<unknown> {
  const exported = module.default ?? (isEsModule(module) ? undefined : module);
  if (exported === undefined) throw badConfig(name, 'it has no default export; write export default { … }');
  return typeof exported === 'function' ? await exported() : await exported;
}

/** The same without members that are undefined: they are as if absent. Lists keep their places. */
function withoutUndefined(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain && !Array.isArray(value)) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  const members = Object.entries(value).filter(([, member]) => Array.isArray(value) || member !== undefined);
  for (const [key, member] of members)
    Object.defineProperty(copy, key, {
      value: withoutUndefined(member, copies),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

/** Runs a configuration that is a program: TypeScript too, and `gpuprof` is this very library in it. */
async function runModule(path: string, name: string, guard: ConfigGuard | undefined): Promise<unknown> {
  const [{ createJiti }, library] = await Promise.all([import('jiti'), import('../../index.ts')]);
  const jiti = createJiti(pathToFileURL(path).href, {
    fsCache: false,
    interopDefault: false,
    virtualModules: { gpuprof: library },
  });
  guard?.begin(name);
  try {
    return withoutUndefined(await settle(await jiti.import<{ readonly default?: unknown }>(path), name));
  } catch (error) {
    if (error instanceof GpuprofError) throw error;
    throw badConfig(name, `it cannot be run: ${error instanceof Error ? error.message : String(error)}`, error);
  } finally {
    guard?.loaded();
  }
}

async function load(path: string, guard: ConfigGuard | undefined): Promise<ConfigFile> {
  const name = relative('', path) || path;
  const folder = dirname(path);
  if (basename(path) === 'package.json') {
    const content = readJson(name);
    if (!hasKey(content)) throw badConfig(name, `it has no key "${packageKey}"`);
    return { name: `${name}, "${packageKey}"`, path, folder, content: content[packageKey] };
  }
  if (extname(path) === '.json') return { name, path, folder, content: readJson(name) };
  if (/\.[cm]?[jt]s$/.test(path)) return { name, path, folder, content: await runModule(path, name, guard) };
  throw badConfig(name, 'a configuration is a .json, .js, .mjs, .cjs, .ts, .mts or .cts file, or package.json');
}

/** A folder's configuration; two are one too many. */
function configIn(folder: string): string | undefined {
  const found = configNames.filter((name) => existsSync(join(folder, name)));
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest) && hasKey(readJson(relative('', manifest)))) found.push('package.json');
  if (found.length > 1)
    throw badConfig(relative('', folder) || '.', `it has two configurations, ${found[0]} and ${found[1]}; keep one`);
  return found.length === 1 ? join(folder, found[0]) : undefined;
}

/**
 * The configuration that was named, or the nearest one from the working folder up to the repository's root. Throws
 * GpuprofError `bad-usage` when there is none, `bad-input` for one that cannot be read. The guard watches over one that runs.
 */
export async function findConfig(named: string | undefined, guard?: ConfigGuard): Promise<ConfigFile> {
  if (named !== undefined) {
    const path = resolve(named);
    if (!existsSync(path)) throw new GpuprofError('bad-usage', `there is no ${named}`);
    if (!statSync(path).isDirectory()) return load(path, guard);
    const inside = configIn(path);
    if (inside === undefined) throw new GpuprofError('bad-usage', `${named} holds no configuration`);
    return load(inside, guard);
  }
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const found = configIn(folder);
    if (found !== undefined) return load(found, guard);
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) break;
  }
  throw new GpuprofError('bad-usage', 'there is no configuration', {
    hint: `write gpuprof.config.json with the captures to check: { "captures": ["scene.cap"] }`,
  });
}
