import { readFileSync } from 'node:fs';

/** A query type as an enumeration of a driver prints it; types are GL enums. */
export interface TableType {
  readonly id: number;
  readonly name: string;
  readonly dataSize: number;
  readonly counters: readonly TableCounter[];
}

export interface TableCounter {
  readonly name: string;
  readonly description: string;
  readonly offset: number;
  readonly size: number;
  readonly type: number;
  readonly dataType: number;
}

const typeLine = /^QUERY id=(\d+) name="(.*)" dataSize=(\d+) /;
const counterLine = /^ {2}COUNTER \d+ name="(.*)" desc="(.*)" offset=(\d+) size=(\d+) type=(\w+).* dataType=(\w+)/;

/** Reads the text of an enumeration. */
export function readIntelTable(path: string): TableType[] {
  const types: (TableType & { counters: TableCounter[] })[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const type = typeLine.exec(line);
    if (type) types.push({ id: Number(type[1]), name: type[2], dataSize: Number(type[3]), counters: [] });
    const counter = counterLine.exec(line);
    if (!counter) continue;
    const [offset, size, kind, dataType] = counter.slice(3).map(Number);
    types[types.length - 1].counters.push({
      name: counter[1],
      description: counter[2],
      offset,
      size,
      type: kind,
      dataType,
    });
  }
  return types;
}
