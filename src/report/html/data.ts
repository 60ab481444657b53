/** What the HTML report's script gets: the report, boiled down to what is shown. */

export interface HtmlNode {
  readonly eventId: number | null;
  readonly depth: number;
  readonly kind: string;
  readonly name: string;
  readonly draws: number;
  /** Median and median absolute deviation; null when not measured. */
  readonly durationNs: number | null;
  readonly spreadNs: number | null;
  readonly cpuNs: number | null;
  /** 0 to 1. */
  readonly share: number | null;
  readonly status: string;
  readonly reason: string | null;
  /** Per run. */
  readonly samplesNs: readonly (number | null)[];
  /** A text for each counter of the frame. */
  readonly counters: readonly string[];
}

export interface HtmlFrame {
  readonly frame: number;
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** Names of counters, units included. */
  readonly counters: readonly string[];
  /** Depth first, the frame first. */
  readonly nodes: readonly HtmlNode[];
}

export interface HtmlData {
  readonly frames: readonly HtmlFrame[];
}
