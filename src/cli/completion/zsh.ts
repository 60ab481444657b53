import {
  type DescribedArgument,
  type DescribedCommand,
  type DescribedOption,
  shellQuoted,
  type Values,
  withAllBelow,
} from './describe.ts';

/** As a part of what `_arguments` reads. */
const escaped = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');

function actionOf(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `(${values.words.join(' ')})`;
    case 'files':
      return values.endings.length === 0
        ? '_files'
        : `_files -g "${values.endings.map((ending) => `*${ending}`).join(' ')}"`;
    case 'folders':
      return '_files -/';
    case 'free':
      return ' ';
  }
}

function optionSpec({ names, description, value }: DescribedOption): string {
  const marked = names.map((name) => (value === null ? name : `${name}${name.startsWith('--') ? '=' : '+'}`));
  const colons = value?.isOptional ? '::' : ':';
  const rest = value === null ? '' : `${colons}${escaped(value.name)}:${actionOf(value.values)}`;
  const text = shellQuoted(`[${escaped(description)}]${rest}`);
  return names.length === 1 ? `${shellQuoted(marked[0])}${text}` : `'(${names.join(' ')})'{${marked.join(',')}}${text}`;
}

function argumentSpec({ name, values, isOptional, isVariadic }: DescribedArgument, index: number): string {
  const place = isVariadic ? '*' : `${index + 1}`;
  const colons = isOptional && !isVariadic ? '::' : ':';
  return shellQuoted(`${place}${colons}${escaped(name)}:${actionOf(values)}`);
}

const functionOf = (path: string): string => `_${path.replaceAll(' ', '_')}`;

const listed = (specs: readonly string[]): string => specs.map((spec) => ` \\\n    ${spec}`).join('');

function functionText({ path, options, arguments: args, commands }: DescribedCommand): string {
  const specs = [...options.map(optionSpec), ...args.map(argumentSpec)];
  if (commands.length === 0) return `${functionOf(path)}() {\n  _arguments -S${listed(specs)}\n}`;
  const described = commands.map(({ name, description }) =>
    shellQuoted(`${name}:${description.replace(/[\\:]/g, '\\$&')}`),
  );
  const branches = commands.map((command) => `        ${command.name}) ${functionOf(command.path)} ;;`);
  return `${functionOf(path)}() {
  local state line
  local -a commands=(${described.map((text) => `\n    ${text}`).join('')}
  )
  typeset -A opt_args
  _arguments -C -S${listed([...specs, "'1:command:->command'", "'*::argument:->argument'"])}
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${branches.join('\n')}
      esac
      ;;
  esac
}`;
}

/** A script for zsh: to be read by `source`, or a file `_gpuprof` in a folder of `fpath`. */
export function zsh(program: DescribedCommand): string {
  const functions = withAllBelow(program).map(functionText);
  return `#compdef gpuprof
# Completion of gpuprof in zsh, which gpuprof has made of its own commands.

${functions.join('\n\n')}

if [[ $funcstack[1] == _gpuprof ]]; then
  _gpuprof "$@"
else
  compdef _gpuprof gpuprof
fi`;
}
