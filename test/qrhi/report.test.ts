import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeText } from '../../src/report/qrhi-usage/texts.ts';
import { displayWidth } from '../../src/report/text.ts';
import { buffer, documentOf, reportOf, smallStream, texture } from './kit.ts';

const report = reportOf('small.csv', `${smallStream}line2,\n`);
const options = { top: 10, qt: 5, width: 80, color: false } as const;

const expectedTable = `stream      small.csv
lines       21, 1.5 KiB, from 5 to 22 ms
malformed   1 line, skipped
            line 21 has fewer than 4 fields: line2,

memory               live     size     peak  created  released
──────────────────────────────────────────────────────────────
buffers                 1      0 B     84 B        2         1
renderbuffers           1  1.6 KiB  1.6 KiB        2         0
textures                1      0 B    512 B        2         1
swapchains              0      0 B    800 B        1         1
staging of buffers      0      0 B     84 B        1         1
staging of textures     0      0 B      0 B        0         0
readbacks               0      0 B    512 B        1         1
all                     3  1.6 KiB  3.4 KiB        9         5

allocator   1000 B used (peak 2.0 KiB), 1.0 KiB unused, 3 allocations in 1
            block, by its own figures (op 15)

frame times     windows  min ms  max ms   avg ms  last avg
──────────────────────────────────────────────────────────
GPU                   1    1e-7     2.5     0.25      0.25
frame to frame        1       2      13  5.01667   5.01667
frame build           1       1       9      0.5       0.5

As Qt's viewer (qrhiprof) has it
buffers     1 buffer, 0 bytes (peak 84), 0 bytes of staging (peak 84)
textures    1 texture, 0 bytes (peak 512), 0 bytes of staging (peak 0)
swapchains  0 bytes (peak 800)
frame delta min 2 ms, max 13 ms, avg 5.01667 ms, 121 frames since resize
GPU time    min 1e-7 ms, max 2.5 ms, avg 0.25 ms
allocator   1 real allocation, 3 sub-allocations, 1000 bytes in total, 1048
            unused

Largest
kind          res     size  line  name           what
────────────────────────────────────────────────────────────────────
renderbuffer  300  1.6 KiB     8                 10x10 depth-stencil
swapchain     400    800 B     9                 10x10 2 buffers
texture       200    512 B     5  a_ b é         16x8 RGBA8
buffer        100     84 B     1  Triangle vbuf  immutable vertex

Live at the end: 3, 1.6 KiB
kind          res     size  line  name          what
────────────────────────────────────────────────────────────────────────────────
renderbuffer  300  1.6 KiB     8                10x10 depth-stencil
buffer        101      0 B     2  Triang… ubuf  immutable vertex on the CPU only
texture       201      0 B     6  imported      16x8 RGBA8 not its own

op  event                     count
───────────────────────────────────
 1  NewBuffer                     2
 2  ReleaseBuffer                 1
 3  NewBufferStagingArea          1
 4  ReleaseBufferStagingArea      1
 5  NewRenderBuffer               2
 7  NewTexture                    2
 8  ReleaseTexture                1
11  ResizeSwapChain               1
12  ReleaseSwapChain              2
13  NewReadbackBuffer             1
14  ReleaseReadbackBuffer         1
15  GpuMemAllocStats              2
16  GpuFrameTime                  1
17  FrameToFrameTime              1
18  FrameBuildTime                1

note        created again while live, the newer in the older's place: 1
            renderbuffer; Qt's OpenGL backend does not release uniform buffers
            and the window's depth-stencil
note        1 release of what was not live: Qt's backends release swapchains and
            colour renderbuffers twice, and the Null backend everything; only
            the first counts
note        1 window of frame times with a minimum above the average: in Qt a
            sample of 0 ms makes the minimum begin anew
`;

test('the table', () => {
  assert.equal(documentOf('table', [report], options), expectedTable);
});

test('no line is wider than the terminal, whatever is in the stream', () => {
  const odd = reportOf('x'.repeat(300), `${buffer(2n ** 63n, 2n ** 62n, 1, '漢字'.repeat(40))}${'y'.repeat(500)},\n`);
  for (const width of [24, 30, 40, 80, 120])
    for (const line of documentOf('table', [report, odd], { ...options, width }).split('\n'))
      assert.ok(displayWidth(line) <= Math.max(width, 32), `${width}: ${line}`);
});

