/** Indirect draws and dispatches keep their counts in a buffer: it is looked into once, when it is first used. */

import { GpuprofError } from '../../errors.ts';
import { bytesAt, Scratch } from '../../gl/native.ts';
import type { DataArgument } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import { refuseEndless } from '../checks/work-limits.ts';
import type { Handler, Site } from '../compile/site.ts';

const GL_DISPATCH_INDIRECT_BUFFER = 0x90ee;
const GL_PARAMETER_BUFFER = 0x80ee;
const GL_MAP_READ_BIT = 1;
/** Parameters are looked at up to this many bytes: a million draws. */
const mostBytes = 32 * 2 ** 20;

/** Bytes of a bound buffer; undefined when it does not have them, of which the draw itself will complain. */
function mapped({ state }: Site, target: number, offset: number, sizeBytes: number): Uint32Array | undefined {
  const { context } = state;
  const { gl } = context;
  // Immutable storage need not be mappable; only OpenGL ES has no other way.
  if (context.find('glGetBufferSubData')) {
    const own = new Scratch(sizeBytes);
    gl.glGetBufferSubData(target, offset, sizeBytes, own.address);
    return gl.glGetError() === 0 ? own.u32.subarray(0, sizeBytes / 4) : undefined;
  }
  const pointer = gl.glMapBufferRange(target, offset, sizeBytes, GL_MAP_READ_BIT);
  if (!pointer) {
    gl.glGetError();
    return undefined;
  }
  const words = new Uint32Array(bytesAt(pointer, sizeBytes).buffer);
  gl.glUnmapBuffer(target);
  return words;
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
    const sizeBytes = Math.min(mostBytes, ((draws - 1) * stride + drawWords) * 4);
    const source = args[data] as DataArgument;
    if (draws === 0 || stride < drawWords || !Number.isInteger(stride)) return site.plain();
    return checkedOnce(site, () => {
      const words =
        source === null || source.kind === 'offset'
          ? mapped(site, GL.DRAW_INDIRECT_BUFFER, source?.offset ?? 0, sizeBytes)
          : new Uint32Array(memory.bytesOf(source).slice(0, sizeBytes).buffer);
      let vertices = 0;
      for (let at = 0; words && at + 1 < words.length; at += stride) vertices += words[at] * words[at + 1];
      refuseEndless(call, vertices, 'vertices');
    });
  };

const dispatch: Handler = (site) =>
  checkedOnce(site, () => {
    const words = mapped(site, GL_DISPATCH_INDIRECT_BUFFER, Number(site.args[0]), 12);
    if (words) refuseEndless(site.call, words[0] * words[1] * words[2], 'work groups');
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
  DrawArraysIndirect: draw(1, 4),
  DrawElementsIndirect: draw(2, 5),
  MultiDrawArraysIndirect: draw(1, 4),
  MultiDrawElementsIndirect: draw(2, 5),
  MultiDrawArraysIndirectCount: countedDraw(1, 4),
  MultiDrawElementsIndirectCount: countedDraw(2, 5),
  DispatchComputeIndirect: dispatch,
};
