/**
 * Replays damaged copies of a capture, one after the other, as `node --import tsx mutate.ts CAPTURE DRIVER FIRST COUNT`.
 * Prints each seed before its run, so that a crash of a native library is known by its seed, and then how the run ended;
 * last the most memory it took.
 */
import { checkCalls } from '../../src/capture/check-calls.ts';
import { openCapture } from '../../src/capture/open.ts';
import { GpuprofError } from '../../src/errors.ts';
import type { DriverName } from '../../src/gl/context.ts';
import { formatCall } from '../../src/gl/format-call.ts';
import { openContext } from '../../src/gl/open.ts';
import { Bindings } from '../../src/model/bindings.ts';
import { CallStream } from '../../src/model/call-stream.ts';
import type { Capture, Manifest } from '../../src/model/capture.ts';
import { buildEventTree } from '../../src/model/event-tree-builder.ts';
import { Replayer } from '../../src/replay/replayer.ts';

type Random = (below: number) => number;

function seeded(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0;
  return (below) => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const telling = [0, 1, 2, 3, 4, 255, 1024, 65535, 2 ** 20, 2 ** 30, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe];

/** One word of one call becomes another: a neighbour of itself, one from elsewhere, a telling one, or any. */
function damage(words: Uint32Array, starts: Uint32Array, random: Random): void {
  const start = starts[random(starts.length)];
  const at = random(8) === 0 ? start + random(3) : start + 3 + random(Math.max(1, words[start + 1] - 3));
  if (at >= words.length) return;
  const ways = [
    () => words[at] + 1,
    () => words[at] - 1,
    () => words[at] ^ (1 << random(32)),
    () => words[random(words.length)],
    () => words[starts[random(starts.length)] + 3] ?? 0,
    () => telling[random(telling.length)],
    () => random(2 ** 32),
  ];
  words[at] = ways[random(ways.length)]();
}

/** Most changes are taken back when the reader would refuse them, so that the replayer sees its share. */
function damaged(stream: CallStream, manifest: Manifest, times: number, random: Random): CallStream {
  const check = (words: Uint32Array): Uint32Array => checkCalls(words, manifest, stream.length, 'damaged.cap: calls');
  let words = stream.words;
  for (let time = 0, tries = 0; time < times && tries < 50; tries++) {
    const next = words.slice();
    damage(next, stream.starts, random);
    try {
      if (random(20) > 0) check(next);
    } catch {
      continue;
    }
    words = next;
    time++;
  }
  return new CallStream(manifest.signatures, words, check(words));
}

const [path, driver, first, count] = process.argv.slice(2);
const base = await openCapture(path);
const { manifest } = base;
const [setup, frame] = [await base.setup(), await base.frame(1)];

async function replayDamaged(seed: number): Promise<void> {
  const random = seeded(seed);
  const inSetup = random(3);
  const inFrame = inSetup === 0 ? 1 + random(4) : random(4);
  const badSetup = damaged(setup, manifest, inSetup, random);
  const badFrame = damaged(frame, manifest, inFrame, random);
  const capture: Capture = {
    path: 'damaged.cap',
    manifest,
    setup: async () => badSetup,
    frame: async () => badFrame,
    resource: (index) => base.resource(index),
    reference: async () => null,
    close: async () => {},
  };
  const bindings = new Bindings();
  for (const call of badSetup) bindings.apply(call);
  buildEventTree(bindings, badFrame, manifest);
  for (const stream of [badSetup, badFrame]) for (const call of stream) formatCall(call, manifest);
  const context = await openContext(driver as DriverName, { api: 'es' });
  try {
    const replayer = await Replayer.create(context, capture);
    const replay = await replayer.loadFrame(1);
    replay.play();
    replay.restore();
    replay.play();
    replay.readCanvas();
    replayer.destroy();
  } finally {
    context.destroy();
  }
}

for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  process.stdout.write(`${seed} `);
  try {
    await replayDamaged(seed);
    process.stdout.write('replayed\n');
  } catch (error) {
    if (error instanceof GpuprofError) process.stdout.write(`${error.code}: ${error.message.replace(/\n/g, ' ')}\n`);
    else process.stdout.write(`BROKEN ${(error as Error).stack}\n`);
  }
}
await base.close();
process.stdout.write(`memory ${process.resourceUsage().maxRSS * 1024}\n`);
