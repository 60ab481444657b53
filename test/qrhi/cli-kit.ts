import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { projectRoot } from '../helpers/cli.ts';

export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves once standard error, or output, matches. */
  until(pattern: RegExp, from?: 'stderr' | 'stdout'): Promise<RegExpExecArray>;
  /** The exit code, and what was printed until then. */
  readonly ended: Promise<number | null>;
}

/** Starts the built `gpuprof`, which the end of the test ends. */
export function start(test: TestContext, args: readonly string[]): Running {
  const child = spawn(process.execPath, [join(projectRoot, 'bin', 'gpuprof.js'), ...args], { stdio: 'pipe' });
  test.after(() => child.kill('SIGKILL'));
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      child.emit('told');
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    async until(pattern, from = 'stderr') {
      for (;;) {
        const match = pattern.exec(texts[from]);
        if (match) return match;
        if (child.exitCode !== null) throw new Error(`ended without ${pattern}: ${texts.stderr}`);
        await Promise.race([once(child, 'told'), ended]);
      }
    },
    ended,
  };
}

/** Starts the server on a free port. */
export async function startListening(test: TestContext, args: readonly string[]) {
  const server = start(test, ['qrhi', '--listen', '0', ...args]);
  const [, port] = await server.until(/listening on 127\.0\.0\.1:(\d+)/);
  return { server, port: Number(port) };
}

export async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the connection is gone, however it ended. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

/** Sends bytes on a connection of their own and ends it. */
export async function send(port: number, bytes: string | Buffer): Promise<void> {
  const socket = await connectTo(port);
  socket.resume();
  socket.end(bytes);
  await closed(socket);
}
