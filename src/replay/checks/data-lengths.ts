/**
 * How many bytes each call reads from memory the capture provides. No call reaches GL before its data has been found long
 * enough, and a command that takes data but has no rule here is refused: a capture is untrusted input.
 */
import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, Call, DataArgument } from '../../model/call.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Signature } from '../../model/signature.ts';
import { indexBytes, texelBytes } from '../../model/texel-sizes.ts';
import { glEnums } from '../constants.ts';
import { legacyFamilies, legacyLengths } from './legacy-lengths.ts';
import { givesArray } from './vertex-commands.ts';

type Args = readonly Argument[];
/** Bytes read through the data argument at `at`; null when a null pointer is as good as data. */
type Rule = (args: Args, at: number) => number;

const e = glEnums(
  'GL_BITMAP',
  'GL_PATCH_DEFAULT_INNER_LEVEL',
  'GL_TEXTURE_BORDER_COLOR',
  'GL_TEXTURE_CROP_RECT_OES',
  'GL_TEXTURE_SWIZZLE_RGBA',
);
const n = (value: Argument): number => Math.max(0, Number(value));

/** Formats that this table does not know are taken to be as big as GL's biggest. */
const texel = (format: Argument, type: Argument): number => texelBytes(n(format), n(type)) || 16;
const pixels =
  (first: number, dimensions: number, format: number): Rule =>
  (a) => {
    let [count, width] = [texel(a[format], a[format + 1]), n(a[first])];
    if (n(a[format + 1]) === e.GL_BITMAP) [count, width] = [1, Math.ceil(width / 8)];
    count *= width;
    for (let d = 1; d < dimensions; d++) count *= n(a[first + d]);
    return count;
  };
const argument =
  (index: number, scale = 1): Rule =>
  (a) =>
    n(a[index]) * scale;
const fixed =
  (bytes: number): Rule =>
  () =>
    bytes;
const colorOrOne =
  (buffer: number): Rule =>
  (a) =>
    n(a[buffer]) === GL.COLOR ? 16 : 4;
const wideParameters: ReadonlySet<number> = new Set([
  e.GL_TEXTURE_BORDER_COLOR,
  e.GL_TEXTURE_CROP_RECT_OES,
  e.GL_TEXTURE_SWIZZLE_RGBA,
]);
const parameter =
  (name: number): Rule =>
  (a) =>
    wideParameters.has(n(a[name])) ? 16 : 4;
const indices =
  (count: number, type: number): Rule =>
  (a) =>
    n(a[count]) * (indexBytes(n(a[type])) ?? 4);

const exact: Readonly<Record<string, Rule>> = {
  BufferData: argument(1),
  NamedBufferData: argument(1),
  BufferStorage: argument(1),
  NamedBufferStorage: argument(1),
  BufferSubData: argument(2),
  NamedBufferSubData: argument(2),
  DrawPixels: pixels(0, 2, 2),
  ClearTexImage: (a) => texel(a[2], a[3]),
  ClearTexSubImage: (a) => texel(a[8], a[9]),
  ClearBufferfv: colorOrOne(0),
  ClearBufferiv: colorOrOne(0),
  ClearBufferuiv: colorOrOne(0),
  ClearNamedFramebufferfv: colorOrOne(1),
  ClearNamedFramebufferiv: colorOrOne(1),
  ClearNamedFramebufferuiv: colorOrOne(1),
  ClearBufferData: (a) => texel(a[2], a[3]),
  ClearBufferSubData: (a) => texel(a[4], a[5]),
  ClearNamedBufferData: (a) => texel(a[2], a[3]),
  ClearNamedBufferSubData: (a) => texel(a[4], a[5]),
  DrawBuffers: argument(0, 4),
  NamedFramebufferDrawBuffers: argument(1, 4),
  InvalidateFramebuffer: argument(1, 4),
  InvalidateSubFramebuffer: argument(1, 4),
  DiscardFramebuffer: argument(1, 4),
  InvalidateNamedFramebufferData: argument(1, 4),
  InvalidateNamedFramebufferSubData: argument(1, 4),
  DrawElements: indices(1, 2),
  DrawElementsInstanced: indices(1, 2),
  DrawElementsBaseVertex: indices(1, 2),
  DrawElementsInstancedBaseVertex: indices(1, 2),
  DrawElementsInstancedBaseInstance: indices(1, 2),
  DrawElementsInstancedBaseVertexBaseInstance: indices(1, 2),
  DrawRangeElements: indices(3, 4),
  DrawRangeElementsBaseVertex: indices(3, 4),
  DrawArraysIndirect: fixed(16),
  DrawElementsIndirect: fixed(20),
  MultiDrawArraysIndirect: (a) => n(a[2]) * (n(a[3]) || 16) + 16,
  MultiDrawElementsIndirect: (a) => n(a[3]) * (n(a[4]) || 20) + 20,
  MultiDrawArrays: argument(3, 4),
  MultiDrawArraysInstanced: argument(4, 4),
  MultiDrawElements: (a, at) => n(a[4]) * (at === 3 ? 8 : 4),
  MultiDrawElementsBaseVertex: (a, at) => n(a[4]) * (at === 3 ? 8 : 4),
  MultiDrawElementsInstanced: (a, at) => n(a[5]) * (at === 3 ? 8 : 4),
  MultiDrawArraysInstancedBaseInstance: argument(5, 4),
  MultiDrawElementsInstancedBaseVertexBaseInstance: (a, at) => n(a[7]) * (at === 3 ? 8 : 4),
  ViewportArrayv: argument(1, 16),
  ScissorArrayv: argument(1, 16),
  DepthRangeArrayv: argument(1, 16),
  DepthRangeArrayfv: argument(1, 8),
  FramebufferDrawBuffers: argument(1, 4),
  ViewportIndexedfv: fixed(16),
  ScissorIndexedv: fixed(16),
  PatchParameterfv: (a) => (n(a[0]) === e.GL_PATCH_DEFAULT_INNER_LEVEL ? 8 : 16),
  BindBuffersRange: argument(2, 8),
  BindVertexBuffers: (a, at) => n(a[1]) * (at === 4 ? 4 : 8),
  VertexArrayVertexBuffers: (a, at) => n(a[2]) * (at === 5 ? 4 : 8),
  gpuprofCanvasContents: pixels(1, 2, 3),
  gpuprofRenderbufferContents: pixels(2, 2, 4),
  UniformSubroutinesuiv: argument(1, 4),
  MultiDrawArraysIndirectCount: (a) => n(a[3]) * (n(a[4]) || 16) + 16,
  MultiDrawElementsIndirectCount: (a) => n(a[4]) * (n(a[5]) || 20) + 20,
  ...legacyLengths,
};

