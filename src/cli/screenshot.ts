import { Command, InvalidArgumentError } from 'commander';
import { GpuprofError } from '../errors.ts';
import type { Capture } from '../model/capture.ts';
import { waitAtMost } from '../model/position.ts';
import type { TargetValues } from '../model/target-values.ts';
import { note } from './isolation/notebook.ts';
import { countFrom } from './option-values.ts';
import { checkOutput, writeOutput } from './output.ts';
import { choice, driverChoices, type ReplayOptions, timeoutOption } from './replay-options.ts';
import { say } from './say.ts';
import { targetText } from './target-text.ts';

interface ScreenshotOptions extends Pick<ReplayOptions, 'driver' | 'browser' | 'api' | 'timeout'> {
  readonly frame?: number;
  readonly event?: number;
  readonly framebuffer?: number;
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
  try {
    const replayer = await Replayer.create(context, capture);
    await replayer.watch(frame, (event) => event < eventId);
    // Nobody who names no event thinks of what happens to be bound at the end.
    const framebuffer = options.framebuffer ?? (options.event === undefined ? 0 : undefined);
    const target = replayer.readTarget(options.attachment, framebuffer);
    const [first] = replayer.glErrors;
    if (first)
      say(`${replayer.glErrors.length} calls up to there raised GL errors, first ${first.call}: ${first.error}`);
    return target;
  } finally {
    context.destroy();
  }
}

async function screenshot(file: string, options: ScreenshotOptions): Promise<void> {
  if (options.browser !== undefined && options.driver !== 'swiftshader')
    throw new GpuprofError('bad-usage', '--browser is for --driver swiftshader', { hint: 'add --driver swiftshader' });
  checkOutput(options.output, file);
  note({ what: 'input', file });
  waitAtMost(options.timeout * 1000);
  const [{ openAnyCapture }, { encodePng }, { targetPicture }] = await Promise.all([
    import('./open-capture.ts'),
    import('../capture/png.ts'),
    import('../analysis/target-picture.ts'),
  ]);
  const capture = await openAnyCapture(file);
  const target = await read(capture, options).finally(() => capture.close());
  const picture = targetPicture(target);
  await writeOutput(options.output, [encodePng(picture)]);
  say(targetText(target, picture));
}

/** `gpuprof screenshot`: a render target as it is after an event. */
export function screenshotCommand(): Command {
  return new Command('screenshot')
    .argument('<file>', 'a capture (.cap), or a file that can be imported')
    .requiredOption('-o, --output <file>', 'the PNG to write, - for standard output')
    .option('--frame <n>', 'which frame, from 1 (default: the last)', countFrom(1, mostNumbered))
    .option('--event <n>', 'after which event of the frame (default: the last)', countFrom(1, mostNumbered))
    .option(
      '--framebuffer <id>',
      'which framebuffer, 0 is the canvas (default: the one bound for drawing; without --event the canvas)',
      countFrom(0, mostNumbered),
    )
    .option(
      '--attachment <name>',
      'COLOR0 to COLOR31, depth or stencil of it (default: the first it has)',
      attachmentName,
    )
    .addOption(choice('--driver <driver>', 'where the GL context comes from', driverChoices, 'auto'))
    .option('--browser <path>', 'for --driver swiftshader: the Chromium or Chrome that recorded (default: on PATH)')
    .addOption(choice('--api <api>', 'OpenGL ES or desktop OpenGL (default: what the capture needs)', ['es', 'gl']))
    .addOption(timeoutOption())
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
