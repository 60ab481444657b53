import { Command, InvalidArgumentError } from 'commander';
import { GpuprofError } from '../errors.ts';
import type { GateCapture, GateResult } from '../model/gate.ts';
import { worstLevel } from '../model/gate.ts';
import { printable } from '../report/printable.ts';
import { version } from '../version.ts';
import type { ConfigGuard } from './gate/config-guard.ts';
import { addOutputOptions, exitCodeOf, type OutputOptions, planOutputs, writeOutputs } from './gate/outputs.ts';
import type { CapturePlan, GatePlan } from './gate/read-config.ts';
import { type Progress, startProgress } from './progress.ts';
import { timeoutOption } from './replay-options.ts';
import { say } from './say.ts';

interface Shard {
  readonly index: number;
  readonly count: number;
}

interface GateOptions extends OutputOptions {
  readonly update?: boolean;
  readonly only?: readonly string[];
  readonly shard?: Shard;
  /** Seconds. */
  readonly timeout: number;
}

function shardOf(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count) return { index, count };
  throw new InvalidArgumentError('It must be I/N, such as 1/3.');
}

/** The captures that this run is about; the shards take turns, so that each gets its part of the slow ones. */
function chosen(plan: GatePlan, { only, shard }: GateOptions): CapturePlan[] {
  const unknown = only?.find((name) => !plan.captures.some((capture) => capture.name === name));
  if (unknown !== undefined)
    throw new GpuprofError('bad-usage', `no capture is called ${unknown}`, {
      hint: `there are ${plan.captures.map(({ name }) => name).join(', ')}`,
    });
  const named = only ? plan.captures.filter(({ name }) => only.includes(name)) : plan.captures;
  return shard ? named.filter((_, index) => index % shard.count === shard.index - 1) : [...named];
}

/** Measures anew what captures with the baseline `auto` are compared with. */
async function update(plan: GatePlan, captures: readonly CapturePlan[], progress: Progress): Promise<void> {
  const [{ freshProcesses, measure }, { baselinesOf, writeBaseline }, { leftOut }] = await Promise.all([
    import('./gate/measure.ts'),
    import('./gate/baselines.ts'),
    import('./gate/find-baseline.ts'),
  ]);
  const failures: unknown[] = [];
  const lines: string[] = [];
  for (const capture of captures) {
    const why = leftOut(capture);
    if (why !== null) {
      lines.push(`${capture.name}: left out, ${why}`);
      continue;
    }
    try {
      if (capture.missing !== null) throw new GpuprofError('cannot-measure', capture.missing);
      const report = await measure(plan, capture, progress, freshProcesses);
      const { path } = baselinesOf(plan, capture, report.environment);
      lines.push(`${path}: ${await writeBaseline(plan, path, report)}`);
    } catch (error) {
      failures.push(error);
    }
  }
  progress.stop();
  process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(''));
  if (failures.length > 0) throw new AggregateError(failures);
}

/** The result of captures, one after the other: two at once would disturb each other's times. */
async function check(plan: GatePlan, captures: readonly CapturePlan[], shard: Shard | null, progress: Progress) {
  const [{ checkCapture }, { missingCapture }, { portable }] = await Promise.all([
    import('./gate/check-capture.ts'),
    import('./gate/missing-capture.ts'),
    import('./gate/portable.ts'),
  ]);
  const checked: GateCapture[] = [];
  for (const capture of captures)
    if (capture.missing !== null) checked.push(missingCapture(plan, capture, capture.missing));
    else checked.push(portable(await checkCapture(plan, capture, progress), capture, plan));
  const result: GateResult = {
    format: 'gpuprof-gate',
    version: 1,
    producer: `gpuprof ${version}`,
    level: worstLevel(checked.map(({ level }) => level)),
    shard,
    captures: checked,
  };
  return result;
}

/** The exit code. */
async function run(named: string | undefined, options: GateOptions, guard: ConfigGuard): Promise<number> {
  const [{ findConfig }, { readConfig }, { inputsOf }] = await Promise.all([
    import('./gate/config-file.ts'),
    import('./gate/read-config.ts'),
    import('./gate/inputs.ts'),
  ]);
  const config = await findConfig(named, guard);
  const plan = readConfig(config, options.timeout);
  const captures = chosen(plan, options);
  const outputs = planOutputs(options, inputsOf(config, plan), options.shard ? 'shard' : 'gate');
  const progress = await startProgress('measuring');
  try {
    if (options.update) {
      if (captures.length === 0) say('nothing to measure: no capture is in this shard');
      await update(plan, captures, progress);
      return 0;
    }
    const result = await check(plan, captures, options.shard ?? null, progress);
    progress.stop();
    await writeOutputs(result, outputs);
    return exitCodeOf(result);
  } finally {
    progress.stop();
  }
}

async function gate(named: string | undefined, options: GateOptions): Promise<void> {
  const { guardConfig } = await import('./gate/config-guard.ts');
  const guard = guardConfig();
  let exitCode: number | undefined;
  try {
    exitCode = await run(named, options, guard);
    process.exitCode = exitCode;
  } finally {
    guard.end(exitCode);
  }
}

/** `gpuprof gate`: checks captures against budgets and baselines. */
export function gateCommand(): Command {
  const command = new Command('gate')
    .argument('[config]', 'the configuration (default: gpuprof.config.* or package.json, here or above)')
    .option('--update', 'measure the baselines anew, and write them instead of checking')
    .option('--only <name...>', 'only captures of these names')
    .option('--shard <i/n>', 'only this part of the captures; gpuprof merge joins the results', shardOf)
    .addOption(timeoutOption())
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof gate                                        check what gpuprof.config.json names
  $ gpuprof gate --update                               write the baselines that it is compared with
  $ gpuprof gate --junit gate.xml --comment gate.md     results for a CI server and for a pull request
  $ gpuprof gate --shard 1/3 --json shard-1.json        a third of the captures
  $ gpuprof gate --only scene                           one capture

Exit codes: 0 every budget holds (warnings are told), 1 something failed, 2 bad usage or configuration, 3 nothing failed
and something could not be measured.`,
    );
  return addOutputOptions(command).action(gate);
}
