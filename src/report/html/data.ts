/** What the script of an HTML report gets: what is shown, in columns as the other formats have them. */

export interface HtmlColumn {
  /** As in CSV; of a counter its id. `name` is the column that the tree is in. */
  readonly key: string;
  /** Caption and unit. */
  readonly head: string;
  readonly meaning: string;
  /**
   * Numbers line up at their end; `text` is ordered by its letters and searched; a `bar` is drawn, from 0 to 1; a
   * `picture` is one of {@link HtmlData.pictures}.
   */
  readonly type: 'number' | 'text' | 'bar' | 'picture';
  /** Shown only when asked for. */
  readonly isExtra: boolean;
  /** By node, what to order by, or the index of a picture; none of text. */
  readonly values?: readonly (number | null)[];
  /** By node; none of bars and pictures. */
  readonly texts?: readonly string[];
}

/** An event tree, of a replay or of a comparison, depth first. */
export interface HtmlTree {
  readonly depths: readonly number[];
  /** A class of each node's row. */
  readonly looks: readonly string[];
  readonly columns: readonly HtmlColumn[];
}

/** What an action wrote, or the last action in a group. */
export interface HtmlThumbnail {
  /** In {@link HtmlData.pictures}; null when there is none. */
  readonly picture: number | null;
  /** What it shows, or why it is not there. */
  readonly text: string;
}

/** What is known of a node beside its columns. */
export interface HtmlNode {
  readonly target: string;
  readonly thumbnail?: HtmlThumbnail | undefined;
  readonly reason: string | null;
  /** Number in `states`. */
  readonly state?: number | undefined;
  /** Per run. */
  readonly durationNs: readonly (number | null)[];
  readonly cpuNs: readonly (number | null)[] | null;
}

export interface HtmlFrame {
  readonly frame: number;
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly tree: HtmlTree;
  readonly nodes: readonly HtmlNode[];
  /** Of marks in the cells, and of counters, with their sets. */
  readonly notes: readonly string[];
}

export interface HtmlData {
  /** PNG files in base 64. */
  readonly pictures: readonly string[];
  /** What draws are done under, by number. */
  readonly states: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly frames: readonly HtmlFrame[];
}
