import { Script } from 'node:vm';
import { Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../version.ts';
import { canvasSize, countFrom, seconds } from './option-values.ts';
import { checkOutput } from './output.ts';
import { startProgress } from './progress.ts';
import { say, sayLine } from './say.ts';

interface RecordPageArguments {
  readonly output: string;
  readonly frame?: number;
  readonly after?: number;
  readonly trigger?: string;
  readonly frames: number;
  readonly canvas?: string;
  readonly size: readonly [number, number];
  readonly browser?: string;
  readonly browserArg: readonly string[];
  readonly headed: boolean;
  readonly timeout: number;
}

function expression(text: string): string {
  try {
    new Script(`(() => (${text}\n))`);
    return text;
  } catch (error) {
    throw new InvalidArgumentError(`It must be a JavaScript expression (${(error as Error).message}).`);
  }
}

async function record(page: string, options: RecordPageArguments): Promise<void> {
  checkOutput(options.output, page);
  const { recordPage } = await import('../record/page/record-page.ts');
  const { output, frame, after, trigger, frames, canvas, browser, headed, browserArg, timeout } = options;
  const [width, height] = options.size;
  const progress = await startProgress('starting the browser');
  try {
    const taken = await recordPage({
      page,
      output,
      ...(frame !== undefined && { frame }),
      ...(after !== undefined && { afterMs: after }),
      ...(trigger !== undefined && { trigger }),
      frames,
      ...(canvas !== undefined && { canvas }),
      width,
      height,
      ...(browser !== undefined && { browser }),
      browserArgs: browserArg,
      headed,
      timeoutMs: timeout * 1000,
      producer: `gpuprof ${version}`,
      progress: (text) => progress.update(text),
    });
    progress.stop();
    const count = taken.frames === 1 ? '1 frame' : `${taken.frames} frames`;
    const size = `${taken.canvas.width}x${taken.canvas.height}`;
    sayLine(`${output}: ${count} of ${taken.calls} calls, ${taken.draws} draws, ${size}, ${taken.renderer}`);
    for (const note of taken.notes) say(`note: ${note}`);
  } finally {
    progress.stop();
  }
}

/** `gpuprof record page`: captures a frame of a web page in an installed browser. */
export function recordPageCommand(): Command {
  return new Command('page')
    .description('capture a frame of a web page that draws with WebGL, in an installed Chromium or Chrome')
    .argument('<page>', 'a URL or an HTML file')
    .requiredOption('-o, --output <file>', 'the capture to write')
    .addOption(
      new Option('--frame <n>', "the canvas's n-th frame, from 1")
        .argParser(countFrom(1, 1e9))
        .conflicts(['after', 'trigger']),
    )
    .addOption(
      new Option('--after <ms>', 'the first frame so many milliseconds after the page was asked for')
        .argParser(countFrom(0, 3_600_000))
        .conflicts('trigger'),
    )
    .option('--trigger <expression>', 'the first frame for which this JavaScript is true in the page', expression)
    .option('--frames <k>', 'frames to capture, one after the other', countFrom(1, 1000), 1)
    .option('--canvas <selector>', 'CSS selector of the canvas, when there are several')
    .option('--size <WxH>', "size of the window's inside in pixels", canvasSize, [1280, 720] as const)
    .option('--browser <path>', 'the browser program (default: $GPUPROF_BROWSER, $CHROME_PATH, or the first found)')
    .option(
      '--browser-arg <argument>',
      'one more argument for the browser; may be repeated',
      (text: string, all: readonly string[]) => [...all, text],
      [] as readonly string[],
    )
    .option('--headed', 'show the browser', false)
    .option('--timeout <seconds>', 'give up after this long', seconds, 60)
    .addHelpText(
      'after',
      `
Without --frame, --after and --trigger the page is left to load and settle, and then its next frame is recorded; a page that
has stopped drawing is loaded again for the last frame it drew.

Examples:
  $ gpuprof record page scene.html -o frame.cap
  $ gpuprof record page https://example.org/ -o frame.cap --after 5000 --size 1920x1080
  $ gpuprof record page scene.html -o frame.cap --canvas '#view' --trigger 'window.loaded'
  $ gpuprof record page scene.html -o frame.cap --browser-arg=--use-angle=gl   # on the GPU`,
    )
    .action(record);
}
