import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

export interface Page {
  /** Its file's name here. */
  readonly name: string;
  readonly library: string;
  /** The page counts in `framesDrawn` the frames since all was there; what it draws before differs from load to load. */
  readonly counts?: true;
}

/** The test pages. */
export const pages: readonly Page[] = [
  { name: 'three-materials', library: 'three' },
  { name: 'three-postprocessing', library: 'three' },
  { name: 'three-animation', library: 'three' },
  { name: 'three-targets', library: 'three' },
  { name: 'babylon-scene', library: '@babylonjs/core' },
  { name: 'pixi-filters', library: 'pixi.js' },
  { name: 'regl-webgl1', library: 'regl' },
  { name: 'deck-layers', library: '@deck.gl/core', counts: true },
  { name: 'luma-models', library: '@luma.gl/core' },
  { name: 'maplibre-map', library: 'maplibre-gl', counts: true },
];

const common = { bundle: true, write: false, target: 'es2022', logLevel: 'error', legalComments: 'none' } as const;

/** `import text from 'FILE?worker'` gives a worker's whole program as text, for a blob. */
const workers: Plugin = {
  name: 'workers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?worker$/ }, ({ path, resolveDir }) => ({
      path: require.resolve(path.replace('?worker', ''), { paths: [resolveDir] }),
      namespace: 'worker',
    }));
    onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const { outputFiles } = await build({ ...common, entryPoints: [path], format: 'iife' });
      return { contents: outputFiles[0].text, loader: 'text' };
    });
  },
};

/** Writes the page with its library into one HTML file, which needs nothing else, and returns the file's path. */
export async function buildPage(name: string, folder: string): Promise<string> {
  const entry = join(here, `${name}.js`);
  const { outputFiles } = await build({ ...common, entryPoints: [entry], format: 'esm', plugins: [workers] });
  const shell = await readFile(join(here, 'shell.html'), 'utf8');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.html`);
  await writeFile(
    path,
    shell.replace('NAME', name).replace('SCRIPT', () => outputFiles[0].text),
  );
  return path;
}

/** The installed version of the page's library. */
export async function libraryVersion({ library }: Page): Promise<string> {
  const file = join(here, '..', '..', 'node_modules', library, 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}
