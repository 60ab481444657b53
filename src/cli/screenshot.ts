import { Command, InvalidArgumentError } from 'commander';
import type { TargetPicture } from '../analysis/target-picture.ts';
import { GpuprofError } from '../errors.ts';
import type { Capture } from '../model/capture.ts';
import type { TargetValues } from '../model/target-values.ts';
import { printable } from '../report/printable.ts';
import { countFrom } from './option-values.ts';
import { checkOutput, writeOutput } from './output.ts';
import { choice, driverChoices, type ReplayOptions } from './replay-options.ts';

interface ScreenshotOptions extends Pick<ReplayOptions, 'driver' | 'browser' | 'api'> {
  readonly frame?: number;
  readonly event?: number;
  readonly attachment?: string;
  readonly output: string;
}

const mostNumbered = 1_000_000_000;
const attachmentPattern = /^(?:COLOR(?:[12]?[0-9]|3[01])|DEPTH|STENCIL)$/;

function attachmentName(text: string): string {
  const name = text.toUpperCase();
  if (!attachmentPattern.test(name)) throw new InvalidArgumentError('It must be COLOR0 to COLOR31, depth or stencil.');
  return name.startsWith('COLOR') ? name : name.toLowerCase();
}

/** The frame and the event after which the picture is taken; the last ones unless named. */
async function chosenEvent(capture: Capture, options: ScreenshotOptions): Promise<{ frame: number; eventId: number }> {
  const { frames } = capture.manifest;
  const frame = options.frame ?? frames.length;
  if (frame > frames.length)
    throw new GpuprofError('bad-usage', `${capture.path} has no frame ${frame}`, {
      hint: frames.length === 1 ? 'it has one frame' : `its frames are 1 to ${frames.length}`,
    });
  const events = (await capture.frame(frame)).length;
  if (options.event !== undefined && options.event > events)
    throw new GpuprofError('bad-usage', `frame ${frame} has no event ${options.event}`, {
      hint: `its events are 1 to ${events}; gpuprof dump lists them`,
    });
  return { frame, eventId: options.event ?? events };
}

async function read(capture: Capture, options: ScreenshotOptions): Promise<TargetValues> {
  const { frame, eventId } = await chosenEvent(capture, options);
  const [{ Replayer }, { openDriver }] = await Promise.all([
    import('../replay/replayer.ts'),
    import('./open-driver.ts'),
  ]);
  const context = await openDriver(options, capture.manifest);
  const replayer = await Replayer.create(context, capture);
  await replayer.watch(frame, (event) => event < eventId);
  return replayer.readTarget(options.attachment);
}

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(6));

/** What the picture shows, with the range that its 8 bits stand for. */
function description({ attachment, framebuffer, kind }: TargetValues, { width, height, range }: TargetPicture): string {
  const shown = kind === 'normalized' ? '' : `; 0 to 255 shows ${number(range.low)} to ${number(range.high)} (${kind})`;
  return `${attachment} of ${framebuffer}, ${width}x${height}${shown}`;
}

async function screenshot(file: string, options: ScreenshotOptions): Promise<void> {
  checkOutput(options.output, file);
  const [{ openAnyCapture }, { encodePng }, { targetPicture }] = await Promise.all([
    import('./open-capture.ts'),
    import('../capture/png.ts'),
    import('../analysis/target-picture.ts'),
  ]);
  const capture = await openAnyCapture(file);
  const target = await read(capture, options).finally(() => capture.close());
  const picture = targetPicture(target);
  await writeOutput(options.output, [encodePng(picture)]);
  process.stderr.write(`gpuprof: ${printable(description(target, picture))}\n`);
}

/** `gpuprof screenshot`: a render target as it is after an event. */
export function screenshotCommand(): Command {
  return new Command('screenshot')
    .description('show a render target after an event, as a PNG')
    .argument('<file>', 'a capture (.cap), or a file that can be imported')
    .requiredOption('-o, --output <file>', 'the PNG to write, - for standard output')
    .option('--frame <n>', 'which frame, from 1 (default: the last)', countFrom(1, mostNumbered))
    .option('--event <n>', 'after which event of the frame (default: the last)', countFrom(1, mostNumbered))
    .option(
      '--attachment <name>',
      'COLOR0 to COLOR31, depth or stencil of the framebuffer bound for drawing (default: the first it has)',
      attachmentName,
    )
    .addOption(choice('--driver <driver>', 'where the GL context comes from', driverChoices, 'auto'))
    .option('--browser <path>', 'for --driver swiftshader: the Chromium or Chrome that recorded (default: on PATH)')
    .addOption(choice('--api <api>', 'OpenGL ES or desktop OpenGL (default: what the capture needs)', ['es', 'gl']))
    .addHelpText(
      'after',
      `
Multisampled targets are resolved. Floats and integers outside the range of a picture, depth and stencil are spread over
0 to 255, and the range is told; depth and stencil are grey.

Examples:
  $ gpuprof screenshot scene.cap -o scene.png                              the canvas at the end
  $ gpuprof screenshot scene.cap --event 347 -o shadows.png                what is drawn into after event 347
  $ gpuprof screenshot scene.cap --event 347 --attachment depth -o z.png   its depth`,
    )
    .action(screenshot);
}
