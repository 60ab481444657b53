/** What the tool and the recorder inside a page say to each other; types only, for both sides. */
import type { Signature } from '../../model/signature.ts';

/** Which frame is wanted; a trigger's expression comes as a function beside the settings. */
export type FrameChoice =
  /** The n-th frame of a context, from 1. */
  | { readonly kind: 'frame'; readonly frame: number }
  /** The first frame that begins at or after this time (milliseconds since 1970). */
  | { readonly kind: 'after'; readonly epochMs: number }
  | { readonly kind: 'trigger' }
  /** The next frame after the tool has said so. */
  | { readonly kind: 'armed' }
  /** A certain frame of one certain context, known from an earlier load of the page. */
  | ({ readonly kind: 'known'; readonly frame: number } & ContextPlace);

/** A context: the window or worker that made it, and the how-manieth it was there, from 0. */
export interface ContextPlace {
  readonly realm: string;
  readonly context: number;
}

/** What a recorder is told when it is injected into a window or worker. */
export interface InjectSettings {
  /** Base address of the tool's server, with its secret. */
  readonly endpoint: string;
  /** A name that no page knows, for what is only between recorders and the tool. */
  readonly secret: string;
  readonly producer: string;
  readonly choice: FrameChoice;
  /** How many frames go into the capture. */
  readonly frames: number;
  /** CSS selector of the canvas; any when undefined. */
  readonly canvas?: string;
  readonly signatures: readonly Signature[];
}

/** A canvas as people can find it again. */
export interface CanvasLabel {
  /** A CSS selector that finds it; undefined for a canvas that is not in a document. */
  readonly selector?: string;
  readonly connected: boolean;
  readonly width: number;
  readonly height: number;
}

export interface ContextStatus extends CanvasLabel {
  readonly version: 1 | 2;
  readonly frames: number;
  readonly calls: number;
  readonly actions: number;
  readonly lost: boolean;
  readonly recorded: boolean;
}

/** What the recorder of one window or worker has seen. */
export interface RealmStatus {
  readonly realm: string;
  readonly contexts: readonly ContextStatus[];
  /** Calls of getContext that gave null, and why where the browser says. */
  readonly refused: readonly string[];
  /** Canvases whose control went to an OffscreenCanvas. */
  readonly transferred: readonly CanvasLabel[];
  /** What the trigger last threw. */
  readonly triggerProblem?: string;
}

/** What the tool can ask a recorder, under the settings' secret name. */
export interface RealmFace {
  status(): RealmStatus;
  /** Records the next frame: of one context of one realm, or of any. */
  arm(realm?: string, context?: number): void;
}
