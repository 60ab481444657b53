/**
 * How long does `gpuprof qrhi` take for a long stream, and how much memory? Whole processes on a stream that is written
 * here: buffers and textures that come, are filled and go, so many live at once, and frame times now and then.
 *   npm run bench:streams -- [--lines N] [--live N] [--rounds N]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LineWriter } from '../../src/report/qrhi/line-writer.ts';
import { projectRoot } from '../helpers/cli.ts';
import { markdownTable, median } from './processes.ts';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1500000' },
    live: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const [wanted, live, rounds] = [Number(values.lines), Number(values.live), Number(values.rounds)];
const folder = mkdtempSync(join(tmpdir(), 'gpuprof-bench-'));
const path = join(folder, 'stream.csv');

function writeStream(): void {
  const file = openSync(path, 'w');
  let written = 0;
  const writer = new LineWriter(
    (lines) => void writeSync(file, lines),
    () => written / 10,
  );
  const line = (...args: Parameters<LineWriter['line']>): void => {
    written++;
    writer.line(...args);
  };
  const swapchain = 9e13;
  line(11, swapchain, 'window', [800, 600, 2, 0, 1, 3840000]);
  for (let at = 0; written < wanted; at++) {
    const [buffer, texture] = [1e13 + (at % live), 3e13 + (at % live)];
    if (at >= live) {
      line(2, buffer, 'a buffer');
      line(8, texture, 'a texture');
    }
    line(1, buffer, 'a buffer', [1, 1, at, at, 1, 0]);
    line(7, texture, 'a texture', [256, 256, 1, 1, 9, 1, 1, 349524]);
    line(9, texture, 'a texture', [0, 262144]);
    line(10, texture, 'a texture', [0]);
    if (at % 20 !== 0) continue;
    line(17, swapchain, 'window', [at + 1, 2, 13, 5.01667]);
    line(18, swapchain, 'window', [at + 1, 1, 9, 1.63333]);
  }
  writer.flush();
  closeSync(file);
}

/** Seconds, and the most memory in MB (10^6 bytes) that the kernel says it held. */
async function read(): Promise<readonly [seconds: number, megabytes: number]> {
  const begun = process.hrtime.bigint();
  const args = [join(projectRoot, 'bin', 'gpuprof.js'), 'qrhi', path, '--format', 'json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let mostBytes = 0;
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    mostBytes = Math.max(mostBytes, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024);
  }, 20);
  child.once('exit', () => clearInterval(timer));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`gpuprof ended with ${code}`);
  return [Number(process.hrtime.bigint() - begun) / 1e9, mostBytes / 1e6];
}

try {
  writeStream();
  const results: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round++) results.push(await read());
  const row = [wanted, 2 * live, median(results.map(([seconds]) => seconds)), median(results.map(([, most]) => most))];
  process.stdout.write(
    markdownTable(
      ['lines', 'live at once', 's', 'MB'],
      [row.map((figure, at) => (at < 2 ? figure.toLocaleString('en') : figure.toFixed(at === 2 ? 1 : 0)))],
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}
