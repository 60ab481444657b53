import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Shadow } from '../observe/shadows.ts';
import { vertexArrayBinder } from '../read-back/gl-guard.ts';
import type { SnapshotContext } from './snapshot.ts';

interface Attribute {
  readonly index: number;
  readonly buffer: number;
  readonly enabled: boolean;
  readonly divisor: number;
  readonly pointer: readonly [size: number, type: number, normalized: number, stride: number, offset: number];
  readonly integer: boolean;
}

/** Attributes of the vertex array bound now, other than those that are as GL begins. */
function attributes({ target, id }: SnapshotContext): Attribute[] {
  const { gl, version, extensions } = target;
  const found: Attribute[] = [];
  const count = gl.getParameter(c.MAX_VERTEX_ATTRIBS) as number;
  const hasDivisors = version === 2 || extensions.has('angle_instanced_arrays');
  for (let index = 0; index < count; index++) {
    const read = (name: number) => gl.getVertexAttrib(index, name);
    const buffer = id(read(c.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING));
    const enabled = Boolean(read(c.VERTEX_ATTRIB_ARRAY_ENABLED));
    const divisor = hasDivisors ? Number(read(c.VERTEX_ATTRIB_ARRAY_DIVISOR)) : 0;
    if (buffer === 0 && !enabled && divisor === 0) continue;
    found.push({
      index,
      buffer,
      enabled,
      divisor,
      pointer: [
        Number(read(c.VERTEX_ATTRIB_ARRAY_SIZE)),
        Number(read(c.VERTEX_ATTRIB_ARRAY_TYPE)),
        Number(read(c.VERTEX_ATTRIB_ARRAY_NORMALIZED)),
        Number(read(c.VERTEX_ATTRIB_ARRAY_STRIDE)),
        gl.getVertexAttribOffset(index, c.VERTEX_ATTRIB_ARRAY_POINTER),
      ],
      integer: version === 2 && Boolean(read(c.VERTEX_ATTRIB_ARRAY_INTEGER)),
    });
  }
  return found;
}

/** Attributes and index buffer of the vertex array bound now: read first, since that brings buffers in. */
export function readVertexArray(context: SnapshotContext): { attributes: Attribute[]; elements: number } {
  const { target, id } = context;
  return { attributes: attributes(context), elements: id(target.gl.getParameter(c.ELEMENT_ARRAY_BUFFER_BINDING)) };
}

export function addVertexArray(
  { calls }: SnapshotContext,
  { attributes, elements }: ReturnType<typeof readVertexArray>,
): void {
  for (const { index, buffer, enabled, divisor, pointer, integer } of attributes) {
    if (buffer !== 0) {
      const [size, type, normalized, stride, offset] = pointer;
      const at = { kind: 'offset', offset } as const;
      calls.add('glBindBuffer', [c.ARRAY_BUFFER, buffer]);
      if (integer) calls.add('glVertexAttribIPointer', [index, size, type, stride, at]);
      else calls.add('glVertexAttribPointer', [index, size, type, normalized, stride, at]);
    }
    if (enabled) calls.add('glEnableVertexAttribArray', [index]);
    if (divisor !== 0) calls.add('glVertexAttribDivisor', [index, divisor]);
  }
  if (elements !== 0) calls.add('glBindBuffer', [c.ELEMENT_ARRAY_BUFFER, elements]);
}

export function setUpVertexArray(context: SnapshotContext, { handle, id }: Pick<Shadow, 'handle' | 'id'>): void {
  const { calls, target } = context;
  const bind = vertexArrayBinder(target);
  bind?.(handle);
  const contents = readVertexArray(context);
  bind?.(null);
  calls.add('glGenVertexArrays', [1, [id]]);
  calls.add('glBindVertexArray', [id]);
  addVertexArray(context, contents);
}

interface Range {
  readonly index: number;
  readonly buffer: number;
  readonly start: number;
  readonly size: number;
}

/** Indexed buffer bindings of uniform or transform-feedback buffers. */
export function readIndexed({ target: { gl }, id }: SnapshotContext, kind: 'uniform' | 'feedback'): Range[] {
  const uniform = kind === 'uniform';
  const count = gl.getParameter(
    uniform ? c.MAX_UNIFORM_BUFFER_BINDINGS : c.MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
  ) as number;
  const [binding, start, size] = uniform
    ? [c.UNIFORM_BUFFER_BINDING, c.UNIFORM_BUFFER_START, c.UNIFORM_BUFFER_SIZE]
    : [c.TRANSFORM_FEEDBACK_BUFFER_BINDING, c.TRANSFORM_FEEDBACK_BUFFER_START, c.TRANSFORM_FEEDBACK_BUFFER_SIZE];
  const ranges: Range[] = [];
  for (let index = 0; index < count; index++) {
    const buffer = id(gl.getIndexedParameter(binding, index));
    if (buffer === 0) continue;
    ranges.push({
      index,
      buffer,
      start: Number(gl.getIndexedParameter(start, index)),
      size: Number(gl.getIndexedParameter(size, index)),
    });
  }
  return ranges;
}

export function addIndexed({ calls }: SnapshotContext, target: number, ranges: readonly Range[]): void {
  for (const { index, buffer, start, size } of ranges)
    if (start === 0 && size === 0) calls.add('glBindBufferBase', [target, index, buffer]);
    else calls.add('glBindBufferRange', [target, index, buffer, start, size]);
}

export function setUpTransformFeedback(context: SnapshotContext, { handle, id }: Pick<Shadow, 'handle' | 'id'>): void {
  const { calls, target } = context;
  const outer = target.gl.getParameter(c.TRANSFORM_FEEDBACK_BINDING) as object | null;
  target.gl.bindTransformFeedback(c.TRANSFORM_FEEDBACK, handle);
  const ranges = readIndexed(context, 'feedback');
  target.gl.bindTransformFeedback(c.TRANSFORM_FEEDBACK, outer);
  calls.add('glGenTransformFeedbacks', [1, [id]]);
  calls.add('glBindTransformFeedback', [c.TRANSFORM_FEEDBACK, id]);
  addIndexed(context, c.TRANSFORM_FEEDBACK_BUFFER, ranges);
}
