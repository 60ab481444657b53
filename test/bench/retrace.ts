/**
 * How long does a replay of a trace take beside apitrace's own? Whole processes, each tool in turn, plain (`-b` against
 * `--no-timing`) and with every draw timed (`--pgpu` against `--timer elapsed --runs 1`): a Markdown table of medians. Starts
 * an X server of its own for apitrace's tools, which draw with the same software renderer.
 *   npm run bench:retrace -- [--rounds 5] FILE.trace...
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAnyCapture } from '../../src/cli/open-capture.ts';
import { ensureDisplay } from '../../src/gl/x-display.ts';

import { projectRoot } from '../helpers/cli.ts';
import { markdownTable, median } from './processes.ts';

interface Cost {
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMb: number;
}

const pollMs = 100;
/** The program's output goes nowhere; then the shell tells the CPU times of its children. */
const script = '"$@" >/dev/null 2>&1; code=$?; times; exit $code';

/** Memory that a process and those below it have now; what has just ended has none. */
function memoryMb(pid: string): number {
  try {
    const own = Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.map(memoryMb).reduce((sum, each) => sum + each, own);
  } catch {
    return 0;
  }
}

/** `1m2.5s` */
const seconds = (text: string): number => {
  const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text) as RegExpExecArray;
  return Number(minutes) * 60 + Number(rest);
};

/** One whole process; null when it fails. */
function cost(command: readonly string[]): Promise<Cost | null> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const shell = spawn('sh', ['-c', script, 'sh', ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1' },
    });
    let peakMb = 0;
    const poll = setInterval(() => {
      peakMb = Math.max(peakMb, memoryMb(String(shell.pid)));
    }, pollMs);
    let times = '';
    shell.stdout.on('data', (chunk) => {
      times += chunk;
    });
    shell.on('error', reject);
    shell.on('close', (code) => {
      clearInterval(poll);
      const [user, system] = times.trim().split('\n')[1].split(' ').map(seconds);
      const wallS = (performance.now() - start) / 1000;
      resolve(code === 0 ? { wallS, cpuS: user + system, peakMb } : null);
    });
  });
}

const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
if (positionals.length === 0) throw new Error('name one trace or more');
// The programs' own display may belong to a GPU, which would draw for one side only.
delete process.env.DISPLAY;
await ensureDisplay();
const folder = await mkdtemp(join(tmpdir(), 'gpuprof-bench-'));
const gpuprof = [process.execPath, join(projectRoot, 'bin/gpuprof.js'), 'replay'];
const skipped = new Set<string>();
const rows: string[][] = [];
try {
  for (const trace of positionals) {
    const { manifest } = await openAnyCapture(trace);
    const tool = manifest.api === 'gl' ? 'glretrace' : 'eglretrace';
    const csv = join(folder, 'draws.csv');
    const commands: [string, string[]][] = [
      [`${tool} -b`, [tool, '-b', trace]],
      ['gpuprof replay --no-timing', [...gpuprof, trace, '--driver', 'egl', '--no-timing']],
      [`${tool} --pgpu`, [tool, '--pgpu', trace]],
      [
        'gpuprof replay --timer elapsed --runs 1 --csv',
        [...gpuprof, trace, '--driver', 'egl', '--timer', 'elapsed', '--runs', '1', '--csv', csv],
      ],
    ];
    const costs = new Map<string, Cost[]>();
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [name, command] of commands) {
        if (skipped.has(name)) continue;
        if (command[0] === tool && !isInstalled(tool)) {
          skipped.add(name);
          process.stderr.write(`${name} is left out: ${tool} is not installed\n`);
          continue;
        }
        const found = await cost(command);
        if (found) costs.set(name, [...(costs.get(name) ?? []), found]);
        else if (round === 0) process.stderr.write(`${name} ${basename(trace)} fails here\n`);
      }
    for (const [name, each] of costs) {
      const of = (pick: (one: Cost) => number) => median(each.map(pick));
      rows.push([
        `${basename(trace)}: ${name}`,
        of(({ wallS }) => wallS).toFixed(2),
        of(({ cpuS }) => cpuS).toFixed(2),
        Math.min(...each.map(({ cpuS }) => cpuS)).toFixed(2),
        Math.max(...each.map(({ peakMb }) => peakMb)).toFixed(0),
      ]);
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(markdownTable(['whole process', 'median s', 'median CPU s', 'least CPU s', 'peak MB'], rows));
