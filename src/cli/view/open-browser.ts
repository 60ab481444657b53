import { type ChildProcess, spawn } from 'node:child_process';

/** The program that opens an address in the default browser; null where there is no display to open it on. */
function launcher(address: string): readonly [program: string, args: readonly string[]] | null {
  switch (process.platform) {
    case 'darwin':
      return ['open', [address]];
    case 'win32':
      return ['rundll32', ['url.dll,FileProtocolHandler', address]];
    default:
      return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open', [address]] : null;
  }
}

/** What opens the browser, which may wait for it. */
export interface Launched {
  /** Ends what still waits; the browser itself goes on. */
  end(): void;
}

/** Opens the default browser; null where it cannot be opened. */
export async function openBrowser(address: string): Promise<Launched | null> {
  const found = launcher(address);
  if (!found) return null;
  const [program, args] = found;
  // In a group of its own, so that Ctrl-C does not reach a browser that it becomes.
  const child: ChildProcess = spawn(program, args, { detached: true, stdio: 'ignore' });
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!isThere) return null;
  child.unref();
  return { end: () => void child.kill() };
}
