/** What the parent asks of the process that replays a side (side-child.ts), and what comes back. */
import type { Pixels } from '../../analysis/image-difference.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Environment, Report } from '../../model/report.ts';
import type { CompareSettings, SideReplay } from './requests.ts';

export interface OpenRequest extends SideReplay, Pick<CompareSettings, 'counters' | 'countersOnly' | 'metric'> {
  readonly file: string;
  /** To run on, where the renderer draws on the CPU; null for any. */
  readonly core: number | null;
}

export interface Opened {
  readonly environment: Environment;
  /** Rising. */
  readonly frames: readonly number[];
  /** Why it does not keep to the core, one clause; null when it does, or need not. */
  readonly unpinned: string | null;
}

/** The requests, one at a time; `open` first, then the frames in rising order. */
export interface SideWork {
  open(request: OpenRequest): Promise<Opened>;
  /** Makes a frame ready, warmed up and counted; the frame before it is finished. */
  load(frame: number): Promise<void>;
  /**
   * Replays the loaded frame once with one bracket around all of it, then once with a bracket on every leaf. The plain run
   * costs as much again at most, on frames of few heavy draws, and takes upon itself what the other side's run has left
   * in the caches.
   */
  run(): void;
  /** After the last frame: the canvas at its end. */
  canvas(): Promise<Pixels>;
  /** After the last frame, and its canvas: counts what is counted on a context of its own. */
  count(): Promise<void>;
  /** Of the loaded frame alone, without counters, or of all frames. */
  report(which: 'loaded' | 'all'): Report;
}

export type WorkName = keyof SideWork;

export interface Ask {
  readonly work: WorkName;
  readonly argument: unknown;
}

export interface Failure {
  /** Null for what is no GpuprofError. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly hint: string | undefined;
  readonly stack: string | undefined;
}

export type Answer = { readonly done: unknown } | { readonly failed: Failure } | { readonly progress: string };
