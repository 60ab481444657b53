/** Runs one gpuprof command in this process and prints the most memory it took, in bytes. */
import { main } from '../../src/cli/main.ts';

process.exitCode = await main(process.argv.slice(2), { isIsolated: true });
process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
