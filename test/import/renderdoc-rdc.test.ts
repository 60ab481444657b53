import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { GpuprofError } from '../../src/errors.ts';
import { closesGroup, groupName, rdcChunks } from '../../src/import/renderdoc/rdc/chunks.ts';
import { openRdc } from '../../src/import/renderdoc/rdc/container.ts';
import { conversionCommand, findRenderdoccmd } from '../../src/import/renderdoc/rdc/convert.ts';
import { glChunkNames } from '../../src/import/renderdoc/rdc/gl-chunk-names.ts';
import { unpackLz4 } from '../../src/import/renderdoc/rdc/lz4.ts';
import { tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { chunk, container, rawZstd, sized } from './rdc-writer.ts';
import { fixture, fixtureXml } from './renderdoc-kit.ts';

const sample = fixture('buf.rdc');

interface Read {
  readonly chunks: readonly (readonly [string, number])[];
  readonly groups: readonly string[];
}

async function read(path: string): Promise<Read> {
  const rdc = await openRdc(path);
  try {
    const chunks: [string, number][] = [];
    const groups: string[] = [];
    for await (const chunk of rdcChunks(rdc)) {
      chunks.push([chunk.name, chunk.sizeBytes]);
      const group = groupName(chunk);
      if (group !== null) groups.push(group);
      else if (closesGroup(chunk)) groups.push('end');
    }
    return { chunks, groups };
  } finally {
    await rdc.close();
  }
}

/** The refusal's message without the path; undefined when it was read. */
async function refusal(path: string, bytes: Uint8Array): Promise<string | undefined> {
  await writeFile(path, bytes);
  try {
    await read(path);
  } catch (error) {
    if (!(error instanceof GpuprofError)) throw error;
    return error.message.replace(`${path}: `, '');
  }
  return undefined;
}

test('names and lengths of chunks are those that RenderDoc itself converts', async () => {
  const xml = await fixtureXml('buf');
  const expected = [...xml.matchAll(/<chunk id="\d+" name="([^"]*)" length="(\d+)"/g)].map(([, name, length]) => [
    name,
    Number(length),
  ]);
  const { chunks } = await read(sample);
  assert.deepEqual(chunks, expected);
});

test('what an .rdc says of itself', async () => {
  const { driver, program, version, thumbnail, sections, close } = await openRdc(sample);
  await close();
  assert.deepEqual([driver, program, version], ['OpenGL', '1.24 NO_GIT', 0x102]);
  assert.deepEqual(thumbnail, { width: 112, height: 84 });
  assert.deepEqual(
    sections.map(({ name, type, flags }) => [name, type, flags]),
    [
      ['renderdoc/internal/framecapture', 1, 2],
      ['renderdoc/internal/exthumb', 7, 0],
    ],
  );
});

test('sections that are not packed, and Zstandard ones of several pages', async (t) => {
  const path = join(await tempFolder(t), 'x.rdc');
  const chunks = Buffer.concat([
    chunk(1004, Buffer.alloc(12)),
    chunk(1002, Buffer.alloc(100)),
    chunk(6, Buffer.alloc(0)),
  ]);
  const expected = [
    ['glBindTexture', 12],
    ['vrapi_CreateTextureSwapChain', 100],
    ['Internal::End of Capture', 0],
  ];
  await writeFile(path, container(chunks));
  assert.deepEqual((await read(path)).chunks, expected);
  const packed = Buffer.concat([sized(rawZstd(chunks.subarray(0, 100))), sized(rawZstd(chunks.subarray(100)))]);
  await writeFile(path, container(packed, 4, chunks.length));
  assert.deepEqual((await read(path)).chunks, expected);
});

test('groups are told by name', async (t) => {
  const path = join(await tempFolder(t), 'x.rdc');
  const push = Buffer.alloc(21);
  push.writeUInt32LE(5, 12);
  push.write('Frame', 16);
  const [open, close] = ['glPushDebugGroup', 'glPopDebugGroup'].map((name) => 1000 + glChunkNames.indexOf(name));
  await writeFile(path, container(Buffer.concat([chunk(open, push), chunk(close, Buffer.alloc(0))])));
  assert.deepEqual((await read(path)).groups, ['Frame', 'end']);
});

test('LZ4: literals, long lengths, overlapping matches, and matches into what came before', () => {
  const out = new Uint8Array(400);
  assert.equal(unpackLz4(Uint8Array.of(0x30, 1, 2, 3), out, 0), 3);
  // A match of 4 + 15 + 255 + 2 bytes, three back, then one literal.
  const end = unpackLz4(Uint8Array.of(0x0f, 3, 0, 255, 2, 0x10, 9), out, 3);
  assert.equal(end, 3 + 276 + 1);
  assert.deepEqual([...out.subarray(0, 9)], [1, 2, 3, 1, 2, 3, 1, 2, 3]);
  assert.equal(out[end - 1], 9);
  assert.throws(() => unpackLz4(Uint8Array.of(0x0f, 9, 0, 0), out, 3), /goes back 9 bytes where there are 3/);
  assert.throws(() => unpackLz4(Uint8Array.of(0x0f, 1, 0, 255, 255, 0), out, 3), /a match is too long/);
  assert.throws(() => unpackLz4(Uint8Array.of(0xf0, 255, 255, 0), out, 0), /its literals are too long/);
  assert.throws(() => unpackLz4(Uint8Array.of(0x11, 1, 1), out, 0), /it ends within a sequence/);
});

