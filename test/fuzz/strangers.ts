/** Calls that a capture would never have: of any command of GL, with arguments that are likely to mean something. */
import { commandNames, signatureOf } from '../../src/gl/command-table.ts';
import type { GlContext } from '../../src/gl/context.ts';
import { enumLines } from '../../src/gl/registry/enum-lines.ts';
import type { Argument } from '../../src/model/call.ts';
import { encodeCall } from '../../src/model/call-words.ts';
import type { Manifest } from '../../src/model/capture.ts';
import { baseName } from '../../src/model/gl-constants.ts';
import type { Param, Signature } from '../../src/model/signature.ts';
import { handlerFor } from '../../src/replay/handlers/index.ts';
import { skippedHandler } from '../../src/replay/handlers/skipped.ts';
import { pick, type Random } from '../helpers/random.ts';
import type { Calls } from './capture-parts.ts';
import { tellingNumbers } from './damage.ts';

const groups = new Map<string, number[]>();
const everyEnum: number[] = [];
for (const line of enumLines.split('\n')) {
  const [name, hexadecimal, listed] = line.split('|');
  if (!name) continue;
  const value = Number.parseInt(hexadecimal, 16);
  everyEnum.push(value);
  for (const group of listed ? listed.split(',') : []) groups.set(group, [...(groups.get(group) ?? []), value]);
}

/** The commands that a context has, and that calls in a capture may be of. */
export const strangersOf = (context: GlContext): readonly Signature[] =>
  commandNames().flatMap((name) => {
    const signature = signatureOf(name);
    const base = baseName(name);
    const isAny = !base.startsWith('gpuprof') && !skippedHandler(base) && context.find(name) !== undefined;
    const isOut = signature?.params.some(({ type }) => type === 'out' || type === 'pointer') && !handlerFor(base);
    return signature && isAny && !isOut ? [signature] : [];
  });

const small = [0, 0, 1, 1, 2, 3, 4, 8, 16, 64];
const fractions = [0, 1, -1, 0.5, 100, 1e9, -1e30, Number.NaN, Number.POSITIVE_INFINITY];
const texts = ['main', 'position', '', 'x[0]', 'x'.repeat(300)];

function wholeNumber(random: Random): number {
  return random(4) === 0 ? pick(random, tellingNumbers) : pick(random, small);
}

function data(random: Random): Argument {
  if (random(6) === 0) return null;
  if (random(5) === 0) return { kind: 'offset', offset: wholeNumber(random) };
  const bytes = new Uint8Array(4 * pick(random, [0, 1, 2, 3, 4, 8, 16, 64, 1024]));
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 4)
    if (random(2) === 0) view.setFloat32(at, pick(random, fractions), true);
    else view.setUint32(at, wholeNumber(random), true);
  return { kind: 'inline', bytes };
}

function argument(random: Random, { type, group, objectClass }: Param, manifest: Manifest): Argument {
  const id = () => random(1 + (objectClass === undefined ? 0 : (manifest.objects[objectClass] ?? 0)));
  switch (type) {
    case 'enum':
    case 'bitfield':
      return pick(random, (random(8) > 0 && group !== undefined && groups.get(group)) || everyEnum);
    case 'object':
      return id();
    case 'objects':
      return Array.from({ length: random(4) }, id);
    case 'location':
      return (random(1 + manifest.locations.length) - 1) >>> 0;
    case 'f32':
    case 'f64':
      return pick(random, fractions);
    case 'bool':
      return random(2);
    case 'data':
      return data(random);
    case 'string':
      return random(8) === 0 ? null : pick(random, texts);
    case 'strings':
      return Array.from({ length: random(3) }, () => pick(random, texts));
    case 'out':
      return random(2) === 0 ? null : wholeNumber(random) & 0xffff;
    default:
      return wholeNumber(random);
  }
}

/** The calls with one more, which the manifest's signature `index` is of. */
export function withStranger(random: Random, { words, starts }: Calls, manifest: Manifest, index: number): Calls {
  const signature = manifest.signatures[index];
  const args = signature.params.map((param) => argument(random, param, manifest));
  const made: number[] = [];
  const { type, objectClass } = signature.result;
  const highest = type === 'object' && objectClass !== undefined ? (manifest.objects[objectClass] ?? 0) : 0;
  encodeCall(made, index, signature, args, random(1 + highest));
  const at = random(starts.length + 1);
  const place = starts[at] ?? words.length;
  const longer = new Uint32Array(words.length + made.length);
  longer.set(words.subarray(0, place));
  longer.set(made, place);
  longer.set(words.subarray(place), place + made.length);
  const places = Array.from(starts, (start) => (start < place ? start : start + made.length));
  places.splice(at, 0, place);
  return { words: longer, starts: Uint32Array.from(places) };
}
