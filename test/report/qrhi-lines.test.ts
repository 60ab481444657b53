import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { floatText } from '../../src/report/qrhi/float-text.ts';
import { LineWriter } from '../../src/report/qrhi/line-writer.ts';
import { tempFolder } from '../helpers/files.ts';
import { bytes, check, type Line, linesOf, noChecker, streamOf } from './qrhi-kit.ts';

const canvas = [
  '5,40000000000001,,type,0,width,4,height,2,effective_sample_count,1,transient_backing,0,winsys_backing,1,approx_byte_size,32',
  '11,40000000000000,canvas,width,4,height,2,buffer_count,2,msaa_buffer_count,0,effective_sample_count,1,approx_total_byte_size,64',
];

test('floats are C printf("%.6g") of a float32', () => {
  for (const [value, text] of [
    [0, '0'],
    [-0, '0'],
    [5, '5'],
    [0.000666, '0.000666'],
    [1e-7, '1e-07'],
    [1e6, '1e+06'],
    [123456789, '1.23457e+08'],
    [0.1, '0.1'],
    [602 / 120, '5.01667'],
    [1 / 120, '0.00833333'],
    [0.0001, '0.0001'],
    [0.00009999999, '0.0001'],
    [0.0000999, '9.99e-05'],
    [999999.5, '1e+06'],
    [-2.5, '-2.5'],
    // Halves go to the even digit.
    [100000.5, '100000'],
    [100001.5, '100002'],
    [3.4e38, '3.4e+38'],
    [1e-45, '1.4013e-45'],
  ] as const)
    assert.equal(floatText(value), text, String(value));
});

test('lines end with a comma and LF, and names lose what would break them', () => {
  let text = '';
  const writer = new LineWriter(
    (lines) => {
      text += lines;
    },
    () => 12.9,
  );
  writer.line(2, 5, 'a, "b"\r\nc;é☃\0 \ud800');
  writer.line(14, 0, '', [7]);
  writer.line(16, 6, '=x', [0.25, 1, 1 / 3]);
  writer.flush();
  assert.equal(
    text,
    '2,12,5,a_ "b"__c;é☃_ _,\n14,12,0,,id,7,\n' +
      '16,12,6,=x,Fmin_ms_gpu_frame_time,0.25,Fmax_ms_gpu_frame_time,1,Favg_ms_gpu_frame_time,0.333333,\n',
  );
});

test('a million lines in constant memory', () => {
  let written = 0;
  const writer = new LineWriter(
    (lines) => {
      written += lines.length;
    },
    () => 0,
  );
  const fill = (lines: number) => {
    for (let line = 0; line < lines; line++) writer.line(9, 3e13 + line, 'texture', [0, 262144]);
    writer.flush();
  };
  fill(50_000);
  const before = process.memoryUsage().rss;
  fill(1_000_000);
  const grown = process.memoryUsage().rss - before;
  assert.equal(written, 1_050_000 * '9,0,30000000000000,texture,slot,0,size,262144,\n'.length);
  assert.ok(grown < 100 * 2 ** 20, `${grown} bytes more`);
});

test('buffers: type, usage, sizes, rebuilding, staging, deletion', async () => {
  const stream = await streamOf({
    api: 'gl',
    setup: [
      ['glBindBuffer', 0x8892, 1],
      ['glBufferData', 0x8892, 24, bytes(24), 0x88e4],
      ['glBindBuffer', 0x8893, 1],
      ['glBindBuffer', 0x8a11, 2],
      ['glBufferData', 0x8a11, 0, null, 0x88e8],
      ['glBindBuffer', 0x90d2, 3],
      ['glBufferStorage', 0x90d2, 100, bytes(100), 0],
      ['glObjectLabel', 0x82e0, 3, -1, 'blobs, all\nof them'],
      ['glBufferData', 0x8892, 30, null, 0x88e4],
      ['glBufferSubData', 0x8892, 0, 4, bytes(4)],
      ['glDeleteBuffers', 1, [3]],
    ],
  });
  const first = 'type,1,usage,3,logical_size,24,effective_size,24,backing_gpu_buf_count,1,backing_cpu_buf_count,0';
  assert.deepEqual(linesOf(stream, 1, 2, 3, 4), [
    `1,10000000000001,buffer 1,${first}`,
    '3,10000000000001,buffer 1,slot,0,size,24',
    '4,10000000000001,buffer 1,slot,0',
    '1,10000000000002,buffer 2,type,2,usage,4,logical_size,0,effective_size,256,backing_gpu_buf_count,0,backing_cpu_buf_count,1',
    '1,10000000000003,blobs_ all_of them,type,0,usage,8,logical_size,100,effective_size,100,backing_gpu_buf_count,1,backing_cpu_buf_count,0',
    '3,10000000000003,blobs_ all_of them,slot,0,size,100',
    '4,10000000000003,blobs_ all_of them,slot,0',
    '2,10000000000001,buffer 1',
    `1,10000000000001,buffer 1,${first.replaceAll('24', '30')}`,
    '3,10000000000001,buffer 1,slot,0,size,30',
    '4,10000000000001,buffer 1,slot,0',
    '2,10000000000003,blobs_ all_of them',
    '2,10000000000002,buffer 2',
    '2,10000000000001,buffer 1',
  ]);
});

