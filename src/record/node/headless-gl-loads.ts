import { existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { basename, dirname, join } from 'node:path';

/** What the npm package `gl` exports. */
export type CreateGl = (width: number, height: number, options?: object) => object | null;

interface LoadedModule {
  exports: unknown;
}
type Loader = (module: LoadedModule, file: string) => void;

interface Package {
  readonly folder: string;
  readonly name: string;
  readonly main: string;
}

const packages = new Map<string, Package | undefined>();

/** The package that a folder is in: the nearest one with a name. */
function packageOf(folder: string): Package | undefined {
  if (packages.has(folder)) return packages.get(folder);
  const file = join(folder, 'package.json');
  let found: Package | undefined;
  if (existsSync(file))
    try {
      const { name, main = 'index.js' } = JSON.parse(readFileSync(file, 'utf8'));
      if (typeof name === 'string') found = { folder, name, main: String(main) };
    } catch {
      // The program will meet what is wrong with it.
    }
  const parent = dirname(folder);
  if (!found && parent !== folder && basename(folder) !== 'node_modules') found = packageOf(parent);
  packages.set(folder, found);
  return found;
}

/** Whether a file of headless-gl is the one that exports its factory. */
function isFactory(file: string): boolean {
  const owner = packageOf(dirname(file));
  if (owner?.name !== 'gl') return false;
  const main = join(owner.folder, owner.main);
  return [main, `${main}.js`, join(main, 'index.js')].includes(file) || basename(file) === 'node-index.js';
}

/**
 * Calls `created` for each context that headless-gl makes (null: it made none), and `loaded` once for each copy of it that
 * is loaded, by whoever, from wherever, with require or import. The factory keeps its properties and the program its objects.
 */
export function watchHeadlessGl(
  loaded: () => void,
  created: (context: object | null, args: Parameters<CreateGl>) => void,
): void {
  const wrapped = new WeakSet<object>();
  const wrap = (factory: CreateGl): CreateGl => {
    const make = (context: object | null, args: Parameters<CreateGl>) => {
      created(context, args);
      return context;
    };
    const proxy = new Proxy(factory, {
      apply: (target, self, args: Parameters<CreateGl>) => make(Reflect.apply(target, self, args), args),
      construct: (target, args: Parameters<CreateGl>) => make(Reflect.construct(target, args), args) as object,
    });
    wrapped.add(proxy);
    return proxy;
  };

  const loaders = (Module as unknown as { _extensions: Record<string, Loader> })._extensions;
  const load = loaders['.js'];
  // CommonJS modules come through here also when they are imported.
  loaders['.js'] = (module, file) => {
    load(module, file);
    const { exports } = module;
    if (typeof exports !== 'function' || wrapped.has(exports) || !isFactory(file)) return;
    module.exports = wrap(exports as CreateGl);
    loaded();
  };
}
