import assert from 'node:assert/strict';
import type { Command } from 'commander';
import { wholeProgram } from '../../src/cli/program.ts';

/** The command and all below it. */
export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** As it is written: `gpuprof record gltf`. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** What follows the program's name, up to what is explained, piped or written elsewhere; quotes hold a word together. */
export function argumentsIn(line: string): string[] {
  const [command] = line.split(/ {2}| +(?:[|>#]|&&) /);
  const [, ...words] = Array.from(command.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word);
  return words;
}

/** Parses a line as the program does, running nothing; returns the path of the command that would run. */
export async function parseLine(line: string): Promise<string> {
  const program = await wholeProgram();
  let path = '';
  for (const command of everyCommand(program)) {
    command.configureOutput({ outputError: () => {}, writeErr: () => {}, writeOut: () => {} });
    if (command.commands.length === 0)
      command.action(() => {
        path = pathOf(command);
      });
  }
  try {
    await program.parseAsync(argumentsIn(line), { from: 'user' });
  } catch (error) {
    const { exitCode, message } = error as Error & { readonly exitCode?: number };
    assert.equal(exitCode, 0, `${line}: ${message}`);
    return program.name();
  }
  return path;
}
