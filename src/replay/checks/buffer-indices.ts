/** Indices in a buffer with vertices in client memory: how far they reach is known only when the draw is made. */
import { GpuprofError } from '../../errors.ts';
import type { GlContext } from '../../gl/context.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { numberNamed } from '../../model/named-arguments.ts';
import { indexBytes } from '../../model/texel-sizes.ts';
import { boundBytes } from '../bound-bytes.ts';
import type { Op } from '../compile/invokers.ts';
import { greatestIndex } from './client-arrays.ts';

/** What a draw takes from the element buffer. */
export interface BufferIndices {
  readonly offsetBytes: number;
  readonly count: number;
  readonly type: number;
  /** The index that restarts primitives. */
  readonly restart: number | null;
  /** The greatest vertex that all client arrays have. */
  readonly mostVertex: number;
}

/** The indices of a single draw that are in the element buffer; undefined for other draws. */
export function bufferIndices(name: string, { args }: Call): Omit<BufferIndices, 'restart' | 'mostVertex'> | undefined {
  if (!/^Draw(Range)?Elements(?!Indirect)/.test(name)) return undefined;
  const ranged = name.startsWith('DrawRange') ? 2 : 0;
  const [count, type] = [Number(args[1 + ranged]), Number(args[2 + ranged])];
  const data = args[3 + ranged] as DataArgument;
  if (!(count > 0) || data?.kind !== 'offset') return undefined;
  return { offsetBytes: data.offset, count, type };
}

/** Throws GpuprofError `bad-capture` for indices beyond the element buffer: Mesa's llvmpipe reads on, robust context or not. */
export function refuseFarIndices(
  call: Call,
  count: number,
  type: number,
  offsetBytes: number,
  sizeBytes: number,
): void {
  if (count > 0 && offsetBytes + count * (indexBytes(type) ?? 4) > sizeBytes)
    throw new GpuprofError(
      'bad-capture',
      `${call.signature.name} reads ${count} indices at ${offsetBytes}, beyond its element buffer of ${sizeBytes} bytes`,
    );
}

/** The draw, looked at before it is made for the first time; its indices are the same in every run. */
export function withCheckedIndices(context: GlContext, call: Call, indices: BufferIndices, draw: Op): Op {
  const { offsetBytes, count, type, restart, mostVertex } = indices;
  const base = numberNamed(call, 'basevertex') ?? 0;
  let isChecked = false;
  return (at) => {
    if (!isChecked) {
      const sizeBytes = count * (indexBytes(type) ?? 4);
      const bytes = boundBytes(context, GL.ELEMENT_ARRAY_BUFFER, offsetBytes, sizeBytes);
      const greatest = bytes ? greatestIndex(bytes, count, type, restart) : Number.POSITIVE_INFINITY;
      if (greatest >= 0 && (base < 0 || greatest + base > mostVertex))
        throw new GpuprofError('bad-capture', `${call.signature.name} reads beyond a client array`);
    }
    isChecked = true;
    draw(at);
  };
}
