import { Command, CommanderError } from 'commander';
import { printable } from '../report/printable.ts';
import { version } from '../version.ts';
import { withMemoryOption } from './memory-option.ts';
import { nearestName } from './nearest.ts';

/** A command of the program. */
interface Entry {
  readonly name: string;
  /** What follows its name. */
  readonly usage: string;
  readonly summary: string;
  /** Loads the rest of it, from a module that nothing else needs at start-up. */
  readonly load: () => Promise<Command>;
}

const entries: readonly Entry[] = [
  {
    name: 'replay',
    usage: '[options] <file>',
    summary: 'replay a capture and time every draw',
    load: async () => withMemoryOption((await import('./replay.ts')).replayCommand()),
  },
  {
    name: 'record',
    usage: '[options] [command]',
    summary: 'record a frame into a capture',
    load: async () => (await import('./record.ts')).recordCommand(),
  },
  {
    name: 'import',
    usage: '[options] <file>',
    summary: 'make a capture from what apitrace or RenderDoc recorded',
    load: async () => withMemoryOption((await import('./import.ts')).importCommand()),
  },
  {
    name: 'screenshot',
    usage: '[options] <file>',
    summary: 'show a render target after an event, as a PNG',
    load: async () => withMemoryOption((await import('./screenshot.ts')).screenshotCommand()),
  },
  {
    name: 'view',
    usage: '[options] <file>',
    summary: 'show a report, a timeline or a capture in the browser',
    load: async () => withMemoryOption((await import('./view.ts')).viewCommand()),
  },
  {
    name: 'compare',
    usage: '[options] <base> [new]',
    summary: 'compare two captures or reports: what got slower or heavier, what is new, what is gone',
    load: async () => withMemoryOption((await import('./compare.ts')).compareCommand()),
  },
  {
    name: 'info',
    usage: '[options] <file>',
    summary: 'show what is in a capture: API, canvas, frames, calls, draws, resources',
    load: async () => withMemoryOption((await import('./info.ts')).infoCommand()),
  },
  {
    name: 'dump',
    usage: '[options] <file>',
    summary: 'print every call of a capture, one a line',
    load: async () => withMemoryOption((await import('./dump.ts')).dumpCommand()),
  },
  {
    name: 'counters',
    usage: '[options] [pattern...]',
    summary: 'list every metric set and counter that this machine has, for replay --counters',
    load: async () => (await import('./counters.ts')).countersCommand(),
  },
  {
    name: 'doctor',
    usage: '[options]',
    summary: 'show what each driver gives here: renderer, timers, and whether they can be trusted',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  {
    name: 'gate',
    usage: '[options] [config]',
    summary: 'check captures against budgets and baselines, as a script does on every commit',
    load: async () => withMemoryOption((await import('./gate.ts')).gateCommand()),
  },
  {
    name: 'merge',
    usage: '[options] <result...>',
    summary: 'join results of gpuprof gate --shard, and end as one gate would',
    load: async () => (await import('./merge.ts')).mergeCommand(),
  },
  {
    name: 'qrhi',
    usage: '[options] [file...]',
    summary: 'report QRhiProfiler streams of Qt applications: memory, leaks, frame times',
    load: async () => (await import('./qrhi.ts')).qrhiCommand(),
  },
  {
    name: 'completion',
    usage: '[options] <shell>',
    summary: 'print a script that completes command lines in bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionCommand(wholeProgram),
  },
];

/** Usage errors of a command and of those below it: one line that says where help is, and no exit from within. */
function settle(command: Command, path: string): void {
  command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const sentence = text
        .replace(/^error: /, '')
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replace(/\.$/, '');
      const file = /^unknown command '(.*[./].*)'/.exec(sentence)?.[1];
      const hint = file === undefined ? `see ${path} --help` : `to replay a file: gpuprof replay ${file}`;
      write(`gpuprof: ${printable(`${sentence}; ${hint}`)}\n`);
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
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof help replay
  $ gpuprof help record page`,
    )
    .action((names: readonly string[]) => {
      let command = program;
      for (const name of names) {
        const next = command.commands.find((child) => child.name() === name);
        if (!next) {
          const meant = nearestName(
            name,
            command.commands.map((child) => child.name()),
          );
          program.error(`error: unknown command '${name}'${meant ? ` (Did you mean ${meant}?)` : ''}`);
        }
        command = next;
      }
      command.help();
    });
}

/** The program with what the list of commands shows, and the commands of `isWhole` as they are. */
async function programWith(isWhole: (name: string) => boolean): Promise<Command> {
  const program = new Command('gpuprof')
    .description('capture one frame of a WebGL or OpenGL program, replay it headless, and time every draw')
    .version(version)
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
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
  for (const { name, usage, summary, load } of entries)
    program.addCommand((isWhole(name) ? await load() : new Command(name).usage(usage)).description(summary));
  program.helpCommand(false).addCommand(helpCommand(program));
  settle(program, 'gpuprof');
  return program;
}

/** The program as a command line needs it: of commands that it does not name there is little, so that start-up stays quick. */
export function createProgram(args: readonly string[]): Promise<Command> {
  const named = args.find((arg) => !arg.startsWith('-') && arg !== 'help');
  return programWith((name) => name === named);
}

/** The program with every command, option and argument. */
export const wholeProgram = (): Promise<Command> => programWith(() => true);
