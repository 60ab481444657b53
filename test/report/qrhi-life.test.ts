/** Streams of captures whose textures grow, whose pixels are read, and whose names are hard. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempFolder } from '../helpers/files.ts';
import { usageOf } from '../qrhi/kit.ts';
import { bytes, type Calls, check, type Line, linesOf, noChecker, type Playing, streamOf } from './qrhi-kit.ts';

/** The stream, which passes the strict check where that is at hand, and which gpuprof's reader takes whole. */
async function checked(t: TestContext, calls: Calls, playing: Playing = {}): Promise<string> {
  const stream = await streamOf(calls, playing);
  const { malformed, live, total } = usageOf(stream);
  assert.deepEqual([malformed, live, total.recreated, total.strayReleases], [0, [], 0, 0]);
  if (noChecker) return stream;
  const path = join(await tempFolder(t), 'stream.csv');
  await writeFile(path, stream);
  assert.equal(check(path, playing.numbering), 'ok');
  return stream;
}

const [TEXTURE_2D, CUBE_MAP, FACE_X] = [0xde1, 0x8513, 0x8515];
const RGBA = [0x1908, 0x1401] as const;
const draw: Line = ['glDrawArrays', 4, 0, 3];

const faceImages = (side: number, levels: number, between: readonly Line[]): Line[] =>
  Array.from({ length: levels }, (_, level) => level).flatMap((level) =>
    [0, 1, 2, 3, 4, 5].flatMap((face): Line[] => [
      ['glTexImage2D', FACE_X + face, level, 0x8058, side >> level, side >> level, 0, ...RGBA, null],
      ...between,
    ]),
  );
const cube =
  'width,512,height,512,format,1,owns_native_resource,1,mip_count,10,layer_count,6,effective_sample_count,1,approx_byte_size,8388600';

test('a cube map of 6 faces and 10 levels is one texture, whatever the order of its images', async (t) => {
  const images = faceImages(512, 10, []);
  for (const order of [images, images.toReversed()])
    assert.deepEqual(linesOf(await checked(t, { setup: [['glBindTexture', CUBE_MAP, 1], ...order, draw] }), 7, 8), [
      `7,30000000001000,texture 1,${cube}`,
      '8,30000000001000,texture 1',
    ]);
});

test('a texture that is drawn with between its images grows by the part that an image belongs to', async (t) => {
  const stream = await checked(t, { setup: [['glBindTexture', CUBE_MAP, 1], ...faceImages(512, 10, [draw])] });
  const lines = linesOf(stream, 7, 8);
  // An announcement for each image; each but a level's first ends the one before, and the last ends all other levels'.
  assert.deepEqual(
    [linesOf(stream, 7).length, lines.length, lines.at(-2)],
    [60, 2 * 60, `7,30000000001000,texture 1,${cube}`],
  );
});

test('a chain of levels, each drawn from the one above: a line a level, then one texture', async (t) => {
  const level = (at: number): Line[] => [
    ['glTexImage2D', TEXTURE_2D, at, 0x8058, 8 >> at, 8 >> at, 0, ...RGBA, null],
    draw,
  ];
  const stream = await checked(t, {
    setup: [
      ['glBindTexture', TEXTURE_2D, 1],
      ...[0, 1, 2, 3].flatMap(level),
      ['glTexSubImage2D', TEXTURE_2D, 1, 0, 0, 1, 1, ...RGBA, bytes(4)],
      // The same again changes nothing.
      ...level(0),
    ],
  });
  assert.deepEqual(
    linesOf(stream, 7, 8, 9).map((line) => line.split(',').slice(0, 5).join(' ')),
    [
      '7 30000000001000 texture 1 width 8',
      '7 30000000001001 texture 1 level 1 width 4',
      '7 30000000001002 texture 1 level 2 width 2',
      '8 30000000001000 texture 1',
      '8 30000000001001 texture 1 level 1',
      '8 30000000001002 texture 1 level 2',
      '7 30000000001000 texture 1 width 8',
      '9 30000000001000 texture 1 slot 0',
      '8 30000000001000 texture 1',
    ],
  );
  assert.equal(usageOf(stream).memory.get('texture')?.peakBytes, BigInt((64 + 16 + 4 + 1) * 4));
});

