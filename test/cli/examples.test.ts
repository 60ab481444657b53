import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { wholeProgram } from '../../src/cli/program.ts';
import { everyCommand, parseLine, pathOf } from '../helpers/command-lines.ts';

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

test('every command has help with a description and examples that its own parser takes', async () => {
  for (const command of everyCommand(await wholeProgram())) {
    const path = pathOf(command);
    const [head, examples] = helpOf(command).split('\nExamples:\n');
    assert.match(head.split('\n\n')[1], /^[a-z].*[^.]$/s, `${path}: a description`);
    const lines = Array.from(examples?.matchAll(/^ {2}\$ (.*)$/gm) ?? [], ([, line]) => line);
    assert.ok(lines.length > 0, `${path}: an example`);
    const parsed = [];
    for (const line of lines) parsed.push(await parseLine(line));
    assert.ok(
      parsed.some((other) => other.startsWith(path)),
      `${path}: an example of itself, not only of ${parsed}`,
    );
  }
});

test('an example that could not be run is noticed', async () => {
  for (const line of [
    'gpuprof replay a.cap --rums 3',
    'gpuprof replay a.cap --driver none',
    'gpuprof replay a.cap b.cap',
    'gpuprof record gltf a.glb',
    'gpuprof replay a.cap --top 3 --depth 1',
    'gpuprof replya a.cap',
  ])
    await assert.rejects(parseLine(line), line);
});
