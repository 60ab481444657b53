import { GpuprofError } from '../errors.ts';
import type { QrhiFormatName } from '../report/qrhi-usage/formats.ts';
import type { QrhiReportOptions, QrhiStreamReport } from '../report/qrhi-usage/stream-report.ts';
import { writeOutput } from './output.ts';
import { terminalWidth, wantsColor } from './terminal.ts';

/** A stream that is being read, and what it has said so far. */
export interface QrhiSession {
  readonly title: string;
  readonly sizeBytes: number;
  /** Lines that were entries. */
  readonly entries: number;
  readonly malformed: number;
  push(chunk: Buffer): void;
  /** The stream has ended; a last line without a line feed counts. */
  end(): void;
  report(notes?: readonly string[]): QrhiStreamReport;
}

/** Starts on a stream; `top` is how many of the largest resources are kept. */
export async function openSession(title: string, top: number): Promise<QrhiSession> {
  const { QrhiStreamReader } = await import('../import/qrhi/stream-reader.ts');
  const { QrhiUsageTally } = await import('../analysis/qrhi/usage.ts');
  const tally = new QrhiUsageTally(top);
  const reader = new QrhiStreamReader((line) => tally.add(line));
  return {
    title,
    get sizeBytes() {
      return reader.sizeBytes;
    },
    get entries() {
      return tally.entries;
    },
    get malformed() {
      return tally.malformed;
    },
    push: (chunk) => reader.push(chunk),
    end: () => reader.end(),
    report: (notes = []) => ({ title, sizeBytes: reader.sizeBytes, usage: tally.figures(), notes }),
  };
}

/** Writes reports to a file, or to standard output when the path is `-`. */
export async function writeQrhi(
  reports: readonly QrhiStreamReport[],
  path: string,
  { format, top, qt }: { readonly format: QrhiFormatName } & Pick<QrhiReportOptions, 'top' | 'qt'>,
): Promise<void> {
  const { qrhiFormats } = await import('../report/qrhi-usage/formats.ts');
  const toStdout = path === '-';
  const options: QrhiReportOptions = {
    top,
    qt,
    width: toStdout ? terminalWidth() : null,
    color: toStdout && wantsColor(process.stdout),
  };
  await writeOutput(path, qrhiFormats[format](reports, options));
}

/** Throws GpuprofError `bad-input` when lines came and none of them was an entry. */
export function checkIsStream({ title, usage }: QrhiStreamReport): void {
  if (usage.lines === 0 || usage.events.size > 0) return;
  const [{ line, fault }] = usage.faults;
  throw new GpuprofError('bad-input', `${title} is no QRhiProfiler stream: line ${line} ${fault}`, {
    hint: 'Qt writes one entry a line: op,timestamp,res,name,key,value,',
  });
}

/** For `--strict`: throws GpuprofError `bad-input` that names the first malformed line. */
export function checkStrict(reports: readonly QrhiStreamReport[]): void {
  for (const { title, usage } of reports) {
    if (usage.malformed === 0) continue;
    const [{ line, fault }] = usage.faults;
    const more =
      usage.malformed === 1 ? '' : `, as ${usage.malformed === 2 ? 'is 1 more' : `are ${usage.malformed - 1} more`}`;
    throw new GpuprofError('bad-input', `${title}: line ${line} is malformed${more}: it ${fault}`);
  }
}
