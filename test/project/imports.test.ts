import assert from 'node:assert/strict';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { projectRoot, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';

const folders = ['model', 'capture', 'gl', 'replay', 'query', 'analysis', 'record', 'import', 'report', 'cli'] as const;
type Folder = (typeof folders)[number];

/** The architecture's table: what each folder may import besides src/errors.ts and itself. */
const mayImport: Record<Folder, readonly Folder[]> = {
  model: [],
  capture: ['model'],
  gl: ['model'],
  replay: ['model', 'gl'],
  query: ['model', 'gl', 'replay'],
  analysis: ['model'],
  record: ['model', 'capture', 'gl'],
  import: ['model', 'capture', 'gl'],
  report: ['model'],
  cli: folders,
};

/** Each package's owner: the one file or folder that may import it. */
const owners: Record<string, string> = {
  commander: 'src/cli/',
  ora: 'src/cli/',
  gl: 'src/gl/headless-gl.ts',
  koffi: 'src/gl/',
  yauzl: 'src/capture/',
  yazl: 'src/capture/',
  'fast-png': 'src/capture/',
  'csv-stringify/sync': 'src/report/',
  'cli-table3': 'src/report/table-lines.ts',
  '@gltf-transform/core': 'src/record/gltf/',
  '@gltf-transform/extensions': 'src/record/gltf/',
  draco3dgltf: 'src/record/gltf/',
  meshoptimizer: 'src/record/gltf/',
  'playwright-core': 'src/record/page/',
  sharp: 'src/record/gltf/',
};

const places = [
  ...folders.map((folder) => `src/${folder}/probe.ts`),
  'src/record/gltf/probe.ts',
  'src/record/page/probe.ts',
  'src/report/table-lines.ts',
  'src/gl/headless-gl.ts',
  'src/index.ts',
];

interface Probe {
  readonly file: string;
  readonly lines: { readonly text: string; readonly allowed: boolean }[];
}

function probe(file: string): Probe {
  const parts = file.split('/');
  const folder = parts.length > 2 ? (parts[1] as Folder) : undefined;
  const up = folder ? '../'.repeat(parts.length - 2) : './';
  const lines = [];
  for (const target of folders) {
    if (target === folder) continue;
    const allowed = folder ? mayImport[folder].includes(target) : target !== 'cli';
    lines.push({ text: `import '${up}${target}/thing.ts';`, allowed });
  }
  lines.push({ text: `import '${up}errors.ts';`, allowed: true });
  for (const [name, owner] of Object.entries(owners))
    lines.push({ text: `import '${name}';`, allowed: file.startsWith(owner) });
  lines.push({ text: `export const late = () => import('${up}cli/main.ts');`, allowed: folder === 'cli' });
  return { file, lines };
}

test('the linter enforces the import directions and the owner of every package', async (t) => {
  const folder = await tempFolder(t);
  await cp(join(projectRoot, 'biome.json'), join(folder, 'biome.json'));
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const probes = places.map(probe);
  for (const { file, lines } of probes) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), lines.map((line) => line.text).join('\n'));
  }
  const biome = join(projectRoot, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'lint', '--only=style/noRestrictedImports', '--reporter=github', '--max-diagnostics=none'];
  const { stdout } = await runProgram(process.execPath, args, { cwd: folder });

  const refused = new Set<string>();
  for (const [, file, line] of stdout.matchAll(/noRestrictedImports,file=(.*?),line=(\d+)/g))
    refused.add(`${file.slice(file.indexOf('src/'))}:${line}`);
  const expected = probes.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) => (line.allowed ? [] : [`${file}:${index + 1}`])),
  );
  assert.deepEqual([...refused].sort(), expected.sort());
});
