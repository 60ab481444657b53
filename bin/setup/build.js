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

/** The recorder that runs inside pages: one file of inject/main.ts and all it imports. */
function bundleForPages(/** @type {string} */ root) {
  const main = join(root, 'src', 'record', 'page', 'inject', 'main.ts');
  if (!existsSync(main)) return true;
  const outfile = join(root, 'dist', 'record', 'page', 'inject.js');
  try {
    createRequire(join(root, 'package.json'))('esbuild').buildSync({
      entryPoints: [main],
      outfile,
      bundle: true,
      format: 'iife',
      globalName: 'gpuprofRecorder',
      target: 'es2022',
      charset: 'utf8',
      logLevel: 'warning',
    });
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
