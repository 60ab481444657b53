import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import yazl from 'yazl';
import { Archive } from '../../src/capture/archive.ts';
import { defaultLimits } from '../../src/capture/limits.ts';
import { openCapture } from '../../src/capture/open.ts';
import { GpuprofError } from '../../src/errors.ts';
import { integersFrom } from '../helpers/random.ts';
import { writeSample } from './sample.ts';

let folder: string;
let good: Uint8Array;
/** Entries of the good capture, unpacked. */
const parts = new Map<string, Uint8Array>();

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpuprof-bad-'));
  good = await writeSample(join(folder, 'good.cap'));
  const archive = await Archive.open(join(folder, 'good.cap'), defaultLimits);
  for (const name of archive.entries.keys()) parts.set(name, await archive.read(name, 1e6));
  await archive.close();
});

after(() => rm(folder, { recursive: true, force: true }));

async function readAll(bytes: Uint8Array): Promise<unknown> {
  const path = join(folder, 'bad.cap');
  await writeFile(path, bytes);
  const capture = await openCapture(path);
  try {
    const resources: Uint8Array[] = [];
    for (const index of capture.manifest.resources.keys()) resources.push(await capture.resource(index));
    const setup = [...(await capture.setup())];
    return {
      manifest: capture.manifest,
      setup,
      frame: [...(await capture.frame(1))],
      resources,
      png: await capture.reference(),
    };
  } finally {
    await capture.close();
  }
}

/** The message without the folder, which differs from run to run. */
async function problem(bytes: Uint8Array): Promise<string> {
  try {
    await readAll(bytes);
  } catch (error) {
    assert.ok(error instanceof GpuprofError, String(error));
    assert.ok(['bad-capture', 'unsupported-version'].includes(error.code), error.code);
    return error.message.replaceAll(`${folder}/`, '');
  }
  return 'no problem';
}

type Change = Uint8Array | string | null;

/** A ZIP of the good capture's entries with some changed, added or (null) left out. */
async function zip(
  changes: Readonly<Record<string, Change>>,
  options: { readonly zip64?: boolean; readonly twice?: string } = {},
) {
  const file = new yazl.ZipFile();
  const entries = new Map<string, Change>([...parts, ...Object.entries(changes)]);
  for (const [name, content] of entries)
    if (content !== null)
      file.addBuffer(Buffer.from(content as string), name, { forceZip64Format: options.zip64 ?? false });
  file.addEmptyDirectory('resources/');
  if (options.twice) file.addBuffer(Buffer.from('again'), options.twice);
  file.end({ forceZip64Format: options.zip64 ?? false, comment: '' });
  return new Uint8Array(await buffer(file.outputStream));
}

interface Json {
  version: unknown;
  setup: { calls: number };
  somethingNew?: boolean;
}

const manifest = (): Json => JSON.parse(new TextDecoder().decode(parts.get('capture.json')));
const withManifest = (change: (json: Json) => void): Promise<Uint8Array> => {
  const json = manifest();
  change(json);
  return zip({ 'capture.json': JSON.stringify(json) });
};

test('cut off at every byte', async () => {
  for (let length = 0; length < good.length; length++)
    assert.match(await problem(good.subarray(0, length)), /^bad\.cap is not a capture: /, `at byte ${length}`);
});

/** Fuzzing (test/fuzz) has any bit of any byte. */
const step = 3;

test('a flipped bit is found or does not matter, wherever it is', async () => {
  const expected = await readAll(good);
  let found = 0;
  for (let at = 0; at < good.length; at += step) {
    const bytes = Uint8Array.from(good);
    bytes[at] ^= 1 << (at % 8);
    try {
      assert.deepEqual(await readAll(bytes), expected, `byte ${at}`);
    } catch (error) {
      assert.ok(error instanceof GpuprofError, `byte ${at}: ${(error as Error).stack}`);
      found++;
    }
  }
  assert.ok(found > good.length / step / 2, `${found} of ${good.length / step} found`);
});

test('random bytes, with and without the end of a ZIP file', async () => {
  const random = integersFrom(1);
  for (let round = 0; round < 200; round++) {
    const bytes = Uint8Array.from({ length: 300 }, () => random(256));
    if (round % 2) bytes.set([0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0], 278);
    if (round % 2) bytes.set([0, 0], 298);
    // A ZIP64 locator before it, with an offset no file has.
    if (round % 4 === 3) bytes.set([0x50, 0x4b, 6, 7], 258);
    assert.match(await problem(bytes), /^bad\.cap is not a capture: /);
  }
});

