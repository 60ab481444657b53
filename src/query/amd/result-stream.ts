import { readValue, type ValueType } from '../driver-values.ts';

/** By group id, then counter id: the type, and the column that the value belongs to, or -1 for one not asked for. */
export type StreamEntries = ReadonlyMap<
  number,
  ReadonlyMap<number, { readonly type: ValueType; readonly column: number }>
>;

const headBytes = 8;

/** Size in bytes of a result with these values. */
export const streamBytes = (types: readonly ValueType[]): number =>
  types.reduce((sum, { sizeBytes }) => sum + headBytes + sizeBytes, 0);

/**
 * Reads a monitor's result: group id, counter id, and value of the counter's type, in any order. `store` gets each value
 * that was asked for, by column. Returns why the result cannot be used, as one clause, or null.
 */
export function readStream(
  view: DataView,
  sizeBytes: number,
  entries: StreamEntries,
  columns: number,
  store: (column: number, value: number | bigint) => void,
): string | null {
  const seen = new Uint8Array(columns);
  let found = 0;
  let at = 0;
  while (at < sizeBytes) {
    if (sizeBytes - at < headBytes) return `its result ends within an entry (${sizeBytes} bytes)`;
    const group = view.getUint32(at, true);
    const counter = view.getUint32(at + 4, true);
    const entry = entries.get(group)?.get(counter);
    // Without its type the length of an entry is unknown, and with it where the next one is.
    if (!entry) return `its result has an entry for a counter that does not exist (group ${group}, counter ${counter})`;
    at += headBytes;
    if (sizeBytes - at < entry.type.sizeBytes) return `its result ends within an entry (${sizeBytes} bytes)`;
    if (entry.column >= 0) {
      if (seen[entry.column]) return `its result has counter ${counter} twice`;
      seen[entry.column] = 1;
      found++;
      store(entry.column, readValue(view, at, entry.type));
    }
    at += entry.type.sizeBytes;
  }
  return found === columns ? null : `its result has ${found} of ${columns} counters`;
}
