/** Parses nodes of a report, of which the counters are most: a million cells, of few different texts. */
import { isAscii } from 'node:buffer';

const countersOpen = Buffer.from('"counters":{');
/** Beyond this many different texts they are parsed each time. */
const mostCells = 50_000;

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string of its own: a part of another keeps that in memory. */
const own = (text: string): string => JSON.parse(JSON.stringify(text));

/** The node with its counters' text taken out; null where they stand elsewhere in it. */
function putCounters(head: string, tail: string, counters: object): unknown {
  const node: unknown = JSON.parse(`${head}null${tail}`);
  return isJsonObject(node) && node.counters === null ? Object.assign(node, { counters }) : null;
}

interface Cell {
  readonly text: string;
  readonly value: unknown;
}

export class NodeParser {
  /** By its text. */
  readonly #cells = new Map<string, Cell>();
  /** Of the node before, in the order of the keys: most nodes have some of its cells, and that is quickly seen. */
  #before: Cell[] = [];
  /** All counters of the node before: alike draws are many, and one stands beside the other. */
  #last: { readonly text: Buffer; readonly counters: object } | null = null;
  /** Of the last node that had others: ids as they stand before their cells, and an object to copy, so that all have one shape. */
  #keys: readonly string[] = [];
  #ids: readonly string[] = [];
  #empty: Readonly<Record<string, unknown>> = {};

  /** What JSON.parse makes of a node's text, but that equal counters are shared. Throws a SyntaxError. */
  parse(node: Buffer): unknown {
    // Most are ASCII, and then it takes a tenth of the time.
    const encoding = isAscii(node) ? 'latin1' : 'utf8';
    // Within a text its quotes would have backslashes.
    const open = node.indexOf(countersOpen);
    if (open < 0) return JSON.parse(node.toString(encoding));
    const start = open + countersOpen.length - 1;
    const last = this.#last;
    if (last?.text.equals(node.subarray(start, start + last.text.length))) {
      const [head, tail] = [node.toString(encoding, 0, start), node.toString(encoding, start + last.text.length)];
      const found = putCounters(head, tail, last.counters);
      if (found) return found;
    }
    const text = node.toString(encoding);
    const from = encoding === 'latin1' ? start : node.toString(encoding, 0, start).length;
    const counters = { ...this.#empty };
    const end = this.#readCells(text, from + 1, counters);
    const found = end < 0 ? null : putCounters(text.slice(0, from), text.slice(end), counters);
    if (!found) return this.#parseOther(text);
    this.#last = { text: Buffer.from(text.slice(from, end)), counters };
    return found;
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
