import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hasProgram } from '../../bin/setup/programs.js';
import { argumentFiles } from '../../src/cli/completion/argument-files.ts';
import { bash } from '../../src/cli/completion/bash.ts';
import { type DescribedCommand, describe, withAllBelow } from '../../src/cli/completion/describe.ts';
import { fish } from '../../src/cli/completion/fish.ts';
import { zsh } from '../../src/cli/completion/zsh.ts';
import { wholeProgram } from '../../src/cli/program.ts';
import { run, runProgram } from '../helpers/cli.ts';
import { everyCommand, pathOf } from '../helpers/command-lines.ts';
import { tempFolder } from '../helpers/files.ts';

const script = async (make: (program: DescribedCommand) => string): Promise<string> =>
  make(describe(await wholeProgram()));

/** Completes each line's last word in bash, as readline parts the line into words. */
async function completions(t: TestContext, folder: string, lines: readonly (readonly string[])[]): Promise<string[][]> {
  const path = join(await tempFolder(t), 'completion.bash');
  await writeFile(path, await script(bash));
  const asked = lines.map((words) => `ask ${words.map((word) => `'${word}'`).join(' ')}`);
  const program = `
source '${path}'
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpuprof; printf '%s\\n' "\${COMPREPLY[@]}" end; }
${asked.join('\n')}`;
  const { code, stdout, stderr } = await runProgram('bash', ['--norc', '-u', '-c', program], { cwd: folder });
  assert.deepEqual([code, stderr], [0, '']);
  return stdout
    .split('end\n')
    .slice(0, -1)
    .map((text) => text.split('\n').filter(Boolean).sort());
}

/** A last word that is not finished, and what is offered for it. */
const cases: readonly (readonly [line: string, offered: string])[] = [
  ['gpuprof re', 'record replay'],
  ['gpuprof --debug inf', 'info'],
  ['gpuprof record ', 'gltf node page'],
  ['gpuprof help gat', 'gate'],
  ['gpuprof completion ', 'bash fish zsh'],
  ['gpuprof replay --so', '--software-threads --sort'],
  ['gpuprof replay --deb', '--debug'],
  ['gpuprof replay --driver ', 'auto egl headless-gl swiftshader'],
  ['gpuprof replay --driver = h', 'headless-gl'],
  ['gpuprof replay --driver = ', 'auto egl headless-gl swiftshader'],
  ['gpuprof replay --driver egl a.cap --timer f', 'finish'],
  ['gpuprof replay ', 'a.cap b.trace c.zip.xml sub'],
  ['gpuprof replay --raw --frame 2 --driver = egl a', 'a.cap'],
  ['gpuprof replay a.cap ', ''],
  ['gpuprof replay --frame ', ''],
  ['gpuprof replay --csv ', 'a.cap b.trace c.zip.xml d.txt e.json sub'],
  ['gpuprof replay --thumbnails ', 'sub'],
  ['gpuprof replay --thumbnails --html ', 'a.cap b.trace c.zip.xml d.txt e.json sub'],
  ['gpuprof import ', 'b.trace c.zip.xml sub'],
  ['gpuprof compare a.cap e', 'e.json'],
  ['gpuprof merge e.json ', 'e.json sub'],
  ['gpuprof record node run.js -- d', 'd.txt'],
  ['gpuprof nothing --dri', ''],
];

/** Fish offers no value that may be left out, and offers an argument whether it stands there already or not. */
const isForFish = (line: string): boolean => !/--thumbnails|a\.cap $|nothing| -- /.test(line);

async function filledFolder(t: TestContext): Promise<string> {
  const folder = await tempFolder(t);
  for (const name of ['a.cap', 'b.trace', 'c.zip.xml', 'd.txt', 'e.json']) await writeFile(join(folder, name), '');
  await mkdir(join(folder, 'sub'));
  return folder;
}

test('bash completes commands, options, choices and files', async (t) => {
  const folder = await filledFolder(t);
  const lines = cases.map(([line]) => line.split(' '));
  const offered = await completions(t, folder, lines);
  // Bash itself leaves out what is offered twice.
  const told = offered.map((words) => [...new Set(words)].join(' '));
  assert.deepEqual(
    cases.map(([line], index) => [line, told[index]]),
    cases.map(([line, words]) => [line, words]),
  );
});

test('every option of every command is offered, by name', async (t) => {
  const commands = everyCommand(await wholeProgram());
  const lines = commands.map((command) => [...pathOf(command).split(' '), '-']);
  const offered = await completions(t, await tempFolder(t), lines);
  for (const [index, command] of commands.entries()) {
    const own = command.options.filter(({ hidden }) => !hidden).flatMap(({ short, long }) => [short, long]);
    const everywhere = ['-h', '--help', '--debug', '--no-isolation'];
    const wanted = new Set([...own, ...everywhere].filter((name) => name !== undefined));
    assert.deepEqual(offered[index], [...wanted].sort(), pathOf(command));
  }
});

test('every argument has its choices, or the endings of its files', async () => {
  const kinds = new Map<string, string>();
  for (const command of withAllBelow(describe(await wholeProgram())))
    for (const argument of command.arguments) kinds.set(`${command.path} ${argument.name}`, argument.values.kind);
  const named = (kind: string) => [...kinds.keys()].filter((key) => kinds.get(key) === kind);
  assert.deepEqual(named('free'), ['gpuprof counters pattern']);
  assert.deepEqual(named('words'), ['gpuprof completion shell', 'gpuprof help command']);
  assert.deepEqual(named('files').sort(), Object.keys(argumentFiles).sort());
});

test('the command prints the script', async () => {
  const { code, stdout, stderr } = await run(['completion', 'bash']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout, `${await script(bash)}\n`);
});

for (const [shell, make] of Object.entries({ zsh, fish }))
  test(`${shell} can read its script, which has every command and option`, {
    skip: hasProgram(shell) ? false : `${shell} is not installed`,
  }, async (t) => {
    const text = await script(make);
    for (const { path, options } of withAllBelow(describe(await wholeProgram())))
      for (const word of [...path.split(' '), ...options.flatMap(({ names }) => names)])
        assert.ok(text.includes(word.replace(/^--?/, '')), `${path}: ${word}`);
    const file = join(await tempFolder(t), 'script');
    await writeFile(file, text);
    const { code, stderr } = await runProgram(shell, ['-n', file]);
    assert.deepEqual([code, stderr], [0, '']);
  });

test('fish offers the same', { skip: hasProgram('fish') ? false : 'fish is not installed' }, async (t) => {
  const folder = await filledFolder(t);
  const file = join(await tempFolder(t), 'script.fish');
  await writeFile(file, await script(fish));
  for (const [line, offered] of cases.filter(([words]) => isForFish(words))) {
    const asked = `source '${file}'; complete -C '${line.replace(' = ', '=')}'`;
    const { stdout, stderr } = await runProgram('fish', ['-N', '-c', asked], { cwd: folder });
    const words = stdout.split('\n').map((text) =>
      text
        .replace(/\t.*/, '')
        .replace(/^--\w+=/, '')
        .replace(/\/$/, ''),
    );
    assert.deepEqual([words.filter(Boolean).sort().join(' '), stderr], [offered, ''], line);
  }
});
