import { formatCall } from '../../src/gl/format-call.ts';
import type { TraceCall, TraceFunction, TraceValue } from '../../src/import/apitrace/trace.ts';
import { Session } from '../../src/import/apitrace/translate/session.ts';
import { Translator } from '../../src/import/apitrace/translate/translator.ts';
import { CaptureBuilder } from '../../src/import/capture-builder.ts';
import type { FrameRange, ImportSummary } from '../../src/import/formats.ts';
import { MemoryCaptureBuilder } from '../../src/import/memory-capture.ts';
import type { Canvas, Capture } from '../../src/model/capture.ts';

/** One call of a trace: name, arguments, result, and the thread that makes it, 0 by default. */
export type Traced = readonly [name: string, args: readonly TraceValue[], result?: TraceValue, thread?: number];

export interface Translated {
  readonly capture: Capture;
  readonly summary: ImportSummary;
  readonly canvas: Canvas;
  /** The setup, then the frames: a line for each call. */
  readonly lines: readonly (readonly string[])[];
}

/** What GLX programs begin with: a context of OpenGL 4.5 core, address 0xc1, current with window 7. */
export const current: readonly Traced[] = [
  ['glXCreateContextAttribsARB', [1, 2, null, true, [0x2091, 4, 0x2092, 5, 0x9126, 1, 0]], 0xc1],
  ['glXMakeCurrent', [1, 7, 0xc1], true],
];

export const swap: Traced = ['glXSwapBuffers', [1, 7]];

/** Translates calls as an importer does, without a file. */
export async function translated(calls: readonly Traced[], frames?: FrameRange): Promise<Translated> {
  const target = new MemoryCaptureBuilder();
  const builder = new CaptureBuilder(target, frames);
  const translator = new Translator(new Session(builder));
  const functions = new Map<string, TraceFunction>();
  let number = 0;
  for (const [name, args, result, thread = 0] of calls) {
    let traced = functions.get(name);
    if (!traced) {
      traced = { index: functions.size, name, args: args.map((_, at) => `a${at}`) };
      functions.set(name, traced);
    }
    const call: TraceCall = { number: number++, thread, function: traced, args, result };
    translator.translate(call);
    if (builder.isFull) break;
  }
  const summary = builder.finish({ sourceCalls: number, isComplete: true, ending: null });
  const capture = target.finish('some.trace', {
    api: 'gl',
    apiVersion: [4, 5],
    profile: 'core',
    origin: { producer: '', driver: '', vendor: '', renderer: '', version: '' },
    canvas: builder.canvas,
    requires: { extensions: [], limits: {} },
  });
  const { manifest } = capture;
  const streams = [await capture.setup()];
  for (let frame = 1; frame <= manifest.frames.length; frame++) streams.push(await capture.frame(frame));
  const lines = streams.map((stream) => [...stream].map((call) => formatCall(call, manifest)));
  return { capture, summary, canvas: builder.canvas, lines };
}
