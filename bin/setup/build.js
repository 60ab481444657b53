import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
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

/** Removes what this build did not write: it belongs to sources that are gone. */
function removeOrphans(/** @type {string} */ root, /** @type {number} */ builtSinceMs) {
  for (const path of filesUnder(join(root, 'dist'))) if (statSync(path).mtimeMs < builtSinceMs) rmSync(path);
}

/** What runs inside pages, the recorder and the HTML reports' scripts: one file each of main.ts and all it imports. */
const pageScripts = [
  { folder: ['record', 'page', 'inject'], options: { format: 'iife', globalName: 'gpuprofRecorder' } },
  { folder: ['report', 'html', 'page'], options: { format: 'esm', minify: true } },
  { folder: ['report', 'compare', 'page'], options: { format: 'esm', minify: true } },
];

function bundleForPages(/** @type {string} */ root) {
  try {
    for (const { folder, options } of pageScripts) {
      const main = join(root, 'src', ...folder, 'main.ts');
      if (!existsSync(main)) continue;
      createRequire(join(root, 'package.json'))('esbuild').buildSync({
        entryPoints: [main],
        outfile: `${join(root, 'dist', ...folder)}.js`,
        bundle: true,
        target: 'es2022',
        charset: 'utf8',
        logLevel: 'warning',
        ...options,
      });
    }
    return true;
  } catch {
    // esbuild has said what is wrong.
    return false;
  }
}

/**
 * Compiles src/ to dist/ when dist/ is missing or older. `clean` builds from nothing, for a package.
 * Throws SetupError when the sources do not compile.
 * @param {string} root
 * @param {{ clean?: boolean }} [options]
 */
export function ensureBuild(root, { clean = false } = {}) {
  const wanted = fingerprint(root);
  const stamp = stampPath(root);
  const built = existsSync(join(root, 'dist', 'cli', 'main.js')) && existsSync(stamp) && readFileSync(stamp, 'utf8');
  if (built === wanted && !clean) return;
  say('building dist/');
  if (clean) rmSync(join(root, 'dist'), { recursive: true, force: true });
  // Until the build is complete the stamp fits no sources; its time, by the file system's clock, is when it began.
  writeFileSync(stamp, '');
  const builtSinceMs = statSync(stamp).mtimeMs;
  if (
    !runProgram(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', root], {
      cwd: root,
    }) ||
    !bundleForPages(root)
  )
    throw new SetupError('the sources do not compile; the compiler’s messages are above', { exitCode: 1 });
  removeOrphans(root, builtSinceMs);
  writeFileSync(stamp, wanted);
}
