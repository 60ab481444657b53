import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findConfig } from '../../../src/cli/gate/config-file.ts';
import { inputsOf } from '../../../src/cli/gate/inputs.ts';
import { readConfig } from '../../../src/cli/gate/read-config.ts';
import { run } from '../../helpers/cli.ts';
import { tempFolder } from '../../helpers/files.ts';
import { runInSession } from '../../helpers/session.ts';

const ghost = { captures: ['ghost.cap'] };

/** What `gpuprof gate` says of these files, in a folder below which there may be others. */
async function gate(t: TestContext, files: Readonly<Record<string, string>>, args: readonly string[] = [], cwd = '') {
  const folder = await tempFolder(t);
  await mkdir(join(folder, '.git'));
  await mkdir(join(folder, 'inside', 'deep'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // A program may end its process, or keep it from ending.
  const isProgram = Object.keys(files).some((name) => !name.endsWith('.json'));
  const { code, stdout, stderr } = await (isProgram ? run : runInSession)(['gate', ...args], {
    cwd: join(folder, cwd),
  });
  // What a capture that is not there makes of it; else the configuration is at fault.
  const [, reason] = /^result +could not measure: (.+)$/m.exec(stdout) ?? [];
  assert.deepEqual(
    [code, stdout === '', stderr === ''],
    reason === undefined ? [2, true, false] : [3, false, true],
    stderr,
  );
  return reason === undefined ? stderr : `gpuprof: ${reason}\n`;
}

test('a configuration in every form', async (t) => {
  const object = JSON.stringify(ghost);
  const typed = `import { defineConfig, type GateConfig } from 'gpuprof';\nconst config: GateConfig = ${object};\n`;
  for (const [name, text] of [
    ['gpuprof.config.json', object],
    ['gpuprof.config.ts', `${typed}export default defineConfig(config);`],
  ])
    assert.equal(await gate(t, { [name]: text }), `gpuprof: ${name}: captures[0]: there is no ghost.cap\n`);
  const folder = await tempFolder(t);
  for (const [name, text] of [
    ['gpuprof.config.js', `export default ${object};`],
    ['gpuprof.config.mjs', `import { defineConfig } from 'gpuprof';\nexport default defineConfig(${object});`],
    ['gpuprof.config.cjs', `module.exports = async () => (${object});`],
    ['gpuprof.config.mts', `${typed}export default async () => config;`],
    ['gpuprof.config.cts', `const config: unknown = ${object};\nexport default config;`],
    ['x.cts', `const config: unknown = ${object};\nexport = config;`],
    [
      'y.cts',
      `const one: { a?: string } = {};\nexport = () => ({ captures: ['ghost.cap'], env: one.a, runs: undefined });`,
    ],
  ]) {
    await writeFile(join(folder, name), text);
    assert.deepEqual((await findConfig(join(folder, name))).content, ghost, name);
  }
  const manifest = JSON.stringify({ name: 'x', gpuprof: ghost });
  assert.equal(
    await gate(t, { 'package.json': manifest }),
    'gpuprof: package.json, "gpuprof": captures[0]: there is no ghost.cap\n',
  );
});

test('it is looked for upwards, to the root of the repository, or named', async (t) => {
  const object = JSON.stringify(ghost);
  assert.equal(
    await gate(t, { 'gpuprof.config.json': object }, [], 'inside/deep'),
    'gpuprof: ../../gpuprof.config.json: captures[0]: there is no ghost.cap\n',
  );
  assert.equal(
    await gate(t, { 'package.json': '{ "name": "x" }' }, [], 'inside'),
    'gpuprof: there is no configuration; write gpuprof.config.json with the captures to check: { "captures": ["scene.cap"] }\n',
  );
  assert.equal(
    await gate(t, { 'other.json': object }, ['other.json']),
    'gpuprof: other.json: captures[0]: there is no ghost.cap\n',
  );
  assert.equal(
    await gate(t, { 'inside/gpuprof.config.json': object }, ['inside']),
    'gpuprof: inside/gpuprof.config.json: captures[0]: there is no ghost.cap\n',
  );
  assert.equal(await gate(t, {}, ['other.json']), 'gpuprof: there is no other.json\n');
  assert.equal(await gate(t, {}, ['inside']), 'gpuprof: inside holds no configuration\n');
  assert.equal(
    await gate(t, { 'gpuprof.config.json': object, 'gpuprof.config.ts': '' }),
    'gpuprof: .: it has two configurations, gpuprof.config.json and gpuprof.config.ts; keep one\n',
  );
});

test('what cannot be read says why', async (t) => {
  const folder = await tempFolder(t);
  const says = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    const shown = relative('', path);
    return findConfig(path).then(
      () => 'nothing',
      ({ message }: Error) => message.replace(shown, name),
    );
  };
  assert.match(await says('gpuprof.config.json', '{ "captures": ['), /^gpuprof\.config\.json: Unexpected end/);
  assert.equal(
    await says('gpuprof.config.js', 'export const config = {};'),
    'gpuprof.config.js: it has no default export; write export default { … }',
  );
  assert.equal(
    await says('gpuprof.config.ts', 'throw new Error("no network");'),
    'gpuprof.config.ts: it cannot be run: no network',
  );
  assert.equal(
    await says('x.yaml', ''),
    'x.yaml: a configuration is a .json, .js, .mjs, .cjs, .ts, .mts or .cts file, or package.json',
  );
  assert.equal(await says('package.json', '{}'), 'package.json: it has no key "gpuprof"');
});

test('a configuration that ends the process, or never ends, is told of', async (t) => {
  const file = 'gpuprof.config.mjs';
  for (const [text, what] of [
    ['export default new Promise(() => {});', 'it never comes to an end'],
    ['process.exit(0);', 'it ended the process before there was a configuration'],
    [
      'setTimeout(() => { throw new Error("late"); }, 1); await new Promise((end) => setTimeout(end, 60_000));',
      'it failed with nothing to catch it: late',
    ],
    [
      'setTimeout(() => process.exit(2), 5); export default { captures: ["draws.cap"], baseline: false, budgets: { vsInvocations: 1e9 } };',
      'it ended the process before the gate was done',
    ],
  ])
    assert.equal(await gate(t, { [file]: text, 'draws.cap': '' }), `gpuprof: ${file}: ${what}\n`);
});

test('what a configuration leaves open keeps nobody waiting, whatever the gate comes to', async (t) => {
  const file = 'gpuprof.config.mjs';
  const open = 'setInterval(() => {}, 1e9); (await import("node:net")).createServer().listen(0);';
  const missing = `${file}: captures[0]: there is no ghost.cap`;
  assert.equal(await gate(t, { [file]: `${open} export default ${JSON.stringify(ghost)};` }), `gpuprof: ${missing}\n`);
  assert.equal(await gate(t, { [file]: `${open} export default {};` }), `gpuprof: ${file}: captures: it is missing\n`);
});

test('every fault is one line with the place', async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'a.cap'), '');
  await writeFile(join(folder, 'b.cap'), '');
  await writeFile(join(folder, '.cap'), '');
  const fault = (content: unknown): string => {
    try {
      readConfig({ name: 'c.json', folder, content });
    } catch (error) {
      return (error as Error).message;
    }
    return 'none';
  };
  const a = { captures: ['a.cap'] };
  const second = (own: object) => fault({ captures: ['a.cap', { file: 'b.cap', ...own }] });
  for (const [actual, expected] of [
    [
      second({ budgets: { '**/Shadow': { duration: '2 parsecs' } } }),
      'captures[1].budgets["**/Shadow"].duration: "2 parsecs" is no duration; write 2ms or +5%',
    ],
    [
      second({ budgets: { '**/Shadow': { durations: '2ms' } } }),
      'captures[1].budgets["**/Shadow"].durations: "durations" is no metric; did you mean duration?',
    ],
    [
      second({ budgets: { psInvocation: 5 } }),
      'captures[1].budgets.psInvocation: "psInvocation" is no metric; did you mean psInvocations?',
    ],
    [
      second({ budgets: { 'main/*': { duration: { warn: '1ms', fial: '2ms' } } } }),
      'captures[1].budgets["main/*"].duration: "fial" is nothing that can stand here; did you mean fail?',
    ],
    [
      second({ budgets: { duration: { warn: '1ms', fial: '2ms' } } }),
      'captures[1].budgets.duration.fial: it stands beside warn and fail; did you mean fail?',
    ],
    [second({ budgets: { 'main/*': { duration: {} } } }), 'captures[1].budgets["main/*"].duration: it has no limits'],
    [
      second({ budgets: { '': { duration: '5ms' } } }),
      'captures[1].budgets[""]: it is no path; the frame itself is "frame"',
    ],
    [second({ budgets: { 'main/*': {} } }), 'captures[1].budgets["main/*"]: it has no limits'],
    [second({ budgets: { duration: true } }), 'captures[1].budgets.duration: true is no text or number or object'],
    [second({ budgets: { duration: Number.NaN } }), 'captures[1].budgets.duration: NaN is no text or number or object'],
    [second({ budgets: { duration: 5n } }), 'captures[1].budgets.duration: 5 is no text or number or object'],
    [
      second({ budgets: { duration: { fail: 5 } } }),
      'captures[1].budgets.duration.fail: 5 is no duration; write 2ms or +5%',
    ],
    [
      second({ budgets: { 'main/*': { duration: { warn: '3ms', fail: '2ms' } } } }),
      'captures[1].budgets["main/*"].duration.warn: 3ms is above the limit to fail at, 2ms',
    ],
    [
      fault({ ...a, budgets: { textureBytes: { warn: '16KiB', fail: '16KB' } } }),
      'budgets.textureBytes.warn: 16KiB is above the limit to fail at, 16KB',
    ],
    [fault({ ...a, budgets: { duration: { warn: '5ms', fail: '+1%' } } }), 'none'],
    [second({ budget: {} }), 'captures[1]: "budget" is nothing that can stand here; did you mean budgets?'],
    [second({ name: 'a/b' }), 'captures[1].name: "a/b" is no name; leave out slashes'],
    [second({ name: '..' }), 'captures[1].name: ".." is no name; write one with letters'],
    [second({ name: 'a\0b' }), 'captures[1].name: "a\\u0000b" is no name; leave out control characters'],
    [
      second({ name: 'é'.repeat(101) }),
      `captures[1].name: "${'é'.repeat(59)}… is too long for a name; 100 characters (200 bytes) at most`,
    ],
    [second({ name: 'é'.repeat(100) }), 'none'],
    [fault({ captures: ['.cap'] }), 'captures[0]: "" is no name; write one with letters'],
    [second({ name: 'a' }), 'captures[1]: another capture is called a; give this one a name'],
    [second({ minChange: '5' }), 'captures[1].minChange: "5" is no duration; write 50us'],
    [second({ baseline: false }), 'captures[1]: there is nothing to check: it has neither budgets nor a baseline'],
    [
      second({ baseline: false, budgets: { duration: '+5%' } }),
      'captures[1]: a budget of +5% needs a baseline, and baseline is false',
    ],
    [
      second({ timing: false, budgets: { duration: '5ms' } }),
      'captures[1]: a budget is about time, and timing is false',
    ],
    [fault({ ...a, drver: 'egl' }), '"drver" is nothing that can stand here; did you mean driver?'],
    [fault({ ...a, driver: 'elg' }), 'driver: "elg" is none of auto, egl, headless-gl, swiftshader; did you mean egl?'],
    [fault({ ...a, softwareThreads: 17 }), 'softwareThreads: 17 is too large; 16 at most'],
    [fault({ ...a, softwareThreads: 'all' }), 'softwareThreads: "all" is no number or "default"'],
    [fault({ ...a, runs: 0 }), 'runs: 0 is too small; at least 1'],
    [fault({ ...a, runs: 1.5 }), 'runs: 1.5 is no whole number'],
    [fault({ ...a, threshold: 5 }), 'threshold: 5 is no text'],
    [fault({ ...a, threshold: '5' }), 'threshold: "5" is no percentage; write 5%'],
    [fault({ ...a, env: { A: 1 } }), 'env.A: 1 is no text'],
    [fault({ captures: [{ fil: 'a.cap' }] }), 'captures[0]: "fil" is nothing that can stand here; did you mean file?'],
    [fault({ captures: [3] }), 'captures[0]: 3 is no text or object'],
    [fault({ captures: [] }), 'captures: it is empty'],
    [fault({}), 'captures: it is missing'],
    [fault(7), '7 is no object'],
    [fault({ $schema: 'x', ...a }), 'none'],
  ])
    assert.equal(actual, expected === 'none' ? 'none' : `c.json: ${expected}`);
});

