import { spawn } from 'node:child_process';
import { run } from '../helpers/cli.ts';

/** Wall time of one whole `gpuprof` process, and what it printed. Throws when it fails. */
export async function timeGpuprof(args: readonly string[]): Promise<{ wallNs: number; stdout: string }> {
  const start = process.hrtime.bigint();
  const { code, stdout, stderr } = await run(args);
  const wallNs = Number(process.hrtime.bigint() - start);
  if (code !== 0) throw new Error(`gpuprof ${args.join(' ')} ended with ${code}: ${stderr}`);
  return { wallNs, stdout };
}

/** Keeps `count` processes busy while `work` runs. */
export async function besideBusyProcesses<T>(count: number, work: () => Promise<T>): Promise<T> {
  // Each ends by itself when this process is gone, because its input closes then.
  const loop =
    "process.stdin.on('end', () => process.exit()).resume(); setInterval(() => { const end = Date.now() + 90; while (Date.now() < end); }, 0);";
  const busy = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'ignore', 'ignore'] }),
  );
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A Markdown table, numbers to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return `${[head, rule, ...rows].map(line).join('\n')}\n`;
}
