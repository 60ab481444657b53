import type { QrhiOpNumber } from './ops.ts';

/** One entry of a QRhiProfiler stream. */
export interface QrhiRecord {
  /** Its line, counted from 1. */
  readonly line: number;
  readonly op: QrhiOpNumber;
  /** Milliseconds since the QRhi was made. */
  readonly timestampMs: bigint;
  /** What the entry is about: a pointer of 64 bits, which may come again after a release; 0 for none. */
  readonly res: bigint;
  readonly name: string;
  /** Values of the op's own keys, by key; a key that the line does not have is absent. */
  readonly ints: Readonly<Record<string, bigint>>;
  readonly floats: Readonly<Record<string, number>>;
}

/** One line of a stream: an entry, or why it is none. */
export type QrhiLine =
  | { readonly record: QrhiRecord }
  | {
      readonly record: null;
      readonly line: number;
      /** What is wrong with it, to follow "the line ". */
      readonly fault: string;
      /** Whether it begins as an entry does, and the stream ends within it. */
      readonly isCut: boolean;
      /** The start of the line. */
      readonly text: string;
      /** What Qt's viewer, which asks for less, makes of the line; null when it refuses it too. */
      readonly lenient: QrhiRecord | null;
    };
