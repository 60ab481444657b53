/**
 * What the tool and the program that it runs say to each other. The tool gives a {@link RecordingPlan}; the program answers on
 * two pipes: the capture's records (record/wire) on one, a line of JSON for each {@link Status} on the other.
 */

/** Carries the plan to the program, whose preload takes it out of the environment: children of the program have none. */
export const planVariable = 'GPUPROF_RECORD_NODE';
/** File descriptors in the program. */
export const captureFile = 3;
export const statusFile = 4;

export interface RecordingPlan {
  /** The first frame to record, from 1. */
  readonly frame: number;
  /** How many frames. */
  readonly frames: number;
  /** Name and version of what records. */
  readonly producer: string;
}

export type Status =
  /** headless-gl has been loaded. */
  | { readonly kind: 'loaded' }
  /** headless-gl made no context. */
  | { readonly kind: 'no-context'; readonly size: string }
  | { readonly kind: 'context'; readonly context: string; readonly size: string }
  /** A context's frames so far. */
  | { readonly kind: 'frames'; readonly context: string; readonly frames: number }
  /** The capture is whole. */
  | { readonly kind: 'recorded'; readonly context: string }
  | { readonly kind: 'problem'; readonly message: string; readonly hint?: string };
