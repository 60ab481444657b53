import { type DescribedCommand, type DescribedOption, type Values, withAllBelow } from './describe.ts';

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** Flags for what is offered; files only where they are asked for. */
function offerOf(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-f -a ${quoted(values.words.join(' '))}`;
    case 'files':
      return values.endings.length === 0 ? '-F' : `-f -a ${quoted(`(__gpuprof_files ${values.endings.join(' ')})`)}`;
    case 'folders':
      return `-f -a ${quoted('(__fish_complete_directories)')}`;
    case 'free':
      return '-f';
  }
}

/** When the command line has got as far as this command, and to none below it. */
function conditionOf({ path, commands }: DescribedCommand): string {
  const [, ...names] = path.split(' ');
  if (names.length === 0) return '__fish_use_subcommand';
  const below = commands.map(({ name }) => name).join(' ');
  const parts = names.map((name) => `__fish_seen_subcommand_from ${name}`);
  return [...parts, ...(below ? [`not __fish_seen_subcommand_from ${below}`] : [])].join('; and ');
}

function flagsOf({ names, value }: DescribedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  // Fish knows no value that may be left out.
  return value === null || value.isOptional ? flags.join(' ') : `${flags.join(' ')} -r ${offerOf(value.values)}`;
}

function lines(command: DescribedCommand): string[] {
  const start = `complete -c gpuprof -n ${quoted(conditionOf(command))}`;
  return [
    ...command.commands.map(({ name, description }) => `${start} -a ${name} -d ${quoted(description)}`),
    ...command.arguments.map(({ values }) => `${start} ${offerOf(values)}`),
    ...command.options.map((option) => `${start} ${flagsOf(option)} -d ${quoted(option.description)}`),
  ];
}

const files = `
# Folders, and files that end in one of these ways.
function __gpuprof_files
    set -l endings (string join '|' (string escape --style=regex -- $argv))
    complete -C "__fish_command_without_completions "(commandline -ct) | string match -r -- "^.*(?:/|$endings)\\$"
end
`;

/** A script for fish, of version 3 or newer. */
export const fish = (program: DescribedCommand): string =>
  [
    '# Completion of gpuprof in fish, which gpuprof has made of its own commands.',
    files,
    'complete -c gpuprof -f',
    ...withAllBelow(program).flatMap(lines),
  ].join('\n');
