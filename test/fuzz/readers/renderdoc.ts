import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRdc } from '../../../src/import/renderdoc/rdc/container.ts';
import { sectionBytes } from '../../../src/import/renderdoc/rdc/section-bytes.ts';
import { pick, type Random } from '../../helpers/random.ts';
import { container, rawZstd, sized } from '../../import/rdc-writer.ts';
import { fixture, fixtureXml } from '../../import/renderdoc-kit.ts';
import { partsOf, zipped } from '../capture-parts.ts';
import { command } from '../command.ts';
import { damagedBytes, damagedText, tellingNumbers } from '../damage.ts';
import { readWhole } from '../read-whole.ts';
import type { Reader } from '../reader.ts';

interface Sample {
  /** The XML, cut before and behind each chunk. */
  readonly pieces: readonly string[];
  /** The same without indentation, and without most of the hundreds of equal values in a context's state. */
  readonly lean: readonly string[];
  readonly zip: Buffer;
}

const names = ['buf', 'es', 'ext', 'fbo', 'misc', 'tex'];
const chunks = /(<chunk (?:[^>]*\/>|[\s\S]*?<\/chunk>))/;
const xmlText = ['&lt;', '&bomb;', '<', '<uint name="x">1</uint>', '<!-- -->', '<![CDATA[x]]>', ''];

/** Of the states of contexts, which nothing refers to by place, two are left of five or more equal elements in a row. */
const leanChunk = (chunk: string): string =>
  /typename="GLRenderState"/.test(chunk)
    ? chunk
        .replace(/(\n\t+<(\w+)[^\n]*<\/\2>)\1{4,}/g, '$1$1')
        .replace(/(\n(\t+)<struct(?:(?!\n\2<)[\s\S])*\n\2<\/struct>)\1{4,}/g, '$1$1')
    : chunk;

/** The text of one element, or one attribute, becomes another. */
function damagePiece(random: Random, piece: string): string {
  const places = [...piece.matchAll(random(3) > 0 ? />([^<>\n]+)</g : /="([^"]*)"/g)];
  if (places.length === 0) return piece;
  const { 0: match, 1: text, index } = pick(random, places);
  const at = index + match.length - 1 - text.length;
  const ways = [
    () => String(pick(random, tellingNumbers)),
    () => String(pick(random, tellingNumbers)),
    () => String(Number(text) + 1 - random(3)),
    () => pick(random, [-1, 2 ** 40, 2n ** 64n - 1n, 0.5, 'NaN']).toString(),
    () => pick(random, xmlText),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot have them
    () => damagedText(random, text).replace(/[<&\u0000]/g, ''),
    () => pick(random, places)[1],
  ];
  return piece.slice(0, at) + pick(random, ways)() + piece.slice(at + text.length);
}

/** Elements of chunks are changed, and chunks are left out, come twice, or come elsewhere. */
function damagedXml(random: Random, pieces: readonly string[], others: readonly string[]): string {
  const list = pieces.slice();
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(list.length);
    const ways = [
      () => list.splice(at, 1),
      () => list.splice(at, 0, list[at]),
      () => list.splice(random(list.length), 0, ...list.splice(at, 1)),
      () => list.splice(at, 0, pick(random, others)),
    ];
    if (random(3) > 0) list[at] = damagePiece(random, list[at]);
    else pick(random, ways)();
  }
  return list.join('');
}

/** The frame's own bytes are changed, or how they are packed. */
function damagedFrame(random: Random, frame: Buffer): Buffer {
  const bytes = random(2) === 0 ? frame : damagedBytes(random, frame);
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 2 ** 16) blocks.push(sized(rawZstd(bytes.subarray(at, at + 2 ** 16))));
  const packed = Buffer.concat(blocks);
  const ways = [
    () => container(bytes, 0, bytes.length),
    () => container(packed, 4, bytes.length),
    () => container(damagedBytes(random, packed), 4, bytes.length + random(3) - 1),
    () => container(packed, pick(random, [0, 2, 6, random(2 ** 32)]), pick(random, tellingNumbers)),
  ];
  return pick(random, ways)();
}

/** RenderDoc: the XML with its ZIP file of buffers, and the container with its packed frame. */
export const reader: Reader = {
  async open() {
    const samples = await Promise.all(
      names.map(async (name): Promise<Sample> => {
        const xml = await fixtureXml(name);
        return {
          pieces: xml.split(chunks),
          lean: xml.split(chunks).map((piece) => leanChunk(piece).replace(/\n\t+/g, '\n')),
          zip: await zipped(await partsOf(fixture(`${name}.zip`)), false),
        };
      }),
    );
    const others = samples.flatMap(({ pieces }) => pieces.filter((piece) => piece.startsWith('<chunk ')));
    const whole = await readFile(fixture('buf.rdc'));
    const rdc = await openRdc(fixture('buf.rdc'));
    const pages: Uint8Array[] = [];
    for await (const page of sectionBytes(rdc, rdc.sections[0])) pages.push(page.slice());
    await rdc.close();
    const frame = Buffer.concat(pages);
    // What the machine has installed must not matter.
    process.env.PATH = '';
    return {
      async make(random, folder) {
        if (random(4) === 0) {
          const path = join(folder, 'hostile.rdc');
          const head = Buffer.concat([damagedBytes(random, whole.subarray(0, 200)), whole.subarray(200)]);
          const ways = [() => damagedBytes(random, whole), () => head, () => damagedFrame(random, frame)];
          await writeFile(path, pick(random, ways)());
          return path;
        }
        const sample = pick(random, samples);
        const path = join(folder, 'hostile.zip.xml');
        await writeFile(join(folder, 'hostile.zip'), random(6) === 0 ? damagedBytes(random, sample.zip) : sample.zip);
        const xml = damagedXml(random, random(32) === 0 ? sample.pieces : sample.lean, others);
        await writeFile(path, random(8) === 0 ? damagedBytes(random, Buffer.from(xml)) : xml);
        return path;
      },
      place: /hostile\.(rdc|zip)/,
      async read(path, random) {
        if (path.endsWith('.rdc')) {
          await command('info', path, '--format', pick(random, ['table', 'json']));
          await command('dump', path);
        }
        const out = join(path, '..', 'out.cap');
        await command('import', path, '-o', out, ...pick(random, [[], ['--trim']]));
        await readWhole(out);
      },
    };
  },
};
