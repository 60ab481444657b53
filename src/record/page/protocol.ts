/** What the tool and the recorder inside a page say to each other; types only, for both sides. */
import type { Signature } from '../../model/signature.ts';

/** A context: the window or worker that made it, and the how-manieth it was there, from 0. */
export interface ContextPlace {
  readonly realm: string;
  readonly context: number;
}

/** Which frame is wanted; a trigger's expression comes as a function beside the settings. */
export type FrameChoice =
  /** The n-th frame of a context, from 1. */
  | { readonly kind: 'frame'; readonly frame: number }
  /** The first frame that begins so long after the page was gone to; elsewhere than in its own window, at this time of day. */
  | { readonly kind: 'after'; readonly afterMs: number; readonly epochMs: number }
  | { readonly kind: 'trigger' }
  /** The next frame after the tool has said so. */
  | { readonly kind: 'armed' }
  /** A certain frame of one certain context, known from an earlier load of the page. */
  | ({ readonly kind: 'known'; readonly frame: number } & ContextPlace);

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
  /** The worker's name among the page's windows and workers; windows find theirs themselves. */
  readonly worker?: string;
}

/** A canvas as people can find it again. */
export interface CanvasLabel {
  /** A CSS selector that finds it; undefined for a canvas that is in no document. */
  readonly selector?: string;
  readonly connected: boolean;
  readonly width: number;
  readonly height: number;
  /** Whether it is the canvas that the settings ask for. */
  readonly matches: boolean;
}

export interface ContextStatus extends CanvasLabel {
  readonly frames: number;
  readonly actions: number;
  readonly lost: boolean;
  /** Its capture is under way, or was made. */
  readonly recording: boolean;
  readonly recorded: boolean;
}

/** What the recorder of one window or worker has seen. */
export interface RealmStatus {
  readonly realm: string;
  /** How many times the browser was ready for a next picture. */
  readonly animationFrames: number;
  readonly contexts: readonly ContextStatus[];
  /** Why the browser gave no context, for each that it refused; empty where it does not say. */
  readonly refused: readonly string[];
  /** How many canvases were handed to an OffscreenCanvas. */
  readonly transferred: number;
  /** What the trigger last threw. */
  readonly triggerProblem?: string;
  /** Why a capture failed, when not even that could be sent. */
  readonly problem?: string;
  /** The page's own policy forbids the synchronous requests that the recorder sends its captures with. */
  readonly blocked: boolean;
}

/** What the tool, and recorders of other windows, can ask a recorder, under the settings' secret name. */
export interface RealmFace {
  status(): RealmStatus;
  /** Records the next frame: of one context of one realm, or of any. */
  arm(realm?: string, context?: number): void;
  /** Takes over a context of a canvas in this window, which was made by another window's functions. */
  adopt(gl: object, version: 1 | 2): void;
}
