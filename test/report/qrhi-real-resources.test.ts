/** The resources of Qt's own streams, made with GL calls as Qt's OpenGL backend would: the same keys and values. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sharedPath, skipWithout } from '../helpers/files.ts';
import { type Line, linesOf, streamOf } from './qrhi-kit.ts';

const GL_STATIC_DRAW = 0x88e4;
const GL_DYNAMIC_DRAW = 0x88e8;
const [cubeMap, mipMapped] = [4, 8];

const targets: readonly (readonly [usage: number, target: number])[] = [
  [1, 0x8892],
  [2, 0x8893],
  [4, 0x8a11],
  [8, 0x90d2],
];

const formats: Readonly<Record<string, number>> = {
  RGBA8: 0x8058,
  BGRA8: 0x93a1,
  R8: 0x8229,
  R16: 0x822a,
  RED_OR_ALPHA8: 0x803c,
  RGBA16F: 0x881a,
  RGBA32F: 0x8814,
  R16F: 0x822d,
  R32F: 0x822e,
  D16: 0x81a5,
  D32F: 0x8cac,
  BC1: 0x83f1,
  BC2: 0x83f2,
  BC3: 0x83f3,
  BC4: 0x8dbb,
  BC5: 0x8dbd,
  BC6H: 0x8e8f,
  BC7: 0x8e8c,
  ETC2_RGB8: 0x9274,
  ETC2_RGB8A1: 0x9276,
  ETC2_RGBA8: 0x9278,
};

function bufferCalls(id: number, [, type, usage, size]: RegExpExecArray): Line[] {
  const bound = targets.filter(([flag]) => Number(usage) & flag).map(([, target]) => target);
  const define: Line =
    type === 'Immutable'
      ? ['glBufferStorage', bound[0], Number(size), null, 0]
      : ['glBufferData', bound[0], Number(size), null, type === 'Dynamic' ? GL_DYNAMIC_DRAW : GL_STATIC_DRAW];
  return [...bound.map((target): Line => ['glBindBuffer', target, id]), define];
}

function textureCalls(id: number, [, format, w, h, samples, flags]: RegExpExecArray, isGl: boolean): Line[] {
  const [width, height] = [Number(w), Number(h)];
  const internal = formats[format];
  // Qt 5.15's OpenGL backend makes no multisampled textures.
  if (Number(samples) > 1 && !isGl)
    return [
      ['glBindTexture', 0x9100, id],
      ['glTexStorage2DMultisample', 0x9100, Number(samples), internal, width, height, 1],
    ];
  if (width === 0)
    return [
      ['glBindTexture', 0xde1, id],
      ['glTexImage2D', 0xde1, 0, internal, 0, 0, 0, 0x1908, 0x1401, null],
    ];
  const target = Number(flags) & cubeMap ? 0x8513 : 0xde1;
  const levels = Number(flags) & mipMapped ? 1 + Math.floor(Math.log2(Math.max(width, height))) : 1;
  return [
    ['glBindTexture', target, id],
    ['glTexStorage2D', target, levels, internal, width, height],
  ];
}

function renderbufferCalls(id: number, [, type, width, height, samples]: RegExpExecArray): Line[] {
  const format = type === 'Color' ? 0x8058 : 0x88f0;
  const [name, count] =
    Number(samples) > 1 ? ['glRenderbufferStorageMultisample', [Number(samples)]] : ['glRenderbufferStorage', []];
  return [
    ['glBindRenderbuffer', 0x8d41, id],
    [name as string, 0x8d41, ...(count as number[]), format, Number(width), Number(height)],
  ];
}

const values = (line: string): string => line.split(',').slice(4).join(',').replace(/,$/, '');

for (const name of ['gl_llvmpipe', 'vk_lavapipe']) {
  const folder = sharedPath('qrhi/streams');
  test(`${name}: equal resources, equal lines`, { skip: skipWithout(folder, 'qrhi/streams') }, async () => {
    const isGl = name.startsWith('gl');
    const stream = readFileSync(`${folder}/${name}.csv`, 'utf8').split('\n');
    const calls = readFileSync(`${folder}/${name}.calls.tsv`, 'utf8').trim().split('\n').slice(1);
    const setup: Line[] = [];
    const wanted: string[] = [];
    let id = 0;
    for (const row of calls) {
      const [line, , text] = row.split('\t');
      const written = stream[Number(line) - 1];
      const op = Number(written.split(',')[0]);
      const buffer = /^newBuffer\((\w+), usage=(\d+), size=(\d+)\)/.exec(text);
      const texture = /^newTexture\((\w+), QSize\((\d+),(\d+)\), samples=(\d+), flags=(\d+)\)/.exec(text);
      const renderbuffer = /^newRenderBuffer\((\w+), QSize\((\d+),(\d+)\), samples=(\d+)/.exec(text);
      // Vulkan keeps dynamic buffers twice, and says of depth-stencil buffers that they are transient.
      if (buffer && (isGl || buffer[1] !== 'Dynamic')) setup.push(...bufferCalls(++id, buffer));
      else if (texture) setup.push(...textureCalls(++id, texture, isGl));
      else if (renderbuffer && op === 5 && (isGl || renderbuffer[1] === 'Color'))
        setup.push(...renderbufferCalls(++id, renderbuffer));
      else continue;
      wanted.push(`${op},${values(written)}`);
    }
    assert.ok(wanted.length > 25, `${wanted.length} resources`);
    const found = linesOf(await streamOf({ api: 'gl', setup, canvas: { depth: false } }), 1, 5, 7);
    assert.deepEqual(
      found.map((line) => `${line.split(',')[0]},${line.split(',').slice(3).join(',')}`),
      wanted,
    );
  });
}
