import { CommanderError } from 'commander';
import { createProgram } from '../../src/cli/program.ts';

/** What can move a cursor or break a line, but for what the program's own lines have. */
const unprintable = /[^\P{Cc}\t\n]|[\u2028\u2029\u202a-\u202e]/u;

/**
 * Runs a command line as the program does, without printing, and throws what it would tell. Output that could do something to
 * a terminal is a failure, and so are options that it does not know.
 */
export async function command(...args: readonly string[]): Promise<void> {
  const printed: string[] = [];
  const streams = [process.stdout, process.stderr] as const;
  const writes = streams.map((stream) => stream.write);
  for (const stream of streams)
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      printed.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      for (const argument of rest) if (typeof argument === 'function') argument();
      return true;
    };
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw new Error(`${args.join(' ')}: ${printed.join('')}`);
    throw error;
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = writes[index];
    process.exitCode = undefined;
  }
  const bad = printed.find((text) => unprintable.test(text.replaceAll('\r\n', '\n')));
  if (bad !== undefined) throw new Error(`${args[0]} prints ${JSON.stringify(bad.slice(0, 500))}`);
}
