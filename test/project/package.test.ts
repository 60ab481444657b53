import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot, runProgram } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const result = await runProgram('npm', args, { cwd });
  assert.equal(result.code, 0, `npm ${args[0]}: ${result.stderr}`);
  return result.stdout;
}

/** What a program does with the library: capture, replay, samples, analysis, report. */
const libraryUse = `
import { observe, recordFrame } from 'gpuprof/record';
import { analyseFrame, Bindings, buildEventTree, chooseTimer, measureFrame, openCapture, openContext, createWebGL2Context, Replayer } from 'gpuprof';
const capture = await openCapture(process.argv[2]);
const context = await openContext('egl', { api: 'es' });
const { method } = chooseTimer(context, 'auto');
const replayer = await Replayer.create(context, capture);
const frame = await replayer.loadFrame(1);
const bindings = new Bindings();
for (const call of await capture.setup()) bindings.apply(call);
const tree = buildEventTree(bindings, frame.calls, capture.manifest);
const { nodes, runs } = analyseFrame(tree, await measureFrame(context, frame, tree, { method, runs: 3 }));
console.log(\`\${nodes[0].name} 1: \${nodes.filter((node) => node.isLeaf).length} leaves, \${runs} runs\`);
await capture.close();
const gl = observe(createWebGL2Context(context, { width: 8, height: 8 }), { driver: 'egl' });
await recordFrame(gl, 'own.cap', () => gl.clear(gl.COLOR_BUFFER_BIT));
const own = await openCapture('own.cap');
console.log(own.manifest.frames[0].calls, own.manifest.origin.producer);
await own.close();
`;

/** What is packed besides dist/. */
const packed = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'bin/bootstrap.js',
  'bin/gpuprof.js',
  'bin/setup/browser.js',
  'bin/setup/build.js',
  'bin/setup/gl-libraries.js',
  'bin/setup/npm-packages.js',
  'bin/setup/programs.js',
  'bin/setup/report.js',
  'bin/setup/system-packages.js',
  'captures/draws-2000.cap',
  'captures/scene.cap',
  'captures/ten-batches.cap',
  'captures/triangle.cap',
  'package.json',
  'src/capture/FORMAT.md',
  'src/cli/compare/README.md',
  'src/cli/gate/README.md',
  'src/cli/gate/config.schema.json',
  'src/gl/registry/LICENSE',
  'src/gl/registry/README.md',
  'src/import/README.md',
  'src/query/README.md',
  'src/record/README.md',
  'src/report/README.md',
  'src/report/SCHEMA.md',
  'src/report/qrhi/README.md',
];

/** What processes begin with, and what runs in pages. */
const programs = [
  'dist/cli/compare/side-child.js',
  'dist/cli/isolation/child.js',
  'dist/cli/main.js',
  'dist/index.js',
  'dist/record.js',
  'dist/record/node/preload.js',
  'dist/record/page/inject.js',
  'dist/report/compare/page.js',
  'dist/report/html/page.js',
];

/** What those share, each named by a hash of what is in it. */
const chunk = /^dist\/chunks\/[\w.-]+-[0-9A-Z]{8}\.js$/;

/** Declarations of all sources but those that run in pages, or on a developer's machine. */
async function declarations(): Promise<string[]> {
  const sources = await readdir(join(projectRoot, 'src'), { recursive: true });
  const apart = /^(gl\/registry\/generate|record\/page\/inject\/|report\/(html|compare)\/page\/)/;
  return sources
    .filter((path) => /(?<!\.d)\.ts$/.test(path) && !apart.test(path))
    .map((path) => `dist/${path.replace(/\.ts$/, '.d.ts')}`);
}

test('the package holds what it should and no more, installs elsewhere and works', async (t) => {
  const folder = await tempFolder(t);
  // The bootstrap built dist/ for this run; prepack would build it again under the other tests' feet.
  const told = await npm(['pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`], projectRoot);
  const [{ filename, files }] = JSON.parse(told) as [{ filename: string; files: { path: string }[] }];
  const paths = files.map((file) => file.path);
  assert.deepEqual(
    paths.filter((path) => !chunk.test(path)).sort(),
    [...packed, ...programs, ...(await declarations())].sort(),
  );

  await writeFile(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  // Without install scripts, as npm 11 does by default: headless-gl is there but not compiled.
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await npm(['install', ...quiet, join(folder, filename)], folder);
  const gpuprof = (args: readonly string[]) => runProgram('npx', ['--no-install', 'gpuprof', ...args], { cwd: folder });

  const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const version = await gpuprof(['--version']);
  assert.equal(version.stdout, `${manifest.version}\n`);

  const sample = join('node_modules', 'gpuprof', 'captures', 'triangle.cap');
  const replay = await gpuprof(['replay', sample, '--driver', 'egl', '--timer', 'finish', '--format', 'json']);
  assert.equal(replay.code, 0, replay.stderr);
  assert.equal((JSON.parse(replay.stdout) as { format: string }).format, 'gpuprof-report');

  const without = await gpuprof(['replay', sample, '--driver', 'headless-gl']);
  assert.equal(without.code, 3);
  assert.match(without.stderr, /^gpuprof: the headless-gl driver needs the npm package "gl"/);

  await writeFile(join(folder, 'program.js'), libraryUse);
  const used = await runProgram(process.execPath, ['program.js', sample], { cwd: folder });
  assert.equal(used.stdout, `Frame 1: 2 leaves, 3 runs\n1 gpuprof ${manifest.version}\n`, used.stderr);

  // Inside an installed package there is nothing to install or build.
  const bootstrap = join('node_modules', 'gpuprof', 'bin', 'bootstrap.js');
  const setup = await runProgram(process.execPath, [bootstrap, 'demo'], { cwd: folder });
  assert.deepEqual([setup.code, setup.stdout, setup.stderr], [0, '', '']);
});
