/** Indirect draws and dispatches keep their counts in a buffer: it is looked into once, when it is first used. */

import { GpuprofError } from '../../errors.ts';
import type { DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { indexBytes } from '../../model/texel-sizes.ts';
import { boundBytes, boundSize } from '../bound-bytes.ts';
import { refuseFarIndices } from '../checks/buffer-indices.ts';
import { refuseEndless } from '../checks/work-limits.ts';
import type { Handler, Site } from '../compile/site.ts';

const GL_DISPATCH_INDIRECT_BUFFER = 0x90ee;
const GL_PARAMETER_BUFFER = 0x80ee;
/** Words of the parameters of a draw, and of one with indices. */
const arrayWords = 4;
const elementWords = 5;
/** Most bytes of the parameters of all draws of a call: a million. */
const mostBytes = 32 * 2 ** 20;

/** Words of a bound buffer. */
function words({ state }: Site, target: number, offset: number, sizeBytes: number): Uint32Array | undefined {
  const bytes = boundBytes(state.context, target, offset, sizeBytes);
  return bytes && new Uint32Array(bytes.slice().buffer);
}

/** Does `check` before the call is made for the first time; its parameters are the same in every run. */
function checkedOnce(site: Site, check: () => void): (at: number) => void {
  const plain = site.plain();
  let isChecked = false;
  return (at) => {
    if (!isChecked) check();
    isChecked = true;
    plain(at);
  };
}

/** Refuses what the parameters of draws, `stride` words apart, ask for that no draw may. */
function checkDraws(site: Site, parameters: Uint32Array, drawWords: number, stride: number): void {
  const { args, call, state } = site;
  const isIndexed = drawWords === elementWords;
  const hasElements = isIndexed && state.bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) !== 0;
  const elementsBytes = hasElements ? boundSize(state.context, GL.ELEMENT_ARRAY_BUFFER) : Number.POSITIVE_INFINITY;
  const type = Number(args[1]);
  let vertices = 0;
  for (let at = 0; at + drawWords <= parameters.length; at += stride) {
    const [count, instances, first] = parameters.subarray(at, at + 3);
    vertices += count * instances;
    refuseEndless(call, vertices, 'vertices');
    if (isIndexed && instances > 0) refuseFarIndices(call, count, type, first * (indexBytes(type) ?? 4), elementsBytes);
  }
}

/**
 * `data`: the argument with the parameters; `drawWords`: 32-bit words of one draw. A count and a stride may follow, the count
 * at `countAt`.
 */
const draw =
  (data: number, drawWords: number, countAt = data + 1): Handler =>
  (site) => {
    const { args, call, memory } = site;
    const draws = args.length > countAt ? Math.max(0, Number(args[countAt])) : 1;
    const stride = (Number(args[countAt + 1] ?? 0) || drawWords * 4) / 4;
    const sizeBytes = ((draws - 1) * stride + drawWords) * 4;
    if (stride < 0 || sizeBytes > mostBytes)
      throw new GpuprofError('bad-capture', `${call.signature.name} has ${draws} draws, ${stride * 4} bytes apart`);
    const source = args[data] as DataArgument;
    if (draws === 0 || !Number.isInteger(stride)) return site.plain();
    return checkedOnce(site, () => {
      const parameters =
        source === null || source.kind === 'offset'
          ? words(site, GL.DRAW_INDIRECT_BUFFER, source?.offset ?? 0, sizeBytes)
          : new Uint32Array(memory.bytesOf(source).slice(0, sizeBytes).buffer);
      if (parameters) checkDraws(site, parameters, drawWords, stride);
    });
  };

const dispatch: Handler = (site) =>
  checkedOnce(site, () => {
    const groups = words(site, GL_DISPATCH_INDIRECT_BUFFER, Number(site.args[0]), 12);
    if (groups) refuseEndless(site.call, groups[0] * groups[1] * groups[2], 'work groups');
  });

/** The number of draws is in a buffer too, and at most what the call says. */
const countedDraw =
  (data: number, drawWords: number): Handler =>
  (site) => {
    if (site.state.bindings.buffer(GL_PARAMETER_BUFFER) === 0)
      throw new GpuprofError('bad-capture', `${site.call.signature.name} has no parameter buffer`);
    return draw(data, drawWords, data + 2)(site);
  };

export const indirectHandlers: Readonly<Record<string, Handler>> = {
  DrawArraysIndirect: draw(1, arrayWords),
  DrawElementsIndirect: draw(2, elementWords),
  MultiDrawArraysIndirect: draw(1, arrayWords),
  MultiDrawElementsIndirect: draw(2, elementWords),
  MultiDrawArraysIndirectCount: countedDraw(1, arrayWords),
  MultiDrawElementsIndirectCount: countedDraw(2, elementWords),
  DispatchComputeIndirect: dispatch,
};
