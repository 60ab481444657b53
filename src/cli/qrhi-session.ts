import { QrhiUsageTally } from '../analysis/qrhi/usage.ts';
import { GpuprofError } from '../errors.ts';
import { QrhiStreamReader } from '../import/qrhi/stream-reader.ts';
import type { QrhiStreamReport } from '../report/qrhi-usage/stream-report.ts';

/** A stream that is being read, and what it has said so far. */
export interface QrhiSession {
  readonly title: string;
  readonly sizeBytes: number;
  /** Lines that were no entries. */
  readonly malformed: number;
  /** Whether what came can be told for a stream. */
  readonly isStream: boolean;
  /** Throws GpuprofError `bad-input` for what goes on and on and is no stream. */
  push(chunk: Buffer): void;
  /**
   * Nothing more is read; a last line without a line feed counts. Where the stream itself is not over, an unfinished
   * one is no fault.
   */
  end(isOver?: boolean): void;
  report(notes?: readonly string[]): QrhiStreamReport;
}

/** Starts on a stream; `top` is how many of the largest resources are kept. */
export function openSession(title: string, top: number): QrhiSession {
  const tally = new QrhiUsageTally(top);
  const reader = new QrhiStreamReader((line) => tally.add(line));
  return {
    title,
    get sizeBytes() {
      return reader.sizeBytes;
    },
    get malformed() {
      return tally.malformed;
    },
    get isStream() {
      return tally.isStream;
    },
    push: (chunk) => reader.push(chunk),
    end: (isOver) => reader.end(isOver),
    report: (notes = []) => ({ title, sizeBytes: reader.sizeBytes, usage: tally.figures(), notes }),
  };
}

/** Why a stream that has ended is none; null when it is one, or empty. */
export function noStream(session: QrhiSession): GpuprofError | null {
  if (session.sizeBytes === 0 || session.isStream) return null;
  const [first] = session.report().usage.faults;
  const why = first ? `line ${first.line} ${first.fault}` : 'it has no whole line';
  return new GpuprofError('bad-input', `${session.title} is no QRhiProfiler stream: ${why}`, {
    hint: 'Qt writes one entry a line: op,timestamp,res,name,key,value,',
  });
}

/** For `--strict`: an error that names the first malformed line; null when there is none. */
export function strictFault({ title, usage }: QrhiStreamReport): GpuprofError | null {
  if (usage.malformed === 0) return null;
  const [{ line, fault }] = usage.faults;
  const more =
    usage.malformed === 1 ? '' : `, as ${usage.malformed === 2 ? 'is 1 more' : `are ${usage.malformed - 1} more`}`;
  return new GpuprofError('bad-input', `${title}: line ${line} is malformed${more}: it ${fault}`);
}
