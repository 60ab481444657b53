/**
 * Runs the test files, each in a process of its own, which suits GL: `npm test`, or `npm test -- replay capture` for the
 * files whose path contains one of the words. Plain JavaScript, because Node 20's --test finds no TypeScript by itself.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
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
// One at a time: measurements in one file must not slow those in another.
const args = ['--import', 'tsx', '--test', '--test-concurrency=1', '--test-reporter=spec', ...files];
// On Mesa's software renderer wherever it is, also beside a GPU: what is expected of llvmpipe is tested there.
const mesa = '/usr/share/glvnd/egl_vendor.d/50_mesa.json';
const env = {
  LIBGL_ALWAYS_SOFTWARE: '1',
  ...(existsSync(mesa) && { __EGL_VENDOR_LIBRARY_FILENAMES: mesa }),
  ...process.env,
};
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
process.exitCode = status ?? 1;
