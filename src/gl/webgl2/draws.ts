import { constants as c } from './constants.ts';
import type { Core } from './core.ts';
import { idOf, isDeleted, type WebGLVertexArrayObject } from './objects.ts';

/** Whether the bound vertex array has what a draw reads; records the error if not (WebGL 1.0, 6.6). */
export function canDraw(core: Core, indexed: boolean): boolean {
  const { elementBuffer, enabled, sourced } = core.arrays;
  let good = !indexed || elementBuffer !== null;
  for (const index of enabled) good &&= sourced.has(index);
  if (!good) core.fail(c.INVALID_OPERATION);
  return good;
}

/** Vertex arrays and draws. */
export function drawMethods(core: Core) {
  const { gl } = core;
  const source = (index: number, offset: number, point: () => void) => {
    if (core.arrayBuffer === null && offset !== 0) return core.fail(c.INVALID_OPERATION);
    if (core.arrayBuffer) core.arrays.sourced.set(index, core.arrayBuffer);
    else core.arrays.sourced.delete(index);
    point();
  };

  return {
    bindVertexArray(vertexArray: WebGLVertexArrayObject | null) {
      if (vertexArray && isDeleted(vertexArray)) return core.fail(c.INVALID_OPERATION);
      core.vertexArray = vertexArray;
      gl.glBindVertexArray(idOf(vertexArray ?? core.defaultVertexArray));
    },
    enableVertexAttribArray(index: number) {
      core.arrays.enabled.add(index);
      gl.glEnableVertexAttribArray(index);
    },
    disableVertexAttribArray(index: number) {
      core.arrays.enabled.delete(index);
      gl.glDisableVertexAttribArray(index);
    },
    vertexAttribPointer(
      index: number,
      size: number,
      type: number,
      normalized: boolean,
      stride: number,
      offset: number,
    ) {
      source(index, offset, () => gl.glVertexAttribPointer(index, size, type, normalized ? 1 : 0, stride, offset));
    },
    vertexAttribIPointer(index: number, size: number, type: number, stride: number, offset: number) {
      source(index, offset, () => gl.glVertexAttribIPointer(index, size, type, stride, offset));
    },
    drawArrays(mode: number, first: number, count: number) {
      if (canDraw(core, false)) gl.glDrawArrays(mode, first, count);
    },
    drawArraysInstanced(mode: number, first: number, count: number, instances: number) {
      if (canDraw(core, false)) gl.glDrawArraysInstanced(mode, first, count, instances);
    },
    drawElements(mode: number, count: number, type: number, offset: number) {
      if (canDraw(core, true)) gl.glDrawElements(mode, count, type, offset);
    },
    drawElementsInstanced(mode: number, count: number, type: number, offset: number, instances: number) {
      if (canDraw(core, true)) gl.glDrawElementsInstanced(mode, count, type, offset, instances);
    },
    drawRangeElements(mode: number, start: number, end: number, count: number, type: number, offset: number) {
      if (canDraw(core, true)) gl.glDrawRangeElements(mode, start, end, count, type, offset);
    },
  };
}
