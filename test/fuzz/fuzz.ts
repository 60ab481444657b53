/** `npm run fuzz -- [READER…] [--cases N] [--seed S] [--minutes M]`: see README.md. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { campaign, type Tally } from './campaign.ts';

const readersFolder = fileURLToPath(new URL('readers/', import.meta.url));
const known = (await readdir(readersFolder)).map((name) => basename(name, '.ts')).sort();

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number from 1, not ${text}`);
}

function row(reader: string, { cases, ok, refused, failures, cpuSeconds, peakBytes }: Tally): string {
  const cells = [reader, cases, ok, refused, failures.length, cpuSeconds.toFixed(1), Math.ceil(peakBytes / 2 ** 20)];
  return `| ${cells.join(' | ')} |`;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
  },
});
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) throw new Error(`there is no reader ${unknown}; readers are ${known.join(', ')}`);
// What runs ends with this, and the table tells of what has run.
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
const folder = await mkdtemp(join(tmpdir(), 'gpuprof-fuzz-'));
const rows: string[] = [];
let failed = 0;
for (const name of positionals.length > 0 ? positionals : known) {
  if (stop.signal.aborted) break;
  const own = join(folder, name);
  await mkdir(own);
  const tally = await campaign({
    reader: join(readersFolder, `${name}.ts`),
    folder: own,
    signal: stop.signal,
    first: wholeNumber('seed', values.seed),
    cases: wholeNumber('cases', values.cases),
    ...(values.minutes !== undefined && { minutes: wholeNumber('minutes', values.minutes) }),
    onFailure: ({ seed, what }) =>
      console.error(
        `${name}, seed ${seed}: ${what}\n  its input: ${join(own, String(seed))}\n` +
          `  again: npm run fuzz -- ${name} --seed ${seed} --cases 1\n`,
      ),
  });
  rows.push(row(name, tally));
  failed += tally.failures.length;
}
if (failed === 0) await rm(folder, { recursive: true });
console.log(`| reader | cases | ok | refused | failed | CPU seconds | peak MiB |\n|---|---|---|---|---|---|---|`);
console.log(rows.join('\n'));
process.exitCode = failed === 0 ? 0 : 1;
