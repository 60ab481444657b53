import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './programs.js';
import { SetupError, say } from './report.js';

/** Kept outside dist/, so that it is never packed. */
const stampPath = (/** @type {string} */ root) => join(root, 'node_modules', '.gpuprof-build');

/** @param {string} folder @returns {string[]} */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A hash of every source's name, size and time: an edit, a new file and a deleted one all change it. */
function fingerprint(/** @type {string} */ root) {
  const hash = createHash('sha256');
  const sources = filesUnder(join(root, 'src')).filter((path) => path.endsWith('.ts'));
  for (const path of [...sources, join(root, 'tsconfig.json'), fileURLToPath(import.meta.url)]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Puts what was built beside dist/ there file by file, programs last, and removes what is of no source any more: another
 * gpuprof that runs meanwhile finds all that it loads.
 */
function install(/** @type {string} */ built, /** @type {string} */ dist) {
  const names = filesUnder(built).map((path) => relative(built, path));
  const isShared = (/** @type {string} */ name) => name.startsWith('chunks');
  for (const name of [...names.filter(isShared), ...names.filter((name) => !isShared(name))]) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    renameSync(join(built, name), join(dist, name));
  }
  rmSync(built, { recursive: true });
  const kept = new Set(names);
  for (const path of filesUnder(dist)) if (!kept.has(relative(dist, path))) rmSync(path);
}

/**
 * What processes and programs begin with. All that these import lies in chunks that they share: a process that reads a few
 * files starts in half the time of one that reads hundreds.
 */
const programs = {
  entries: ['index', 'record', 'cli/main', 'cli/isolation/child', 'cli/compare/side-child', 'record/node/preload'],
  options: {
    format: 'esm',
    splitting: true,
    platform: 'node',
    packages: 'external',
    chunkNames: 'chunks/[name]-[hash]',
  },
};

/** What runs inside pages, the recorder and the HTML reports' scripts: one file each of main.ts and all it imports. */
const pageScripts = [
  { folder: 'record/page/inject', options: { format: 'iife', globalName: 'gpuprofRecorder' } },
  { folder: 'report/html/page', options: { format: 'esm', minify: true } },
  { folder: 'report/compare/page', options: { format: 'esm', minify: true } },
];

/** False when it fails: esbuild has said what is wrong. */
function bundle(/** @type {string} */ root, /** @type {string} */ outdir) {
  const { buildSync } = createRequire(join(root, 'package.json'))('esbuild');
  /** @param {Record<string, string>} entries sources by what becomes of them, both without extension; some may not be there */
  const build = (entries, /** @type {object} */ options) => {
    const entryPoints = Object.entries(entries)
      .map(([out, source]) => ({ in: join(root, 'src', `${source}.ts`), out }))
      .filter((entry) => existsSync(entry.in));
    const common = { absWorkingDir: root, outdir, bundle: true, charset: 'utf8', logLevel: 'warning' };
    if (entryPoints.length > 0) buildSync({ entryPoints, target: 'es2022', ...common, ...options });
  };
  try {
    build(Object.fromEntries(programs.entries.map((name) => [name, name])), programs.options);
    for (const { folder, options } of pageScripts) build({ [folder]: `${folder}/main` }, options);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds dist/ of src/ when dist/ is missing or older: declarations by the compiler, which checks all types, programs by
 * esbuild. `clean` builds in any case, for a package. Throws SetupError when the sources do not compile; dist/ stays then.
 * @param {string} root
 * @param {{ clean?: boolean }} [options]
 */
export function ensureBuild(root, { clean = false } = {}) {
  const wanted = fingerprint(root);
  const stamp = stampPath(root);
  const built = existsSync(join(root, 'dist', 'cli', 'main.js')) && existsSync(stamp) && readFileSync(stamp, 'utf8');
  if (built === wanted && !clean) return;
  say('building dist/');
  const dist = join(root, 'dist');
  const fresh = join(dist, '.new');
  rmSync(fresh, { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['-p', root, '--emitDeclarationOnly', '--outDir', fresh];
  if (!runProgram(process.execPath, [tsc, ...options], { cwd: root }) || !bundle(root, fresh)) {
    rmSync(fresh, { recursive: true, force: true });
    throw new SetupError('the sources do not compile; the compiler’s messages are above', { exitCode: 1 });
  }
  // Until dist/ is whole the stamp fits no sources.
  writeFileSync(stamp, '');
  install(fresh, dist);
  writeFileSync(stamp, wanted);
}
