import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { GpuprofError } from '../../src/errors.ts';
import { openXml } from '../../src/import/renderdoc/read-xml.ts';
import { tempFolder } from '../helpers/files.ts';
import { importFile, unpack } from './renderdoc-kit.ts';

const head = '<?xml version="1.0"?>\n<rdc>\n<header><driver id="2">OpenGL</driver></header>\n';
const chunk = (inner: string): string =>
  `${head}<chunks version="35">\n<chunk id="1" name="c">${inner}</chunk>\n</chunks></rdc>`;

/** The one line that is told of it, without the path. */
async function refusal(path: string): Promise<string> {
  try {
    await importFile(path);
  } catch (error) {
    if (!(error instanceof GpuprofError)) throw error;
    assert.ok(!error.message.includes('\n'), error.message);
    return error.message.replace(`${path}: `, '');
  }
  return 'it was imported';
}

const refused: readonly (readonly [what: string, change: (xml: string) => string, message: RegExp])[] = [
  ['a file cut off', (xml) => xml.slice(0, 20_000), /^line \d+: the file ends before its XML does$/],
  ['an empty file', () => '', /^line 1: the file ends before its XML does$/],
  ['tags that do not match', () => `${head}<chunks></rdc>`, /^line 4: unexpected close tag$/],
  ['another root', () => '<html></html>', /^line 1: is no RenderDoc capture/],
  [
    'an entity bomb',
    () => `<?xml version="1.0"?>\n<!DOCTYPE rdc [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<rdc>&b;</rdc>`,
    /^line 2: has a document type/,
  ],
  ['an unknown entity', () => chunk('<string name="s">&bomb;</string>'), /^line 5: invalid character entity/],
  ['a value of no kind', () => chunk('<blob name="x">1</blob>'), /^line 5: <blob> is no kind of value$/],
  ['text for a number', () => chunk('<uint name="x">many</uint>'), /^line 5: "many" is no number$/],
  [
    'elements in each other',
    () => chunk('<struct>'.repeat(500)),
    /^line 5: elements lie in each other more than 64 deep$/,
  ],
  ['no length of a buffer', () => chunk('<buffer name="b">0</buffer>'), /^line 5: c has a buffer of "no" bytes$/],
  ['an absurd length', () => chunk('<buffer byteLength="1e99">0</buffer>'), /^line 5: c has a buffer of "1e99" bytes$/],
  ['no frame', () => chunk(''), /has no frame: "Internal::Beginning of Capture" is missing$/],
  [
    'calls of another driver',
    (xml) => xml.replace('>OpenGL<', '>Vulkan<'),
    /holds Vulkan calls: only OpenGL and OpenGL ES/,
  ],
  [
    'an absurd window',
    (xml) => xml.replace(/(Context Configuration[\s\S]*?name="width"[^>]*>)\d+/, '$14000000000'),
    /^line \d+: Internal::Context Configuration: InitParams has a window of 4000000000x84; at most 16384 each way$/,
  ],
  [
    'another length of a buffer',
    (xml) => xml.replace('byteLength="32"', 'byteLength="33"'),
    /^line \d+: glBufferData says that buffer 000000 has 33 bytes; it has 32$/,
  ],
  [
    'a buffer that is not there',
    (xml) => xml.replace('byteLength="32">0<', 'byteLength="32">999<'),
    /^line \d+: glBufferData needs buffer 000999, which .*buf\.zip does not have$/,
  ],
  [
    'a buffer of more than its data',
    (xml) => xml.replace(/(<uint name="bytesize"[^>]*>)32</, '$14000000000<'),
    /^line \d+: glBufferData has 32 bytes for a buffer of 4000000000$/,
  ],
  [
    'an argument that is missing',
    (xml) => xml.replace(/<uint name="bytesize"[^>]*>32<\/uint>/, ''),
    /^line \d+: glBufferData has no "bytesize"$/,
  ],
];

for (const [what, change, message] of refused)
  test(`${what} is refused with its place`, async (t) => {
    assert.match(await refusal(await unpack('buf', await tempFolder(t), change)), message);
  });