test('nothing of a stream reaches the terminal as it is', () => {
  const names = reportOf('a', buffer(1, 10, 1, '\u001b[31mred\u202e'));
  for (const format of ['table', 'csv', 'json'] as const)
    assert.ok(
      !['\u001b', '\u202e'].some((character) => documentOf(format, [names], options).includes(character)),
      format,
    );
});

test('CSV: a row a figure', () => {
  const rows = documentOf('csv', [report], options).split('\r\n');
  assert.equal(
    rows[0],
    'stream,section,item,count,liveCount,sizeBytes,peakBytes,minMs,maxMs,avgMs,res,name,line,timestampMs,what',
  );
  for (const row of [
    'small.csv,stream,lines,21,,1527,,,,,,,,,',
    'small.csv,memory,renderbuffer,2,1,1600,1600,,,,,,,,',
    'small.csv,memory,allocator,2,,1000,2000,,,,,,,,',
    'small.csv,frame times,GPU,1,,,,1e-7,2.5,0.25,,,,,',
    'small.csv,viewer,staging of buffers,,,0,84,,,,,,,,',
    'small.csv,live,buffer,,,0,,,,,101,Triangle ubuf,2,5,immutable vertex on the CPU only',
    'small.csv,events,ReleaseSwapChain,2,,,,,,,,,,,',
    'small.csv,malformed,has fewer than 4 fields,,,,,,,,,"line2,",21,,',
  ])
    assert.ok(rows.includes(row), row);
});

test("textures have their formats' names, in either numbering", () => {
  const withFormat = (format: string) => texture(1, 512).replace('format,1,', `format,${format},`);
  const shapes = (format: string, qt: 5 | 6) => {
    const [, row] =
      /\r\nt,largest,(.*)\r\n/.exec(documentOf('csv', [reportOf('t', withFormat(format))], { ...options, qt })) ?? [];
    return row.split(',').at(-1);
  };
  assert.deepEqual(
    ['1', '4', '11', '35', '36', '0'].map((format) => shapes(format, 5)),
    ['16x8 RGBA8', '16x8 R16', '16x8 D32F', '16x8 ASTC_12x12', '16x8 format 36', '16x8 unknown format'],
  );
  assert.deepEqual(
    ['4', '15', '39', '9223372036854775807', '-1'].map((format) => shapes(format, 6)),
    ['16x8 RG8', '16x8 D32F', '16x8 ASTC_12x12', '16x8 format 9223372036854775807', '16x8 format -1'],
  );
  const { streams } = JSON.parse(documentOf('json', [reportOf('t', withFormat('4'))], { ...options, qt: 6 }));
  assert.equal(streams[0].largest[0].formatName, 'RG8');
});

test('JSON: numbers that a double would round are text', () => {
  const { format, version, streams } = JSON.parse(
    documentOf('json', [report, reportOf('b', buffer(9, 2n ** 62n))], options),
  );
  assert.deepEqual([format, version, streams.length], ['gpuprof-qrhi', 1, 2]);
  assert.equal(streams[0].memory.renderbuffer.liveBytes, 1600);
  assert.deepEqual(streams[0].malformed, {
    count: 1,
    first: [{ line: 21, fault: 'has fewer than 4 fields', text: 'line2,' }],
  });
  assert.equal(streams[0].frameTimes.gpuFrame.minMs, 1e-7);
  assert.equal(streams[0].viewer.gpu.maxMs, 2.5);
  assert.equal(streams[1].memory.buffer.liveBytes, '4611686018427387904');
  assert.equal(streams[1].live[0].res, '9');
  assert.equal(streams[1].viewer.gpu, null);
});

test('sizes for people', () => {
  const sizes: [bigint, string][] = [
    [0n, '0 B'],
    [1023n, '1023 B'],
    [1024n, '1.0 KiB'],
    [1024n ** 2n - 1n, '1.0 MiB'],
    [3840000n, '3.7 MiB'],
    [2n ** 64n, '16.0 EiB'],
  ];
  for (const [bytes, expected] of sizes) assert.equal(sizeText(bytes), expected);
});
