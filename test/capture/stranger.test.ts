/**
 * A reader made from FORMAT.md alone: it uses nothing of src, so what it cannot decode the page does not tell. Enum names
 * are the registry's; the reader has numbers, and the two must pair up.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import yauzl from 'yauzl';
import { projectRoot } from '../helpers/cli.ts';
import { runInSession } from '../helpers/session.ts';

interface Param {
  readonly name: string;
  readonly type: string;
  readonly objectClass: string;
  readonly element?: string;
}

interface Manifest {
  readonly setup: { readonly calls: number };
  readonly frames: readonly { readonly calls: number }[];
  readonly signatures: readonly { name: string; result: { objectClass: string }; params: readonly Param[] }[];
  readonly locations: readonly (readonly [number, string])[];
  readonly resources: readonly { readonly sha256: string; readonly sizeBytes: number }[];
}

type Json = Record<string, unknown>;

async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
    files.set(entry.fileName, Buffer.concat(parts));
  }
  zip.close();
  return files;
}

/** [bytes, reader] of an element or number type. */
const numbers: Record<string, [number, (bytes: Buffer, at: number) => number | bigint]> = {
  i8: [1, (bytes, at) => bytes.readInt8(at)],
  u8: [1, (bytes, at) => bytes.readUInt8(at)],
  i16: [2, (bytes, at) => bytes.readInt16LE(at)],
  u16: [2, (bytes, at) => bytes.readUInt16LE(at)],
  i32: [4, (bytes, at) => bytes.readInt32LE(at)],
  u32: [4, (bytes, at) => bytes.readUInt32LE(at)],
  enum: [4, (bytes, at) => bytes.readUInt32LE(at)],
  bitfield: [4, (bytes, at) => bytes.readUInt32LE(at)],
  f32: [4, (bytes, at) => bytes.readFloatLE(at)],
  f64: [8, (bytes, at) => bytes.readDoubleLE(at)],
  i64: [8, (bytes, at) => bytes.readBigInt64LE(at)],
  u64: [8, (bytes, at) => bytes.readBigUInt64LE(at)],
  pointer: [8, (bytes, at) => bytes.readBigUInt64LE(at)],
};

/** `dump` gives numbers that a JSON reader would round as text. */
const shown = (value: number | bigint): number | string =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value))
    ? Number(value)
    : typeof value === 'bigint' || !Number.isFinite(value)
      ? String(value)
      : value;

class Reader {
  at = 0;
  readonly bytes: Buffer;
  readonly manifest: Manifest;

  constructor(bytes: Buffer, manifest: Manifest) {
    this.bytes = bytes;
    this.manifest = manifest;
  }

  word(): number {
    this.at += 4;
    return this.bytes.readUInt32LE(this.at - 4);
  }

  text(): string | null {
    const length = this.word();
    if (length === 0xffffffff) return null;
    const text = this.bytes.toString('utf8', this.at, this.at + length);
    this.at += 4 * (Math.floor(length / 4) + 1);
    assert.equal(this.bytes[this.at - 1], 0);
    return text;
  }

  data(element = 'u8'): unknown {
    const tag = this.word();
    if (tag === 0) return null;
    if (tag === 2) return { resource: this.word(), byteOffset: this.word(), byteLength: this.word() };
    if (tag === 3) return { offset: this.word() + this.word() * 2 ** 32 };
    assert.equal(tag, 1);
    const length = this.word();
    const [size, read] = numbers[element];
    const values: unknown[] = [];
    for (let at = 0; at < length; at += size) values.push(shown(read(this.bytes, this.at + at)));
    this.at += Math.ceil(length / 4) * 4;
    return values;
  }

  value({ type, objectClass, element }: Param): unknown {
    if (type in numbers) {
      const [size, read] = numbers[type];
      this.at += size;
      return shown(read(this.bytes, this.at - size));
    }
    switch (type) {
      case 'bool':
        return this.word() !== 0;
      case 'object':
        return { [objectClass]: this.word() };
      case 'objects':
        return Array.from({ length: this.word() }, () => ({ [objectClass]: this.word() }));
      case 'location': {
        const location = this.manifest.locations[this.word()];
        return location ? { program: location[0], uniform: location[1] } : null;
      }
      case 'data':
        return this.data(element);
      case 'string':
        return this.text();
      case 'strings':
        return Array.from({ length: this.word() }, () => this.text());
      case 'out': {
        const size = this.word();
        return size === 0xffffffff ? null : { out: size };
      }
    }
    throw new Error(`FORMAT.md does not tell what a ${type} is`);
  }

