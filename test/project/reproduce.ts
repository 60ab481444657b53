/**
 * Packs two copies of this checkout, one after the other, in other folders, time zones and languages: `npm run reproduce`.
 * Prints the SHA-256 of the package; exit code 1 when the two differ, with the files that do.
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

/** Builds and packs a copy below `folder`, with this checkout's npm packages; returns the package's path. */
async function pack(folder: string, env: Record<string, string>): Promise<string> {
  const copy = join(folder, 'copy');
  const packages = join(projectRoot, 'node_modules');
  await mkdir(join(copy, 'node_modules'), { recursive: true });
  for (const name of sources) await cp(join(projectRoot, name), join(copy, name), { recursive: true });
  // The note of what has been built is each copy's own.
  for (const name of await readdir(packages))
    if (name !== '.gpuprof-build') await symlink(join(packages, name), join(copy, 'node_modules', name));
  await run('npm', ['pack', `--pack-destination=${folder}`], copy, env);
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined) throw new Error(`npm pack wrote no package to ${folder}`);
  return join(folder, name);
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
  const first = await pack(join(folder, 'a'), { TZ: 'UTC', LC_ALL: 'C' });
  const second = await pack(join(folder, 'b', 'deeper'), { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' });
  const [one, other] = await Promise.all([first, second].map((path) => readFile(path)));
  if (one.equals(other)) process.stdout.write(`${createHash('sha256').update(one).digest('hex')}\n`);
  else {
    process.stderr.write(`reproduce: the packages differ in ${await difference(first, second)}\n`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
