/** Parses nodes of a report, of which the counters are most: a million cells, of few different texts. */

const countersOpen = '"counters":{';
/** Beyond this many different texts they are parsed each time. */
const mostCells = 50_000;

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string of its own: a part of another keeps that in memory. */
const own = (text: string): string => JSON.parse(JSON.stringify(text));

export class NodeParser {
  /** By its text. */
  readonly #cells = new Map<string, unknown>();
  /** Of the last node that had others: ids as they stand before their cells, and an object to copy, so that all have one shape. */
  #keys: readonly string[] = [];
  #ids: readonly string[] = [];
  #empty: Readonly<Record<string, unknown>> = {};

  /** What JSON.parse makes of the text, but that equal counters share their cells. Throws a SyntaxError. */
  parse(text: string): unknown {
    // Within a text its quotes would have backslashes.
    const start = text.indexOf(countersOpen) + countersOpen.length - 1;
    if (start < countersOpen.length) return JSON.parse(text);
    const counters = { ...this.#empty };
    const end = this.#readCells(text, start + 1, counters);
    const node: unknown = end < 0 ? undefined : JSON.parse(`${text.slice(0, start)}null${text.slice(end)}`);
    if (isJsonObject(node) && node.counters === null) return Object.assign(node, { counters });
    return this.#parseOther(text);
  }

  /** Reads the same counters as before into `counters`; returns where they end, or -1 where they are others. */
  #readCells(text: string, start: number, counters: Record<string, unknown>): number {
    let at = start;
    for (const [index, key] of this.#keys.entries()) {
      if (!text.startsWith(key, at)) return -1;
      const from = at + key.length;
      // A cell has no objects in it, and a text that has a brace in it ends behind it.
      const to = text.indexOf('}', from) + 1;
      if (to === 0) return -1;
      const cell = this.#cellOf(text.slice(from, to));
      if (cell === undefined) return -1;
      counters[this.#ids[index]] = cell;
      at = to;
    }
    return at > start && text[at] === '}' ? at + 1 : -1;
  }

  #cellOf(text: string): unknown {
    const known = this.#cells.get(text);
    if (known !== undefined) return known;
    try {
      const cell: unknown = JSON.parse(text);
      if (this.#cells.size < mostCells) this.#cells.set(own(text), cell);
      return cell;
    } catch {
      return undefined;
    }
  }

  #parseOther(text: string): unknown {
    const node: unknown = JSON.parse(text);
    if (!isJsonObject(node) || !isJsonObject(node.counters)) return node;
    this.#ids = Object.keys(node.counters);
    this.#keys = this.#ids.map((id, index) => `${index === 0 ? '' : ','}${JSON.stringify(id)}:`);
    this.#empty = Object.fromEntries(this.#ids.map((id) => [id, null]));
    return node;
  }
}