/** A framebuffer to read from, with what hangs on it. */
const reading = (...attaching: readonly Line[]): Line[] => [['glBindFramebuffer', 0x8d40, 1], ...attaching];
const read = (format = 0x1908, type = 0x1401, pixels: 0 | 16 = 16): Line => [
  'glReadPixels',
  0,
  0,
  4,
  2,
  format,
  type,
  pixels === 0 ? { kind: 'offset', offset: 0 } : pixels,
];
const renderbuffer = (id: number, format: number): Line[] => [
  ['glBindRenderbuffer', 0x8d41, id],
  ['glRenderbufferStorage', 0x8d41, format, 4, 2],
];

test('pixels of a renderbuffer are read back, from a texture that is there for the while', async (t) => {
  const setup: Line[] = [
    ...renderbuffer(1, 0x8056), // RGBA4
    ...renderbuffer(2, 0x81a5), // DEPTH_COMPONENT16
    ...reading(
      ['glFramebufferRenderbuffer', 0x8d40, 0x8ce0, 0x8d41, 1],
      ['glFramebufferRenderbuffer', 0x8d40, 0x8d00, 0x8d41, 2],
    ),
  ];
  const frame = [read(), read(0x1902, 0x1406)];
  for (const [numbering, depth] of [
    [5, 11],
    [6, 15],
  ] as const) {
    const stream = await checked(t, { api: 'gl', setup, frames: [frame] }, { numbering, runs: [[[1, 1]]] });
    const view = (format: number) =>
      `width,4,height,2,format,${format},owns_native_resource,0,mip_count,1,layer_count,1,effective_sample_count,1,approx_byte_size,32`;
    assert.deepEqual(linesOf(stream, 7, 8, 13, 14), [
      `7,20000000000001,renderbuffer 1,${view(1)}`,
      '13,20000000000001,renderbuffer 1,id,1,size,32',
      '14,0,,id,1',
      '8,20000000000001,renderbuffer 1',
      `7,20000000000002,renderbuffer 2,${view(depth)}`,
      '13,20000000000002,renderbuffer 2,id,2,size,32',
      '14,0,,id,2',
      '8,20000000000002,renderbuffer 2',
    ]);
    assert.equal(usageOf(stream).memory.get('texture')?.peakBytes, 0n);
  }
});

test('pixels of a texture are read back in each run; into a pixel buffer, nothing is', async (t) => {
  const setup: Line[] = [
    ['glBindTexture', TEXTURE_2D, 3],
    ['glTexStorage2D', TEXTURE_2D, 1, 0x8058, 4, 2],
    ['glBindBuffer', 0x88eb, 4],
    ['glBufferData', 0x88eb, 32, null, 0x88e1],
    ...reading(['glFramebufferTexture2D', 0x8d40, 0x8ce0, TEXTURE_2D, 3, 0]),
  ];
  const frame: Line[] = [read(0x1908, 0x1401, 0), ['glBindBuffer', 0x88eb, 0], read(), ['glBindBuffer', 0x88eb, 4]];
  const stream = await checked(t, { setup, frames: [frame] }, { runs: [[1, 2].map(() => [1, 1] as const)] });
  assert.deepEqual(linesOf(stream, 13, 14), [
    '13,30000000003000,texture 3,id,1,size,32',
    '14,0,,id,1',
    '13,30000000003000,texture 3,id,2,size,32',
    '14,0,,id,2',
  ]);
});

