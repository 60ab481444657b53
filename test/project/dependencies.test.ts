import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../helpers/cli.ts';

interface Locked {
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
}

const read = (path: string) => readFile(join(projectRoot, path), 'utf8');
const manifest = JSON.parse(await read('package.json')) as Manifest;
const lock = JSON.parse(await read('package-lock.json')) as { packages: Record<string, Locked> };
/** By name, without the project itself. */
const locked = Object.entries(lock.packages).flatMap(([path, entry]) =>
  path === '' ? [] : [{ name: path.replace(/^.*node_modules\//, ''), ...entry }],
);

const permissive = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0']);

/** Whether an SPDX expression leaves a choice of permissive licences alone. */
const isPermissive = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => permissive.has(licence)));

/**
 * libvips, which decodes textures for sharp: a shared library of a package of its own, which npm installs beside gpuprof's and
 * anybody can replace, as the LGPL wants. gpuprof's package has nothing of it.
 */
const isLibvips = ({ name, license }: (typeof locked)[number]): boolean =>
  /^@img\/sharp-(libvips-|wasm32|win32-)/.test(name) && license?.includes('LGPL-3.0-or-later') === true;

test('every package that is installed has a permissive licence', () => {
  const others = locked.filter((entry) => !isPermissive(entry.license ?? '') && !isLibvips(entry));
  assert.deepEqual(
    others.map(({ name, license }) => `${name}: ${license}`),
    [],
  );
  assert.deepEqual(['GPL-3.0', '(MIT OR GPL-3.0)', 'MIT AND GPL-3.0', ''].map(isPermissive), [
    false,
    true,
    false,
    false,
  ]);
});

test('only named native packages run scripts when they are installed', () => {
  const native = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  assert.deepEqual([...new Set(native)].sort(), ['esbuild', 'gl', 'koffi']);
  // npm 11 runs what stands here as true: koffi and esbuild bring what they need ready to run.
  assert.deepEqual(manifest.allowScripts, { gl: true, koffi: false, esbuild: false });
});

test('every package is fixed by its hash, from the registry alone', () => {
  for (const { name, integrity, resolved } of locked) {
    assert.match(integrity ?? '', /^sha512-/, name);
    assert.equal(resolved, undefined, name);
  }
});

test('the README names every dependency, with the licence that it has', async () => {
  const [table] = (await read('README.md')).split('\n## Dependencies\n')[1].split('\n## ');
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const row = table.split('\n').find((line) => line.split('|')[1]?.includes(`\`${name}\``));
    const licence = locked.find((entry) => entry.name === name)?.license;
    assert.ok(row?.split('|')[4]?.includes(licence ?? ''), `${name}: ${licence}`);
  }
});
