import { Command, CommanderError } from 'commander';
import { printable } from '../report/printable.ts';
import { compareCommand } from './compare.ts';
import { countersCommand } from './counters.ts';
import { doctorCommand } from './doctor.ts';
import { dumpCommand } from './dump.ts';
import { gateCommand } from './gate.ts';
import { importCommand } from './import.ts';
import { infoCommand } from './info.ts';
import { mergeCommand } from './merge.ts';
import { qrhiCommand } from './qrhi.ts';
import { recordCommand } from './record.ts';
import { replayCommand } from './replay.ts';
import { screenshotCommand } from './screenshot.ts';
import { version } from './version.ts';
import { viewCommand } from './view.ts';

/** Usage errors of a command and of those below it: one line that says where help is, and no exit from within. */
function settle(command: Command, path: string): void {
  command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const sentence = text
        .replace(/^error: /, '')
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replace(/\.$/, '');
      write(`gpuprof: ${printable(sentence)}; see ${path} --help\n`);
    },
  });
  for (const child of command.commands) settle(child, `${path} ${child.name()}`);
}

/** Errors that commander has told of already. */
export const wasSaid = (error: unknown): error is CommanderError => error instanceof CommanderError;

/** `gpuprof help COMMAND`, which says so when there is no such command. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .description('show help for a command')
    .argument('[command...]', 'the command, such as `record gltf`')
    .addHelpText('after', '\nExamples:\n  $ gpuprof help replay')
    .action((names: readonly string[]) => {
      let command = program;
      for (const name of names) {
        const next = command.commands.find((child) => child.name() === name);
        if (!next) program.error(`error: unknown command '${name}'`);
        command = next;
      }
      command.help();
    });
}

/** The whole command line. Each command loads what it needs only when it runs, so that start-up stays quick. */
export function createProgram(): Command {
  const program = new Command('gpuprof')
    .description('capture one frame of a WebGL or OpenGL program, replay it headless, and time every draw')
    .version(version)
    .option('--debug', 'show the stack of an error; works after any command')
    .option('--no-isolation', 'replay in this process, for debuggers and profilers; a crash of the driver ends it')
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof replay scene.cap                time every draw of a frame
  $ gpuprof info scene.cap                  what a capture holds
  $ gpuprof doctor                          what this machine can measure

Exit codes: 0 success, 1 a comparison, gate or verification failed, 2 bad usage or bad input, 3 this machine cannot measure it.`,
    );
  for (const command of [
    replayCommand(),
    recordCommand(),
    importCommand(),
    screenshotCommand(),
    viewCommand(),
    compareCommand(),
    infoCommand(),
    dumpCommand(),
    countersCommand(),
    doctorCommand(),
    gateCommand(),
    mergeCommand(),
    qrhiCommand(),
  ])
    program.addCommand(command);
  program.helpCommand(false).addCommand(helpCommand(program));
  settle(program, 'gpuprof');
  return program;
}