const typeBytes: Readonly<Record<string, number>> = {
  b: 1,
  ub: 1,
  s: 2,
  us: 2,
  h: 2,
  i: 4,
  ui: 4,
  f: 4,
  d: 8,
  i64: 8,
  ui64: 8,
};

const uniformVector = /^Uniform([1-4])(f|i|ui|d|i64|ui64)v$/;
const uniformMatrix = /^UniformMatrix([234])x?([234])?(f|d)v$/;

/** Families: the rule is made from the parts of the command's name. */
const families: readonly (readonly [RegExp, (match: RegExpMatchArray) => Rule])[] = [
  [uniformVector, (m) => argument(1, Number(m[1]) * typeBytes[m[2]])],
  [/^ProgramUniform([1-4])(f|i|ui|d|i64|ui64)v$/, (m) => argument(2, Number(m[1]) * typeBytes[m[2]])],
  [uniformMatrix, (m) => argument(1, Number(m[1]) * Number(m[2] ?? m[1]) * typeBytes[m[3]])],
  [
    /^ProgramUniformMatrix([234])x?([234])?(f|d)v$/,
    (m) => argument(2, Number(m[1]) * Number(m[2] ?? m[1]) * typeBytes[m[3]]),
  ],
  [/^VertexAttrib[IL]?([1-4])N?(b|ub|s|us|i|ui|f|d)v$/, (m) => fixed(Number(m[1]) * typeBytes[m[2]])],
  [/^(?:Tex|Texture|Sampler)Parameter(?:f|i|Ii|Iui)v$/, () => parameter(1)],
  [/^MultiTexParameter(?:f|i|Ii|Iui)v$/, () => parameter(2)],
  ...legacyFamilies,
];

/** Uploads have their sizes at other places in the forms of GL_EXT_direct_state_access, under the same names. */
function uploadRule(base: string, { params }: Signature): Rule | null {
  if (!/^(Compressed)?(Multi)?Tex(ture)?(Sub)?Image[123]D$/.test(base)) return null;
  const place = (name: string) => params.findIndex((param) => param.name === name);
  if (base.startsWith('Compressed')) return argument(place('imageSize'));
  return pixels(place('width'), Number(base.at(-2)), place('format'));
}

/** Bytes of each of the values that a glUniform*v call of this signature counts in its second argument. */
export function uniformBytes({ name }: Signature): number | undefined {
  const base = baseName(name);
  const vector = uniformVector.exec(base);
  if (vector) return Number(vector[1]) * typeBytes[vector[2]];
  const matrix = uniformMatrix.exec(base);
  return matrix ? Number(matrix[1]) * Number(matrix[2] ?? matrix[1]) * typeBytes[matrix[3]] : undefined;
}

const ruleFor = perSignature((signature): Rule | null => {
  const name = baseName(signature.name);
  if (Object.hasOwn(exact, name)) return exact[name];
  for (const [pattern, make] of families) {
    const match = pattern.exec(name);
    if (match) return make(match);
  }
  return uploadRule(name, signature);
});

