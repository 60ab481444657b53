import { createHash } from 'node:crypto';
import { type TraceCall, TracePointer, TraceStruct, type TraceValue } from '../../src/import/apitrace/trace.ts';

/** A call on one line, as pickle-lines.py writes what apitrace reads. */
export const callLine = ({ number, function: { name, args: names }, args, result }: TraceCall): string =>
  JSON.stringify([number, name, names.map((name, index) => [name, plain(args[index])]), plain(result)]);

function plain(value: TraceValue | undefined): unknown {
  if (value === undefined) return null;
  if (value === null) return 'number 0'; // As apitrace gives null pointers away.
  if (typeof value === 'boolean') return value;
  // Nor does it give away what is not ASCII.
  if (typeof value === 'string')
    return Buffer.from(value)
      .toString('latin1')
      .replace(/[\x80-\xff]/g, '?');
  if (typeof value === 'bigint') return `number ${value}`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `number ${value}` : `double ${bits(value)}`;
  if (value instanceof Uint8Array) return `blob ${value.length} ${createHash('md5').update(value).digest('hex')}`;
  if (value instanceof TracePointer) return `pointer ${value.address}`;
  if (value instanceof TraceStruct) {
    return Object.fromEntries(value.members.map((name, index) => [name, plain(value.values[index])]));
  }
  return value.map(plain);
}

function bits(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes.toString('hex');
}
