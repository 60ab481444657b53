import { Command, InvalidArgumentError, Option } from 'commander';
import type { DriverName } from '../gl/context.ts';
import { waitAtMost } from '../model/position.ts';
import { version } from '../version.ts';
import { note } from './isolation/notebook.ts';
import { canvasSize, countFrom } from './option-values.ts';
import { checkOutput } from './output.ts';
import { timeoutOption } from './replay-options.ts';
import { say, sayLine } from './say.ts';

interface RecordGltfArguments {
  readonly output: string;
  readonly size: readonly [number, number];
  readonly camera?: string;
  readonly orbit?: number;
  readonly frames: number;
  readonly time: number;
  readonly driver: DriverName | 'auto';
  /** Seconds. */
  readonly timeout: number;
}

function decimal(least: number, most: number, unit: string): (text: string) => number {
  return (text) => {
    const value = /^[-+]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number of ${unit} from ${least} to ${most}.`);
  };
}

async function record(model: string, options: RecordGltfArguments): Promise<void> {
  checkOutput(options.output, model);
  note({ what: 'input', file: model });
  waitAtMost(options.timeout * 1000);
  const { openRecordingContext } = await import('./open-driver.ts');
  const { recordGltf } = await import('../record/gltf/record.ts');
  const [width, height] = options.size;
  const context = await openRecordingContext(options.driver);
  try {
    const { draws, notes } = await recordGltf(context, {
      model,
      output: options.output,
      width,
      height,
      frames: options.frames,
      timeSeconds: options.time,
      producer: `gpuprof ${version}`,
      render: {
        camera: options.camera === undefined ? { orbitDegrees: options.orbit ?? 30 } : { name: options.camera },
      },
    });
    const frames = options.frames === 1 ? '1 frame' : `${options.frames} frames`;
    sayLine(`${options.output}: ${frames} of ${draws} draws, ${width}x${height}, ${context.renderer}`);
    for (const note of notes) say(`note: ${note}`);
  } finally {
    context.destroy();
  }
}

/** `gpuprof record gltf`: draws a glTF model and captures it. */
export function recordGltfCommand(): Command {
  return new Command('gltf')
    .description('draw a glTF 2.0 model (.glb or .gltf) and capture the frame')
    .argument('<model>', 'the model')
    .requiredOption('-o, --output <file>', 'the capture to write')
    .option('--size <WxH>', 'size of the canvas in pixels', canvasSize, [960, 540] as const)
    .addOption(new Option('--camera <name>', "one of the model's cameras, by name or number").conflicts('orbit'))
    .option(
      '--orbit <degrees>',
      'see the whole model, from this far around it (default: 30)',
      decimal(-3600, 3600, 'degrees'),
    )
    .option('--frames <n>', 'frames to capture, 1/60 s apart', countFrom(1, 1000), 1)
    .option('--time <seconds>', 'time of the first frame in the animations', decimal(0, 1e6, 'seconds'), 0)
    .addOption(
      new Option('--driver <driver>', 'where the GL context comes from')
        .choices(['auto', 'egl', 'headless-gl'])
        .default('auto'),
    )
    .addOption(timeoutOption('a recording'))
    .addHelpText(
      'after',
      `
Examples:
  $ gpuprof record gltf model.glb -o frame.cap                        the whole model, from a default view
  $ gpuprof record gltf model.glb -o frame.cap --camera 0 --time 1.5  through its first camera, 1.5 s on
  $ gpuprof record gltf model.glb -o frame.cap --size 1920x1080 --orbit 90`,
    )
    .action(record);
}