test('in WebGL GL_ARRAY_BUFFER alone does not make a vertex buffer', async () => {
  const stream = await streamOf({
    setup: [
      ['glBindBuffer', 0x8892, 1],
      ['glBufferData', 0x8892, 8, null, 0x88e4],
      ['glBindBuffer', 0x8892, 2],
      ['glBufferData', 0x8892, 8, null, 0x88e4],
      ['glVertexAttribPointer', 0, 2, 0x1406, 0, 8, { kind: 'offset', offset: 0 }],
      ['glBindBuffer', 0x8892, 3],
      ['glBufferData', 0x8892, 8, null, 0x88e4],
    ],
    frames: [[['glBindBuffer', 0x8893, 1]]],
  });
  assert.deepEqual(
    linesOf(stream, 1).map((line) => line.slice(0, line.indexOf(',logical'))),
    [
      '1,10000000000001,buffer 1,type,1,usage,2',
      '1,10000000000002,buffer 2,type,1,usage,1',
      '1,10000000000003,buffer 3,type,1,usage,1',
    ],
  );
});

const RGBA = [0x1908, 0x1401] as const;
const image = (level: number, side: number, data: boolean): Line => [
  'glTexImage2D',
  0xde1,
  level,
  0x8058,
  side,
  side,
  0,
  ...RGBA,
  data ? bytes(side * side * 4) : null,
];

test('a texture defined level by level is created once, with all of them; another definition makes another', async () => {
  const stream = await streamOf({
    setup: [
      ['glBindTexture', 0xde1, 1],
      image(0, 4, true),
      image(1, 2, false),
      image(2, 1, true),
      ['glDrawArrays', 4, 0, 3],
      image(0, 4, true),
      image(0, 1, true),
      ['glDeleteTextures', 1, [1]],
    ],
  });
  const [mips, bytesOf] = ['mip_count,3,layer_count,1,effective_sample_count,1', 'approx_byte_size'];
  assert.deepEqual(linesOf(stream, 7, 8, 9, 10), [
    `7,30000000001000,texture 1,width,4,height,4,format,1,owns_native_resource,1,${mips},${bytesOf},84`,
    '9,30000000001000,texture 1,slot,0,size,64',
    '10,30000000001000,texture 1,slot,0',
    '9,30000000001000,texture 1,slot,0,size,4',
    '10,30000000001000,texture 1,slot,0',
    '9,30000000001000,texture 1,slot,0,size,64',
    '10,30000000001000,texture 1,slot,0',
    '8,30000000001000,texture 1',
    // Levels 1 and 2 stay as they were, and do not fit level 0 any more.
    `7,30000000001000,texture 1 level 0,width,1,height,1,format,1,owns_native_resource,1,mip_count,1,layer_count,1,effective_sample_count,1,${bytesOf},4`,
    `7,30000000001001,texture 1 level 1,width,2,height,2,format,1,owns_native_resource,1,mip_count,1,layer_count,1,effective_sample_count,1,${bytesOf},16`,
    `7,30000000001002,texture 1 level 2,width,1,height,1,format,1,owns_native_resource,1,mip_count,1,layer_count,1,effective_sample_count,1,${bytesOf},4`,
    '9,30000000001000,texture 1 level 0,slot,0,size,4',
    '10,30000000001000,texture 1 level 0,slot,0',
    '8,30000000001000,texture 1 level 0',
    '8,30000000001001,texture 1 level 1',
    '8,30000000001002,texture 1 level 2',
  ]);
});

/** width, height, format, mips, layers, samples and bytes of each line. */
async function texturesOf(setup: readonly Line[], numbering: 5 | 6 = 5): Promise<string[]> {
  const stream = await streamOf({ api: 'gl', setup }, { numbering });
  return linesOf(stream, 7).map((line) => {
    const fields = line.split(',');
    const values = [4, 6, 8, 12, 14, 16, 18].map((at) => fields[at]);
    return values.join(' ');
  });
}

