import type { Random } from '../helpers/random.ts';

/** What a file in `readers/` exports as `reader`: how to make hostile input for one reader of gpuprof, and how to read it. */
export interface Reader {
  /** Loads all that cases need, by way of an empty folder. Runs once, before anything is forbidden. */
  open(folder: string): Promise<Cases>;
}

export interface Cases {
  /** Writes hostile input into an empty folder, by `random` alone; returns the path of the file to be read. */
  make(random: Random, folder: string): Promise<string>;
  /**
   * Reads it as the program does, or throws what the program would tell. May write files whose names begin with `out.`
   * into the folder, and only when it succeeds.
   */
  read(path: string, random: Random): Promise<void>;
  /** What every refusal names; the file when left out. */
  readonly place?: RegExp;
}

/** How a case ended, when the reader did what it must. */
export type End = 'ok' | 'refused';

/** What a process tells of each case: the seed before it runs, then how it ended and what it has taken so far. */
export interface Message {
  readonly seed: number;
  /** Null before it runs. */
  readonly end: End | 'failed' | null;
  /** What the reader said, or did wrong. */
  readonly told: string;
  /** Of this process. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}
