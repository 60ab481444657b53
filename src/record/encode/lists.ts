import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Argument, DataArgument } from '../../model/call.ts';
import { texelBytes } from '../../model/texel-sizes.ts';
import { viewPart } from '../observe/buffers.ts';
import { type EncodeContext, type Encoder, int, locationIndex } from './encoding.ts';

const kinds = { f: Float32Array, i: Int32Array, ui: Uint32Array } as const;
type Kind = keyof typeof kinds;

/** A list argument, from an element on and so many elements long, as GL numbers. */
function numbers(list: unknown, offset: unknown, length: unknown, kind: Kind): Float32Array | Int32Array | Uint32Array {
  const all = Array.from((list ?? []) as ArrayLike<unknown>, Number);
  const start = int(offset);
  return kinds[kind].from(all.slice(start, int(length) ? start + int(length) : undefined));
}

function dataOf(
  { calls }: EncodeContext,
  values: Float32Array | Int32Array | Uint32Array | BigUint64Array,
): DataArgument {
  return calls.data(new Uint8Array(values.buffer));
}

const encoders: Record<string, Encoder> = {
  bufferData: (context, [target, source, usage, offset, length], command) => {
    if (source === null || source === undefined) return null;
    // WebGL starts a buffer at zero, GL does not.
    const bytes =
      typeof source === 'number' ? new Uint8Array(Math.max(0, int(source))) : viewPart(source, offset, length);
    const data = bytes.length > 0 ? context.calls.data(bytes) : null;
    return () => context.calls.add(command, [int(target), bytes.length, data, int(usage)]);
  },
  bufferSubData: (context, [target, at, source, offset, length], command) => {
    if (source === null || source === undefined) return null;
    const bytes = viewPart(source, offset, length);
    if (bytes.length === 0) return null;
    const data = context.calls.data(bytes);
    return () => context.calls.add(command, [int(target), int(at), bytes.length, data]);
  },
  drawBuffers: (context, [list], command) => {
    const buffers = numbers(list, 0, 0, 'ui');
    const data = dataOf(context, buffers);
    return () => context.calls.add(command, [buffers.length, data]);
  },
  invalidateFramebuffer: (context, [target, list], command) => {
    const attachments = numbers(list, 0, 0, 'ui');
    const data = dataOf(context, attachments);
    return () => context.calls.add(command, [int(target), attachments.length, data]);
  },
  invalidateSubFramebuffer: (context, [target, list, ...box], command) => {
    const attachments = numbers(list, 0, 0, 'ui');
    const data = dataOf(context, attachments);
    return () => context.calls.add(command, [int(target), attachments.length, data, ...box.slice(0, 4).map(int)]);
  },
  readPixels: ({ calls, gl, version }, [x, y, width, height, format, type, target], command) => {
    const toBuffer = version === 2 && gl.getParameter(c.PIXEL_PACK_BUFFER_BINDING) !== null;
    const bytes = Math.max(0, int(width)) * Math.max(0, int(height)) * texelBytes(int(format), int(type));
    return () => calls.add(command, [...[x, y, width, height, format, type].map(int), toBuffer ? int(target) : bytes]);
  },
  ...multiDraws(),
};

/** The WEBGL_multi_draw methods: each list comes with the element at which it begins. */
function multiDraws(): Record<string, Encoder> {
  const list = (context: EncodeContext, args: readonly unknown[], at: number, count: unknown) =>
    dataOf(context, numbers(args[at], args[at + 1], count, 'i'));
  const offsets = (context: EncodeContext, args: readonly unknown[], at: number, count: unknown) =>
    dataOf(
      context,
      BigUint64Array.from(numbers(args[at], args[at + 1], count, 'ui'), (value) => BigInt(value)),
    );
  const make =
    (encode: (context: EncodeContext, args: readonly unknown[]) => Argument[]): Encoder =>
    (context, args, command) => {
      const encoded = encode(context, args);
      return () => context.calls.add(command, encoded);
    };
  return {
    multiDrawArraysWEBGL: make((x, a) => [int(a[0]), list(x, a, 1, a[5]), list(x, a, 3, a[5]), int(a[5])]),
    multiDrawArraysInstancedWEBGL: make((x, a) => [
      int(a[0]),
      list(x, a, 1, a[7]),
      list(x, a, 3, a[7]),
      list(x, a, 5, a[7]),
      int(a[7]),
    ]),
    multiDrawArraysInstancedBaseInstanceWEBGL: make((x, a) => [
      int(a[0]),
      ...[1, 3, 5, 7].map((at) => list(x, a, at, a[9])),
      int(a[9]),
    ]),
    multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL: make((x, a) => [
      int(a[0]),
      list(x, a, 1, a[12]),
      int(a[3]),
      offsets(x, a, 4, a[12]),
      ...[6, 8, 10].map((at) => list(x, a, at, a[12])),
      int(a[12]),
    ]),
    multiDrawElementsWEBGL: make((x, a) => [
      int(a[0]),
      list(x, a, 1, a[6]),
      int(a[3]),
      offsets(x, a, 4, a[6]),
      int(a[6]),
    ]),
    multiDrawElementsInstancedWEBGL: make((x, a) => [
      int(a[0]),
      list(x, a, 1, a[8]),
      int(a[3]),
      offsets(x, a, 4, a[8]),
      list(x, a, 6, a[8]),
      int(a[8]),
    ]),
  };
}

/** glUniform*v and glUniformMatrix*v. */
function uniform(components: number, kind: Kind, matrix: boolean): Encoder {
  return (context, args, command) => {
    const location = locationIndex(context, args[0]);
    if (location === undefined) return null;
    const at = matrix ? 2 : 1;
    const values = numbers(args[at], args[at + 1], args[at + 2], kind);
    const data = dataOf(context, values);
    const count = Math.floor(values.length / components);
    return () =>
      context.calls.add(command, matrix ? [location, count, args[1] ? 1 : 0, data] : [location, count, data]);
  };
}

for (const kind of ['f', 'i', 'ui'] as const)
  for (const components of [1, 2, 3, 4]) encoders[`uniform${components}${kind}v`] = uniform(components, kind, false);
for (const columns of [2, 3, 4])
  for (const rows of [2, 3, 4])
    encoders[`uniformMatrix${columns === rows ? columns : `${columns}x${rows}`}fv`] = uniform(
      columns * rows,
      'f',
      true,
    );

const vector =
  (kind: Kind, components: number): Encoder =>
  (context, [index, list], command) => {
    const data = dataOf(context, numbers(list, 0, components, kind));
    return () => context.calls.add(command, [int(index), data]);
  };
for (const components of [1, 2, 3, 4]) encoders[`vertexAttrib${components}fv`] = vector('f', components);
encoders.vertexAttribI4iv = vector('i', 4);
encoders.vertexAttribI4uiv = vector('ui', 4);

for (const [suffix, kind] of [
  ['fv', 'f'],
  ['iv', 'i'],
  ['uiv', 'ui'],
] as const)
  encoders[`clearBuffer${suffix}`] = (context, [buffer, index, list, offset], command) => {
    const data = dataOf(context, numbers(list, offset, buffer === c.COLOR ? 4 : 1, kind));
    return () => context.calls.add(command, [int(buffer), int(index), data]);
  };

/** Calls that take arrays. */
export const listEncoders: Readonly<Record<string, Encoder>> = encoders;