test('texels that are fewer than the texture takes are refused', async (t) => {
  const enlarge = (xml: string) => xml.replace(/(<uint name="width" typename="uint32_t" width="4">)16</, '$116384<');
  assert.match(
    await refusal(await unpack('tex', await tempFolder(t), enlarge)),
    /^line \d+: Internal::Initial Contents has \d+ bytes for level 0 of 16384x16 texels, which takes 1048576$/,
  );
});

test('levels beyond what is there are refused', async (t) => {
  const more = (xml: string) => xml.replace(/(<int name="mips"[^>]*>)\d+/g, '$14000000');
  assert.match(await refusal(await unpack('tex', await tempFolder(t), more)), /has 4000000 levels$/);
});

test('a missing or damaged ZIP file is told by name', async (t) => {
  const folder = await tempFolder(t);
  const path = await unpack('buf', folder);
  const zip = join(folder, 'buf.zip');
  const bytes = await readFile(zip);
  // The size that the first directory entry declares, which no deflated data of that length can have.
  const bomb = Buffer.from(bytes);
  bomb.writeUInt32LE(0x7fffffff, bomb.indexOf(Buffer.from('PK\x01\x02')) + 24);
  await writeFile(zip, bomb);
  assert.match(await refusal(path), /buf\.zip: "000000" cannot unpack to the 2147483647 bytes it declares$/);
  await writeFile(zip, bytes.subarray(0, 1000));
  assert.match(await refusal(path), /buf\.zip is not a ZIP file: /);
  await rm(zip);
  assert.match(await refusal(path), /buf\.zip is missing: it holds the buffers of .*buf\.zip\.xml$/);
});

test('objects that are not there, or refer to themselves, count as none', async (t) => {
  const circle = (xml: string) =>
    xml.replace(/(<ResourceId name="(?:texture|obj)"[^>]*>)(\d+)/g, '$199').replace(/(name="shader"[^>]*>)\d+/, '$199');
  const { summary } = await importFile(await unpack('fbo', await tempFolder(t), circle));
  assert.match(summary.notes.join(), /^\d+ uses of objects that the capture does not hold: they count as none$/);
});

test('a chunk that no GL knows is left out and listed', async (t) => {
  const rename = (xml: string) => xml.replaceAll('name="glMemoryBarrier"', 'name="glFutureBarrier"');
  const { summary } = await importFile(await unpack('buf', await tempFolder(t), rename));
  assert.deepEqual(summary.dropped, [{ name: 'glFutureBarrier', count: 1, why: 'no GL registry knows it' }]);
});

test('of a number beyond 32 bits the lower ones count, as in C', async (t) => {
  const widen = (xml: string) => xml.replace(/(string="GL_NEAREST">)9728/, `$1${2n ** 40n + 9728n}`);
  const { capture } = await importFile(await unpack('tex', await tempFolder(t), widen));
  const plain = await importFile(await unpack('tex', await tempFolder(t)));
  assert.deepEqual((await capture.setup()).words, (await plain.capture.setup()).words);
});

test('a uniform of a program that is not there yet is left out and listed', async (t) => {
  const early = (xml: string) => {
    const [uniform] = /<chunk id="\d+" name="glUniform4f"[\s\S]*?<\/chunk>/.exec(xml) as RegExpExecArray;
    return xml.replace(uniform, '').replace(/<chunk id="\d+" name="glFramebufferTexture2D"/, `${uniform}$&`);
  };
  const { summary } = await importFile(await unpack('fbo', await tempFolder(t), early));
  assert.deepEqual(summary.dropped[0], { name: 'glUniform4f', count: 1, why: 'its program is not there' });
});

test('a capture without its end says so', async (t) => {
  const cut = (xml: string) => xml.replace(/<chunk id="6"[^>]*\/>/, '');
  const { summary } = await importFile(await unpack('es', await tempFolder(t), cut));
  assert.deepEqual([summary.isComplete, summary.ending], [false, 'the capture has no end']);
});

test('a chunk of too many values is refused before it is held', async (t) => {
  const path = join(await tempFolder(t), 'many.zip.xml');
  await writeFile(path, chunk('<uint>1</uint>'.repeat(2000)));
  await assert.rejects(openXml(path, { depth: 64, chunkNodes: 1000, textLength: 100 }), {
    code: 'bad-input',
    message: `${path}: line 5: c has more than 1000 values`,
  });
});