test('ZIP64 and folders are fine', async () => {
  const expected = await readAll(good);
  assert.deepEqual(await readAll(await zip({}, { zip64: true })), expected);
});

test('missing, extra and doubled entries', async () => {
  const [resource] = [...parts.keys()].filter((name) => name.startsWith('resources/'));
  assert.equal(await problem(await zip({ 'capture.json': null })), 'bad.cap is not a capture: it has no capture.json');
  assert.equal(await problem(await zip({ 'setup.calls': null })), 'bad.cap: setup.calls is missing');
  assert.equal(await problem(await zip({ 'frame-1.calls': null })), 'bad.cap: frame-1.calls is missing');
  assert.equal(await problem(await zip({ 'reference.png': null })), 'bad.cap: reference.png is missing');
  assert.equal(await problem(await zip({ [resource]: null })), `bad.cap: resource 0 (${resource}) is missing`);
  assert.equal(await problem(await zip({ 'extra.bin': 'x' })), 'bad.cap: "extra.bin" does not belong in a capture');
  assert.equal(
    await problem(await zip({ 'frame-2.calls': 'x' })),
    'bad.cap: "frame-2.calls" does not belong in a capture',
  );
  assert.equal(await problem(await zip({}, { twice: 'setup.calls' })), 'bad.cap: "setup.calls" is in the file twice');
});

test('a resource of another size or with other bytes', async () => {
  const [resource] = [...parts.keys()].filter((name) => name.startsWith('resources/'));
  assert.equal(
    await problem(await zip({ [resource]: 'short' })),
    `bad.cap: resource 0 (${resource}) is 5 bytes instead of 24`,
  );
  assert.equal(
    await problem(await zip({ [resource]: new Uint8Array(24) })),
    `bad.cap: resource 0 (${resource}) does not have that hash`,
  );
});

/** Changes fields of every central directory record of the named entry. */
function patch(bytes: Uint8Array, name: string, change: (view: DataView, at: number) => void): Uint8Array {
  const out = Uint8Array.from(bytes);
  const view = new DataView(out.buffer);
  const text = new TextEncoder().encode(name);
  for (let at = 0; at + 46 <= out.length; at++)
    if (
      view.getUint32(at, true) === 0x02014b50 &&
      Buffer.from(out.subarray(at + 46, at + 46 + text.length)).equals(text)
    )
      change(view, at);
  return out;
}

test('bombs: sizes are checked before anything is unpacked', async () => {
  const big = await zip({ 'setup.calls': new Uint8Array(50_000_000) });
  assert.ok(big.length < 100_000);
  const small = { ...defaultLimits, callsBytes: 1e6 };
  await writeFile(join(folder, 'bomb.cap'), big);
  const capture = await openCapture(join(folder, 'bomb.cap'), small);
  await assert.rejects(capture.setup(), {
    message: `${folder}/bomb.cap: setup.calls has 47.7 MiB; at most 1000000 bytes`,
  });
  await capture.close();
  await assert.rejects(openCapture(join(folder, 'bomb.cap'), { ...defaultLimits, totalBytes: 1e6 }), {
    message: `${folder}/bomb.cap: "setup.calls" takes the unpacked total over 1000000 bytes`,
  });
  await assert.rejects(openCapture(join(folder, 'bomb.cap'), { ...defaultLimits, entries: 2 }), {
    message: /is one of more than 2 entries$/,
  });
  const json = await zip({ 'capture.json': new Uint8Array(70 * 2 ** 20).fill(32) });
  assert.equal(await problem(json), 'bad.cap: capture.json has 70 MiB; at most 64 MiB');
});

test('entries that lie about their size', async () => {
  const honest = await zip({ 'setup.calls': new Uint8Array(50_000_000) });
  const lower = patch(honest, 'setup.calls', (view, at) => view.setUint32(at + 24, 400, true));
  assert.match(await problem(lower), /^bad\.cap: setup\.calls is damaged: too many bytes/);
  const higher = patch(good, 'setup.calls', (view, at) => view.setUint32(at + 24, 0xfffffff0, true));
  assert.equal(await problem(higher), 'bad.cap: "setup.calls" cannot unpack to the 4294967280 bytes it declares');
  const longer = patch(good, 'setup.calls', (view, at) => view.setUint32(at + 20, 0x7fffffff, true));
  assert.equal(await problem(longer), 'bad.cap: "setup.calls" is larger than the file');
});

