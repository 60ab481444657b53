import { type DescribedCommand, shellQuoted, type Values, withAllBelow } from './describe.ts';

/** A pattern of `case`, and what is offered for it. */
type Row = readonly [pattern: string, offer: string];

function offerOf(values: Values): string {
  if (values.kind === 'words') return `words ${values.words.join(' ')}`;
  return values.kind === 'files' ? ['files', ...values.endings].join(' ') : values.kind;
}

/** What follows each option, and what stands at each place, from 1. */
function placesOf({ path, options, arguments: args, commands }: DescribedCommand): Row[] {
  const ofOptions = options.flatMap(({ names, value }) =>
    value ? names.map((name): Row => [shellQuoted(`${path} ${name}`), offerOf(value.values)]) : [],
  );
  const ofArguments = args.map(({ values, isVariadic }, index): Row => {
    const pattern = isVariadic ? `${shellQuoted(`${path} `)}[${index + 1}-9]` : shellQuoted(`${path} ${index + 1}`);
    return [pattern, offerOf(values)];
  });
  const words = commands.map(({ name }) => name);
  const ofCommands: Row[] = words.length > 0 ? [[shellQuoted(`${path} 1`), offerOf({ kind: 'words', words })]] : [];
  return [...ofOptions, ...ofArguments, ...ofCommands];
}

const optionsOf = ({ path, options }: DescribedCommand): Row => [
  shellQuoted(path),
  offerOf({ kind: 'words', words: options.flatMap(({ names }) => names) }),
];

/** Branches that set `offer`; places with the same offer share one. */
function branches(rows: readonly Row[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, offer] of rows) patterns.set(offer, [...(patterns.get(offer) ?? []), pattern]);
  return Array.from(patterns, ([offer, all]) => `    ${all.join(' | ')}) offer=${shellQuoted(offer)} ;;`).join('\n');
}

/** A script for bash; without programmable filename quoting it works in version 3.2, too. */
export function bash(program: DescribedCommand): string {
  const commands = withAllBelow(program);
  return `# Completion of gpuprof in bash, which gpuprof has made of its own commands.

# What follows an option of a command, or stands at a place of it; false when nothing does.
_gpuprof_at() {
  case "$1" in
${branches(commands.flatMap(placesOf))}
    *) return 1 ;;
  esac
}

# The options of a command; false when it is none.
_gpuprof_options() {
  case "$1" in
${branches(commands.map(optionsOf))}
    *) return 1 ;;
  esac
}

# What fits the word that is completed: words, files with their endings, or folders.
_gpuprof_fitting() {
  local kind="$1" ending
  shift
  case "$kind" in
    words) compgen -W "$*" -- "$cur" ;;
    folders) compgen -d -- "$cur" ;;
    files)
      if (($# == 0)); then
        compgen -f -- "$cur"
      else
        compgen -d -- "$cur"
        for ending in "$@"; do compgen -f -X "!*$ending" -- "$cur"; done
      fi
      ;;
  esac
}

_gpuprof() {
  local IFS=$' \\t\\n' cur="\${COMP_WORDS[COMP_CWORD]}" command=gpuprof place=1 option= offer= word at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ $word == -- ]]; then
      place=--
      break
    elif [[ $word == -* ]]; then
      _gpuprof_at "$command $word" || continue
      # Bash parts --option=value into three words.
      ((++at < COMP_CWORD)) && [[ \${COMP_WORDS[at]} == = ]] && ((at++))
      if ((at >= COMP_CWORD)); then
        option="$word"
      elif [[ \${COMP_WORDS[at]} == -?* ]]; then
        ((at--))
      fi
    elif _gpuprof_options "$command $word"; then
      command+=" $word"
    else
      ((place++))
    fi
  done
  [[ $cur == = ]] && cur=
  offer=
  if [[ $place == -- ]]; then
    offer=files
  elif [[ $cur == -* ]]; then
    _gpuprof_options "$command"
  else
    _gpuprof_at "$command \${option:-$place}"
  fi
  [[ $offer == files* || $offer == folders ]] && compopt -o filenames 2>/dev/null
  [[ $offer ]] || return
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(_gpuprof_fitting $offer)
}

complete -F _gpuprof gpuprof`;
}
