import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyCapture } from '../../src/capture/copy.ts';
import { openCapture } from '../../src/capture/open.ts';
import { aboutFile } from '../../src/errors.ts';
import type { DriverName, GlContext } from '../../src/gl/context.ts';
import { formatCall } from '../../src/gl/format-call.ts';
import { openContext } from '../../src/gl/open.ts';
import { importFormats } from '../../src/import/formats.ts';
import { importCapture } from '../../src/import/import-capture.ts';
import { Bindings } from '../../src/model/bindings.ts';
import type { Capture, Manifest } from '../../src/model/capture.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import type { Signature } from '../../src/model/signature.ts';
import { Replayer } from '../../src/replay/replayer.ts';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { samplePath } from '../helpers/files.ts';
import { pick, type Random } from '../helpers/random.ts';
import {
  callsOf,
  damagedCalls,
  manifestOf,
  type Parts,
  partsOf,
  putCalls,
  rearranged,
  signatureIndex,
  zipped,
} from './capture-parts.ts';
import { command } from './command.ts';
import type { Reader } from './reader.ts';
import { strangersOf, withStranger } from './strangers.ts';

/** As `--max-memory` would have it, so that what the driver takes says something. */
const maxGpuBytes = 256 * 2 ** 20;
/** What they use between them: client arrays, display lists, mappings, texels of every format, pixel buffers. */
const traces = [
  'gl-core-4.5',
  'gl-client-arrays',
  'gl-lists',
  'gl-mapping',
  'gl-texture-formats',
  'gl-pixel-buffers',
  'es-3.2',
];
const traceFile = (name: string): string => fileURLToPath(new URL(`../import/traces/${name}.trace`, import.meta.url));

/** Those that take long to draw come first. */
async function sampleParts(driver: DriverName, folder: string): Promise<Parts[]> {
  const small = await writeSmallCapture(join(folder, 'small.cap'), { frames: 2, extraDraw: true });
  const paths = [samplePath('scene'), small, samplePath('ten-batches')];
  if (driver === 'egl')
    for (const name of traces) {
      const { capture } = await importCapture(traceFile(name), importFormats[0]);
      const path = join(folder, `${name}.cap`);
      await copyCapture(capture, path);
      paths.push(path);
    }
  return Promise.all(paths.map(partsOf));
}

/** The calls of the setup, of a frame, or of both are damaged. */
function damage(random: Random, parts: Parts, strangers: readonly Signature[]): void {
  const added = Array.from({ length: Math.max(0, random(6) - 2) }, () =>
    signatureIndex(parts, pick(random, strangers)),
  );
  const manifest = manifestOf(parts);
  const frame = 1 + random(manifest.frames.length);
  for (const stream of pick(random, [[0], [frame], [frame], [0, frame]])) {
    let calls = callsOf(parts, manifest, stream);
    if (random(4) === 0 && calls.starts.length > 1) calls = rearranged(random, calls);
    for (const index of added) calls = withStranger(random, calls, manifest, index);
    putCalls(parts, stream, damagedCalls(random, calls, manifest, 1 + random(4)));
  }
}

/** What is worked out of the calls without GL. */
async function analyse(capture: Capture): Promise<void> {
  const { manifest } = capture;
  const bindings = new Bindings();
  for (const call of await capture.setup()) {
    formatCall(call, manifest);
    bindings.apply(call);
  }
  for (let frame = 1; frame <= manifest.frames.length; frame++) {
    const stream = await capture.frame(frame);
    for (const call of stream) formatCall(call, manifest);
    buildEventTree(bindings, stream, manifest);
  }
}

async function replay(context: GlContext, capture: Capture): Promise<void> {
  const replayer = await Replayer.create(context, capture, { maxGpuBytes });
  const frame = await replayer.loadFrame(capture.manifest.frames.length);
  frame.play();
  frame.restore();
  frame.play();
  replayer.readCanvas();
  replayer.destroy();
}

/** Captures whose calls are wrong but well-formed, so that the replayer sees them. */
export function replayReader(driver: DriverName): Reader {
  return {
    async open(folder) {
      const all = await sampleParts(driver, folder);
      const open = ({ api, profile }: Pick<Manifest, 'api' | 'profile'>, forEs: 'es' | 'gl' = 'es') =>
        openContext(driver, api === 'gl' ? { api, profile } : { api: forEs });
      // Starts a display where the driver needs one.
      const strangers = new Map<string, readonly Signature[]>();
      for (const api of driver === 'egl' ? (['webgl2', 'gl'] as const) : (['webgl2'] as const)) {
        const context = await open({ api, profile: 'compatibility' });
        strangers.set(api, strangersOf(context));
        context.destroy();
      }
      return {
        place: /hostile\.cap|^setup call \d|^frame \d|^the capture needs/,
        async make(random, own) {
          const path = join(own, 'hostile.cap');
          const parts = new Map(random(30) === 0 ? all[0] : all[1 + random(all.length - 1)]);
          const { api } = manifestOf(parts);
          damage(random, parts, strangers.get(api) ?? strangers.get('webgl2') ?? []);
          await writeFile(path, await zipped(parts, false));
          return path;
        },
        async read(path, random) {
          await command('info', path);
          const capture = await openCapture(path);
          try {
            // Commands name the file when these refuse it.
            await analyse(capture).catch((error) => {
              throw aboutFile(error, path);
            });
            // Captures of ES are replayed on desktop GL too, which takes other ways.
            const context = await open(capture.manifest, driver === 'egl' && random(4) === 0 ? 'gl' : 'es');
            try {
              await replay(context, capture);
            } finally {
              context.destroy();
            }
          } finally {
            await capture.close();
          }
        },
      };
    },
  };
}
