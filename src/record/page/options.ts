export interface RecordPageOptions {
  /** An http, https, file or data URL, or the path of an HTML file. */
  readonly page: string;
  /** Where the capture goes. */
  readonly output: string;
  /** Which frame, by at most one of the three; by default the next one after the page has loaded and settled. */
  /** The n-th frame of a canvas, from 1. */
  readonly frame?: number;
  /** The first frame that begins so many milliseconds after the page was asked for. */
  readonly afterMs?: number;
  /** The first frame for which this JavaScript expression is true. */
  readonly trigger?: string;
  /** Consecutive frames. */
  readonly frames: number;
  /** A CSS selector of the canvas; by default the first to reach the frame. */
  readonly canvas?: string;
  /** The window's inside in CSS pixels, which are the screen's. */
  readonly width: number;
  readonly height: number;
  /** The browser program; by default the first that is found. */
  readonly browser?: string;
  /** Further arguments of the browser, which win over the recorder's own. */
  readonly browserArgs: readonly string[];
  readonly headed: boolean;
  readonly timeoutMs: number;
  /** Name and version of the program that records. */
  readonly producer: string;
  /** Told what is going on, for people who wait. */
  readonly progress?: (text: string) => void;
}
