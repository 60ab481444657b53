/** Runs the built command line again and again in one process: argument lists as JSON on standard input, results on output. */
import { text } from 'node:stream/consumers';

const { main } = await import('../../dist/cli/main.js');
// Each run of the program listens anew.
for (const emitter of [process, process.stdout]) emitter.setMaxListeners(0);
const write = process.stdout.write.bind(process.stdout);
const results = [];
for (const args of JSON.parse(await text(process.stdin))) {
  const printed = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr']))
    process[name].write = (chunk, ...rest) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      rest.find((argument) => typeof argument === 'function')?.();
      return true;
    };
  results.push({ code: await main(args), ...printed });
  process.exitCode = 0;
}
write(JSON.stringify(results));