test('results replace nothing that is read', async (t) => {
  const folder = await tempFolder(t);
  const reports = join(folder, 'gpuprof-baselines', 'a');
  await mkdir(reports, { recursive: true });
  for (const file of ['a.cap', 'b.cap', 'base.cap', 'gpuprof-baselines/a/x.json'])
    await writeFile(join(folder, file), '');
  const content = { captures: ['a.cap', { file: 'b.cap', baseline: 'base.cap' }] };
  const path = join(folder, 'c.json');
  assert.deepEqual(
    inputsOf({ path }, readConfig({ name: 'c.json', folder, content })),
    ['c.json', 'a.cap', 'b.cap', 'base.cap', 'gpuprof-baselines/a/x.json'].map((file) => join(folder, file)),
  );
});

test('members that are undefined are as if absent', async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'a.cap'), '');
  let files = 0;
  const fault = async (text: string): Promise<string> => {
    // A module that was imported stays as it was.
    const file = join(folder, `${files++}.mjs`);
    await writeFile(file, `export default ${text}`);
    try {
      readConfig(await findConfig(file));
    } catch (error) {
      return (error as Error).message.replace(/^.*\.mjs: /, '');
    }
    return 'none';
  };
  const budgets = 'captures: ["a.cap"], budgets';
  assert.equal(
    await fault(`{ ${budgets}: { frame: { psInvocations: undefined } } }`),
    'budgets.frame: it has no limits',
  );
  assert.equal(await fault(`{ ${budgets}: { 'a/*': undefined, psInvocations: 5 }, env: { A: undefined } }`), 'none');
  assert.equal(await fault(`{ captures: [undefined, "a.cap"] }`), 'captures[0]: it is missing');
});

