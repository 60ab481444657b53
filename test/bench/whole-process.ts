/** What a whole process takes: time, processor time and memory, with all that it starts. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { median } from './processes.ts';

export interface Cost {
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
export function cost(command: readonly string[]): Promise<Cost | null> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const shell = spawn('sh', ['-c', script, 'sh', ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Node.js would read certificates first, of which a machine may have many: no cost of either tool.
      env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', NODE_EXTRA_CA_CERTS: undefined },
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

/** A name is looked for on PATH. */
export const isInstalled = (program: string): boolean =>
  isAbsolute(program)
    ? existsSync(program)
    : (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Medians of several, as cells of a table: time, processor time, least of that, and the most memory. */
export function costCells(costs: readonly Cost[]): string[] {
  const of = (pick: (one: Cost) => number) => median(costs.map(pick)).toFixed(2);
  return [
    of(({ wallS }) => wallS),
    of(({ cpuS }) => cpuS),
    Math.min(...costs.map(({ cpuS }) => cpuS)).toFixed(2),
    Math.max(...costs.map(({ peakMb }) => peakMb)).toFixed(0),
  ];
}

export const costHead = ['whole process', 'median s', 'median CPU s', 'least CPU s', 'peak MB'];
