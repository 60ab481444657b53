import { type Command, InvalidArgumentError, Option } from 'commander';
import { limitMemory } from '../model/memory-limit.ts';

const unitBytes: Readonly<Record<string, number>> = { MB: 1e6, MiB: 2 ** 20, GB: 1e9, GiB: 2 ** 30 };
const leastBytes = 2 ** 20;
const mostBytes = 2 ** 40;

/** `8GB` in bytes. */
function memorySize(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(MB|MiB|GB|GiB)$/.exec(text) ?? [];
  const bytes = Number(digits) * (unitBytes[unit] ?? Number.NaN);
  if (bytes >= leastBytes && bytes <= mostBytes) return Math.floor(bytes);
  throw new InvalidArgumentError('It must be a size from 1MiB to 1024GiB with its unit, such as 512MB or 8GiB.');
}

/** Adds `--max-memory` to a command that reads files; it holds for all that the command does, and for processes it starts. */
export const withMemoryOption = (command: Command): Command =>
  command
    .addOption(
      new Option('--max-memory <size>', 'most memory that a file may ask of gpuprof or of the driver (default: 4GiB)')
        .argParser(memorySize)
        .helpGroup('Options:'),
    )
    .hook('preAction', (_, acting) => {
      const { maxMemory } = acting.opts<{ maxMemory?: number }>();
      if (maxMemory !== undefined) limitMemory(maxMemory);
    });
