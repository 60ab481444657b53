import { Command } from 'commander';
import { GpuprofError } from '../errors.ts';
import type { GateResult } from '../model/gate.ts';
import { version } from '../version.ts';
import { addOutputOptions, exitCodeOf, type OutputOptions, planOutputs, writeOutputs } from './gate/outputs.ts';
import { readText } from './read-text.ts';
import { say } from './say.ts';

function contentOf(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GpuprofError('bad-input', `${path} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Throws GpuprofError `bad-input` or `unsupported-version`, naming the file and the place in it. */
async function readResult(path: string): Promise<GateResult> {
  const [{ resultSchema }, { schemaError }] = await Promise.all([
    import('./gate/result-schema.ts'),
    import('./schema-error.ts'),
  ]);
  const content = contentOf(path);
  const { format, version: made } = (content ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (format !== 'gpuprof-gate')
    throw new GpuprofError('bad-input', `${path} is no result of a gate`, { hint: 'gpuprof gate --json writes them' });
  if (typeof made === 'number' && made > 1)
    throw new GpuprofError(
      'unsupported-version',
      `${path} was made by a newer gpuprof (result version ${made}; this one reads version 1)`,
      { hint: 'update gpuprof' },
    );
  const { data, error } = resultSchema.safeParse(content);
  if (error) throw schemaError(path, content, error.issues);
  return data;
}

async function merge(files: readonly string[], options: OutputOptions): Promise<void> {
  const outputs = planOutputs(options, files, 'merge');
  const { mergeResults } = await import('./gate/merge-results.ts');
  const results = [];
  for (const file of files) results.push({ file, result: await readResult(file) });
  const { result, missing } = mergeResults(results, `gpuprof ${version}`);
  for (const { reason } of missing) say(reason ?? '');
  await writeOutputs(result, outputs, missing);
  process.exitCode = exitCodeOf(result);
}

/** `gpuprof merge`: one result out of those of a gate's shards. */
export function mergeCommand(): Command {
  const command = new Command('merge')
    .argument('<result...>', 'JSON that gpuprof gate --json wrote, one for each shard')
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof merge shard-1.json shard-2.json              one table of both, and the exit code of both
  $ gpuprof merge shard-*.json --junit gate.xml          results for a CI server

A shard that is missing counts as what could not be measured: exit code 3. So does a matrix in which nothing was checked.
GitHub annotations are those that the shards have printed, and of what is missing; --github prints all of them again.`,
    );
  return addOutputOptions(command).action(merge);
}
