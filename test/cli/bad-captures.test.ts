/** What cannot be a capture, or cannot be replayed: one line, exit 2, and no native library crashes. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import yazl from 'yazl';
import { Archive } from '../../src/capture/archive.ts';
import { defaultLimits } from '../../src/capture/limits.ts';
import { runProgram, typescript } from '../helpers/cli.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';

const commands = ['replay', 'info', 'dump'] as const;
type Parts = Map<string, Uint8Array | (() => Readable)>;
/** What Node, GL and the largest sample take together, with room; a bomb would take ten times that. */
const mostBytes = 700 * 2 ** 20;

async function partsOf(path: string): Promise<Map<string, Uint8Array>> {
  const archive = await Archive.open(path, defaultLimits);
  const parts = new Map<string, Uint8Array>();
  for (const name of archive.entries.keys()) parts.set(name, await archive.read(name, 1e9));
  await archive.close();
  return parts;
}

async function zip(parts: Parts): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [name, part] of parts) {
    if (typeof part === 'function') file.addReadStream(part(), name);
    else file.addBuffer(Buffer.from(part), name);
  }
  file.end();
  return buffer(file.outputStream);
}

/** The command must say one line on stderr, nothing on stdout, and exit 2; returns what it said. */
async function refused(command: string, path: string): Promise<string> {
  const args = command === 'replay' ? [path, '--driver', 'egl', '--runs', '1'] : [path];
  const { code, stdout, stderr } = await runInSession([command, ...args]);
  const where = `${command}: ${stderr}`;
  assert.equal(code, 2, where);
  assert.match(stderr, /^gpuprof: [^\n]+\n$/, where);
  assert.doesNotMatch(stderr, /internal error/);
  if (command !== 'dump') assert.equal(stdout, '', where);
  return stderr;
}

async function refusedByAll(path: string, message: RegExp): Promise<void> {
  for (const command of commands) assert.match(await refused(command, path), message, command);
}

const badFile = (t: TestContext): Promise<string> => tempFolder(t).then((folder) => join(folder, 'bad.cap'));

test('what is no capture', async (t) => {
  const file = await badFile(t);
  await refusedByAll(file, /cannot read .*bad\.cap: no such file/);
  await mkdir(file);
  await refusedByAll(file, /cannot read .*bad\.cap: it is a directory/);
  const png = (await partsOf(samplePath('triangle'))).get('reference.png') as Uint8Array;
  for (const bytes of ['just text\n', png, '']) {
    const other = join(file, 'other.cap');
    await writeFile(other, bytes);
    await refusedByAll(other, /other\.cap is not a capture: /);
  }
});

test('cut off anywhere', async (t) => {
  const file = await badFile(t);
  const good = await readFile(samplePath('triangle'));
  const cuts = 12;
  for (let cut = 0; cut < cuts; cut++) {
    await writeFile(file, good.subarray(0, Math.floor((good.length * (cut + 0.5)) / cuts)));
    assert.match(await refused(commands[cut % commands.length], file), /is not a capture: /);
  }
});

interface ManifestJson {
  version: number;
  resources: { sizeBytes: number }[];
  signatures: { name: string; params: { type: string }[] }[];
  frames: { calls: number }[];
  canvas: { width: number };
}

/** The sample with some of it changed. */
async function changed(path: string, change: (parts: Parts, manifest: ManifestJson) => void): Promise<void> {
  const parts: Parts = await partsOf(samplePath('scene'));
  const manifest = JSON.parse(Buffer.from(parts.get('capture.json') as Uint8Array).toString()) as ManifestJson;
  change(parts, manifest);
  if (parts.has('capture.json')) parts.set('capture.json', Buffer.from(JSON.stringify(manifest)));
  await writeFile(path, await zip(parts));
}

const resourceOf = (parts: Parts): string => [...parts.keys()].find((name) => name.startsWith('resources/')) ?? '';
const words = (parts: Parts): Uint32Array => {
  const bytes = Uint8Array.from(parts.get('setup.calls') as Uint8Array);
  parts.set('setup.calls', bytes);
  return new Uint32Array(bytes.buffer);
};

test('newer versions, missing and wrong resources, counts out of range', async (t) => {
  const file = await badFile(t);
  const cases: [RegExp, Parameters<typeof changed>[1]][] = [
    [/made by a newer gpuprof \(capture version 9/, (_, manifest) => (manifest.version = 9)],
    [/resource 0 \(resources\/\w+\) is missing/, (parts) => parts.delete(resourceOf(parts))],
    [/setup\.calls is missing/, (parts) => parts.delete('setup.calls')],
    [/call 1 has signature 4294967295/, (parts) => words(parts).fill(0xffffffff, 0, 1)],
    [/call 1 has a length of 2147483647 words/, (parts) => words(parts).fill(0x7fffffff, 1, 2)],
    [/width must be .*16384/, (_, manifest) => (manifest.canvas.width = 2 ** 31)],
    [/calls/, (_, manifest) => (manifest.frames[0].calls = 2 ** 40)],
    [/sizeBytes must be 0 to 2147483648, got 1000000000000/, (_, manifest) => (manifest.resources[0].sizeBytes = 1e12)],
  ];
  for (const [message, change] of cases) {
    await changed(file, change);
    await refusedByAll(file, message);
  }
});

test('what only a replay finds: wrong hashes, unknown calls, other parameters', async (t) => {
  const file = await badFile(t);
  await changed(file, (parts) => {
    const name = resourceOf(parts);
    parts.set(name, new Uint8Array((parts.get(name) as Uint8Array).length));
  });
  assert.match(await refused('replay', file), /does not have that hash/);
  await changed(file, (_, manifest) => (manifest.signatures[0].name = 'glFrobnicate'));
  const said = await refused('replay', file);
  assert.match(said, /glFrobnicate, which is no GL command/);
  assert.ok(said.startsWith(`gpuprof: ${file}: `), 'the capture is named');
  await changed(file, (_, { signatures }) => {
    for (const { name, params } of signatures) if (name === 'glDrawElements') params[0].type = 'i32';
  });
  assert.match(await refused('replay', file), /glDrawElements has other parameters than GL's/);
});

/** Zeros, without ever holding them. */
function* zeros(sizeBytes: number): Generator<Uint8Array> {
  const block = new Uint8Array(2 ** 20);
  for (let left = sizeBytes; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
}

test('bombs take no memory', async (t) => {
  const file = await badFile(t);
  // As much as a capture may have of calls.
  const honest = 2 ** 30;
  const parts: Parts = await partsOf(samplePath('scene'));
  parts.set('setup.calls', () => Readable.from(zeros(honest)));
  await writeFile(file, await zip(parts));
  const lying = await readFile(file);
  const child = join(fileURLToPath(new URL('./', import.meta.url)), 'peak.ts');
  const peakOf = async (args: readonly string[]): Promise<number> => {
    const { code, stderr, stdout } = await runProgram(process.execPath, [...typescript, child, ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^gpuprof: [^\n]+\n$/);
    return Number(stdout.trim());
  };
  for (const command of commands) assert.ok((await peakOf([command, file])) < mostBytes, command);
  // The same, declaring 100 bytes.
  const at = lying.lastIndexOf(Buffer.from('setup.calls')) - 46;
  lying.writeUInt32LE(100, at + 24);
  await writeFile(file, lying);
  for (const command of commands) assert.ok((await peakOf([command, file])) < mostBytes, command);
});