test('what is malformed is refused with its offset', async (t) => {
  const path = join(await tempFolder(t), 'x.rdc');
  const bytes = await readFile(sample);
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(value, at);
    return copy;
  };
  assert.match((await refusal(path, Buffer.from('PNG'))) ?? '', /^offset 0: the file ends within the header$/);
  assert.match((await refusal(path, Buffer.alloc(100))) ?? '', /^offset 0: is no RenderDoc capture$/);
  await writeFile(path, changed(8, 0x99));
  await assert.rejects(read(path), {
    code: 'unsupported-version',
    message: `${path}: the RenderDoc container has version 0x99`,
  });
  assert.match((await refusal(path, changed(12, 0x7fffffff))) ?? '', /^offset \d+: a header of 2147483647 bytes$/);
  assert.match((await refusal(path, changed(36, 0x7fffffff))) ?? '', /^offset 40: a thumbnail of 2147483647 bytes$/);
  const bomb = container(sized(Uint8Array.of(0x10, 1)), 2, 2 ** 40);
  assert.match((await refusal(path, bomb)) ?? '', /a chunk|ends \d+ bytes early|ends within a chunk/);
  const huge = container(chunk(1004, Buffer.alloc(12)).fill(0xff, 4, 8));
  assert.match((await refusal(path, huge)) ?? '', /^offset 8 of the unpacked frame: a chunk of 4294967295 bytes$/);
});

test('wherever it is cut off or changed, it is read or refused', async (t) => {
  const path = join(await tempFolder(t), 'x.rdc');
  const bytes = await readFile(sample);
  for (let length = 0; length < bytes.length; length += 397)
    assert.notEqual(await refusal(path, bytes.subarray(0, length)), undefined, `${length} bytes`);
  let state = 11;
  for (let round = 0; round < 150; round++) {
    const copy = Buffer.from(bytes);
    for (let change = 0; change < 3; change++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      copy[state % copy.length] = state >>> 24;
    }
    await refusal(path, copy);
  }
});

/** A folder for PATH that has Node and no renderdoccmd, or one that does this. */
async function pathWith(t: TestContext, script?: string): Promise<string> {
  const folder = await tempFolder(t);
  await symlink(process.execPath, join(folder, 'node'));
  if (script !== undefined) {
    await writeFile(join(folder, 'renderdoccmd'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'renderdoccmd'), 0o755);
  }
  return folder;
}

test('without renderdoccmd, info and dump show the container, and replay names the command', async (t) => {
  const PATH = await pathWith(t);
  const info = await runInSession(['info', sample], { env: { PATH } });
  assert.equal(info.code, 0, info.stderr);
  assert.match(info.stdout, /^recorded by +RenderDoc 1\.24 NO_GIT$/m);
  assert.match(info.stdout, /^driver +OpenGL$/m);
  assert.match(info.stdout, /^thumbnail +112x84$/m);
  assert.match(info.stdout, /^section +renderdoc\/internal\/framecapture, version 35, \d+ bytes, LZ4$/m);
  assert.match(info.stdout, /^ {2}glDrawArrays +\d+, \d+ bytes$/m);
  const json = JSON.parse((await runInSession(['info', sample, '--format', 'json'], { env: { PATH } })).stdout);
  assert.equal(
    json.chunks.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    196,
  );
  const dump = await runInSession(['dump', sample], { env: { PATH } });
  assert.equal(dump.stdout.trimEnd().split('\n').length, 196);
  assert.match(dump.stdout, /^\d+ glDispatchCompute 20 bytes$/m);
  const replay = await runInSession(['replay', sample], { env: { PATH } });
  assert.equal(replay.code, 2);
  assert.ok(replay.stderr.includes(conversionCommand(sample)), replay.stderr);
});

test('a conversion that fails is one line, and leaves nothing behind', async (t) => {
  const TMPDIR = await tempFolder(t);
  const PATH = [await pathWith(t, 'touch "$5".part; echo "no such driver" >&2; exit 3'), '/usr/bin', '/bin'].join(
    delimiter,
  );
  const { code, stderr } = await runInSession(['replay', sample], { env: { PATH, TMPDIR } });
  assert.equal(code, 2);
  assert.match(stderr, /^gpuprof: renderdoccmd cannot convert .*buf\.rdc: no such driver$/m);
  assert.deepEqual(
    (await readdir(TMPDIR)).filter((name) => name.startsWith('gpuprof-rdc-')),
    [],
  );
});

test('a path with spaces and quotes is quoted in the command', () => {
  assert.equal(
    conversionCommand("it's a.rdc"),
    "renderdoccmd convert -f 'it'\\''s a.rdc' -o 'it'\\''s a.zip.xml' -c zip.xml",
  );
});

const installed = await findRenderdoccmd();

test('with renderdoccmd, an .rdc is imported', {
  skip: installed === null && 'renderdoccmd is not installed',
}, async (t) => {
  const folder = await tempFolder(t);
  await mkdir(join(folder, 'tmp'));
  await copyFile(sample, join(folder, 'buf.rdc'));
  const { code, stderr } = await runInSession(['import', join(folder, 'buf.rdc'), '-o', join(folder, 'x.cap')], {
    env: { TMPDIR: join(folder, 'tmp') },
  });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /1 frame, \d+ calls, 14 draws/);
  assert.ok(existsSync(join(folder, 'x.cap')));
  assert.deepEqual(
    (await readdir(join(folder, 'tmp'))).filter((name) => name.startsWith('gpuprof-rdc-')),
    [],
  );
});
