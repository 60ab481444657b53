/** A capture that any driver replays to the same pixels: two groups, a clear and two draws on an 8x4 canvas. */
import { encodePng } from '../../src/capture/png.ts';
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import type { Argument } from '../../src/model/call.ts';
import type { CaptureHead, CaptureSink } from '../../src/model/sink.ts';

const size = { width: 8, height: 4 };

const head: CaptureHead = {
  api: 'webgl2',
  apiVersion: [3, 0],
  origin: { producer: 'test', driver: 'none', vendor: 'v', renderer: 'Acme One', version: '1' },
  canvas: { ...size, alpha: true, depth: false, stencil: false, samples: 0, preserved: false },
  requires: { extensions: [], limits: {} },
};

const vertexShader = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }`;
const fragmentShader = `#version 300 es
precision mediump float;
uniform vec4 colour;
out vec4 result;
void main() { result = colour; }`;

const floats = (...values: number[]): Argument => ({
  kind: 'inline',
  bytes: new Uint8Array(Float32Array.from(values).buffer),
});

const caller =
  (sink: CaptureSink) =>
  (name: string, args: readonly Argument[], result?: number): void => {
    const signature = signatureOf(name);
    if (!signature) throw new Error(`no command ${name}`);
    sink.call(signature, args, result);
  };

function recordSetup(sink: CaptureSink): void {
  const call = caller(sink);
  call('glCreateProgram', [], 1);
  for (const [shader, kind, source] of [
    [1, 0x8b31, vertexShader],
    [2, 0x8b30, fragmentShader],
  ] as const) {
    call('glCreateShader', [kind], shader);
    call('glShaderSource', [shader, 1, [source], null]);
    call('glCompileShader', [shader]);
    call('glAttachShader', [1, shader]);
  }
  call('glLinkProgram', [1]);
  call('glUseProgram', [1]);
}

function recordFrame(
  sink: CaptureSink,
  lastColour: readonly number[],
  { wrongCall, extraDraw }: Pick<SmallCapture, 'wrongCall' | 'extraDraw'>,
): void {
  const call = caller(sink);
  const colour = sink.location(1, 'colour');
  sink.beginFrame();
  call('glPushGroupMarkerEXT', [0, 'sky']);
  call('glClearColor', [0, 0, 1, 1]);
  call('glClear', [0x4000]);
  call('glPopGroupMarkerEXT', []);
  call('glPushGroupMarkerEXT', [0, '=ground\u001b[2J']);
  call('glUniform4fv', [colour, 1, floats(0, 1, 0, 1)]);
  call('glDrawArrays', [4, 0, 3]);
  if (wrongCall) call('glEnable', [0xdead]);
  if (extraDraw) call('glDrawArrays', [4, 0, 3]);
  call('glUniform4fv', [colour, 1, floats(...lastColour)]);
  call('glDrawArrays', [4, 0, 3]);
  call('glPopGroupMarkerEXT', []);
}

export interface SmallCapture {
  readonly frames?: number;
  /** Pixels of the reference that are not what the replay draws. */
  readonly wrongPixels?: number;
  readonly withoutReference?: boolean;
  readonly notes?: readonly string[];
  /** A call that raises a GL error. */
  readonly wrongCall?: boolean;
  /** One draw more, which the last hides. */
  readonly extraDraw?: boolean;
}

/** Writes the capture; every frame ends with an all-magenta canvas. */
export async function writeSmallCapture(path: string, options: SmallCapture = {}): Promise<string> {
  const writer = await CaptureWriter.create(path, head);
  recordSetup(writer);
  for (let frame = 0; frame < (options.frames ?? 1); frame++) recordFrame(writer, [1, 0, 1, 1], options);
  const data = new Uint8Array(size.width * size.height * 4);
  for (let at = 0; at < data.length; at += 4) data.set([255, 0, 255, 255], at);
  for (let pixel = 0; pixel < (options.wrongPixels ?? 0); pixel++) data[pixel * 4] -= 10;
  const { notes = [] } = options;
  await writer.finish(options.withoutReference ? {} : { reference: encodePng({ ...size, data }), notes });
  return path;
}
