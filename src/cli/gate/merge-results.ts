/** One result out of those of shards. */
import { GpuprofError } from '../../errors.ts';
import { type GateCapture, type GateResult, worstLevel } from '../../model/gate.ts';
import { unmeasured } from './missing-capture.ts';

/** A result with the file it came from. */
export interface ShardResult {
  readonly file: string;
  readonly result: GateResult;
}

const bad = (message: string, hint?: string): GpuprofError => new GpuprofError('bad-input', message, { hint });

/** What a shard would have said, or all of them: a gate that does not know is not green. */
const notThere = (name: string, reason: string): GateCapture => unmeasured(name, '', reason);

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
    .map((index) => `shard ${index} of ${count}`)
    .map((shard) => notThere(shard, `the result of ${shard} is missing`));
}

/** A level that was edited, or is an older gpuprof's, hides nothing. */
function asBadAsItsChecks(capture: GateCapture): GateCapture {
  const { level, checks, reason } = capture;
  if (checks.length === 0 && reason === null)
    return { ...capture, level: worstLevel([level, 'unmeasured']), reason: 'nothing was checked' };
  return { ...capture, level: worstLevel([level, ...checks.map((check) => check.level)]) };
}

/**
 * All captures in one result, no better than any of the results; `missing` of them stand for a shard that is missing, or
 * for all where no shard had a capture, and could not be measured. Throws GpuprofError `bad-input` when a shard or a capture
 * comes twice, or results are not of one matrix.
 */
export function mergeResults(
  results: readonly ShardResult[],
  producer: string,
): { readonly result: GateResult; readonly missing: readonly GateCapture[] } {
  const shards = missingShards(results);
  const seen = new Map<string, string>();
  for (const { file, result } of results)
    for (const { name } of result.captures) {
      const before = seen.get(name);
      if (before !== undefined)
        throw bad(`the capture ${name} is in ${before} and in ${file}`, 'name each result once');
      seen.set(name, file);
    }
  const isEmpty = seen.size === 0 && shards.length === 0;
  const missing = isEmpty ? [notThere('no capture', 'nothing was checked: no result has a capture')] : shards;
  const ordered = results.toSorted((left, right) => (left.result.shard?.index ?? 0) - (right.result.shard?.index ?? 0));
  const captures = [...ordered.flatMap(({ result }) => result.captures), ...missing].map(asBadAsItsChecks);
  const level = worstLevel([...captures, ...results.map(({ result }) => result)].map((one) => one.level));
  return { result: { format: 'gpuprof-gate', version: 1, producer, level, shard: null, captures }, missing };
}
