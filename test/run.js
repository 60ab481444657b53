/**
 * Runs the test files, most in a process of their own, which suits GL: `npm test`, or `npm test -- replay capture` for the
 * files whose path contains one of the words. Plain JavaScript, because Node 20's --test finds no TypeScript by itself.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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
  /^test.(query.(measure-frame|trust)|cli.(doctor|compare-times)|gl.heap|record.second-opinion)/.test(name);

const scratch = mkdtempSync(join(tmpdir(), 'gpuprof-test-'));
process.once('exit', () => rmSync(scratch, { recursive: true }));

/** Files of one kind, which one process runs: to start one for each would take longer than pure code, and so would a browser. */
const kinds = [
  /^test.(analysis|model)/,
  /^test.import/,
  /^test.report.(?!html\.|compare-html)/,
  /^test.record.gltf/,
  /^test.record.page-[a-e]/,
  /^test.record.page-(?!huge)[f-z]/,
];

/** The same files, with one that imports them in place of those of a kind. @param {string[]} names @returns {string[]} */
function together(names) {
  const groups = kinds.map((kind) => names.filter((name) => kind.test(name))).filter((group) => group.length > 1);
  const importing = groups.map((group, index) => {
    const addresses = group.map((name) => pathToFileURL(join(root, name)).href);
    const path = join(scratch, `kind-${index}.mjs`);
    writeFileSync(path, addresses.map((address) => `import ${JSON.stringify(address)};\n`).join(''));
    return path;
  });
  return [...importing, ...names.filter((name) => !groups.flat().includes(name))];
}

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
    together(files.filter((name) => !measures(name))),
    // Three more than there are cores: much of the time is waiting for browsers and processes.
    Math.min(5, availableParallelism() + 3),
  ),
  run(files.filter(measures), 1),
];
process.exitCode = passed.every(Boolean) ? 0 : 1;
