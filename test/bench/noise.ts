/**
 * Does CPU time hold still on a busy machine? Measures a capture alone and beside three busy processes, by turns, and
 * compares each leaf's cpuNs. Exits 1 when a leaf over 1 ms moves by more than 5%.
 *   npm run bench:noise -- [CAPTURE] [--rounds N]
 */
import { parseArgs } from 'node:util';
import type { NodeReport, Report } from '../../src/model/report.ts';
import { samplePath } from '../helpers/files.ts';
import { besideBusyProcesses, markdownTable, median, timeGpuprof } from './processes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const capture = positionals[0] ?? samplePath('ten-batches');
const rounds = Number(values.rounds);
const leastNs = 1e6;
const bound = 0.05;

async function leaves(): Promise<NodeReport[]> {
  const { stdout } = await timeGpuprof(['replay', capture, '--driver', 'egl', '--format', 'json']);
  return (JSON.parse(stdout) as Report).frames[0].nodes.filter((node) => node.isLeaf);
}

const idle: NodeReport[][] = [];
const busy: NodeReport[][] = [];
for (let round = 0; round < rounds; round++) {
  idle.push(await leaves());
  busy.push(await besideBusyProcesses(3, leaves));
}

const of = (runs: readonly NodeReport[][], index: number, field: 'cpuNs' | 'durationNs') =>
  median(runs.map((nodes) => nodes[index][field]?.median ?? Number.NaN));
const milliseconds = (ns: number) => (ns / 1e6).toFixed(3);
const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)}%`;

let worst = 0;
const rows = idle[0].map((node, index) => {
  const [cpuIdle, cpuBusy] = [of(idle, index, 'cpuNs'), of(busy, index, 'cpuNs')];
  const [wallIdle, wallBusy] = [of(idle, index, 'durationNs'), of(busy, index, 'durationNs')];
  const moved = Math.abs(cpuBusy / cpuIdle - 1);
  // A leaf without CPU time counts as moved: nothing was measured.
  if (!(cpuIdle <= leastNs)) worst = Math.max(worst, Number.isNaN(moved) ? Number.POSITIVE_INFINITY : moved);
  return [
    `${node.eventId} ${node.name}`,
    milliseconds(cpuIdle),
    milliseconds(cpuBusy),
    percent(cpuBusy / cpuIdle),
    milliseconds(wallIdle),
    milliseconds(wallBusy),
    percent(wallBusy / wallIdle),
  ];
});
const head = ['leaf', 'cpu idle (ms)', 'cpu busy (ms)', 'moved', 'duration idle (ms)', 'duration busy (ms)', 'moved'];
process.stdout.write(markdownTable(head, rows));
process.stdout.write(
  `\nworst cpu movement of leaves over 1 ms: ${(worst * 100).toFixed(1)}% (bound ${bound * 100}%)\n`,
);
process.exitCode = worst > bound ? 1 : 0;
