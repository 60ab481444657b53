import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestEntry, referenceEntry } from '../../../src/capture/limits.ts';
import { openCapture } from '../../../src/capture/open.ts';
import { decodePng } from '../../../src/capture/png.ts';
import { writeSample } from '../../capture/sample.ts';
import { writeSmallCapture } from '../../cli/small-capture.ts';
import { samplePath } from '../../helpers/files.ts';
import { pick, type Random } from '../../helpers/random.ts';
import { callsOf, damagedCalls, manifestOf, type Parts, partsOf, putCalls, zipped } from '../capture-parts.ts';
import { command } from '../command.ts';
import { damagedBytes, damagedJsonText, damagedText, damagedWord } from '../damage.ts';
import type { Reader } from '../reader.ts';

interface Sample {
  readonly bytes: Buffer;
  readonly parts: Parts;
}

/** Small ones are quicker to damage, and stand first. */
async function samples(folder: string): Promise<Sample[]> {
  const made = ['sample.cap', 'small.cap', 'notes.cap'].map((name) => join(folder, name));
  await writeSample(made[0]);
  await writeSmallCapture(made[1], { frames: 3 });
  await writeSmallCapture(made[2], { notes: ['a note'], extraDraw: true, wrongCall: true });
  const paths = [...made, samplePath('ten-batches'), samplePath('scene')];
  return Promise.all(paths.map(async (path) => ({ bytes: await readFile(path), parts: await partsOf(path) })));
}

function damageWords(random: Random, parts: Parts): void {
  const manifest = manifestOf(parts);
  const frame = random(2) * (1 + random(manifest.frames.length));
  putCalls(parts, frame, damagedCalls(random, callsOf(parts, manifest, frame), manifest, 1 + random(4)));
}

/** Changes what is in the file, or which files are in it; the file itself is sound. */
function damageParts(random: Random, parts: Parts): (readonly [string, Uint8Array])[] {
  const names = [...parts.keys()];
  const name = pick(random, names);
  const extra: [string, Uint8Array][] = [];
  const ways = [
    () => damageWords(random, parts),
    () => damageWords(random, parts),
    () => {
      const json: unknown = JSON.parse(Buffer.from(parts.get(manifestEntry) ?? []).toString());
      parts.set(manifestEntry, Buffer.from(damagedJsonText(random, json)));
    },
    () => parts.set(referenceEntry, damagedBytes(random, parts.get(referenceEntry) ?? Buffer.alloc(8))),
    () => parts.set(name, damagedBytes(random, parts.get(name) ?? Buffer.alloc(8))),
    () => parts.delete(name),
    () => extra.push([name, parts.get(name) ?? Buffer.alloc(8)]),
    () => extra.push([damagedText(random, name).slice(0, 200), Buffer.from('extra')]),
  ];
  ways[random(3) > 0 ? random(3) : random(ways.length)]();
  return [...parts, ...extra];
}

/** A field of one of the ZIP file's own records (central directory, local header, end, ZIP64) is changed. */
function damageRecord(random: Random, zip: Buffer): Buffer {
  const mark = pick(random, ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06']);
  const records: number[] = [];
  for (let at = zip.indexOf(mark); at >= 0; at = zip.indexOf(mark, at + 1)) records.push(at);
  if (records.length === 0) return zip;
  const field = pick(random, records) + 4 + 2 * random(22);
  if (field + 4 > zip.length) return zip;
  if (random(2) === 0) zip.writeUInt32LE(damagedWord(random, zip.readUInt32LE(field)), field);
  else zip.writeUInt16LE(damagedWord(random, zip.readUInt16LE(field)) & 0xffff, field);
  return zip;
}

async function readAll(path: string): Promise<void> {
  const capture = await openCapture(path);
  try {
    for (const index of capture.manifest.resources.keys()) await capture.resource(index);
    const reference = await capture.reference();
    if (reference) decodePng(reference);
  } finally {
    await capture.close();
  }
}

/** Captures: the ZIP file, its entries, the manifest, the calls, resources and the picture. */
export const reader: Reader = {
  async open(samplesFolder) {
    const all = await samples(samplesFolder);
    return {
      place: /hostile\.cap|PNG/,
      async make(random, folder) {
        const { bytes, parts } = all[random(20) === 0 ? all.length - 1 : random(all.length - 1)];
        const path = join(folder, 'hostile.cap');
        const ways = [
          () => damagedBytes(random, bytes),
          () => damageRecord(random, Buffer.from(bytes)),
          () => zipped(damageParts(random, new Map(parts)), random(2) === 0),
          () => zipped(damageParts(random, new Map(parts)), false),
        ];
        await writeFile(path, await pick(random, ways)());
        return path;
      },
      async read(path, random) {
        const format = random(2);
        await command('info', path, '--format', ['table', 'json'][format]);
        await command('dump', path, '--format', ['text', 'json'][format]);
        await readAll(path);
      },
    };
  },
};
