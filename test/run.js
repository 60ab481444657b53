/**
 * Runs the test files, each in a process of its own, which suits GL: `npm test`, or `npm test -- replay capture` for the
 * files whose path contains one of the words. Plain JavaScript, because Node 20's --test finds no TypeScript by itself.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(folder);
const words = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => relative(root, join(folder, name)))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .sort();

if (files.length === 0) {
  process.stderr.write(`no test file matches: ${words.join(' ')}\n`);
  process.exit(2);
}
// On Mesa's software renderer wherever it is, also beside a GPU: what is expected of llvmpipe is tested there.
const mesa = '/usr/share/glvnd/egl_vendor.d/50_mesa.json';
const env = {
  LIBGL_ALWAYS_SOFTWARE: '1',
  ...(existsSync(mesa) && { __EGL_VENDOR_LIBRARY_FILENAMES: mesa }),
  ...process.env,
};
/** Files that measure run one at a time, after the others: what else runs here must not slow what they time. */
const measures = (/** @type {string} */ name) =>
  /^test.(query.(measure-frame|trust)|cli.(replay\.|doctor|compare-times)|gl.heap|record.second-opinion)/.test(name);

const loader = new URL('helpers/typescript.js', import.meta.url).href;
const slowFiles = new URL('helpers/slow-files.js', import.meta.url).href;

/** A file that hangs is named and ended; without this the run would never end. No file takes a tenth of it. */
const hangMs = 15 * 60_000;

/** @param {string[]} names @param {number} atOnce */
function run(names, atOnce) {
  if (names.length === 0) return true;
  const reporters = ['spec', slowFiles].flatMap((name) => [
    `--test-reporter=${name}`,
    '--test-reporter-destination=stdout',
  ]);
  const how = [`--test-concurrency=${atOnce}`, `--test-timeout=${hangMs}`, ...reporters];
  const args = ['--import', loader, '--test', ...how, ...names];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}

const passed = [
  run(
    files.filter((name) => !measures(name)),
    // Two more than there are cores: much of the time is waiting for browsers and processes.
    Math.min(4, availableParallelism() + 2),
  ),
  run(files.filter(measures), 1),
];
process.exitCode = passed.every(Boolean) ? 0 : 1;