test('encrypted entries, unknown compression, names that lead elsewhere', async () => {
  const encrypted = patch(good, 'setup.calls', (view, at) => view.setUint16(at + 8, 1, true));
  assert.equal(await problem(encrypted), 'bad.cap: "setup.calls" is encrypted');
  const method = patch(good, 'setup.calls', (view, at) => view.setUint16(at + 10, 93, true));
  assert.equal(
    await problem(method),
    'bad.cap: "setup.calls" uses compression method 93; only stored and deflated can be read',
  );
  const dots = patch(good, 'setup.calls', (view, at) => {
    for (const [index, character] of [...'../up.calls'].entries())
      view.setUint8(at + 46 + index, character.charCodeAt(0));
  });
  assert.equal(await problem(dots), 'bad.cap is not a capture: invalid relative path: ../up.calls');
});

test('calls that do not fit the manifest', async () => {
  assert.equal(await problem(await zip({ 'setup.calls': 'abc' })), 'bad.cap: setup.calls is not made of whole words');
  assert.equal(await problem(await zip({ 'setup.calls': '' })), 'bad.cap: setup.calls is too short for 7 calls');
  const more = await withManifest((json) => {
    json.setup.calls = 6;
  });
  assert.equal(await problem(more), 'bad.cap: setup.calls goes on after its 6 calls');
});

test('versions', async () => {
  const newer = await withManifest((json) => {
    json.version = 7;
    json.somethingNew = true;
  });
  assert.equal(await problem(newer), 'bad.cap was made by a newer gpuprof (capture version 7; this one reads up to 1)');
  for (const version of [0, -1, 1.5, '1', null])
    assert.equal(
      await problem(
        await withManifest((json) => {
          json.version = version;
        }),
      ),
      `bad.cap: capture.json: version must be a whole number from 1, got ${JSON.stringify(version)}`,
    );
});

test('capture.json that is no manifest', async () => {
  assert.match(await problem(await zip({ 'capture.json': '{' })), /^bad\.cap: capture\.json is not JSON: /);
  // What is quoted of it has no line breaks.
  assert.match(
    await problem(await zip({ 'capture.json': '{\n"a": rue\n}' })),
    /^bad\.cap: capture\.json is not JSON: .+$/,
  );
  assert.match(await problem(await zip({ 'capture.json': new Uint8Array([0xff]) })), /capture\.json is not JSON/);
  assert.match(await problem(await zip({ 'capture.json': '['.repeat(1e6) })), /capture\.json is not JSON/);
  for (const json of ['null', '[]', '3', '{}', '{"format":"other"}'])
    assert.equal(
      await problem(await zip({ 'capture.json': json })),
      'bad.cap: capture.json: format must be "gpuprof-capture"',
    );
});

test('files that cannot be read', async () => {
  const missing = join(folder, 'missing.cap');
  await assert.rejects(openCapture(missing), { code: 'bad-input', message: `cannot read ${missing}: no such file` });
  await assert.rejects(openCapture(folder), { code: 'bad-input', message: `cannot read ${folder}: it is a directory` });
  await assert.rejects(openCapture('/dev/null'), {
    code: 'bad-input',
    message: 'cannot read /dev/null: it is not a regular file',
  });
  const pipe = join(folder, 'pipe.cap');
  execFileSync('mkfifo', [pipe]);
  await assert.rejects(openCapture(pipe), {
    code: 'bad-input',
    message: `cannot read ${pipe}: it is not a regular file`,
  });
  const locked = join(folder, 'locked.cap');
  await writeFile(locked, good);
  await chmod(locked, 0);
  const readable = await readFile(locked).then(
    () => true,
    () => false,
  );
  // A superuser reads everything.
  if (!readable)
    await assert.rejects(openCapture(locked), {
      code: 'bad-input',
      message: `cannot read ${locked}: permission denied`,
    });
});

test('asking for what is not there', async () => {
  const capture = await openCapture(join(folder, 'good.cap'));
  await assert.rejects(async () => capture.frame(2), { code: 'bad-usage', message: /has no frame 2; it has 1$/ });
  await assert.rejects(capture.resource(1), { message: /has no resource 1$/ });
  await capture.close();
});