const storage = (target: number, levels: number, format: number, ...size: number[]): Line[] => [
  ['glBindTexture', target, 1],
  [`glTexStorage${size.length}D`, target, levels, format, ...size],
];

test('GL textures that no Qt texture is keep their bytes', async () => {
  // A part of a chain, an array, a volume, a cube map array, blocks that layers do not fill, samples, a row.
  assert.deepEqual(await texturesOf(storage(0xde1, 2, 0x8058, 8, 8)), ['8 8 1 1 1 1 256', '4 4 1 1 1 1 64']);
  assert.deepEqual(await texturesOf(storage(0x8c1a, 1, 0x8229, 8, 4, 10)), ['8 40 3 1 1 1 320']);
  assert.deepEqual(await texturesOf(storage(0x806f, 2, 0x8058, 4, 4, 4)), ['4 16 1 1 1 1 256', '2 4 1 1 1 1 32']);
  assert.deepEqual(await texturesOf(storage(0x9009, 1, 0x8058, 2, 2, 12)), ['2 24 1 1 1 1 192']);
  assert.deepEqual(await texturesOf(storage(0x8c1a, 1, 0x83f0, 6, 6, 3)), ['6 24 12 1 1 1 96']);
  assert.deepEqual(
    await texturesOf([
      ['glBindTexture', 0x9100, 1],
      ['glTexStorage2DMultisample', 0x9100, 4, 0x8058, 8, 8, 1],
    ]),
    ['8 8 1 1 1 4 1024'],
  );
  assert.deepEqual(await texturesOf(storage(0x8c18, 1, 0x8058, 8, 3)), ['8 3 1 1 1 1 96']);
  assert.deepEqual(await texturesOf(storage(0x8513, 3, 0x8c43, 4, 4)), ['4 4 1 3 6 1 504']);
});

test('formats: linear ones for sRGB, none with the right size, the later numbering', async () => {
  const one = (format: number, numbering?: 5 | 6) => texturesOf(storage(0xde1, 1, format, 8, 8), numbering);
  assert.deepEqual(await one(0x8c43), ['8 8 1 1 1 1 256']); // SRGB8_ALPHA8
  assert.deepEqual(await one(0x8d62), ['8 8 0 1 1 1 128']); // RGB565
  assert.deepEqual(await one(0x8051), ['8 8 0 1 1 1 192']); // RGB8
  assert.deepEqual(await one(0x8cad), ['8 8 0 1 1 1 512']); // DEPTH32F_STENCIL8
  assert.deepEqual(await one(0x9270), ['8 8 0 1 1 1 32']); // R11_EAC
  assert.deepEqual(await one(0x822b), ['8 8 0 1 1 1 128']); // RG8
  assert.deepEqual(await one(0x822b, 6), ['8 8 4 1 1 1 128']);
  assert.deepEqual(await one(0x81a6), ['8 8 11 1 1 1 256']); // DEPTH_COMPONENT24
  assert.deepEqual(await one(0x81a6, 6), ['8 8 13 1 1 1 256']);
  assert.deepEqual(await one(0x88f0, 6), ['8 8 14 1 1 1 256']); // DEPTH24_STENCIL8
  assert.deepEqual(await one(0x93d2), ['8 8 24 1 1 1 64']); // SRGB8_ALPHA8_ASTC_5x5
  assert.deepEqual(await one(0x93b2, 6), ['8 8 28 1 1 1 64']);
  const unsized = async (internal: number, format: number, type: number) =>
    texturesOf([
      ['glBindTexture', 0xde1, 1],
      ['glTexImage2D', 0xde1, 0, internal, 8, 8, 0, format, type, null],
    ]);
  assert.deepEqual(await unsized(0x1908, 0x1908, 0x1401), ['8 8 1 1 1 1 256']);
  assert.deepEqual(await unsized(0x1908, 0x1908, 0x8033), ['8 8 0 1 1 1 128']); // UNSIGNED_SHORT_4_4_4_4
  assert.deepEqual(await unsized(0x1908, 0x80e1, 0x1401), ['8 8 2 1 1 1 256']); // BGRA
  assert.deepEqual(await unsized(0x1909, 0x1909, 0x1401), ['8 8 5 1 1 1 64']); // LUMINANCE
  assert.deepEqual(await unsized(0x1902, 0x1902, 0x1403), ['8 8 10 1 1 1 128']); // DEPTH_COMPONENT
});

