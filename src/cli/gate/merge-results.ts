/** One result out of those of shards. */
import { GpuprofError } from '../../errors.ts';
import { type GateCapture, type GateResult, worstLevel } from '../../model/gate.ts';

/** A result with the file it came from. */
export interface ShardResult {
  readonly file: string;
  readonly result: GateResult;
}

const bad = (message: string, hint?: string): GpuprofError => new GpuprofError('bad-input', message, { hint });

/** Stands for what a shard would have said: a gate that does not know is not green. */
const missingShard = (index: number, count: number): GateCapture => ({
  name: `shard ${index} of ${count}`,
  file: '',
  environment: null,
  baseline: null,
  level: 'unmeasured',
  reason: `the result of shard ${index} of ${count} is missing`,
  checks: [],
  comparison: null,
  warnings: [],
  wallMs: 0,
});

/** Shards of one matrix have one count, and each comes once. */
function missingShards(results: readonly ShardResult[]): GateCapture[] {
  const [first] = results;
  const count = first.result.shard?.count ?? null;
  const seen = new Map<number, string>();
  for (const { file, result } of results) {
    if ((result.shard?.count ?? null) !== count) {
      const what = (one: GateResult) => (one.shard ? `one of ${one.shard.count} shards` : 'no shard');
      throw bad(`${first.file} is ${what(first.result)}, and ${file} is ${what(result)}`);
    }
    if (!result.shard) continue;
    const before = seen.get(result.shard.index);
    if (before !== undefined) throw bad(`${before} and ${file} are both shard ${result.shard.index}`, 'name each once');
    seen.set(result.shard.index, file);
  }
  if (count === null) return [];
  return Array.from({ length: count }, (_, index) => index + 1)
    .filter((index) => !seen.has(index))
    .map((index) => missingShard(index, count));
}

/** A level that was edited, or is an older gpuprof's, hides nothing. */
const asBadAsItsChecks = (capture: GateCapture): GateCapture => ({
  ...capture,
  level: worstLevel([capture.level, ...capture.checks.map(({ level }) => level)]),
});

/**
 * All captures in one result, no better than any of the results; a shard that is missing is a capture that could not be measured. Throws GpuprofError
 * `bad-input` when a shard or a capture comes twice, or results are not of one matrix.
 */
export function mergeResults(
  results: readonly ShardResult[],
  producer: string,
): { readonly result: GateResult; readonly missing: readonly GateCapture[] } {
  const missing = missingShards(results);
  const seen = new Map<string, string>();
  for (const { file, result } of results)
    for (const { name } of result.captures) {
      const before = seen.get(name);
      if (before !== undefined)
        throw bad(`the capture ${name} is in ${before} and in ${file}`, 'name each result once');
      seen.set(name, file);
    }
  const ordered = results.toSorted((left, right) => (left.result.shard?.index ?? 0) - (right.result.shard?.index ?? 0));
  const captures = [...ordered.flatMap(({ result }) => result.captures), ...missing].map(asBadAsItsChecks);
  const levels = [...captures, ...results.map(({ result }) => result)].map(({ level }) => level);
  // Nothing measured is nothing known.
  const level = worstLevel(captures.length === 0 ? ['unmeasured', ...levels] : levels);
  return { result: { format: 'gpuprof-gate', version: 1, producer, level, shard: null, captures }, missing };
}
