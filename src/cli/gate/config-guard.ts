/**
 * A configuration that is a program can end the process, wait for ever or throw when nobody listens. None of that may look
 * like a gate's verdict.
 */
import { endProcess, endsItself } from '../own-end.ts';
import { say } from '../say.ts';

export interface ConfigGuard {
  /** From here on the configuration is running. */
  begin(name: string): void;
  /** It has been read; what its timers do is still its own. */
  loaded(): void;
  /**
   * The gate has come to its end with this exit code, which nothing changes any more; undefined after an error. What the
   * configuration has left running keeps nobody waiting.
   */
  end(exitCode?: number): void;
}

const badInput = 2;
/** For what is printed last. */
const graceMs = 100;

/** Ends the process with 2 and one line when a configuration that runs keeps its gate from coming to an end. */
export function guardConfig(): ConfigGuard {
  let config: string | undefined;
  let state: 'loading' | 'loaded' | 'ended' = 'loading';
  let verdict: number | undefined;
  /** Nothing is left that could settle what is awaited. */
  let isIdle = false;
  const sayOfIt = (what: string) => say(`${config}: ${what}`);

  function failed(error: unknown): void {
    const message = (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ');
    sayOfIt(`it failed with nothing to catch it: ${message}`);
    if (state === 'ended') return;
    end(badInput);
    endProcess(badInput);
  }

  function exiting(code: number): void {
    if (state === 'ended') {
      process.exitCode = verdict ?? (code === 0 ? badInput : code);
      return;
    }
    if (endsItself()) return;
    if (isIdle) sayOfIt(state === 'loading' ? 'it never comes to an end' : 'it left nothing to wait for');
    else
      sayOfIt(`it ended the process before ${state === 'loading' ? 'there was a configuration' : 'the gate was done'}`);
    process.exitCode = badInput;
  }

  function end(exitCode?: number): void {
    state = 'ended';
    verdict = exitCode;
    // Only what a configuration left open lets it come to this.
    if (config !== undefined) setTimeout(() => process.exit(), graceMs).unref();
  }

  return {
    begin(name) {
      config = name;
      process.on('uncaughtException', failed);
      process.once('beforeExit', () => {
        isIdle = true;
      });
      process.on('exit', exiting);
    },
    loaded() {
      state = 'loaded';
    },
    end,
  };
}
