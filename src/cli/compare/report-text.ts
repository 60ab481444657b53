/**
 * Parses a report node by node: as a whole a large one takes three times as long, since its text has to be held, decoded
 * and parsed at once.
 */
import { isAscii } from 'node:buffer';
import { readSync } from 'node:fs';
import { isJsonObject, NodeParser } from './node-parser.ts';

/** Of the text: a node, or what stands between two of them. */
interface Piece {
  readonly isNode: boolean;
  readonly text: string;
}

const blockBytes = 2 ** 17;
/** How deep a frame's nodes are nested: report, frames, frame, nodes. */
const nodesDepth = 4;

const [quote, backslash, colon] = Buffer.from('"\\:');
const [openList, closeList, openObject, closeObject] = Buffer.from('[]{}');
const space = 0x20;

/** Whether the bracket there opens a frame's nodes. */
function opensNodes(buffer: Buffer, bracket: number): boolean {
  let at = bracket - 1;
  while (buffer[at] <= space) at--;
  if (buffer[at] !== colon) return false;
  do at--;
  while (buffer[at] <= space);
  return buffer.toString('latin1', Math.max(0, at - 6), at + 1) === '"nodes"';
}

/** Cuts an open file's text, from its start, at the nodes of its frames. */
function* piecesOf(file: number): Generator<Piece> {
  let buffer = Buffer.allocUnsafeSlow(blockBytes);
  let [position, filled, start, at, depth] = [0, 0, 0, 0, 0];
  let [isText, isNodes] = [false, false];
  for (;;) {
    const read = readSync(file, buffer, filled, buffer.length - filled, position);
    position += read;
    filled += read;
    // Most are ASCII, and then it takes a tenth of the time.
    const encoding = isAscii(buffer.subarray(0, filled)) ? 'latin1' : 'utf8';
    if (read === 0) {
      yield { isNode: false, text: buffer.toString(encoding, start, filled) };
      return;
    }
    for (; at < filled; at++) {
      const byte = buffer[at];
      if (byte === quote) isText = !isText;
      else if (isText) {
        if (byte === backslash) at++;
      } else if (byte === openObject || byte === openList) {
        if (isNodes && depth === nodesDepth) {
          yield { isNode: false, text: buffer.toString(encoding, start, at) };
          start = at;
        }
        depth++;
        if (depth === nodesDepth) isNodes = byte === openList && opensNodes(buffer, at);
      } else if (byte === closeObject || byte === closeList) {
        depth--;
        if (isNodes && depth === nodesDepth) {
          yield { isNode: true, text: buffer.toString(encoding, start, at + 1) };
          start = at + 1;
        }
      }
    }
    buffer.copyWithin(0, start, filled);
    at -= start;
    filled -= start;
    start = 0;
    if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * filled);
  }
}

/** Puts lists of nodes where their numbers stand alone; whether each has its frame. */
function putNodes(report: unknown, lists: readonly unknown[][]): boolean {
  const frames = isJsonObject(report) && Array.isArray(report.frames) ? report.frames : [];
  let count = 0;
  for (const frame of frames)
    if (isJsonObject(frame) && Array.isArray(frame.nodes) && frame.nodes[0] === count) frame.nodes = lists[count++];
  return count === lists.length;
}

/** What JSON.parse makes of an open file's text; undefined where it is no JSON, or not a report's. */
export function parseReport(file: number): unknown {
  const parser = new NodeParser();
  const rest: string[] = [];
  const lists: unknown[][] = [];
  let isOpen = false;
  try {
    for (const { isNode, text } of piecesOf(file)) {
      if (!isNode) {
        if (isOpen && /^\s*,\s*$/.test(text)) continue;
        isOpen = false;
        rest.push(text);
      } else {
        if (!isOpen) {
          rest.push(String(lists.length));
          lists.push([]);
        }
        isOpen = true;
        lists[lists.length - 1].push(parser.parse(text));
      }
    }
    const report: unknown = JSON.parse(rest.join('').replace(/^\ufeff/, ''));
    return putNodes(report, lists) ? report : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
