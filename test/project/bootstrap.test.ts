import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { projectRoot, type RunOptions, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';

/** A small checkout: the real bootstrap, lock file and packages, and one source. */
async function checkout(t: TestContext): Promise<string> {
  const folder = await tempFolder(t);
  for (const name of ['bin', 'package.json', 'package-lock.json', 'tsconfig.json'])
    await cp(join(projectRoot, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, 'src', 'cli'), { recursive: true });
  await writeFile(join(folder, 'src', 'cli', 'main.ts'), 'export const main = (): number => 7;\n');
  // A folder of links, so that what the bootstrap notes there stays there.
  await mkdir(join(folder, 'node_modules'));
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const tops = new Set(Object.keys(packages).map((path) => path.split('/')[1]));
  for (const name of [...tops, '.package-lock.json'].filter(Boolean)) {
    const source = join(projectRoot, 'node_modules', name);
    if (await stat(source).catch(() => undefined)) await symlink(source, join(folder, 'node_modules', name));
  }
  return folder;
}

const bootstrap = (folder: string, purpose: string, options: RunOptions = {}) =>
  runProgram(process.execPath, [join(folder, 'bin', 'bootstrap.js'), purpose], options);

/** A program on the PATH that records its arguments and ends with `code`. */
async function fakeProgram(folder: string, name: string, code: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >> "${join(folder, 'log')}"\nexit ${code}\n`);
  await chmod(join(folder, name), 0o755);
}

test('builds when dist/ is missing or older than a source, and is silent when all is there', async (t) => {
  const folder = await checkout(t);
  const main = join(folder, 'dist', 'cli', 'main.js');
  const first = await bootstrap(folder, 'build');
  assert.deepEqual([first.code, first.stderr], [0, 'setup: building dist/\n']);
  assert.match(await readFile(main, 'utf8'), /=> 7/);

  const second = await bootstrap(folder, 'build');
  assert.deepEqual([second.code, second.stdout, second.stderr], [0, '', '']);

  await writeFile(join(folder, 'src', 'cli', 'main.ts'), 'export const main = (): number => 8;\n');
  await writeFile(join(folder, 'src', 'extra.ts'), 'export const extra = 1;\n');
  // For a package all is built anew, under the feet of what runs meanwhile.
  let isBuilt = false;
  const packing = bootstrap(folder, 'pack').finally(() => {
    isBuilt = true;
  });
  while (!isBuilt) {
    assert.match(await readFile(main, 'utf8'), /=> [78]/);
    await setTimeout(5);
  }
  assert.equal((await packing).code, 0);
  assert.match(await readFile(main, 'utf8'), /=> 8/);
  assert.deepEqual((await readdir(join(folder, 'dist'))).sort(), ['cli', 'extra.d.ts']);

  await rm(join(folder, 'src', 'extra.ts'));
  assert.equal((await bootstrap(folder, 'build')).code, 0);
  await assert.rejects(stat(join(folder, 'dist', 'extra.d.ts')), 'what a deleted source left behind is removed');

  await utimes(join(folder, 'src', 'cli', 'main.ts'), new Date(), new Date());
  assert.equal((await bootstrap(folder, 'build')).stderr, 'setup: building dist/\n');
});

test('a source that does not compile ends with 1 and is tried again', async (t) => {
  const folder = await checkout(t);
  await writeFile(join(folder, 'src', 'cli', 'main.ts'), 'export const main: number = "text";\n');
  for (let attempt = 0; attempt < 2; attempt++) {
    const { code, stderr } = await bootstrap(folder, 'build');
    assert.equal(code, 1);
    assert.match(stderr, /main\.ts\(1,14\): error TS2322/);
    assert.match(stderr, /setup: the sources do not compile/);
  }
});

test('runs npm ci when the lock file asks for another version', async (t) => {
  const folder = await checkout(t);
  const lock = join(folder, 'package-lock.json');
  const text = await readFile(lock, 'utf8');
  const parsed = JSON.parse(text) as { packages: Record<string, { version: string }> };
  parsed.packages['node_modules/commander'].version = '14.0.99';
  await writeFile(lock, JSON.stringify(parsed));
  const tools = join(folder, 'tools');
  await fakeProgram(tools, 'npm', 1);
  const { code, stderr } = await bootstrap(folder, 'build', {
    env: { PATH: `${tools}${delimiter}${process.env.PATH}` },
  });
  assert.equal(code, 1);
  assert.match(stderr, /^setup: commander 14\.0\.99 is not installed: npm ci/);
  assert.match(await readFile(join(tools, 'log'), 'utf8'), /^npm ci --include=dev --include=optional/);
});

test('names Node when it is too old', async (t) => {
  const folder = await checkout(t);
  const preload = join(folder, 'old-node.cjs');
  await writeFile(preload, "Object.defineProperty(process.versions, 'node', { value: '18.20.0' });\n");
  const script = join(folder, 'bin', 'bootstrap.js');
  const { code, stderr } = await runProgram(process.execPath, ['--require', preload, script, 'demo']);
  assert.deepEqual([code, stderr], [3, 'setup: gpuprof needs Node.js 20.19 or newer, and this is 18.20.0\n']);
});

/** Environment of a machine whose libglvnd knows a vendor that is not installed. */
async function withoutGl(folder: string): Promise<Record<string, string>> {
  const vendor = join(folder, 'vendor.json');
  await writeFile(vendor, '{ "file_format_version": "1.0.0", "ICD": { "library_path": "libEGL_absent.so.0" } }');
  return { __EGL_VENDOR_LIBRARY_FILENAMES: vendor };
}

test('without a GL driver: apt-get as root, else the exact command and exit 3', async (t) => {
  const folder = await checkout(t);
  const env = await withoutGl(folder);
  const tools = join(folder, 'tools');
  await fakeProgram(tools, 'apt-get', 0);
  const asRoot = { ...env, PATH: `${tools}${delimiter}${process.env.PATH}` };
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const { code, stderr } = await bootstrap(folder, 'demo', { env: asRoot });
    assert.equal(code, 0, stderr);
    assert.match(
      await readFile(join(tools, 'log'), 'utf8'),
      /^apt-get update -qq\napt-get -qq install -y --no-install-recommends libgl1-mesa-dri\n$/,
    );
  }
  // The same as an ordinary user.
  const preload = join(folder, 'not-root.cjs');
  await writeFile(preload, 'process.getuid = () => 65534;\n');
  const script = join(folder, 'bin', 'bootstrap.js');
  const { code, stderr } = await runProgram(process.execPath, ['--require', preload, script, 'demo'], { env: asRoot });
  assert.equal(code, 3);
  assert.equal(
    stderr,
    'setup: missing: a GL driver for EGL (Mesa’s or the GPU vendor’s)\n' +
      'setup: remedy: apt-get update && apt-get install -y --no-install-recommends libgl1-mesa-dri\n',
  );
});
