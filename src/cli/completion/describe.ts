/** The program's commands as completion scripts need them: plain data, made of the commander program itself. */
import type { Argument, Command, Option } from 'commander';
import { argumentFiles } from './argument-files.ts';

/** What may stand at a place of a command line. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** That end so; any when there is no ending. */
  | { readonly kind: 'files'; readonly endings: readonly string[] }
  | { readonly kind: 'folders' }
  /** What nobody can guess. */
  | { readonly kind: 'free' };

export interface DescribedOption {
  /** All that it goes by: `-o`, `--output`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null when it takes none. */
  readonly value: { readonly name: string; readonly values: Values; readonly isOptional: boolean } | null;
}

export interface DescribedArgument {
  readonly name: string;
  readonly values: Values;
  readonly isOptional: boolean;
  readonly isVariadic: boolean;
}

export interface DescribedCommand {
  /** From the program on: `gpuprof record gltf`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly DescribedOption[];
  readonly arguments: readonly DescribedArgument[];
  readonly commands: readonly DescribedCommand[];
}

function optionValues({ argChoices }: Option, name: string): Values {
  if (argChoices) return { kind: 'words', words: argChoices };
  if (name === 'folder') return { kind: 'folders' };
  return name === 'file' || name === 'path' ? { kind: 'files', endings: [] } : { kind: 'free' };
}

function describeOption(option: Option): DescribedOption {
  const [, name] = /[<[](.+)[>\]]$/.exec(option.flags) ?? [];
  return {
    names: [option.short, option.long].filter((text) => text !== undefined),
    description: option.description,
    value: name === undefined ? null : { name, values: optionValues(option, name), isOptional: option.optional },
  };
}

function argumentValues(argument: Argument, path: string, siblings: readonly string[]): Values {
  if (argument.argChoices) return { kind: 'words', words: argument.argChoices };
  if (argument.name() === 'command') return { kind: 'words', words: siblings };
  const endings = argumentFiles[`${path} ${argument.name()}`];
  return endings ? { kind: 'files', endings } : { kind: 'free' };
}

function describeCommand(
  command: Command,
  path: string,
  siblings: readonly string[],
  everywhere: readonly Option[],
): DescribedCommand {
  const names = command.commands.map((child) => child.name());
  return {
    path,
    name: command.name(),
    description: command.description(),
    options: [...command.createHelp().visibleOptions(command), ...everywhere].map(describeOption),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      values: argumentValues(argument, path, siblings),
      isOptional: !argument.required,
      isVariadic: argument.variadic,
    })),
    commands: command.commands.map((child) => describeCommand(child, `${path} ${child.name()}`, names, everywhere)),
  };
}

/** The whole program: its options but `--version` are those of every command, too. */
export function describe(program: Command): DescribedCommand {
  const everywhere = program.options.filter(({ long }) => long !== '--version');
  const root = describeCommand(program, program.name(), [], everywhere);
  return { ...root, options: program.createHelp().visibleOptions(program).map(describeOption) };
}

/** The command and all below it. */
export const withAllBelow = (command: DescribedCommand): readonly DescribedCommand[] => [
  command,
  ...command.commands.flatMap(withAllBelow),
];

/** For a shell, as one word that nothing in it is obeyed of. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
