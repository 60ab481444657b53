/** The kinds of foreign captures that can be imported. */
import { open, stat } from 'node:fs/promises';
import type { CaptureHead } from '../model/sink.ts';
import { containerOf } from './apitrace/container/container-of.ts';
import type { ImportTarget } from './import-target.ts';

/** Frames of the source, from 1, both included. */
export interface FrameRange {
  readonly first: number;
  readonly last: number;
}

export interface ImportOptions {
  /** All frames when left out. */
  readonly frames?: FrameRange;
}

/** Calls of one command that are not in the capture, though they do something. */
export interface DroppedCalls {
  readonly name: string;
  readonly count: number;
  /** As the end of "left out, since ...". */
  readonly why: string;
}

/** What an import came to. */
export interface ImportSummary {
  /** Calls of the source that were read, questions to GL and all. */
  readonly sourceCalls: number;
  /** Frames of the source that were read, those before the first that was asked for included. */
  readonly sourceFrames: number;
  /** Calls of the capture. */
  readonly calls: number;
  readonly frames: number;
  /** Of all frames. */
  readonly draws: number;
  readonly notes: readonly string[];
  /** By name, each with one reason. */
  readonly dropped: readonly DroppedCalls[];
  readonly isComplete: boolean;
  /** In one sentence, what is missing; null when the source is complete. */
  readonly ending: string | null;
}

export interface Imported {
  readonly head: CaptureHead;
  readonly summary: ImportSummary;
}

export interface Importer {
  /**
   * Reads the file and puts its calls into the target. Throws GpuprofError `bad-input` with the offset for a malformed
   * file, and for one that holds nothing that could be replayed.
   */
  importInto(path: string, target: ImportTarget, options: ImportOptions): Promise<Imported>;
}

export interface ImportFormat {
  /** As people call it: "apitrace". */
  readonly name: string;
  /** `firstBytes` are the first 64, fewer of a shorter file. */
  recognises(firstBytes: Uint8Array, path: string): boolean;
  /** What does the work is loaded when it is needed. */
  load(): Promise<Importer>;
}

const headBytes = 64;

const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
const isRdc = (bytes: Uint8Array): boolean => text(bytes.subarray(0, 4)) === 'RDOC';

export const importFormats: readonly ImportFormat[] = [
  {
    name: 'apitrace',
    // Brotli has no mark of its own, so its traces go by their name.
    recognises: (bytes, path) =>
      containerOf(bytes) !== 'brotli' || (/\.trace$/i.test(path) && text(bytes.subarray(0, 2)) !== 'PK'),
    load: async () => ({ importInto: (await import('./apitrace/import-trace.ts')).importTrace }),
  },
  {
    name: 'RenderDoc',
    recognises: (bytes, path) =>
      isRdc(bytes) ||
      /\.zip\.xml$/i.test(path) ||
      (/\.xml$/i.test(path) && /^(\ufeff|\xef\xbb\xbf)?\s*<\?xml|^<rdc/.test(text(bytes))),
    load: async () => ({ importInto: (await import('./renderdoc/import-renderdoc.ts')).importRenderDoc }),
  },
];

/** The format of a file that begins like this, or null when it is none that can be imported. */
export const importFormatFor = (firstBytes: Uint8Array, path: string): ImportFormat | null =>
  importFormats.find((format) => format.recognises(firstBytes, path)) ?? null;

/** The format of a file, or null when it is none that can be imported; also when it cannot be read. */
export async function importFormatOf(path: string): Promise<ImportFormat | null> {
  try {
    // A pipe would wait for its writer.
    if (!(await stat(path)).isFile()) return null;
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
      return importFormatFor(buffer.subarray(0, bytesRead), path);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