  call(): Json {
    const start = this.at;
    const { name, params, result } = this.manifest.signatures[this.word()];
    const words = this.word();
    const returned = this.word();
    const args: Json = {};
    for (const param of params) args[param.name] = this.value(param);
    assert.equal(this.at, start + 4 * words, name);
    return { name, args, ...(returned !== 0 && { result: { [result.objectClass]: returned } }) };
  }
}

async function readCalls(path: string): Promise<Json[]> {
  const files = await unzip(path);
  const file = (name: string): Buffer => files.get(name) ?? assert.fail(`no ${name}`);
  const manifest: Manifest = JSON.parse(file('capture.json').toString());
  for (const { sha256, sizeBytes } of manifest.resources) {
    const bytes = file(`resources/${sha256}`);
    assert.equal(bytes.length, sizeBytes);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
  const streams = [manifest.setup, ...manifest.frames].map(({ calls }, frame) => {
    const reader = new Reader(file(frame === 0 ? 'setup.calls' : `frame-${frame}.calls`), manifest);
    const lines = Array.from({ length: calls }, (_, index) => ({
      frame: frame === 0 ? null : frame,
      eventId: index + 1,
      ...reader.call(),
    }));
    assert.equal(reader.at, reader.bytes.length);
    return lines;
  });
  return streams.flat();
}

const bits: Record<string, number> = {
  GL_DEPTH_BUFFER_BIT: 0x100,
  GL_STENCIL_BUFFER_BIT: 0x400,
  GL_COLOR_BUFFER_BIT: 0x4000,
};
const numberOf = new Map<string, number>([
  ['GL_TRIANGLES', 4],
  ['GL_ARRAY_BUFFER', 0x8892],
  ['GL_TEXTURE_2D', 0xde1],
]);

/** The dump's value with the enum names it has in place of numbers taken back; the same name is always the same number. */
function withNumbers(dumped: unknown, read: unknown): unknown {
  if (typeof dumped === 'string' && typeof read === 'number') {
    if (dumped.includes('_BIT')) return dumped.split(' | ').reduce((sum, name) => sum + bits[name], 0);
    if (!numberOf.has(dumped)) numberOf.set(dumped, read);
    return numberOf.get(dumped);
  }
  if (Array.isArray(dumped) && Array.isArray(read))
    return dumped.map((value, index) => withNumbers(value, read[index]));
  if (typeof dumped !== 'object' || dumped === null || typeof read !== 'object' || read === null) return dumped;
  return Object.fromEntries(
    Object.entries(dumped).map(([name, value]) => [name, withNumbers(value, (read as Json)[name])]),
  );
}

const samples = readdirSync(join(projectRoot, 'captures')).filter((name) => name.endsWith('.cap'));

for (const sample of samples)
  test(`${sample}: a reader made from FORMAT.md finds what dump prints`, async () => {
    const path = join(projectRoot, 'captures', sample);
    const read = await readCalls(path);
    const { code, stdout } = await runInSession(['dump', path, '--format', 'json']);
    assert.equal(code, 0);
    const dumped = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      dumped.map((line, index) => withNumbers(line, read[index])),
      read,
    );
  });

test('enum names were compared', () => {
  assert.ok(samples.length >= 3 && numberOf.size > 20);
});

test('FORMAT.md lists every pseudo-call with the parameters it has', async () => {
  const page = readFileSync(join(projectRoot, 'src', 'capture', 'FORMAT.md'), 'utf8');
  const lines = readFileSync(join(projectRoot, 'src', 'gl', 'registry', 'pseudo-lines.ts'), 'utf8');
  const calls = [...lines.matchAll(/^(gpuprof\w+)\|\|gpuprof\|void\|(.+)$/gm)];
  assert.ok(calls.length >= 4);
  for (const [, name, params] of calls) {
    const names = params.split('|').map((param) => param.split(' ')[0]);
    assert.ok(page.includes(`| \`${name}(${names.join(', ')})\``), name);
    for (const param of params.split('|')) {
      const [parameter, type] = param.split(' ');
      assert.ok(page.includes(`\`${parameter} ${type.split(':')[0]}\``), `${name}: ${param}`);
    }
  }
});
