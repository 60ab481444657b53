import assert from 'node:assert/strict';
import { access, chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { GateResult } from '../../../src/model/gate.ts';
import { projectRoot, runProgram } from '../../helpers/cli.ts';
import { tempFolder } from '../../helpers/files.ts';

async function program(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

interface Repository {
  readonly folder: string;
  readonly file: (name: string) => string;
  readonly env: Record<string, string | undefined>;
  run(command: string, args: readonly string[], env?: Record<string, string>): ReturnType<typeof runProgram>;
}

/** A clone of a repository with captures/, its example of a gate and the built gpuprof; installers only take notes. */
async function repository(t: TestContext): Promise<Repository> {
  const folder = await tempFolder(t);
  const [origin, clone, tools] = ['origin', 'clone', 'tools'].map((name) => join(folder, name));
  await cp(join(projectRoot, 'captures'), join(origin, 'captures'), { recursive: true });
  await mkdir(tools);
  const gpuprof = join(projectRoot, 'bin', 'gpuprof.js');
  await program(join(tools, 'gpuprof'), `exec "${process.execPath}" "${gpuprof}" "$@"`);
  for (const name of ['sudo', 'npm', 'gh'])
    await program(join(tools, name), `echo "${name} $*" >> "${join(folder, 'log')}"`);
  const env = {
    PATH: `${tools}${delimiter}${process.env.PATH}`,
    GITHUB_ACTIONS: undefined,
    GITHUB_STEP_SUMMARY: undefined,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  };
  const git = async (...args: string[]) => {
    const { code, stderr } = await runProgram('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      env,
      cwd: folder,
    });
    assert.equal(code, 0, stderr);
  };
  await git('init', '-q', '-b', 'main', origin);
  await git('-C', origin, 'add', '.');
  await git('-C', origin, 'commit', '-qm', 'captures');
  await git('clone', '-q', origin, clone);
  return {
    folder,
    file: (name) => join(clone, name),
    env,
    run: (command, args, more = {}) => runProgram(command, args, { cwd: clone, env: { ...env, ...more } }),
  };
}

test('the shell script as written: by itself, with a commit, and when the frame is another', async (t) => {
  const { file, run } = await repository(t);
  const script = file('captures/gate/gate.sh');
  const alone = await run('sh', [script]);
  assert.equal(alone.code, 0, alone.stdout + alone.stderr);
  assert.match(alone.stdout, /^passed: \d+ checks pass in 2 captures$/m);
  assert.match(await readFile(file('captures/gate/gate.xml'), 'utf8'), /^<\?xml/);
  const before = await run(script, ['HEAD']);
  assert.equal(before.code, 0, before.stdout + before.stderr);
  assert.match(before.stdout, /^passed: \d+ checks pass in 3 captures$/m);

  await cp(file('captures/triangle.cap'), file('captures/scene.cap'));
  const heavier = await run('sh', [script, 'HEAD']);
  assert.equal(heavier.code, 1, heavier.stdout + heavier.stderr);
  const unknown = await run('sh', [script, 'no-such-commit']);
  assert.equal(unknown.code, 2, unknown.stdout + unknown.stderr);
  await assert.rejects(access(file('captures/gate/base.cap')));
  assert.equal((await run('git', ['status', '--porcelain'])).stdout, ' M captures/scene.cap\n');
});

/** Commands of `run:` in order; the workflow has each on one line, so that nothing but this reads it. */
function steps(workflow: string): string[] {
  const commands = [...workflow.matchAll(/^ {8}run: (?![|>])(.+)$/gm)].map(([, command]) => command);
  assert.equal(commands.length, workflow.match(/\brun:/g)?.length, 'every step is read');
  return commands;
}

test('each step of the GitHub workflow as written, for both shards', async (t) => {
  const { folder, file, run } = await repository(t);
  const text = await readFile(file('captures/gate/workflow.yml'), 'utf8');
  const [gateJob, resultJob] = text.split(/^ {2}result:$/m);
  const summary = join(folder, 'summary.md');
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_BASE_REF: 'main',
    GITHUB_PATH: join(folder, 'path'),
  };
  const outputs: string[] = [];
  const perform = async (job: string, env: Record<string, string>) => {
    for (const command of steps(job)) {
      const { code, stdout, stderr } = await run('bash', ['-e', '-c', command], { ...github, ...env });
      assert.equal(code, 0, `${command}\n${stdout}${stderr}`);
      outputs.push(stdout);
    }
  };
  for (const shard of ['1', '2']) await perform(gateJob, { SHARD: shard });
  await perform(resultJob, { PULL_REQUEST: '7' });

  assert.match(outputs[3], /\(part 1 of 2\)$/m);
  assert.match(await readFile(join(folder, 'path'), 'utf8'), /clone\/node_modules\/\.bin$/m);
  assert.deepEqual((await readFile(join(folder, 'log'), 'utf8')).trim().split('\n').slice(-2), [
    'npm ci',
    'gh pr comment 7 --body-file gate.md --edit-last --create-if-none',
  ]);
  assert.match(await readFile(file('gate.md'), 'utf8'), /passed: \d+ checks pass in 3 captures/);
  assert.match(await readFile(summary, 'utf8'), /passed/);
  const shards = await Promise.all(['1', '2'].map((shard) => readFile(file(`gate-${shard}.json`), 'utf8')));
  assert.deepEqual(
    shards.map((json) => (JSON.parse(json) as GateResult).captures.map(({ name }) => name)),
    [['batches', 'courtyard before'], ['courtyard']],
  );
});
