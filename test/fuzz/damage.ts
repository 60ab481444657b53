/** What is done to good input of any kind. */
import { pick, type Random } from '../helpers/random.ts';

export const tellingNumbers: readonly number[] = [
  0,
  1,
  2,
  3,
  4,
  127,
  128,
  255,
  256,
  1024,
  65535,
  65536,
  2 ** 20,
  2 ** 30,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 2,
  2 ** 32 - 1,
];

const tellingText: readonly string[] = [
  '',
  '__proto__',
  'constructor',
  '\u0000',
  '\u001b[2J',
  '\ud800',
  'é\u202e',
  '../../outside',
  '/etc/passwd',
  '$(touch outside)',
  'http://127.0.0.1:9/',
  '-1',
  '1e999',
  'NaN',
  'x'.repeat(5000),
];

const tellingValues: readonly unknown[] = [
  ...tellingNumbers,
  ...tellingText,
  -1,
  0.5,
  -0,
  1e300,
  2 ** 53,
  null,
  true,
  false,
  [],
  {},
  [[[[[[]]]]]],
  { length: 2 ** 31 },
];

/** A 32-bit word becomes another: a neighbour, a telling one, one with a bit changed, or any. */
export function damagedWord(random: Random, word: number): number {
  const ways = [
    () => word + 1,
    () => word - 1,
    () => word ^ (1 << random(32)),
    () => pick(random, tellingNumbers),
    () => random(2 ** 32),
  ];
  return pick(random, ways)() >>> 0;
}

function damageOnce(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from([random(256)]);
  const at = random(bytes.length);
  const some = bytes.subarray(at, at + 1 + random(Math.min(64, bytes.length - at)));
  const ways = [
    () => {
      bytes[at] ^= 1 << random(8);
      return bytes;
    },
    () => {
      bytes[at] = pick(random, [0, 1, 127, 128, 255, random(256)]);
      return bytes;
    },
    () => {
      if (at + 4 <= bytes.length) bytes.writeUInt32LE(damagedWord(random, bytes.readUInt32LE(at)), at);
      return bytes;
    },
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + some.length)]),
    () => Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)]),
    () => {
      some.copy(bytes, random(bytes.length));
      return bytes;
    },
  ];
  // The first three keep all else in its place.
  return ways[random(3) > 0 ? random(3) : random(ways.length)]();
}

/** A copy with one to `most` places changed. */
export function damagedBytes(random: Random, bytes: Uint8Array, most = 4): Buffer {
  let damaged: Buffer = Buffer.from(bytes);
  for (let times = 1 + random(most); times > 0; times--) damaged = damageOnce(random, damaged);
  return damaged;
}

export const damagedText = (random: Random, text: string): string =>
  random(2) === 0 ? pick(random, tellingText) : damagedBytes(random, Buffer.from(text)).toString();

/** Another scalar: one of the same kind as often as one of any. */
export function damagedValue(random: Random, value: unknown): unknown {
  if (random(3) === 0) return structuredClone(pick(random, tellingValues));
  if (typeof value === 'number')
    return pick(random, [value + 1, value - 1, -value, value * 2, value / 3, pick(random, tellingNumbers)]);
  if (typeof value === 'string') return damagedText(random, value);
  return structuredClone(pick(random, tellingValues));
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

/** Every member of every object and list, lists as objects. */
function placesOf(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const [key, child] of Object.entries(value)) {
    places.push({ parent: value as Record<string, unknown>, key });
    placesOf(child, places);
  }
  return places;
}

/** A list loses or repeats an item; an object loses a member, or gets one. */
function reshape(random: Random, { parent, key }: Place): void {
  if (Array.isArray(parent)) {
    if (random(2) === 0) parent.splice(Number(key), 1);
    else parent.splice(random(parent.length + 1), 0, ...Array(1 + random(3)).fill(parent[Number(key)]));
    return;
  }
  if (random(2) === 0) delete parent[key];
  else {
    // As JSON.parse does with `__proto__`, too.
    const name = pick(random, [...tellingText, `${key}x`]);
    Object.defineProperty(parent, name, { value: parent[key], enumerable: true, configurable: true, writable: true });
  }
}

/** A copy of parsed JSON with one place changed, or up to `most`. */
export function damagedJson<T>(random: Random, json: T, most = 3): T {
  const root = { json: structuredClone(json) };
  for (let times = 1 + random(2) * random(most); times > 0; times--) {
    const places = placesOf(root);
    const place = pick(random, places);
    const { parent, key } = place;
    const ways = [
      () => reshape(random, place),
      () => {
        const other = pick(random, places);
        parent[key] = structuredClone(other.parent[other.key]);
      },
      () => {
        parent[key] = damagedValue(random, parent[key]);
      },
    ];
    // Of a value that holds others there is less to say.
    if (parent === root) continue;
    ways[Math.min(ways.length - 1, random(5))]();
  }
  return root.json;
}

/** JSON text: of damaged JSON most of the time, else damaged as text. */
export function damagedJsonText(random: Random, json: unknown): string {
  const indent = random(2) * 2;
  if (random(8) > 0) return JSON.stringify(damagedJson(random, json), null, indent);
  return damagedBytes(random, Buffer.from(JSON.stringify(json, null, indent))).toString('latin1');
}
