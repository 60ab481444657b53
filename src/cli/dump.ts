import { Command, InvalidArgumentError, Option } from 'commander';
import type { Capture } from '../model/capture.ts';
import { jsonText } from '../report/json-text.ts';

interface DumpOptions {
  readonly format: 'text' | 'json';
  readonly frame?: number;
  readonly setup?: true;
}

function frameNumber(text: string): number {
  const frame = Number(text);
  if (!Number.isInteger(frame) || frame < 1) throw new InvalidArgumentError('Frames count from 1.');
  return frame;
}

/** Lines of the streams asked for: all of them, unless some are named. */
async function* dumpLines(capture: Capture, { format, frame, setup }: DumpOptions): AsyncGenerator<string> {
  const { formatCall } = await import('../gl/format-call.ts');
  const { callJson } = await import('../gl/call-json.ts');
  const { manifest } = capture;
  const all = frame === undefined && setup === undefined;
  const frames = frame === undefined ? (all ? manifest.frames.map((_, index) => index + 1) : []) : [frame];
  for (const number of setup || all ? [0, ...frames] : frames) {
    const stream = await (number === 0 ? capture.setup() : capture.frame(number));
    const name = number === 0 ? 'setup' : `frame ${number}`;
    if (format === 'text') yield `# ${name}: ${stream.length} calls`;
    let eventId = 0;
    for (const call of stream) {
      eventId++;
      if (format === 'text') yield `${eventId} ${formatCall(call, manifest)}`;
      else yield jsonText({ frame: number === 0 ? null : number, eventId, ...callJson(call, manifest) });
    }
  }
}

/** `gpuprof dump FILE`: every call, one a line. */
export function dumpCommand(): Command {
  return new Command('dump')
    .argument('<file>', 'a capture (.cap), or a file that can be imported')
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json']).default('text'))
    .option('--frame <number>', 'only this frame', frameNumber)
    .option('--setup', 'only the setup')
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof dump scene.cap --frame 1 | grep glDraw         the draws of the first frame
  $ gpuprof dump scene.cap --setup --format json           how the objects are built, for a program

text: "EVENT CALL" lines after a "# setup: N calls" or "# frame N: N calls" line.
json: JSON lines, one object a call: {"frame": null for the setup, "eventId", "name", "args": {...}, "result"}.
      Objects are {"texture": 5}; uniform locations {"program": 3, "uniform": "uColor"}; data is a list of numbers,
      {"resource", "byteOffset", "byteLength"} or {"offset"} into the bound buffer.`,
    )
    .action(async (file: string, options: DumpOptions) => {
      const { openAnyCapture } = await import('./open-capture.ts');
      const { printLines } = await import('./print-lines.ts');
      const { isUnconvertible, rdcDump, refuseParts } = await import('./rdc.ts');
      if (await isUnconvertible(file)) {
        refuseParts(options.frame, options.setup);
        return printLines(rdcDump(file, options.format));
      }
      const capture = await openAnyCapture(file);
      try {
        await printLines(dumpLines(capture, options));
      } finally {
        await capture.close();
      }
    });
}
