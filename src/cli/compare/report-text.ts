/**
 * Parses a report node by node: as a whole a large one takes three times as long, since its text has to be held, decoded
 * and parsed at once.
 */
import { readSync } from 'node:fs';
import type { NodeReport } from '../../model/report.ts';
import { isJsonObject, NodeParser } from './node-parser.ts';
import { isPlainNode, plainLists } from './plain-node.ts';
import { nodeFault } from './statistics-fit.ts';

const blockBytes = 2 ** 18;
/** How deep a frame's nodes are nested: report, frames, frame, nodes. */
const nodesDepth = 4;

const [quote, backslash, colon] = Buffer.from('"\\:');
const [openList, closeList, openObject, closeObject] = Buffer.from('[]{}');
const space = 0x20;
const none: readonly never[] = [];
const withoutDurations = { rawNs: null, durationNs: null, samples: { rawNs: none, durationNs: none } };
const withoutCpu = { rawNs: null, cpuNs: null, samples: { rawNs: none, cpuNs: null } };

/** Whether the bracket there opens a frame's nodes. */
function opensNodes(buffer: Buffer, bracket: number): boolean {
  let at = bracket - 1;
  while (buffer[at] <= space) at--;
  if (buffer[at] !== colon) return false;
  do at--;
  while (buffer[at] <= space);
  return buffer.toString('latin1', Math.max(0, at - 6), at + 1) === '"nodes"';
}

/** Whether nothing is wrong with the node; others the schema looks at. */
const isSound = (node: unknown): node is NodeReport => isPlainNode(node) && nodeFault(node) === null;

/** What a report is read for: all that it has, or a comparison by the metric. */
export type ReportUse = 'all' | 'auto' | 'duration' | 'cpu';
type Metric = 'duration' | 'cpu';

/** Which times a comparison looks at; null while it is not known. `before` is the text before the nodes. */
function metricOf(use: ReportUse, before: string): Metric | null {
  if (use === 'all') return null;
  const [, isSoftware] = /"software":\s*(true|false)/.exec(before) ?? [];
  if (isSoftware === undefined) return null;
  return use === 'duration' || isSoftware === 'false' ? 'duration' : 'cpu';
}

/** Takes what no comparison by the metric asks for out of a node: two thirds of it. */
function lighten(node: NodeReport, metric: Metric): void {
  // It is the reader's own, and nobody else has it yet.
  const { samples, ...times } = metric === 'cpu' ? withoutDurations : withoutCpu;
  Object.assign(node, times);
  Object.assign(node.samples, samples);
}

/** Takes the nodes out of a file's text, and leaves the number of their list in their place. */
class NodeCutter {
  /** Of every frame that has nodes. */
  readonly lists: unknown[][] = [];
  /** The text without them. */
  readonly rest: string[] = [];
  readonly #file: number;
  readonly #use: ReportUse;
  #metric: Metric | null = null;
  readonly #parser = new NodeParser();
  #buffer = Buffer.allocUnsafeSlow(blockBytes);
  #position = 0;
  #filled = 0;
  /** Of what is not yet taken. */
  #start = 0;
  #at = 0;
  #depth = 0;
  #isText = false;
  #isNodes = false;
  /** What stood between the last two nodes, with the brackets on either side. */
  #between: Buffer | null = null;

  constructor(file: number, use: ReportUse) {
    this.#file = file;
    this.#use = use;
  }

  /** Throws a SyntaxError for nodes that are no JSON. */
  cut(): void {
    while (this.#read()) while (this.#scan()) this.#meet();
    this.rest.push(this.#text(this.#start, this.#filled));
  }

  #text(start: number, end: number): string {
    return this.#buffer.toString('utf8', start, end);
  }

  #read(): boolean {
    this.#buffer.copyWithin(0, this.#start, this.#filled);
    this.#at -= this.#start;
    this.#filled -= this.#start;
    this.#start = 0;
    if (this.#filled === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer], 2 * this.#filled);
    const read = readSync(this.#file, this.#buffer, this.#filled, this.#buffer.length - this.#filled, this.#position);
    this.#position += read;
    this.#filled += read;
    return read > 0;
  }

  /** Goes on behind the next bracket that opens or closes a list of nodes or a node; false when it must be read first. */
  #scan(): boolean {
    const buffer = this.#buffer;
    const filled = this.#filled;
    let [at, depth, isText, isMet] = [this.#at, this.#depth, this.#isText, false];
    while (at < filled && !isMet) {
      const byte = buffer[at++];
      if (byte === quote) isText = !isText;
      else if (isText) {
        if (byte === backslash) at++;
      } else if (byte === openObject || byte === openList) {
        depth++;
        isMet = depth === nodesDepth || depth === nodesDepth + 1;
      } else if (byte === closeObject || byte === closeList) {
        depth--;
        isMet = depth === nodesDepth;
      }
    }
    this.#at = at;
    this.#depth = depth;
    this.#isText = isText;
    return isMet;
  }

  #meet(): void {
    const byte = this.#buffer[this.#at - 1];
    const isOpening = byte === openObject || byte === openList;
    if (isOpening && this.#depth === nodesDepth)
      this.#isNodes = byte === openList && opensNodes(this.#buffer, this.#at - 1);
    else if (!this.#isNodes) return;
    else if (isOpening) this.#begin();
    else {
      this.#take(this.#at);
      this.#start = this.#at;
    }
  }

  #take(end: number): void {
    const node = this.#parser.parse(this.#buffer.subarray(this.#start, end));
    const list = this.lists[this.lists.length - 1];
    list.push(node);
    if (!isSound(node)) plainLists.delete(list);
    else if (this.#metric) lighten(node, this.#metric);
  }

  /** A node begins; it and the next ones are taken as far as they follow each other as the last two did. */
  #begin(): void {
    const text = this.#text(this.#start, this.#at - 1);
    if (!/^\s*,\s*$/.test(text)) {
      this.#metric ??= metricOf(this.#use, text);
      this.rest.push(text, String(this.lists.length));
      const list: unknown[] = [];
      this.lists.push(list);
      plainLists.add(list);
    } else if (this.#start > 0) this.#between = Buffer.from(this.#buffer.subarray(this.#start - 1, this.#at));
    this.#start = this.#at - 1;
    const block = this.#buffer.subarray(0, this.#filled);
    for (let between = this.#between; between; ) {
      const end = block.indexOf(between, this.#start);
      if (end < 0) return;
      try {
        this.#take(end + 1);
      } catch (error) {
        // It stands in a name: the node's own brackets tell.
        if (error instanceof SyntaxError) return;
        throw error;
      }
      this.#at = end + between.length;
      this.#start = this.#at - 1;
    }
  }
}

/** Puts the lists where their numbers stand alone; whether each has its frame. */
function putNodes(report: unknown, lists: readonly unknown[][]): boolean {
  const frames = isJsonObject(report) && Array.isArray(report.frames) ? report.frames : [];
  let count = 0;
  for (const frame of frames)
    if (isJsonObject(frame) && Array.isArray(frame.nodes) && frame.nodes[0] === count) frame.nodes = lists[count++];
  return count === lists.length;
}

/** What JSON.parse makes of an open file's text, for a comparison without what {@link lighten} takes; undefined where it is no JSON, or not a report's. */
export function parseReport(file: number, use: ReportUse): unknown {
  const text = new NodeCutter(file, use);
  try {
    text.cut();
    const report: unknown = JSON.parse(text.rest.join('').replace(/^\ufeff/, ''));
    return putNodes(report, text.lists) ? report : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