test('captures that are not there are told of with the place, under the names that they would have', async (t) => {
  const folder = await tempFolder(t);
  const captures = ['x/*.png', { file: 'y/b.cap' }, { file: 'c.cap', name: 'mine' }];
  const plan = readConfig({ name: 'c.json', folder, content: { captures } });
  assert.deepEqual(
    plan.captures.map(({ name, file, missing }) => [name, file, missing]),
    [
      ['x/*.png', 'x/*.png', 'c.json: captures[0]: there is no x/*.png'],
      ['b', 'y/b.cap', 'c.json: captures[1].file: there is no y/b.cap'],
      ['mine', 'c.cap', 'c.json: captures[2].file: there is no c.cap'],
    ],
  );
});

test('globs of files, names, and what captures have in common', async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, 'frames', 'night'), { recursive: true });
  for (const name of ['frames/a.cap', 'frames/night/b.cap', 'frames/night/c.txt', 'd.cap'])
    await writeFile(join(folder, name), '');
  const { captures, baselines } = readConfig({
    name: 'c.json',
    folder,
    content: {
      budgets: { duration: '5ms', '**/Shadow': { psInvocations: '+1%', textureBytes: '1MB' } },
      captures: [
        { file: 'frames/**/*.cap', name: 'frame', undecided: 'fail' },
        { file: 'd.cap', budgets: { duration: '6ms' } },
      ],
      undecided: 'pass',
      env: { A: '1' },
    },
  });
  assert.equal(baselines, 'gpuprof-baselines');
  assert.deepEqual(
    captures.map(({ name, file, undecided, baseline, counters, timing, env }) => ({
      name,
      file,
      undecided,
      baseline,
      counters,
      timing,
      env,
    })),
    [
      ['frame a', 'frames/a.cap', 'fail'],
      ['frame b', 'frames/night/b.cap', 'fail'],
      ['d', 'd.cap', 'pass'],
    ].map(([name, file, undecided]) => ({
      name,
      file,
      undecided,
      baseline: 'auto',
      counters: ['statistics/PS Invocations', 'memory/Texture Bytes Bound'],
      timing: true,
      env: { A: '1' },
    })),
  );
  const durations = captures.map(({ budgets }) =>
    budgets.filter(({ metric }) => metric === 'duration').map(({ fail }) => fail?.text),
  );
  assert.deepEqual(durations, [['5ms'], ['5ms'], ['6ms']], 'its own word counts');
});

