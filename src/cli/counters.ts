import { Command, Option } from 'commander';
import { GpuprofError } from '../errors.ts';
import type { Api, DriverName, GlContext } from '../gl/context.ts';
import type { MetricSet } from '../model/counter.ts';
import { jsonText } from '../report/json-text.ts';
import { softwareThreads } from './option-values.ts';

interface CountersOptions {
  readonly driver: DriverName | 'auto';
  readonly api?: Api;
  readonly browser?: string;
  readonly softwareThreads: number | 'default';
  readonly format: 'table' | 'json';
}

/** Sources of a context, the timer only when its trust check finds a method that can be trusted. */
async function checkedSources(context: GlContext) {
  const { chooseTimer } = await import('../query/choose-timer.ts');
  const { openMetricSources } = await import('../query/open-sources.ts');
  try {
    return openMetricSources(context, chooseTimer(context, 'auto').method);
  } catch (error) {
    if (!(error instanceof GpuprofError && error.code === 'cannot-measure')) throw error;
    const { sources, missing } = openMetricSources(context);
    return {
      sources: sources.filter(({ type }) => type !== 'timer'),
      missing: [{ source: 'timer', reason: error.message }, ...missing],
    };
  }
}

/** What this machine can measure of a leaf, and what it cannot, with the reason. */
async function listing(options: CountersOptions) {
  const { setSoftwareThreads } = await import('../gl/software-threads.ts');
  const { openAny } = await import('./open-driver.ts');
  const { describeEnvironment } = await import('../query/environment.ts');
  const { memorySet } = await import('../query/memory.ts');
  const { derivedSet } = await import('../analysis/derived.ts');
  setSoftwareThreads(options.softwareThreads);
  const context = await openAny(options);
  const environment = describeEnvironment(context);
  const { sources, missing } = await checkedSources(context);
  const all: MetricSet[] = [...sources.flatMap((source) => source.sets), memorySet, derivedSet];
  // A set without counters is one that cannot be measured: it is among what is lost.
  const sets = all.filter(({ counters }) => counters.length > 0);
  return { environment, sources, sets, lost: new Map(sources.flatMap(({ lost }) => [...lost])), missing };
}

type Listing = Awaited<ReturnType<typeof listing>>;

/** What patterns mean of a listing, all of it without patterns. Throws GpuprofError `bad-usage` for one that means nothing. */
async function narrowed(all: Listing, patterns: readonly string[]): Promise<Listing> {
  if (patterns.length === 0) return all;
  const { selectCounters, selectLost } = await import('../query/select-counters.ts');
  const { selected, unmatched } = selectCounters(all.sets, patterns);
  const { lost, unmatched: notLost } = selectLost(all.sources, patterns);
  const missing = all.missing.filter(({ source }) =>
    patterns.some((pattern) => pattern.toLowerCase().split('/')[0] === source),
  );
  const named = missing.map(({ source }) => `${source}`);
  const unknown = unmatched.find((one) => notLost.includes(one) && !named.includes(one.toLowerCase().split('/')[0]));
  if (unknown !== undefined)
    throw new GpuprofError('bad-usage', `no counter is called "${unknown}"`, {
      hint: '`gpuprof counters` without patterns lists all',
    });
  const sets = selected.map(({ set, counters }) => ({ ...set, counters }));
  return { ...all, sets, lost: new Map(lost.map(({ id, reason }) => [id, reason])), missing };
}

async function* tableLines({ environment, sets, lost, missing }: Listing): AsyncGenerator<string> {
  const { setLines } = await import('./counter-lines.ts');
  const { originText } = await import('../model/counter-origin.ts');
  const { printable } = await import('../report/printable.ts');
  const { terminalWidth } = await import('./terminal.ts');
  yield `on ${printable(originText(environment))}`;
  for (const set of sets) {
    yield '';
    yield* setLines(set, terminalWidth());
  }
  if (lost.size > 0 || missing.length > 0) yield '';
  for (const [id, reason] of lost) yield `${printable(id)} cannot be measured: ${printable(reason)}`;
  for (const { source, reason } of missing) yield `${source}: ${printable(reason)}`;
}

function toJson({ environment, sets, lost, missing }: Listing): string {
  return jsonText(
    {
      format: 'gpuprof-counters',
      version: 1,
      environment,
      sets,
      lost: [...lost].map(([id, reason]) => ({ id, reason })),
      missing,
    },
    2,
  );
}

async function counters(patterns: readonly string[], options: CountersOptions): Promise<void> {
  const list = await narrowed(await listing(options), patterns);
  const { printLines } = await import('./print-lines.ts');
  await printLines(options.format === 'json' ? [toJson(list)] : tableLines(list));
}

/** `gpuprof counters`: every metric set and counter of this machine. */
export function countersCommand(): Command {
  return new Command('counters')
    .argument('[pattern...]', 'only counters of these sources, sets or names; * and ? are wild')
    .addOption(
      new Option('--driver <driver>', 'where the GL context comes from')
        .choices(['auto', 'egl', 'headless-gl', 'swiftshader'])
        .default('auto'),
    )
    .addOption(
      new Option('--api <api>', 'OpenGL ES or desktop OpenGL (default: desktop, which counts more, else ES)').choices([
        'es',
        'gl',
      ]),
    )
    .option('--browser <path>', 'for --driver swiftshader: the browser (program or folder) it is taken from')
    .option('--software-threads <n>', 'worker threads of a software renderer: 0 to 16, or default', softwareThreads, 0)
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'json']).default('table'))
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof counters                                    all of this machine
  $ gpuprof counters 'intel/*' --format json            what an Intel GPU counts, for a program
  $ gpuprof replay scene.cap --counters statistics      a column for each counter of that set

table: of each set its counters, with unit, type (u32, u64, f32, f64, bool) and kind: sum, ratio, average, maximum,
       distinct (a group counts each object once), any, or point (groups have none).`,
    )
    .action(counters);
}
