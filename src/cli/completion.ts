import { Argument, Command } from 'commander';
import type { DescribedCommand } from './completion/describe.ts';
import { printLines } from './print-lines.ts';

const scripts = {
  bash: async () => (await import('./completion/bash.ts')).bash,
  zsh: async () => (await import('./completion/zsh.ts')).zsh,
  fish: async () => (await import('./completion/fish.ts')).fish,
} as const satisfies Readonly<Record<string, () => Promise<(program: DescribedCommand) => string>>>;

type Shell = keyof typeof scripts;

/** `gpuprof completion SHELL`; `wholeProgram` has every command loaded. */
export function completionCommand(wholeProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
The script completes the commands, options, choices and files of this version. For bash, put
  source <(gpuprof completion bash)
into ~/.bashrc; zsh and fish find it as a file in their folders.

Examples:
  $ gpuprof completion bash > ~/.local/share/bash-completion/completions/gpuprof
  $ gpuprof completion zsh > ~/.zsh/completions/_gpuprof        a folder that is in fpath before compinit
  $ gpuprof completion fish > ~/.config/fish/completions/gpuprof.fish`,
    )
    .action(async (shell: Shell) => {
      const [script, { describe }] = await Promise.all([scripts[shell](), import('./completion/describe.ts')]);
      await printLines([script(describe(await wholeProgram()))]);
    });
}
