/**
 * How long does a replay of a trace take beside apitrace's own, and of an .rdc beside RenderDoc's? Whole processes, each tool
 * in turn, plain (`-b` against `--no-timing`) and with every draw timed (`--pgpu` against `--timer elapsed --runs 1`): a
 * Markdown table of medians. Starts an X server of its own for their tools, which draw with the same software renderer.
 *   npm run bench:retrace -- [--rounds 5] FILE...
 */
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAnyCapture } from '../../src/cli/open-capture.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';
import { projectRoot } from '../helpers/cli.ts';
import { markdownTable } from './processes.ts';
import { type Cost, cost, costCells, costHead, isInstalled } from './whole-process.ts';

const gpuprof = [process.execPath, join(projectRoot, 'bin/gpuprof.js'), 'replay'];
/** Debian's Python, which has its python3-renderdoc. */
const renderdoc = ['/usr/bin/python3', join(projectRoot, 'test/bench/renderdoc-replay.py')];

/** Of both tools, plain and with every draw timed. */
async function commandsFor(file: string): Promise<[string, string[]][]> {
  const plain = [...gpuprof, file, '--driver', 'egl', '--no-timing'];
  const timed = [...gpuprof, file, '--driver', 'egl', '--timer', 'elapsed', '--runs', '1', '--format', 'csv'];
  const own: [string, string[]][] = [
    ['gpuprof replay --no-timing', plain],
    ['gpuprof replay --timer elapsed --runs 1 --format csv', timed],
  ];
  if (file.endsWith('.rdc'))
    return [
      ['RenderDoc', [...renderdoc, file]],
      own[0],
      ['RenderDoc, GPU duration', [...renderdoc, '--times', file]],
      own[1],
    ];
  const { manifest } = await openAnyCapture(file);
  const tool = manifest.api === 'gl' ? 'glretrace' : 'eglretrace';
  return [[`${tool} -b`, [tool, '-b', file]], own[0], [`${tool} --pgpu`, [tool, '--pgpu', file]], own[1]];
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error('name one trace or .rdc, or more');
// The programs' own display may belong to a GPU, which would draw for one side only.
delete process.env.DISPLAY;
await ensureDisplay();
const skipped = new Set<string>();
const rows: string[][] = [];
for (const trace of positionals) {
  const commands = await commandsFor(trace);
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, command] of commands) {
      if (skipped.has(name)) continue;
      if (!isInstalled(command[0])) {
        skipped.add(name);
        process.stderr.write(`${name} is left out: ${command[0]} is not installed\n`);
        continue;
      }
      const found = await cost(command);
      if (found) costs.set(name, [...(costs.get(name) ?? []), found]);
      else if (round === 0) process.stderr.write(`${name} ${basename(trace)} fails here\n`);
    }
  for (const [name, each] of costs) rows.push([`${basename(trace)}: ${name}`, ...costCells(each)]);
}
process.stdout.write(markdownTable(costHead, rows));
