/** Runs cases of one reader, as `child.ts READER FOLDER FIRST COUNT`; tells of each on file descriptor 3, a line of JSON each. */
import { writeSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GpuprofError } from '../../src/errors.ts';
import { integersFrom } from '../helpers/random.ts';
import type { Cases, End, Message, Reader } from './reader.ts';
import { watch } from './watch.ts';

function tell(seed: number, end: Message['end'], told: string): void {
  const { user, system } = process.cpuUsage();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  const message: Message = { seed, end, told, cpuSeconds: (user + system) / 1e6, peakBytes };
  writeSync(3, `${JSON.stringify(message)}\n`);
}

/** What Node's permissions refused, or null. */
function deniedWrite(error: unknown): string | null {
  for (let one = error; one instanceof Error; one = one.cause as unknown)
    if ('code' in one && one.code === 'ERR_ACCESS_DENIED' && 'resource' in one) return `wrote ${one.resource}`;
  return null;
}

/** On a GPU that is what hostile work may come to; nothing else can be drawn in the process then. */
const isContextLost = (error: unknown): boolean => error instanceof GpuprofError && error.code === 'context-lost';

/** What is wrong with an error as an answer to hostile input; null when nothing is. */
function faultOf(error: unknown, place: RegExp): string | null {
  if (error instanceof AggregateError)
    return error.errors.map((one) => faultOf(one, place)).find((fault) => fault !== null) ?? null;
  if (isContextLost(error)) return null;
  if (!(error instanceof GpuprofError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (/[\r\n]/.test(error.message)) return `more than one line: ${error.message}`;
  if (!place.test(error.message)) return `names no place: ${error.code}: ${error.message}`;
  return deniedWrite(error);
}

const quoted = (text: string): RegExp => new RegExp(text.replace(/[^\w]/g, '\\$&'));
const messageOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : (error as Error).message;

async function runCase(
  cases: Cases,
  seed: number,
  folder: string,
  attempts: () => string[],
): Promise<{ end: End | 'failed'; told: string; isLast?: boolean }> {
  const random = integersFrom(seed);
  await mkdir(folder);
  const path = await cases.make(random, folder);
  const before = await readdir(folder);
  let end: End = 'ok';
  let told = '';
  let isLast = false;
  try {
    await cases.read(path, random);
  } catch (error) {
    const fault = faultOf(error, cases.place ?? quoted(basename(path)));
    if (fault !== null) return { end: 'failed', told: fault };
    end = 'refused';
    told = messageOf(error);
    isLast = isContextLost(error);
  }
  const [attempt] = attempts();
  if (attempt !== undefined) return { end: 'failed', told: attempt };
  const left = (await readdir(folder)).filter((name) => !before.includes(name));
  const stray = left.find((name) => end === 'refused' || !name.startsWith('out.'));
  if (stray !== undefined) return { end: 'failed', told: `left ${stray} behind` };
  await rm(folder, { recursive: true });
  return { end, told, isLast };
}

const [address, folder, first, count] = process.argv.slice(2);
const { reader }: { reader: Reader } = await import(pathToFileURL(address).href);
const samples = await mkdtemp(join(folder, 'samples-'));
const cases = await reader.open(samples);
await rm(samples, { recursive: true });
const attempts = watch();
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  tell(seed, null, '');
  const { end, told, isLast = false } = await runCase(cases, seed, join(folder, String(seed)), attempts);
  tell(seed, end, told);
  // Others run in a process that nothing has happened to.
  if (end === 'failed' || isLast) break;
}
// A display or a thread of a driver may stay.
process.exit();
