/** Every row of Qt's own streams that GL calls can make, made as Qt's OpenGL backend would: the same keys and values. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sharedPath, skipWithout } from '../helpers/files.ts';
import { bytes, type Line, linesOf, streamOf } from './qrhi-kit.ts';

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

/** A row of a `.calls.tsv`, and the line of the stream that it caused. */
interface Row {
  readonly op: number;
  readonly text: string;
  readonly written: string;
}

const nameOf = (text: string): string => /\.setName\("(.*?)"\)/.exec(text)?.[1] ?? '';
/** GL's identifiers of labels. */
const identifiers: Readonly<Record<number, number>> = { 1: 0x82e0, 5: 0x8d41, 7: 0x1702 };
/** Values of readbacks begin with a handle, which is each program's own. */
const comparable = (line: string): string => {
  const [op, , name, ...values] = line.split(',');
  return [op, name, ...(op === '13' ? values.slice(2) : values)].join(',');
};

/** Why GL calls cannot make what a row is about; null when they can. */
function exception({ op, text, written }: Row, isGl: boolean): string | null {
  if ([2, 4, 6, 8, 10, 12, 14].includes(op)) return 'a release';
  if (op === 15) return "the allocator's own figures";
  if (op >= 16) return 'times';
  if (isGl) return null;
  if (op === 1 && /Dynamic/.test(text)) return 'Vulkan keeps dynamic buffers twice';
  if (op === 5 && /transient_backing,1/.test(written)) return "Vulkan's depth-stencil buffers are transient";
  if (op === 7 && /newRenderBuffer/.test(text)) return 'Vulkan has a texture behind a colour renderbuffer';
  if (/2nd frame slot/.test(text)) return 'Vulkan has a slot for each frame in flight';
  return op === 13 && /^Triangle vbuf/.test(written.split(',')[3]) ? 'GL reads no buffer back' : null;
}

/** GL calls that make what the rows say, as Qt's OpenGL backend would. */
class Making {
  readonly setup: Line[] = [];
  /** Lines that the calls must cause, where they are not the rows' own. */
  readonly besides: string[] = [];
  readonly #isGl: boolean;
  readonly #textures = new Map<string, number>();
  #id = 0;

  constructor(isGl: boolean) {
    this.#isGl = isGl;
  }

