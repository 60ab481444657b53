import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { GpuprofError } from '../errors.ts';

/**
 * The shell ends Xvfb when its standard input closes, that is when this process is gone for whatever reason: no server
 * is left behind by a crash, and none is killed while libX11 still talks to it.
 */
const script =
  'Xvfb -noreset -nolisten tcp -displayfd 3 -screen 0 64x64x24 </dev/null & exec 3>&-; read -r _; kill $!; wait';

async function firstLine(input: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line;
  return undefined;
}

/**
 * Makes sure that DISPLAY names an X server: the environment's own, else an Xvfb that lives as long as this process.
 * Throws GpuprofError `gl-unavailable` when there is neither.
 */
export async function ensureDisplay(): Promise<void> {
  if (process.env.DISPLAY || process.platform !== 'linux') return;
  const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore', 'pipe'], detached: true });
  const noShell = once(shell, 'error').then(() => undefined);
  const number = await Promise.race([noShell, firstLine(shell.stdio[3] as Readable)]);
  if (number === undefined) {
    // Its end of input ends the shell, which this process would otherwise wait for.
    shell.stdin?.end();
    throw new GpuprofError(
      'gl-unavailable',
      'headless-gl needs an X display, and Xvfb is not installed or does not start',
      { hint: 'apt-get install xvfb, or use --driver egl, which needs no display' },
    );
  }
  process.env.DISPLAY = `:${number}`;
  shell.stdio[3]?.destroy();
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
}
