/** `npm run fuzz -- [READER…] [--cases N] [--seed S] [--minutes M] [--jobs N] [--memory MIB] [--keep FOLDER]`: see README.md. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { campaign, casesPerProcess, type Failure, nothing, type Tally, together } from './campaign.ts';

const readersFolder = fileURLToPath(new URL('readers/', import.meta.url));
const known = (await readdir(readersFolder)).map((name) => basename(name, '.ts')).sort();

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number from 1, not ${text}`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    memory: { type: 'string', default: '1024' },
    keep: { type: 'string' },
  },
});
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`there is no reader ${unknown}; readers are ${known.join(', ')}`);
const readers = positionals.length > 0 ? [...new Set(positionals)] : known;
const first = wholeNumber('seed', values.seed);
const cases = wholeNumber('cases', values.cases);
const jobs = wholeNumber('jobs', values.jobs);
const memoryBytes = wholeNumber('memory', values.memory) * 2 ** 20;
const { minutes } = values;
const untilMs =
  minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + wholeNumber('minutes', minutes) * 60_000;

// What runs ends with this, and the table tells of what has run.
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
// Every job has a process to be ended with this one.
process.setMaxListeners(jobs + 10);
const folder = resolve(values.keep ?? (await mkdtemp(join(tmpdir(), 'gpuprof-fuzz-'))));
for (const name of readers) await mkdir(join(folder, name), { recursive: true });

function tellFailure(name: string, { seed, what }: Failure): void {
  console.error(
    `${name}, seed ${seed}: ${what}\n  its input: ${join(folder, name, String(seed))}\n` +
      `  again: npm run fuzz -- ${name} --seed ${seed} --cases 1\n`,
  );
}

/** Readers in their order; every part is for one process. */
function* partsOf(): Generator<{ readonly name: string; readonly from: number; readonly count: number }> {
  const size = Math.min(casesPerProcess, Math.ceil(cases / jobs));
  for (const name of readers)
    for (let done = 0; done < cases; done += size)
      yield { name, from: first + done, count: Math.min(size, cases - done) };
}

const parts = partsOf();
const tallies = new Map<string, Tally>(readers.map((name) => [name, nothing]));
/** The seed from which on no case has run. */
const next = new Map(readers.map((name) => [name, first]));

/** Readers of which no case could be run. */
const broken = new Set<string>();

async function job(): Promise<void> {
  for (const { name, from, count } of parts) {
    if (stop.signal.aborted || performance.now() > untilMs) return;
    if (broken.has(name)) continue;
    next.set(name, from + count);
    try {
      const tally = await campaign({
        reader: join(readersFolder, `${name}.ts`),
        folder: join(folder, name),
        signal: stop.signal,
        first: from,
        cases: count,
        untilMs,
        limits: { memoryBytes },
        onFailure: (failure) => tellFailure(name, failure),
      });
      tallies.set(name, together(tallies.get(name) ?? nothing, tally));
    } catch (error) {
      broken.add(name);
      console.error(error);
    }
  }
}

await Promise.all(Array.from({ length: jobs }, job));

const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
const rows = [...tallies].map(([reader, { cases, ok, refused, failures, cpuSeconds, peakBytes }]) => {
  const cells = [reader, cases, ok, refused, failures.length, cpuSeconds.toFixed(1), mebibytes(peakBytes)];
  return `| ${cells.join(' | ')} |`;
});
console.log('| reader | cases | ok | refused | failed | CPU seconds | peak MiB |\n|---|---|---|---|---|---|---|');
console.log(rows.join('\n'));
const failed = broken.size > 0 || [...tallies.values()].some(({ failures }) => failures.length > 0);
if (values.keep !== undefined) {
  const summary = {
    date: new Date().toISOString(),
    node: process.version,
    processor: cpus()[0]?.model ?? null,
    jobs,
    firstSeed: first,
    readers: [...tallies].map(([reader, tally]) => ({ reader, ...tally, nextSeed: next.get(reader) })),
  };
  await writeFile(join(folder, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
} else if (!failed) await rm(folder, { recursive: true });
process.exitCode = failed ? 1 : 0;