test('limits on one metric stand beside each other; its own replace those of their kind', async (t) => {
  const folder = await tempFolder(t);
  await writeFile(join(folder, 'a.cap'), '');
  const limits = (budgets: object, own: object) =>
    readConfig({
      name: 'c.json',
      folder,
      content: { budgets, captures: [{ file: 'a.cap', budgets: own }] },
    }).captures[0].budgets.map(({ pattern, metric, warn, fail }) => [
      pattern,
      metric,
      warn?.text ?? null,
      fail?.text ?? null,
    ]);
  const pixels = 'statistics/PS Invocations';
  const bytes = 'memory/Texture Bytes Bound';
  assert.deepEqual(limits({}, { psInvocations: '+0%', frame: { psInvocations: '1M' }, textureBytes: 5 }), [
    ['', pixels, null, '+0%'],
    ['', pixels, null, '1M'],
    ['', bytes, null, '5'],
  ]);
  assert.deepEqual(limits({ 'a/*': { textureBytes: 5, textureBytesBound: 6 } }, {}), [
    ['a/*', bytes, null, '6'],
    ['a/*', bytes, null, '5'],
  ]);
  assert.deepEqual(
    limits(
      { psInvocations: { warn: '+1%', fail: '1M' }, 'a/*': { psInvocations: 7 } },
      { frame: { psInvocations: '2M' } },
    ),
    [
      ['', pixels, '+1%', null],
      ['a/*', pixels, null, '7'],
      ['', pixels, null, '2M'],
    ],
  );
});
