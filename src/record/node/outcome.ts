import { GpuprofError } from '../../errors.ts';
import type { Status } from './protocol.ts';

/** What a program has told of itself, and what is to be said when it ends without a capture. */
export class Progress {
  readonly #contexts = new Map<string, { size: string; frames: number }>();
  #loaded = false;
  #noContext: string | undefined;
  #recorded: string | undefined;
  problem: GpuprofError | undefined;

  /** Takes one line of the status pipe. Lines that are none are left out: the program can write there too. */
  take(line: string): void {
    let status: Status;
    try {
      status = JSON.parse(line) as Status;
      if (typeof status !== 'object' || status === null) return;
    } catch {
      return;
    }
    if (status.kind === 'loaded') this.#loaded = true;
    else if (status.kind === 'no-context') this.#noContext = String(status.size);
    else if (status.kind === 'context')
      this.#contexts.set(String(status.context), { size: String(status.size), frames: 0 });
    else if (status.kind === 'frames') {
      const context = this.#contexts.get(status.context);
      if (context) context.frames = Number(status.frames);
    } else if (status.kind === 'recorded') this.#recorded = status.context;
    else if (status.kind === 'problem') {
      const hint = status.hint === undefined ? {} : { hint: String(status.hint) };
      this.problem ??= new GpuprofError('bad-input', String(status.message), hint);
    }
  }

  /** Frames of the context that drew most. */
  get frames(): number {
    return Math.max(0, ...Array.from(this.#contexts.values(), ({ frames }) => frames));
  }

  /** Of other contexts than the one recorded. */
  notes(): string[] {
    const others = [...this.#contexts].filter(([id, { frames }]) => id !== this.#recorded && frames > 0);
    if (others.length === 0) return [];
    const list = others.map(([, { size, frames }]) => `one of ${size} (${count(frames)})`).join(', ');
    return [`the program drew in other contexts too, which are not recorded: ${list}`];
  }

  /** Why a program that ended by itself gave no capture. */
  whyNothing(script: string, wanted: Wanted, { code, signal }: Exit, machine: Machine): GpuprofError {
    const { frames } = this;
    const noContext = this.#noContext && frames === 0;
    if (noContext && machine.noDisplay instanceof GpuprofError)
      return new GpuprofError('gl-unavailable', machine.noDisplay.message, { hint: 'apt-get install xvfb' });
    const remedy = noContext
      ? `headless-gl gave it no context of ${this.#noContext}: width and height must be at least 1, and DISPLAY must name an X server with GLX`
      : !this.#loaded && !machine.hasHeadlessGl
        ? 'the npm package "gl" (headless-gl) is not installed where it is'
        : undefined;
    const drew = frames > 0 ? `it drew ${count(frames)}` : 'it finished no frame';
    const last = wanted.frame + wanted.frames - 1;
    if (signal) return failed(`${script} was ended by ${signal} before frame ${last}`, remedy ?? drew);
    if (code !== 0) return failed(`${script} ended with exit code ${code} before frame ${last}`, remedy ?? drew);
    if (frames >= wanted.frame)
      return failed(
        `${script} drew ${count(frames)}, and ${count(wanted.frames)} from frame ${wanted.frame} on were asked for`,
        `pass --frames ${frames - wanted.frame + 1}`,
      );
    if (frames > 0)
      return failed(
        `${script} drew ${count(frames)}, so there is no frame ${wanted.frame}`,
        frames === 1 ? 'pass --frame 1' : `pass --frame ${frames} or a lower one`,
      );
    if (this.#contexts.size > 0)
      return failed(`${script} created a WebGL context and drew nothing in it`, 'there is no frame to record');
    if (this.#loaded)
      return failed(`${script} loaded headless-gl and got no context from it`, remedy ?? 'it has to call createGL');
    return failed(
      `${script} ended without loading headless-gl (the npm package "gl")`,
      remedy ?? 'gpuprof record node records programs that draw with it',
    );
  }

  /** What to say when time is up. */
  tooLate(script: string, { frame, frames }: Wanted, timeoutSeconds: number): GpuprofError {
    const what = frames === 1 ? `frame ${frame}` : `frames ${frame} to ${frame + frames - 1}`;
    const so =
      this.#contexts.size === 0 ? 'it has created no WebGL context' : `it drew ${count(this.frames)} in that time`;
    return failed(
      `${script} did not draw ${what} within ${timeoutSeconds} s`,
      `${so}; pass a longer --timeout or a lower --frame`,
    );
  }
}

export interface Wanted {
  readonly frame: number;
  readonly frames: number;
}

export interface Machine {
  /** Whether the script finds headless-gl. */
  readonly hasHeadlessGl: boolean;
  /** Why there is no X display; undefined when there is one. */
  readonly noDisplay: unknown;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const count = (frames: number): string => (frames === 1 ? '1 frame' : `${frames} frames`);
const failed = (message: string, hint: string): GpuprofError => new GpuprofError('bad-input', message, { hint });
