import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCapture } from '../../../src/capture/open.ts';
import { GpuprofError } from '../../../src/errors.ts';
import { CaptureIntake } from '../../../src/record/page/capture-intake.ts';
import { paddedBytes, recordHeaderBytes, recordKinds } from '../../../src/record/wire/records.ts';
import { WireSink } from '../../../src/record/wire/sink.ts';
import { head, record } from '../../capture/sample.ts';
import { samplePath } from '../../helpers/files.ts';
import { pick, type Random } from '../../helpers/random.ts';
import { damagedBytes, damagedJsonText, damagedWord } from '../damage.ts';
import { readWhole } from '../read-whole.ts';
import type { Reader } from '../reader.ts';

interface WireRecord {
  readonly kind: number;
  readonly payload: Uint8Array;
}

const end = {
  reference: { width: 4, height: 2, data: new Uint8Array(32).fill(255) },
  requires: head.requires,
  notes: ['a note'],
};

/** The records that `fill` makes of a capture. */
async function sentBy(fill: (sink: WireSink) => Promise<void> | void): Promise<WireRecord[]> {
  const batches: Uint8Array[] = [];
  const sink = new WireSink((batch) => batches.push(batch.slice()), head);
  await fill(sink);
  sink.finish(end);
  const bytes = Buffer.concat(batches);
  const records: WireRecord[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [kind, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    at += recordHeaderBytes;
    records.push({ kind, payload: bytes.subarray(at, at + length) });
    at += paddedBytes(length);
  }
  return records;
}

async function sendSample(sink: WireSink): Promise<void> {
  const capture = await openCapture(samplePath('ten-batches'));
  for (const index of capture.manifest.resources.keys()) sink.resource(await capture.resource(index));
  for (const [program, name] of capture.manifest.locations) sink.location(program, name);
  for (const { signature, args, result } of await capture.setup()) sink.call(signature, args, result);
  sink.beginFrame();
  for (const { signature, args, result } of await capture.frame(1)) sink.call(signature, args, result);
  await capture.close();
}

/** Words of calls are changed one by one: anything else would hardly pass the first check. */
function damagedWords(random: Random, payload: Uint8Array): Buffer {
  const words = Buffer.from(payload);
  for (let times = 1 + random(3); times > 0 && words.length >= 4; times--) {
    const at = 4 * random(words.length >> 2);
    words.writeUInt32LE(damagedWord(random, words.readUInt32LE(at)), at);
  }
  return words;
}

/** Null for what has been damaged already, so that it is JSON no more. */
function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString());
  } catch {
    return null;
  }
}

function damaged(random: Random, { kind, payload }: WireRecord): WireRecord {
  if (random(10) === 0) return { kind: damagedWord(random, kind) % 12, payload };
  const json = kind === recordKinds.head || kind === recordKinds.end ? parsed(payload) : null;
  if (json !== null && random(5) > 0) return { kind, payload: Buffer.from(damagedJsonText(random, json)) };
  if (kind === recordKinds.calls && random(5) > 0) return { kind, payload: damagedWords(random, payload) };
  return { kind, payload: damagedBytes(random, payload) };
}

/** Records are changed, left out, come twice, or elsewhere; their lengths may be wrong. */
function hostile(random: Random, records: readonly WireRecord[]): Buffer {
  const list = records.slice();
  for (let times = random(4); times > 0 && list.length > 0; times--) {
    const at = random(list.length);
    const ways = [
      () => list.splice(at, 1),
      () => list.splice(random(list.length), 0, list[at]),
      () => list.splice(random(list.length), 0, ...list.splice(at, 1)),
    ];
    if (random(3) > 0) list[at] = damaged(random, list[at]);
    else pick(random, ways)();
  }
  const lie = random(8) === 0 ? random(list.length) : -1;
  return Buffer.concat(
    list.flatMap(({ kind, payload }, index) => {
      const length = index === lie ? damagedWord(random, payload.length) : payload.length;
      return [
        new Uint8Array(Uint32Array.of(kind, length).buffer),
        payload,
        new Uint8Array(paddedBytes(payload.length) - payload.length),
      ];
    }),
  );
}

/** What recorded pages and programs send while they are recorded. */
export const reader: Reader = {
  async open() {
    const samples = [await sentBy(record), await sentBy(sendSample)];
    return {
      place: /recorded (program|calls)|out\.cap/,
      async make(random, folder) {
        const path = join(folder, 'hostile');
        await writeFile(path, hostile(random, samples[Math.min(1, random(4))]));
        return path;
      },
      async read(path, random) {
        const bytes = await readFile(path);
        const out = join(path, '..', 'out.cap');
        const intake = new CaptureIntake(out);
        await intake.answer('begin', Buffer.from('{}'));
        const piece = 1 + random(bytes.length + 1);
        for (let at = 0; at < bytes.length; at += piece) await intake.answer('data/1', bytes.subarray(at, at + piece));
        // Nothing is left to fail when the capture is whole.
        await intake.fail(new GpuprofError('bad-input', 'the recorded program ended before its capture'));
        try {
          await intake.done;
        } catch (error) {
          // The disk has nothing to do with it.
          if (error instanceof GpuprofError && error.code === 'output-failed') throw new Error(error.message);
          throw error;
        }
        await readWhole(out);
      },
    };
  },
};