test('multisampled textures and renderbuffers count their samples, arrays of them their layers', async (t) => {
  const stream = await checked(t, {
    api: 'gl',
    setup: [
      ['glBindTexture', 0x9100, 1],
      ['glTexImage2DMultisample', 0x9100, 4, 0x881a, 6, 5, 1],
      ['glBindTexture', 0x9102, 2],
      ['glTexStorage3DMultisample', 0x9102, 8, 0x8058, 4, 3, 2, 1],
      ['glBindRenderbuffer', 0x8d41, 3],
      ['glRenderbufferStorageMultisample', 0x8d41, 4, 0x8058, 4, 2],
      ['glRenderbufferStorageMultisample', 0x8d41, 2, 0x88f0, 4, 2],
      ['glRenderbufferStorageMultisample', 0x8d41, 0, 0x88f0, 4, 2],
    ],
  });
  const pick = (op: number, ...at: readonly number[]) =>
    linesOf(stream, op).map((line) => at.map((field) => line.split(',')[field]).join(' '));
  // Width, height, format, samples, bytes.
  assert.deepEqual(pick(7, 4, 6, 8, 16, 18), [`6 5 6 4 ${6 * 5 * 8 * 4}`, `4 6 1 8 ${4 * 3 * 2 * 4 * 8}`]);
  // Type, samples, bytes; the first is the canvas's own.
  assert.deepEqual(pick(5, 4, 10, 16).slice(1), [`1 4 ${32 * 4}`, `0 2 ${32 * 2}`, '0 1 32']);
});

const hard: readonly (readonly [name: string, written: string])[] = [
  ['a,b,,c', 'a_b__c'],
  ['line\nfeed\r\nand\rreturn', 'line_feed__and_return'],
  ['"quoted" \'too\', "', '"quoted" \'too\'_ "'],
  ['é☃ 漢字 👩‍👩‍👧 e\u0301', 'é☃ 漢字 👩‍👩‍👧 e\u0301'],
  ['=1+1 \t\u001b[2J', '=1+1 \t\u001b[2J'],
  ['nul\0', 'nul_'],
  ['x,'.repeat(5000), 'x_'.repeat(5000)],
  ['漢'.repeat(10_000), '漢'.repeat(10_000)],
  ['12,5,1,,', '12_5_1__'],
];

test('labels of every kind of object, and paths of events, whatever is in them', async (t) => {
  const setup = hard.flatMap(([name], at): Line[] => [
    ['glBindBuffer', 0x8892, at + 1],
    ['glBufferData', 0x8892, 4, bytes(4), 0x88e4],
    ['glObjectLabel', 0x82e0, at + 1, -1, name],
    ['glBindTexture', 0x8c1a, at + 1],
    ['glTexStorage3D', 0x8c1a, 1, 0x8058, 1, 1, 2],
    ['glObjectLabel', 0x1702, at + 1, -1, name],
    ['glBindRenderbuffer', 0x8d41, at + 1],
    ['glRenderbufferStorage', 0x8d41, 0x8058, 1, 1],
    ['glObjectLabel', 0x8d41, at + 1, -1, name],
  ]);
  const stream = await checked(
    t,
    { api: 'gl', setup },
    {
      after: (recorder) =>
        recorder.events(
          hard.map(([name], at) => ({ eventId: at + 1, name: `frame/${name}/draw`, durationsNs: [1e6] })),
        ),
    },
  );
  const names = (op: number) => linesOf(stream, op).map((line) => line.split(',')[2]);
  const written = hard.map(([, name]) => name);
  assert.deepEqual(names(1), written);
  assert.deepEqual(names(3), written);
  assert.deepEqual(
    names(7),
    written.map((name) => `${name} level 0`),
  );
  assert.deepEqual(names(5).slice(1), written);
  assert.deepEqual(
    names(16),
    written.map((name) => `frame/${name}/draw`),
  );
  // The reader keeps the beginning of a long name.
  const beginning = (name: string) => name.slice(0, 50);
  assert.deepEqual(
    usageOf(stream).eventTimes.map(({ name }) => beginning(name)),
    written.map((name) => beginning(`frame/${name}/draw`)),
  );
});
