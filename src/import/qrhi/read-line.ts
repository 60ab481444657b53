import type { QrhiLine, QrhiRecord } from '../../model/qrhi/line.ts';
import { type QrhiOp, type QrhiOpNumber, qrhiOps } from '../../model/qrhi/ops.ts';
import { finite, int64, uint64, withoutBlanks } from './numbers.ts';

const longestName = 256;
const longestText = 120;
/** An entry's op, and what there is of its timestamp and its res. */
const entryStart = /^(?:[1-9]|1[0-8]),-?\d*(?:$|,\d*(?:$|,))/;
const opsByText = new Map(Object.entries(qrhiOps).map(([text, op]) => [text, op as QrhiOp]));

/** Without these an entry says nothing that could be counted. */
const required: Readonly<Partial<Record<QrhiOpNumber, readonly string[]>>> = {
  1: ['effective_size'],
  3: ['slot', 'size'],
  4: ['slot'],
  5: ['approx_byte_size'],
  7: ['approx_byte_size'],
  9: ['slot', 'size'],
  10: ['slot'],
  11: ['approx_total_byte_size'],
  13: ['id', 'size'],
  14: ['id'],
  15: ['total_size'],
  16: qrhiOps[16].keys,
  17: qrhiOps[17].keys.slice(1),
  18: qrhiOps[18].keys.slice(1),
};
const isSize = (key: string): boolean => key.endsWith('size') && key !== 'logical_size';

/** The text that UTF-8 bytes in a Latin-1 string stand for, in memory of its own. */
function decoded(bytes: string, most: number): string {
  if (bytes === '') return '';
  const text = Buffer.from(bytes.length > most ? bytes.slice(0, most) : bytes, 'latin1').toString('utf8');
  return bytes.length > most ? `${text}…` : text;
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Cuts off ASCII blanks at both ends, a carriage return among them, as the viewer does. */
function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}

interface Values {
  readonly ints: Record<string, bigint>;
  readonly floats: Record<string, number>;
}

/** Reads the pairs of an entry, of which a later one stands for an earlier; returns what is wrong, or null. */
function readPairs(fields: readonly string[], { keys }: QrhiOp, { ints, floats }: Values): string | null {
  if (fields.length % 2 === 0) return 'has a key without a value';
  for (let at = 4; at + 1 < fields.length; at += 2) {
    const key = fields[at];
    const text = fields[at + 1];
    if (text === '' || !keys.includes(key)) continue;
    if (key.startsWith('F')) {
      const value = finite(text);
      if (value === null) return `has no finite number as ${key}`;
      floats[key] = value;
    } else {
      const value = int64(text);
      if (value === null) return `has no whole number of 64 bits as ${key}`;
      if (value < 0n && isSize(key)) return `has a negative ${key}`;
      ints[key] = value;
    }
  }
  return null;
}

/** Reads a line that has been cut at its commas, the last of which ends it; returns the entry or what is wrong. */
function readRecord(line: number, fields: readonly string[]): QrhiRecord | string {
  if (fields.length < 5) return 'has fewer than 4 fields';
  const facts = opsByText.get(fields[0]);
  if (!facts) return int64(fields[0]) === null ? 'begins with no op' : 'has an op that is not one of 1 to 18';
  const timestampMs = int64(fields[1]);
  if (timestampMs === null) return 'has no whole number of 64 bits as its timestamp';
  const res = uint64(fields[2]);
  if (res === null) return 'has no whole number of 64 bits as its res';
  const op = Number(fields[0]) as QrhiOpNumber;
  const values: Values = { ints: {}, floats: {} };
  const fault = readPairs(fields, facts, values);
  if (fault !== null) return fault;
  const missing = required[op]?.find((key) => !(key in values.ints) && !(key in values.floats));
  if (missing !== undefined) return `has no ${missing}`;
  return { line, op, timestampMs, res, name: decoded(fields[3], longestName), ...values };
}

/** What Qt's viewer makes of a line: it asks for 4 fields and an op it knows, and takes 0 for what is no number. */
function readAsViewer(line: number, fields: readonly string[]): QrhiRecord | null {
  const op = fields.length < 4 ? null : int64(withoutBlanks(fields[0]));
  const facts = opsByText.get(String(op));
  if (!facts) return null;
  const values: Values = { ints: {}, floats: {} };
  for (let at = 4; at + 1 < fields.length; at += 2) {
    const [key, text] = [fields[at], withoutBlanks(fields[at + 1])];
    if (fields[at + 1] === '' || !facts.keys.includes(key)) continue;
    const value = key.startsWith('F') ? finite(text) : null;
    if (value !== null) values.floats[key] = value;
    else if (!key.startsWith('F')) values.ints[key] = int64(text) ?? 0n;
  }
  return {
    line,
    op: Number(op) as QrhiOpNumber,
    timestampMs: int64(withoutBlanks(fields[1])) ?? 0n,
    res: uint64(withoutBlanks(fields[2])) ?? 0n,
    name: decoded(fields[3], longestName),
    ...values,
  };
}

/**
 * Reads one line (Latin-1, without the line feed that may have ended it; null: too long to be held). Blanks around it, unknown keys, missing
 * keys that nothing is counted from, and bytes that are no UTF-8 are taken; what is not is malformed.
 */
export function readLine(line: number, bytes: string | null, isEnded: boolean): QrhiLine {
  if (bytes === null)
    return { record: null, line, fault: 'is longer than 1 MiB', isCut: false, text: '', lenient: null };
  const text = trimmed(bytes);
  const fields = text.split(',');
  const isWhole = fields.at(-1) === '';
  const hasNul = text.includes('\0');
  let read = isWhole && !hasNul ? readRecord(line, fields) : 'does not end with a comma';
  if (typeof read !== 'string') return { record: read };
  const isCut = !isEnded && entryStart.test(text);
  if (isCut) read = 'is cut off by the end of the stream';
  else if (text === '') read = 'is empty';
  else if (hasNul) read = 'holds a NUL byte';
  return {
    record: null,
    line,
    fault: read,
    isCut,
    text: decoded(text, longestText),
    lenient: readAsViewer(line, fields),
  };
}
