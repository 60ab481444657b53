import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../helpers/cli.ts';
import { argumentsIn, parseLine } from '../helpers/command-lines.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

/** The project's Markdown, by its path from the root. */
async function documents(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of ['.', 'src', 'test', 'captures'])
    for (const name of await readdir(join(projectRoot, folder), { recursive: folder !== '.' })) {
      const path = join(projectRoot, folder, name);
      if (path.endsWith('.md')) found.set(relative(projectRoot, path), await readFile(path, 'utf8'));
    }
  return found;
}

/** Lines of shell in fenced blocks, a line that goes on in the next as one. */
const shellLines = (text: string): string[] =>
  Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block.replaceAll('\\\n', ' ').split('\n')).flat();

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading));

test('every link leads to a file and a heading that are there', async () => {
  const all = await documents();
  for (const [path, text] of all)
    for (const [, target, anchor] of text.matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const to = target === '' ? path : join(dirname(path), target);
      const label = `${path}: ${target}${anchor ? `#${anchor}` : ''}`;
      await assert.doesNotReject(stat(join(projectRoot, to)), label);
      if (anchor !== undefined) assert.ok(anchorsIn(all.get(to) ?? '').includes(anchor), label);
    }
});

test('every command line parses, and every npm script is there', async () => {
  const { scripts } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  let lines = 0;
  for (const [path, text] of await documents()) {
    for (const line of shellLines(text))
      if (line.startsWith('gpuprof ')) {
        assert.notEqual(await parseLine(line), '', `${path}: ${line}`);
        lines++;
      }
    for (const [, name] of text.matchAll(/\bnpm run ([\w:]+)/g)) assert.ok(name in scripts, `${path}: npm run ${name}`);
  }
  assert.ok(lines > 40, `${lines} lines`);
  const benches = await readFile(join(projectRoot, 'test', 'bench', 'README.md'), 'utf8');
  for (const name of Object.keys(scripts).filter((script) => script.startsWith('bench')))
    assert.match(benches, new RegExp(`^\\| \`npm run ${name}[ \`]`, 'm'));
});

/** It ends when it is told to; and what measures every driver is long, and has tests of its own. */
const isLeftOut = (line: string): boolean => /^gpuprof (view|doctor)\b/.test(line);

test('the first steps of the README work as written', async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, 'captures'));
  await copyFile(samplePath('triangle'), join(folder, 'captures', 'scene.cap'));
  const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
  const [section] = readme.split('\n## First steps\n')[1].split('\n## ');
  const lines = shellLines(section).filter((line) => line.startsWith('gpuprof ') && !isLeftOut(line));
  assert.ok(lines.length > 5);
  for (const line of lines) {
    const { code, stderr } = await runInSession(argumentsIn(line), { cwd: folder });
    assert.equal(code, 0, `${line}: ${stderr}`);
  }
  for (const name of ['scene.png', 'scene.html']) assert.ok((await stat(join(folder, name))).size > 0, name);
});