  row({ op, text, written }: Row): void {
    const buffer = /^newBuffer\((\w+), usage=(\d+), size=(\d+)\)/.exec(text);
    const texture = /^newTexture\((\w+), QSize\((\d+),(\d+)\), samples=(\d+), flags=(\d+)\)/.exec(text);
    const renderbuffer = /^newRenderBuffer\((\w+), QSize\((\d+),(\d+)\), samples=(\d+)/.exec(text);
    const imported = /^newTexture\(RGBA8, QSize\((\d+),(\d+)\)(, MipMapped)?\).*buildFrom/.exec(text);
    const name = nameOf(text);
    if (buffer) this.setup.push(...bufferCalls(++this.#id, buffer));
    else if (texture) this.setup.push(...textureCalls(++this.#id, texture, this.#isGl));
    else if (renderbuffer) this.setup.push(...renderbufferCalls(++this.#id, renderbuffer));
    else if (imported) this.#import(Number(imported[1]), Number(imported[2]), imported[3] !== undefined);
    else if (/setSize\(6000\)/.test(text)) this.setup.push(['glBufferData', 0x8892, 6000, null, GL_STATIC_DRAW]);
    else if (/window resized/.test(text) && op === 11) this.setup.push(['gpuprofCanvasSize', 800, 600]);
    else if (op === 3) this.#fill(written);
    else if (op === 9) this.#upload();
    else if (op === 13) this.#readBack(written);
    if (texture) this.#textures.set(name, this.#id);
    if (name !== '' && identifiers[op]) this.setup.push(['glObjectLabel', identifiers[op], this.#id, -1, name]);
  }

  /** The texture behind it is made here where no other is. */
  #import(width: number, height: number, hasMips: boolean): void {
    const origin = hasMips ? (this.#textures.get('Qt texture') as number) : ++this.#id;
    const levels = hasMips ? 9 : 1;
    if (!hasMips) {
      this.setup.push(['glBindTexture', 0xde1, origin], ['glTexStorage2D', 0xde1, 1, 0x8058, width, height]);
      this.setup.push(['glObjectLabel', 0x1702, origin, -1, 'native']);
      this.besides.push('7,native');
    }
    this.setup.push(['glTextureView', ++this.#id, 0xde1, origin, 0x8058, 0, levels, 0, 1]);
  }

  /** The index buffer has no name; the other is immutable, so that it is filled when it is made. */
  #fill(written: string): void {
    const isIndex = written.includes(',size,12,');
    const made = this.setup.find(([, , size]) => size === (isIndex ? 12 : 84)) as Line;
    const data = [...made];
    data[3] = bytes(isIndex ? 12 : 84);
    this.setup[this.setup.indexOf(made)] = data as unknown as Line;
  }

  #upload(): void {
    this.setup.push(['glBindTexture', 0xde1, this.#textures.get('Qt texture') as number]);
    this.setup.push(['glTexSubImage2D', 0xde1, 0, 0, 0, 256, 256, 0x1908, 0x1401, bytes(262144)]);
  }

  #readBack(written: string): void {
    const [, , , name] = written.split(',');
    const texture = this.#textures.get(name);
    const [width, height] = texture === undefined ? [640, 480] : name === 'Qt texture' ? [256, 256] : [512, 512];
    this.setup.push(['glBindFramebuffer', 0x8d40, texture === undefined ? 0 : 1]);
    if (texture !== undefined) this.setup.push(['glFramebufferTexture2D', 0x8d40, 0x8ce0, 0xde1, texture, 0]);
    this.setup.push(['glReadPixels', 0, 0, width, height, 0x1908, 0x1401, 16]);
  }
}

/** How many rows are not compared, and why; all others are. */
const expectedExceptions: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  gl_llvmpipe: { 'a release': 48, times: 6 },
  vk_lavapipe: {
    'a release': 63,
    times: 9,
    "the allocator's own figures": 6,
    'Vulkan keeps dynamic buffers twice': 3,
    "Vulkan's depth-stencil buffers are transient": 4,
    'Vulkan has a texture behind a colour renderbuffer': 2,
    'Vulkan has a slot for each frame in flight': 1,
    'GL reads no buffer back': 1,
  },
};

for (const name of ['gl_llvmpipe', 'vk_lavapipe']) {
  const folder = sharedPath('qrhi/streams');
  test(`${name}: equal resources, equal lines`, { skip: skipWithout(folder, 'qrhi/streams') }, async () => {
    const isGl = name.startsWith('gl');
    const stream = readFileSync(`${folder}/${name}.csv`, 'utf8').split('\n');
    const calls = readFileSync(`${folder}/${name}.calls.tsv`, 'utf8').trim().split('\n').slice(1);
    const making = new Making(isGl);
    const wanted: string[] = [];
    const exceptions: Record<string, number> = {};
    for (const call of calls) {
      const [line, , text] = call.split('\t');
      const written = stream[Number(line) - 1].replace(/^(\d+),\d+,/, '$1,').replace(/,$/, '');
      const row = { op: Number(written.split(',')[0]), text, written: stream[Number(line) - 1] };
      const why = exception(row, isGl);
      if (why === null || row.op === 11) making.row(row);
      if (why === null) wanted.push(comparable(written));
      else exceptions[why] = (exceptions[why] ?? 0) + 1;
    }
    const canvas = { width: 640, height: 480, depth: isGl, stencil: false };
    const found = linesOf(await streamOf({ api: 'gl', setup: making.setup, canvas }), 1, 3, 5, 7, 9, 11, 13)
      .map(comparable)
      .filter((line) => !making.besides.some((besides) => line.startsWith(besides)));
    // Qt's program names the window; resources without a name have class and id here.
    const plain = (line: string) =>
      line.replace(/^(\d+),(canvas|main_ window|(buffer|texture|renderbuffer) \d+),/, '$1,,');
    assert.deepEqual(found.map(plain).sort(), wanted.map(plain).sort());
    assert.deepEqual(exceptions, expectedExceptions[name]);
  });
}
