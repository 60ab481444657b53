/**
 * Packs this checkout as it is built, and a copy that is built anew in another folder, time zone and language:
 * `npm run reproduce`. Prints the SHA-256 of the package; exit code 1 when the two differ, with the files that do.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot, runProgram } from '../helpers/cli.ts';

/** What the build reads and the package holds. */
const sources = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'bin',
  'src',
  'captures',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

async function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runProgram(command, args, { cwd, env });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Packs a checkout into a folder that has nothing of the kind yet; returns the package's path. */
async function pack(checkout: string, folder: string, options: readonly string[], env?: Record<string, string>) {
  await run('npm', ['pack', ...options, `--pack-destination=${folder}`], checkout, env);
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm pack wrote no package to ${folder}`);
  return join(folder, name);
}

/** A copy without what was built, with this checkout's npm packages. */
async function copyTo(copy: string): Promise<void> {
  const packages = join(projectRoot, 'node_modules');
  await mkdir(join(copy, 'node_modules'), { recursive: true });
  for (const name of sources) await cp(join(projectRoot, name), join(copy, name), { recursive: true });
  // The note of what has been built is each copy's own.
  for (const name of await readdir(packages))
    if (name !== '.gpuprof-build') await symlink(join(packages, name), join(copy, 'node_modules', name));
}

/** Of each file in a package, by its path. */
async function hashes(archive: string): Promise<Map<string, string>> {
  const folder = `${archive}.d`;
  await mkdir(folder);
  await run('tar', ['-xzf', archive, '-C', folder], folder);
  const lines = (await run('find', ['.', '-type', 'f', '-exec', 'sha256sum', '{}', '+'], folder)).trim().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

async function difference(first: string, second: string): Promise<string> {
  const [left, right] = [await hashes(first), await hashes(second)];
  const paths = [...new Set([...left.keys(), ...right.keys()])].filter((path) => left.get(path) !== right.get(path));
  return paths.join(' ') || 'what the archive says of its files';
}

const folder = await mkdtemp(join(tmpdir(), 'gpuprof-reproduce-'));
try {
  const copy = join(folder, 'a', 'deeper', 'copy');
  const packages = [join(folder, 'first'), join(folder, 'second')];
  for (const place of packages) await mkdir(place);
  await copyTo(copy);
  const first = await pack(projectRoot, packages[0], ['--ignore-scripts']);
  const second = await pack(copy, packages[1], [], { TZ: 'Asia/Tokyo', LC_ALL: 'C' });
  const [one, other] = await Promise.all([first, second].map((path) => readFile(path)));
  if (one.equals(other)) process.stdout.write(`${createHash('sha256').update(one).digest('hex')}\n`);
  else {
    process.stderr.write(`reproduce: the packages differ in ${await difference(first, second)}\n`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
