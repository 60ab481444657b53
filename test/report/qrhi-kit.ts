/** Captures of calls, and the streams that replaying them would write: the clock is the test's. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openCapture } from '../../src/capture/open.ts';
import { CaptureWriter } from '../../src/capture/write.ts';
import type { Argument } from '../../src/model/call.ts';
import { captureLife } from '../../src/model/life/capture-life.ts';
import type { QtNumbering } from '../../src/model/qrhi/texture-formats.ts';
import type { CaptureHead } from '../../src/model/sink.ts';
import { StreamRecorder } from '../../src/report/qrhi/stream-recorder.ts';
import { call, head, withFolder } from '../capture/sample.ts';
import { sharedPath } from '../helpers/files.ts';

export type Line = readonly [name: string, ...args: Argument[]];

/** So many zeros. */
export const bytes = (length: number): Argument => ({ kind: 'inline', bytes: new Uint8Array(length) });

export interface Calls {
  readonly setup: readonly Line[];
  readonly frames?: readonly (readonly Line[])[];
  readonly api?: CaptureHead['api'];
  readonly canvas?: Partial<CaptureHead['canvas']>;
}

export interface Playing {
  readonly numbering?: QtNumbering;
  readonly interval?: number | null;
  /** By frame: for each of its runs, milliseconds from the end before to its beginning, and until its end. */
  readonly runs?: readonly (readonly (readonly [number, number])[])[];
  readonly after?: (recorder: StreamRecorder) => void;
}

/** The stream of a replay of these calls. */
export function streamOf(calls: Calls, playing: Playing = {}): Promise<string> {
  return withFolder(async (folder) => {
    const path = join(folder, 'calls.cap');
    const api = calls.api ?? 'webgl2';
    const writer = await CaptureWriter.create(path, {
      ...head,
      api,
      ...(api === 'gl' && { apiVersion: [4, 5], profile: 'core' }),
      canvas: { ...head.canvas, ...calls.canvas },
    });
    for (const [name, ...args] of calls.setup) call(writer, name, args);
    for (const frame of calls.frames ?? [[]]) {
      writer.beginFrame();
      for (const [name, ...args] of frame) call(writer, name, args);
    }
    await writer.finish({});
    const capture = await openCapture(path);
    try {
      const { canvas, frames } = capture.manifest;
      let [nowNs, text] = [0, ''];
      const recorder = new StreamRecorder(
        await captureLife(capture, frames.length),
        { ...canvas, hasDepthStencil: canvas.depth || canvas.stencil },
        (lines) => {
          text += lines;
        },
        { interval: playing.interval ?? null, numbering: playing.numbering ?? 5, nowNs: () => nowNs },
      );
      for (let index = 0; index < calls.setup.length; index++) recorder.setupCall(index);
      recorder.setupDone();
      for (const [frame, runs] of (playing.runs ?? []).entries()) {
        if (frame > 0) recorder.frameLeft();
        for (const [gapMs, buildMs] of runs) {
          recorder.restored();
          nowNs += gapMs * 1e6;
          recorder.runBegins();
          nowNs += buildMs * 1e6;
          recorder.runEnds(frame + 1);
        }
        recorder.restored();
      }
      playing.after?.(recorder);
      recorder.close();
      return text;
    } finally {
      await capture.close();
    }
  });
}

/** Lines of these ops without timestamp and trailing comma. */
export const linesOf = (stream: string, ...ops: readonly number[]): string[] =>
  stream
    .split('\n')
    .filter((line) => ops.includes(Number(line.split(',')[0])))
    .map((line) => line.replace(/^(\d+),\d+,/, '$1,').replace(/,$/, ''));

const checker = sharedPath('qrhi/qrhi_check.py');
const hasChecker = checker !== undefined && spawnSync('python3', ['--version']).status === 0;
export const noChecker = !hasChecker && '../shared/qrhi/qrhi_check.py or python3 is absent';

/** What the checker says in its strictest mode; `ok` when nothing is wrong. */
export function check(path: string, numbering: QtNumbering = 5): string {
  const { status, stdout } = spawnSync('python3', [checker!, '--strict', '--qt', String(numbering), path], {
    encoding: 'utf8',
  });
  return status === 0 ? 'ok' : stdout;
}
