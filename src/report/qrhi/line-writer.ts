/** The lines of a QRhiProfiler stream: `op,timestamp,res,name,` and `key,value,` pairs, LF. */
import { stringify } from 'csv-stringify/sync';
import { type QrhiOpNumber, qrhiOps } from '../../model/qrhi/ops.ts';
import { floatText } from './float-text.ts';

/** Takes whole lines as they come. */
export type LineSink = (lines: string) => void;

/** Lines rendered at once: csv-stringify is quickest with many, and a line may be 200 bytes. */
const batchLines = 256;

/**
 * As QRhiResource::setName does with commas; Qt lets through line ends, which would break the line, and zeros. Halves of
 * surrogate pairs have no UTF-8.
 */
const qrhiName = (name: string): string =>
  name
    .replace(/[,\r\n\0]/g, '_')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '_');

type Field = string | number;

export class LineWriter {
  readonly #sink: LineSink;
  readonly #nowMs: () => number;
  #records: Field[][] = [];

  /** `nowMs`: milliseconds since the stream began. */
  constructor(sink: LineSink, nowMs: () => number) {
    this.#sink = sink;
    this.#nowMs = nowMs;
  }

  /** `values` by the op's keys; `res` 0 has no name. */
  line(op: QrhiOpNumber, res: number, name: string, values: readonly number[] = []): void {
    const fields: Field[] = [op, Math.floor(this.#nowMs()), res, qrhiName(name)];
    for (const [index, key] of qrhiOps[op].keys.entries())
      fields.push(key, key.startsWith('F') ? floatText(values[index]) : values[index]);
    // An empty last field is the comma that ends every line.
    fields.push('');
    this.#records.push(fields);
    if (this.#records.length >= batchLines) this.flush();
  }

  /** Hands over what has been gathered. */
  flush(): void {
    if (this.#records.length === 0) return;
    const lines = stringify(this.#records, { record_delimiter: '\n', quote: false });
    this.#records = [];
    this.#sink(lines);
  }
}