/** A null pointer here means "no data", not a read. */
const nullable =
  /^(Named)?Buffer(Data|Storage)$|^(Compressed)?(Multi)?Tex(ture)?Image[123]D$|^Bitmap$|^Clear(Named)?Buffer(Sub)?Data$|^ClearTex|^BindBuffersRange$|^(BindVertexBuffers|VertexArrayVertexBuffers)$/;

/** A null list of objects here means that of each place nothing is bound. */
const nullableList = /^Bind|^VertexArrayVertexBuffers$/;

/** The buffer that an offset reaches into, by command. */
function offsetTarget(name: string): number | undefined {
  if (/^(Compressed)?(Multi)?Tex(ture)?(Sub)?Image[123]D$|^(DrawPixels|Bitmap|PolygonStipple|PixelMap)/.test(name))
    return GL.PIXEL_UNPACK_BUFFER;
  if (/Indirect/.test(name)) return GL.DRAW_INDIRECT_BUFFER;
  if (/^Draw(Range)?Elements/.test(name)) return GL.ELEMENT_ARRAY_BUFFER;
  return undefined;
}

function refuse(call: Call, what: string): never {
  throw new GpuprofError('bad-capture', `${call.signature.name} ${what}`);
}

const lengthOf = (data: DataArgument): number => {
  if (data?.kind === 'inline') return data.bytes.byteLength;
  return data?.kind === 'resource' ? data.byteLength : 0;
};

/** What one command has to be checked for: lists counted by the argument before them, and data. */
const partsOf = perSignature((signature) => {
  const { params } = signature;
  const name = baseName(signature.name);
  const at = (wanted: string) => params.flatMap(({ type }, index) => (type === wanted ? [index] : []));
  return {
    lists: at('objects'),
    // Vertex pointers are checked when they are drawn from (vertex-checks.ts).
    data: givesArray(signature) ? [] : at('data'),
    texts: at('string'),
    isNullable: nullable.test(name),
    isNullableList: nullableList.test(name),
    // Mesa 22.3 takes the offset for an address.
    isCopied: /^(PixelMap|Compressed)/.test(name),
    // What it binds is looked at (buffer-ranges.ts).
    isInline: name === 'BindBuffersRange',
    target: offsetTarget(name),
    needsElements: /^MultiDrawElements(?!Indirect)/.test(name),
  };
});

/** The argument before a text may be its length; below 0 GL looks for the end itself. */
function checkText(call: Call, at: number): void {
  const text = call.args[at] as string | null;
  if (text === null) refuse(call, 'has no text');
  const before = call.signature.params[at - 1];
  const length = /len(gth)?$/.test(before?.name ?? '') ? Number(call.args[at - 1]) : 0;
  if (length > Buffer.byteLength(text as string)) refuse(call, `reads ${length} bytes of a shorter text`);
}

/**
 * Throws GpuprofError `bad-capture` when a call would make GL read beyond what the capture holds. A command with a handler
 * of its own may do without a rule: its handler hands GL no data of the capture.
 */
export function checkLengths(call: Call, bindings: Bindings, hasHandler: boolean): void {
  const {
    lists,
    data: places,
    texts,
    isNullable,
    isNullableList,
    isInline,
    isCopied,
    target,
    needsElements,
  } = partsOf(call.signature);
  let isListed = false;
  for (const at of lists) {
    // What is given by count and list: GL reads `count` names, the argument before the list (or before its offsets).
    const count = Number(call.args[at - 1]);
    const listed = (call.args[at] as readonly number[]).length;
    if (count > listed && !(isNullableList && listed === 0))
      refuse(call, `lists fewer objects than its count, ${count}`);
    isListed ||= listed > 0;
  }
  if (!hasHandler) for (const at of texts) checkText(call, at);
  for (const at of places) {
    const data = call.args[at] as DataArgument;
    const rule = ruleFor(call.signature);
    if (!rule && hasHandler) continue;
    if (!rule)
      throw new GpuprofError('missing-feature', `replay does not know how much data ${call.signature.name} reads`);
    const needed = rule(call.args, at);
    if (data?.kind === 'offset') {
      if (target === undefined) refuse(call, 'takes no offset into a buffer');
      if (bindings.buffer(target as number) === 0) refuse(call, 'reads at an offset, but no buffer is bound for it');
      if (isCopied && bindings.lists.isOpen) refuse(call, 'reads from a buffer inside a display list');
    } else if (data === null) {
      if (needed > 0 && (isListed || !isNullable)) refuse(call, 'has no data');
    } else if (isInline && data.kind === 'resource') refuse(call, 'has its list in a resource');
    else if (lengthOf(data) < needed) refuse(call, `reads ${needed} bytes of ${lengthOf(data)}`);
  }
  if (needsElements && bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) === 0) refuse(call, 'draws without an element buffer');
}