test('renderbuffers, a multisampled canvas of another size, and what is released at the end', async () => {
  const stream = await streamOf({
    canvas: { samples: 4, depth: false },
    setup: [
      ['glBindRenderbuffer', 0x8d41, 1],
      ['glRenderbufferStorageMultisample', 0x8d41, 4, 0x81a6, 3, 2],
      ['glBindRenderbuffer', 0x8d41, 2],
      ['glRenderbufferStorage', 0x8d41, 0x881a, 3, 2],
      ['gpuprofCanvasSize', 5, 2],
    ],
  });
  const canvasOf = (width: number, bytesOf: number) =>
    `11,40000000000000,canvas,width,${width},height,2,buffer_count,2,msaa_buffer_count,2,effective_sample_count,4,approx_total_byte_size,${bytesOf}`;
  const renderbuffer = (id: number, type: number, samples: number, bytesOf: number) =>
    `5,2000000000000${id},renderbuffer ${id},type,${type},width,3,height,2,effective_sample_count,${samples},transient_backing,0,winsys_backing,0,approx_byte_size,${bytesOf}`;
  assert.deepEqual(linesOf(stream, 5, 6, 11, 12, 15), [
    canvasOf(4, 320),
    renderbuffer(1, 0, 4, 96),
    renderbuffer(2, 1, 1, 24),
    canvasOf(5, 400),
    '15,0,,real_alloc_count,3,sub_alloc_count,3,total_size,520,unused_size,0',
    '6,20000000000001,renderbuffer 1',
    '6,20000000000002,renderbuffer 2',
    '12,40000000000000,canvas',
  ]);
});

test('what a run makes is released when everything is put back, and what it deletes comes again', async () => {
  const frame: readonly Line[] = [
    ['glBindTexture', 0xde1, 2],
    ['glTexStorage2D', 0xde1, 1, 0x8058, 2, 2],
    ['glDeleteBuffers', 1, [1]],
    ['gpuprofCanvasSize', 8, 2],
    ['glReadPixels', 0, 0, 2, 2, ...RGBA, 16],
  ];
  const setup: readonly Line[] = [
    ['glBindBuffer', 0x8892, 1],
    ['glBufferData', 0x8892, 8, null, 0x88e4],
  ];
  const stream = await streamOf({ setup, frames: [frame, []] }, { runs: [[[1, 1]], [[1, 1]]] });
  const buffer =
    '1,10000000000001,buffer 1,type,1,usage,1,logical_size,8,effective_size,8,backing_gpu_buf_count,1,backing_cpu_buf_count,0';
  const texture =
    '7,30000000002000,texture 2,width,2,height,2,format,1,owns_native_resource,1,mip_count,1,layer_count,1,effective_sample_count,1,approx_byte_size,16';
  const resized = ['6,40000000000001,', canvas[0].replace('4,height', '8,height').replace(/32$/, '64'), canvas[1]];
  resized[2] = resized[2].replace('4,height', '8,height').replace(/64$/, '128');
  const run = [texture, '2,10000000000001,buffer 1', ...resized];
  assert.deepEqual(linesOf(stream, 1, 2, 5, 6, 7, 8, 11, 12, 13, 14), [
    ...canvas,
    buffer,
    ...run,
    '13,40000000000000,canvas,id,1,size,16',
    '14,0,,id,1',
    '8,30000000002000,texture 2',
    buffer,
    '6,40000000000001,',
    ...canvas,
    '2,10000000000001,buffer 1',
    '6,40000000000001,',
    '12,40000000000000,canvas',
  ]);
});

test('every stream of these passes the strict check', { skip: noChecker }, async (t) => {
  const path = join(await tempFolder(t), 'stream.csv');
  const setup: readonly Line[] = [
    ...storage(0x806f, 2, 0x8058, 4, 4, 4),
    ['glBindTexture', 0x8c1a, 2],
    ['glTexStorage3D', 0x8c1a, 1, 0x83f0, 6, 6, 3],
    ['glBindTexture', 0x9100, 3],
    ['glTexStorage2DMultisample', 0x9100, 4, 0x8058, 8, 8, 1],
    ['glBindBuffer', 0x88eb, 4],
    ['glBufferData', 0x88eb, 3, bytes(3), 0x88e1],
    ['glTextureView', 5, 0xde1, 2, 0x83f0, 0, 1, 0, 1],
    ['glObjectLabel', 0x1702, 1, -1, 'a,b\nc\rd'],
  ];
  const runs = [Array.from({ length: 30 }, (_, run) => [run % 3, run % 2] as const)];
  for (const numbering of [5, 6] as const) {
    await writeFile(path, await streamOf({ api: 'gl', setup }, { numbering, runs, interval: 4 }));
    assert.equal(check(path, numbering), 'ok');
  }
});
