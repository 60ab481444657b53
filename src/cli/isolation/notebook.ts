/**
 * What a command that runs in a process of its own leaves outside of it: the position of its replay, and what it has
 * measured so far. The supervisor made the file, which has no name any more, and reads it when the process is gone.
 */
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { onTemporary, outputFailure } from '../../capture/whole-file.ts';
import { GpuprofError } from '../../errors.ts';
import { word, wordCount, writePositionTo } from '../../model/position.ts';
import type { Environment } from '../../model/report.ts';
import type { FrameMeasurement, PlainSample, RunSample } from '../../model/sample.ts';
import type { NoTimer, TimerChoice } from '../../query/choose-timer.ts';
import type { TimerMethod } from '../../query/timer-method.ts';
import type { ReplayOptions } from '../replay-options.ts';
import type { Output } from '../report-outputs.ts';

/** The method is functions; its name is enough for a report. */
export type NotedTimer = Omit<TimerChoice | NoTimer, 'method'> & { readonly method: Pick<TimerMethod, 'name'> | null };

/** As measureFrame hands them out. */
export type Sample = { readonly plain: PlainSample } | { readonly run: RunSample };

export type Note =
  | {
      readonly what: 'replay';
      readonly file: string;
      readonly options: ReplayOptions;
      readonly outputs: readonly Output[];
    }
  /** What a command that measures nothing works on. */
  | { readonly what: 'input'; readonly file: string }
  /** A file that is not to stay when the process is killed. */
  | { readonly what: 'temporary'; readonly path: string }
  | { readonly what: 'set-up'; readonly environment: Environment; readonly timer: NotedTimer }
  | { readonly what: 'sample'; readonly frame: number; readonly sample: Sample }
  | { readonly what: 'frame'; readonly measurement: FrameMeasurement };

/** Where the file is open in the process: after the standard streams and the channel to the supervisor. */
export const notebookFile = 4;
/** The position stands before the notes. */
const notesAt = 4096;
/** Notes are for the worst case only: a long measurement keeps its beginning. */
const mostNotesBytes = 128 * 2 ** 20;

let end = notesAt;
let isOpen = false;

/** Begins to keep the position there. Only in a process that the supervisor started. */
export async function openNotebook(): Promise<void> {
  const { mapWords } = await import('../../gl/shared-words.ts');
  const words = mapWords(notebookFile, wordCount);
  if (!words) return;
  writePositionTo(words);
  words[word.life] = 1;
  process.once('exit', (code) => {
    words[word.life] = 2 + code;
  });
  isOpen = true;
  onTemporary((path) => note({ what: 'temporary', path }));
}

/** Writes it down where there is a supervisor to read it, and room for it. */
export function note(what: Note): void {
  if (!isOpen) return;
  const body = serialize(what);
  if (end + body.length > mostNotesBytes) return;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  try {
    writeSync(notebookFile, body, 0, body.length, end + 4);
    writeSync(notebookFile, length, 0, 4, end);
    end += 4 + body.length;
  } catch {
    // A full disk costs what would be kept in a crash, not the measurement.
    isOpen = false;
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows keeps a file that is open: the system's own clean-up takes it.
  }
}

/**
 * An open file of nothing yet, which has no name: nothing of it is left, however this process ends. Throws GpuprofError
 * `output-failed` where there is no room for temporary files.
 */
export function makeNotebook(): number {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'gpuprof-'));
    let file: number;
    try {
      file = openSync(join(folder, 'notes'), 'w+');
    } finally {
      removeFolder(folder);
    }
    // Not only its length: to write where a full disk has no page kills the process that does.
    writeSync(file, Buffer.alloc(notesAt));
    return file;
  } catch (cause) {
    throw new GpuprofError('output-failed', outputFailure(join(tmpdir(), 'gpuprof'), cause).message, {
      hint: 'name another folder for temporary files with TMPDIR',
      cause,
    });
  }
}

export function readPosition(file: number): Uint32Array {
  const words = new Uint32Array(wordCount);
  readSync(file, words, 0, words.byteLength, 0);
  return words;
}

/** What has been written down whole, in order. */
export function* readNotes(file: number): Generator<Note> {
  const length = Buffer.alloc(4);
  for (let at = notesAt; readSync(file, length, 0, 4, at) === 4; ) {
    const body = Buffer.alloc(length.readUInt32LE());
    if (body.length === 0 || readSync(file, body, 0, body.length, at + 4) < body.length) return;
    yield deserialize(body) as Note;
    at += 4 + body.length;
  }
}

/** Removes what a process that was killed had no time to. */
export function removeTemporaries(file: number): void {
  if (readPosition(file)[word.life] >= 2) return;
  for (const note of readNotes(file)) if (note.what === 'temporary') rmSync(note.path, { force: true });
}
