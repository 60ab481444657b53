import { GpuprofError } from '../errors.ts';
import { qrhiFormats } from '../report/qrhi-usage/formats.ts';
import type { QrhiStreamReport } from '../report/qrhi-usage/stream-report.ts';
import { type Output, openOutput } from './output.ts';
import type { QrhiOptions } from './qrhi.ts';
import { noStream, type QrhiSession, strictFault } from './qrhi-session.ts';
import { terminalWidth, wantsColor } from './terminal.ts';

/** Each of so many faults is told of; the rest are counted, so that a server holds no more. */
const mostTold = 1000;

/**
 * What a command says of its streams: one document, each report written as soon as its stream has ended, and the
 * faults, told of at the end so that one bad stream costs no other its report.
 */
export class QrhiReports {
  readonly #path: string;
  readonly #options: QrhiOptions;
  readonly #faults: GpuprofError[] = [];
  #untold = 0;
  #count = 0;
  #output: Output | null = null;

  /** Nothing is written to the path (`-` is standard output) before the first report. */
  constructor(path: string, options: QrhiOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Reports there are so far. */
  get count(): number {
    return this.#count;
  }

  get hasFaults(): boolean {
    return this.#faults.length > 0;
  }

  /** Reports a stream that has ended; what is no stream is a fault. Throws GpuprofError `output-failed`. */
  async add(session: QrhiSession, notes: readonly string[] = []): Promise<void> {
    const fault = noStream(session);
    if (fault) return this.fault(fault);
    const report = session.report(notes);
    await this.#write(report);
    const strict = this.#options.strict ? strictFault(report) : null;
    if (strict) this.fault(strict);
  }

  /** Notes what is wrong with an input; anything else is thrown on. */
  fault(error: unknown): void {
    if (!(error instanceof GpuprofError) || error.code !== 'bad-input') throw error;
    if (this.#faults.length < mostTold) this.#faults.push(error);
    else this.#untold++;
  }

  /**
   * Ends the document, which stands without reports when there was nothing to report and no fault either. Throws the
   * faults: GpuprofError `bad-input`, several as an AggregateError; else GpuprofError `output-failed`.
   */
  async end(): Promise<void> {
    const { begin, end } = qrhiFormats[this.#options.format];
    if (this.#count > 0) await this.#output?.write([end]);
    else if (!this.hasFaults) await this.#open().write([begin, end]);
    this.#output?.commit();
    if (this.#untold > 0) this.#faults.push(new GpuprofError('bad-input', `${this.#untold} more streams are faulty`));
    if (this.#faults.length === 1) throw this.#faults[0];
    if (this.hasFaults) throw new AggregateError(this.#faults);
  }

  /** What was written to a file leaves no trace; nothing after the end. */
  discard(): void {
    this.#output?.discard();
  }

  #open(): Output {
    this.#output ??= openOutput(this.#path);
    return this.#output;
  }

  async #write(report: QrhiStreamReport): Promise<void> {
    const { format, top, qt } = this.#options;
    const { begin, stream } = qrhiFormats[format];
    const toStdout = this.#path === '-';
    const page = {
      top,
      qt,
      width: toStdout ? terminalWidth() : null,
      color: toStdout && wantsColor(process.stdout),
    };
    const index = this.#count++;
    const output = this.#open();
    if (index === 0) await output.write([begin]);
    await output.write(stream(report, index, page));
  }
}
