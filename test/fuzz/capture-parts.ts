/** Captures taken apart, damaged, and put together again. */
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { Archive } from '../../src/capture/archive.ts';
import { checkCalls } from '../../src/capture/check-calls.ts';
import { defaultLimits, frameEntry, manifestEntry, setupEntry } from '../../src/capture/limits.ts';
import { parseManifest } from '../../src/capture/manifest.ts';
import type { Manifest } from '../../src/model/capture.ts';
import type { Signature } from '../../src/model/signature.ts';
import type { Random } from '../helpers/random.ts';
import { damagedWord } from './damage.ts';

/** Entries of a capture by their names, unpacked. */
export type Parts = Map<string, Uint8Array>;

export async function partsOf(path: string): Promise<Parts> {
  const archive = await Archive.open(path, defaultLimits);
  const parts: Parts = new Map();
  for (const name of archive.entries.keys()) parts.set(name, await archive.read(name, 1e9));
  await archive.close();
  return parts;
}

export const manifestOf = (parts: Parts): Manifest =>
  parseManifest(JSON.parse(Buffer.from(parts.get(manifestEntry) ?? []).toString()));

/** Names may come twice, and may be such as no library would write. */
export async function zipped(entries: Iterable<readonly [string, Uint8Array]>, compress: boolean): Promise<Buffer> {
  const file = new yazl.ZipFile();
  const renamed: (readonly [string, string])[] = [];
  let number = 0;
  for (const [name, bytes] of entries) {
    // The library checks names, so the bytes of a strange one are put in afterwards.
    const isPlain = /^[\w.][\w./-]*$/.test(name) && !name.includes('..');
    const written = isPlain ? name : `${number++}`.padStart(Buffer.byteLength(name), '0');
    if (!isPlain) renamed.push([written, name]);
    file.addBuffer(Buffer.from(bytes), written, { compress });
  }
  file.end();
  const zip = await buffer(file.outputStream);
  for (const [written, name] of renamed)
    if (written.length === Buffer.byteLength(name))
      for (let at = zip.indexOf(written); at >= 0; at = zip.indexOf(written, at + 1)) zip.write(name, at);
  return zip;
}

/** The words of a stream, and where each call starts. */
export interface Calls {
  readonly words: Uint32Array;
  readonly starts: Uint32Array;
}

/** Frame 0 is the setup. */
const streamName = (frame: number): string => (frame === 0 ? setupEntry : frameEntry(frame));

export function callsOf(parts: Parts, manifest: Manifest, frame: number): Calls {
  const name = streamName(frame);
  const words = new Uint32Array(Uint8Array.from(parts.get(name) ?? []).buffer);
  const { calls } = frame === 0 ? manifest.setup : manifest.frames[frame - 1];
  return { words, starts: checkCalls(words, manifest, calls, name) };
}

/** A call is left out, made twice, or made elsewhere. */
export function rearranged(random: Random, { words, starts }: Calls): Calls {
  const calls = Array.from(starts, (start, index) => words.subarray(start, starts[index + 1] ?? words.length));
  const at = random(calls.length);
  const call = calls[at];
  const ways = [() => calls.splice(at, 1), () => calls.splice(random(calls.length), 0, call)];
  for (const way of [[ways[0]], [ways[1]], ways][random(3)]) way();
  const moved = new Uint32Array(calls.reduce((sum, call) => sum + call.length, 0));
  let length = 0;
  const moveds = calls.map((call) => {
    moved.set(call, length);
    length += call.length;
    return length - call.length;
  });
  return { words: moved, starts: Uint32Array.from(moveds) };
}

/** One word of one call becomes another: one from elsewhere, or damaged. */
function damageCall({ words, starts }: Calls, random: Random): void {
  const start = starts[random(starts.length)];
  const at = random(8) === 0 ? start + random(3) : start + 3 + random(Math.max(1, words[start + 1] - 3));
  if (at >= words.length) return;
  const ways = [
    () => words[random(words.length)],
    () => words[starts[random(starts.length)] + 3] ?? 0,
    () => damagedWord(random, words[at]),
  ];
  words[at] = ways[Math.min(random(5), 2)]();
}

/**
 * The same with words of calls changed `times` times. Most changes are taken back when the reader would refuse them, so that
 * what comes after it sees its share.
 */
export function damagedCalls(random: Random, { words, starts }: Calls, manifest: Manifest, times: number): Calls {
  let damaged = words;
  for (let time = 0, tries = 0; time < times && tries < 50 && starts.length > 0; tries++) {
    const next = damaged.slice();
    damageCall({ words: next, starts }, random);
    try {
      if (random(20) > 0) checkCalls(next, manifest, starts.length, 'damaged');
    } catch {
      continue;
    }
    damaged = next;
    time++;
  }
  return { words: damaged, starts };
}

/** Puts the stream among the parts, and its length into the manifest. */
export function putCalls(parts: Parts, frame: number, { words, starts }: Calls): void {
  parts.set(streamName(frame), new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  const json = JSON.parse(Buffer.from(parts.get(manifestEntry) ?? []).toString());
  (frame === 0 ? json.setup : json.frames[frame - 1]).calls = starts.length;
  parts.set(manifestEntry, Buffer.from(JSON.stringify(json)));
}

/** The place of a signature in the manifest's list, to which it is added when it is not there. */
export function signatureIndex(parts: Parts, signature: Signature): number {
  const json = JSON.parse(Buffer.from(parts.get(manifestEntry) ?? []).toString());
  const known = (json.signatures as Signature[]).findIndex(({ name }) => name === signature.name);
  if (known >= 0) return known;
  const index = json.signatures.push(signature) - 1;
  parts.set(manifestEntry, Buffer.from(JSON.stringify(json)));
  return index;
}
