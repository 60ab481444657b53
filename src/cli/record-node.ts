import { Command } from 'commander';
import { version } from '../version.ts';
import { countFrom, seconds } from './option-values.ts';
import { checkOutput } from './output.ts';
import { say, sayLine } from './say.ts';

interface RecordNodeArguments {
  readonly output: string;
  readonly frame: number;
  readonly frames: number;
  readonly timeout: number;
}

async function record(script: string, args: readonly string[], options: RecordNodeArguments): Promise<void> {
  const { output, frame, frames, timeout } = options;
  checkOutput(output, script);
  const { recordNodeProgram } = await import('../record/node/run-program.ts');
  const producer = `gpuprof ${version}`;
  const { canvas, calls, notes } = await recordNodeProgram({
    script,
    args,
    output,
    frame,
    frames,
    timeoutSeconds: timeout,
    producer,
  });
  const which = frames === 1 ? `frame ${frame}` : `frames ${frame} to ${frame + frames - 1}`;
  const size = `${canvas.width}x${canvas.height}`;
  sayLine(`${output}: ${which} of ${script}, ${calls} ${calls === 1 ? 'call' : 'calls'}, ${size}`);
  for (const note of notes) say(`note: ${note}`);
}

/** `gpuprof record node`: runs a program that draws with headless-gl and captures a frame of it. */
export function recordNodeCommand(): Command {
  return new Command('node')
    .description('run a Node program that draws with headless-gl and capture a frame of it')
    .argument('<script>', 'the program: JavaScript, or what else this Node runs')
    .argument('[args...]', 'its arguments, after --')
    .requiredOption('-o, --output <file>', 'the capture to write')
    .option('--frame <n>', 'the frame to capture', countFrom(1, 1_000_000), 1)
    .option('--frames <n>', 'frames to capture, one after the other', countFrom(1, 1000), 1)
    .option('--timeout <seconds>', 'how long to wait for the frame', seconds, 60)
    .addHelpText(
      'after',
      `
A frame ends when the program reads the canvas with readPixels, when its turn of the event loop ends, and when it exits; it
counts when something was drawn in it. What comes before the first draw is setup. Once the frame is captured the program is
ended (SIGTERM, and SIGKILL after 2 s) and its exit code is ignored. Options of Node go into NODE_OPTIONS.

Examples:
  $ gpuprof record node thumbnails.js -o frame.cap                      the first frame
  $ gpuprof record node simulate.mjs -o frame.cap --frame 100           the hundredth
  $ gpuprof record node render.js -o frame.cap -- model.glb --size 512  with the program's own arguments`,
    )
    .action(record);
}
