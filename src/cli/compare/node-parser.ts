/** Parses nodes of a report, of which the counters are most: a million cells, of few different texts. */

const countersOpen = '"counters":{';
/** Beyond this many different texts they are parsed each time. */
const mostCells = 50_000;

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string of its own: a part of another keeps that in memory. */
const own = (text: string): string => JSON.parse(JSON.stringify(text));

interface Cell {
  readonly text: string;
  readonly value: unknown;
}

export class NodeParser {
  /** By its text. */
  readonly #cells = new Map<string, Cell>();
  /** Of the node before, in the order of the keys: most nodes have some of its cells, and that is quickly seen. */
  #before: Cell[] = [];
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
      const before = this.#before[index] as Cell | undefined;
      if (before && text.startsWith(before.text, from)) {
        counters[this.#ids[index]] = before.value;
        at = from + before.text.length;
        continue;
      }
      // A cell has no objects in it, and a text that has a brace in it ends behind it.
      const to = text.indexOf('}', from) + 1;
      if (to === 0) return -1;
      const cell = this.#cellOf(text.slice(from, to));
      if (!cell) return -1;
      this.#before[index] = cell;
      counters[this.#ids[index]] = cell.value;
      at = to;
    }
    return at > start && text[at] === '}' ? at + 1 : -1;
  }

  #cellOf(text: string): Cell | null {
    const known = this.#cells.get(text);
    if (known) return known;
    try {
      const cell: Cell = { text: own(text), value: JSON.parse(text) };
      if (this.#cells.size < mostCells) this.#cells.set(cell.text, cell);
      return cell;
    } catch {
      return null;
    }
  }

  #parseOther(text: string): unknown {
    const node: unknown = JSON.parse(text);
    if (!isJsonObject(node) || !isJsonObject(node.counters)) return node;
    this.#before = [];
    this.#ids = Object.keys(node.counters);
    this.#keys = this.#ids.map((id, index) => `${index === 0 ? '' : ','}${JSON.stringify(id)}:`);
    this.#empty = Object.fromEntries(this.#ids.map((id) => [id, null]));
    return node;
  }
}
