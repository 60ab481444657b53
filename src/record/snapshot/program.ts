import { constants as c } from '../../gl/webgl2/constants.ts';
import type { DataArgument } from '../../model/call.ts';
import type { ProgramShadow, ShaderShadow } from '../observe/shadows.ts';
import { activeInfos } from '../webgl.ts';
import type { SnapshotContext } from './snapshot.ts';

/** Creates the shader as it is now: compiled from what it was compiled from, with the source that it has. */
export function setUpShader({ calls }: SnapshotContext, shader: ShaderShadow): void {
  calls.add('glCreateShader', [shader.type], shader.id);
  if (shader.compiled !== undefined) {
    addSource(calls, shader.id, shader.compiled);
    calls.add('glCompileShader', [shader.id]);
  }
  if (shader.source !== (shader.compiled ?? '')) addSource(calls, shader.id, shader.source);
}

function addSource(calls: SnapshotContext['calls'], shader: number, source: string): void {
  calls.add('glShaderSource', [shader, 1, [source], null]);
}

/** Whether the shaders attached now are those of the last link, so that they can serve for it. */
function attachedAsLinked(program: ProgramShadow): boolean {
  const attached = [...program.attached];
  const linked = program.linked?.shaders ?? [];
  return (
    attached.length === linked.length &&
    attached.every((shader, index) => shader.type === linked[index].type && shader.compiled === linked[index].source)
  );
}

/** Creates the program as it was linked, also when its shaders have changed or gone since, and sets its uniforms. */
export function setUpProgram(context: SnapshotContext, program: ProgramShadow): void {
  const { calls, ids, target } = context;
  const { gl } = target;
  const reuse = attachedAsLinked(program);
  const attachedIds = reuse ? [...program.attached].map((shader) => context.id(shader.handle)) : [];
  calls.add('glCreateProgram', [], program.id);
  const linked = program.linked;
  if (linked) {
    const shaders = reuse
      ? attachedIds
      : linked.shaders.map(({ type, source }) => {
          const id = ids.next('shader');
          calls.add('glCreateShader', [type], id);
          addSource(calls, id, source);
          calls.add('glCompileShader', [id]);
          return id;
        });
    for (const shader of shaders) calls.add('glAttachShader', [program.id, shader]);
    for (const { name } of activeInfos(gl, program.handle, c.ACTIVE_ATTRIBUTES, 'getActiveAttrib')) {
      const location = gl.getAttribLocation(program.handle, name);
      if (location >= 0) calls.add('glBindAttribLocation', [program.id, location, name]);
    }
    const { varyings } = linked;
    if (varyings)
      calls.add('glTransformFeedbackVaryings', [program.id, varyings.names.length, varyings.names, varyings.mode]);
    calls.add('glLinkProgram', [program.id]);
    if (!reuse)
      for (const shader of shaders) {
        calls.add('glDetachShader', [program.id, shader]);
        calls.add('glDeleteShader', [shader]);
      }
  }
  if (!reuse)
    for (const shader of program.attached) calls.add('glAttachShader', [program.id, context.id(shader.handle)]);
  if (linked && gl.getProgramParameter(program.handle, c.LINK_STATUS)) {
    addUniforms(context, program);
    if (target.version === 2) addBlockBindings(context, program);
  }
}

type Kind = 'f' | 'i' | 'ui';
/** The glUniform command of each uniform type: suffix and element kind; the rest (samplers) are single integers. */
const uniformCommands = new Map<number, readonly [string, Kind]>([
  [c.FLOAT, ['1fv', 'f']],
  [c.FLOAT_VEC2, ['2fv', 'f']],
  [c.FLOAT_VEC3, ['3fv', 'f']],
  [c.FLOAT_VEC4, ['4fv', 'f']],
  [c.INT, ['1iv', 'i']],
  [c.INT_VEC2, ['2iv', 'i']],
  [c.INT_VEC3, ['3iv', 'i']],
  [c.INT_VEC4, ['4iv', 'i']],
  [c.BOOL, ['1iv', 'i']],
  [c.BOOL_VEC2, ['2iv', 'i']],
  [c.BOOL_VEC3, ['3iv', 'i']],
  [c.BOOL_VEC4, ['4iv', 'i']],
  [c.UNSIGNED_INT, ['1uiv', 'ui']],
  [c.UNSIGNED_INT_VEC2, ['2uiv', 'ui']],
  [c.UNSIGNED_INT_VEC3, ['3uiv', 'ui']],
  [c.UNSIGNED_INT_VEC4, ['4uiv', 'ui']],
  [c.FLOAT_MAT2, ['Matrix2fv', 'f']],
  [c.FLOAT_MAT3, ['Matrix3fv', 'f']],
  [c.FLOAT_MAT4, ['Matrix4fv', 'f']],
  [c.FLOAT_MAT2x3, ['Matrix2x3fv', 'f']],
  [c.FLOAT_MAT2x4, ['Matrix2x4fv', 'f']],
  [c.FLOAT_MAT3x2, ['Matrix3x2fv', 'f']],
  [c.FLOAT_MAT3x4, ['Matrix3x4fv', 'f']],
  [c.FLOAT_MAT4x2, ['Matrix4x2fv', 'f']],
  [c.FLOAT_MAT4x3, ['Matrix4x3fv', 'f']],
]);

const kinds = { f: Float32Array, i: Int32Array, ui: Uint32Array } as const;
const numbers = (value: unknown): number[] =>
  typeof value === 'number' || typeof value === 'boolean'
    ? [Number(value)]
    : Array.from((value ?? []) as ArrayLike<unknown>, Number);

/** Sets every uniform that is not zero, which is where a link leaves them. */
function addUniforms(context: SnapshotContext, program: ProgramShadow): void {
  const { calls, target } = context;
  const { gl } = target;
  let used = false;
  for (const info of activeInfos(gl, program.handle, c.ACTIVE_UNIFORMS, 'getActiveUniform')) {
    const base = info.name.replace(/\[0\]$/, '');
    const values: number[] = [];
    let count = 0;
    for (; count < info.size; count++) {
      const name = info.name === base ? base : `${base}[${count}]`;
      const location = gl.getUniformLocation(program.handle, name);
      // Uniforms of blocks have no location.
      if (!location) break;
      values.push(...numbers(gl.getUniform(program.handle, location)));
    }
    if (count === 0 || values.every((value) => Object.is(value, 0))) continue;
    if (!used) calls.add('glUseProgram', [program.id]);
    used = true;
    const [suffix, kind] = uniformCommands.get(info.type) ?? ['1iv', 'i'];
    const data: DataArgument = calls.words(values, kinds[kind]);
    const location = context.location(program.id, info.name);
    calls.add(`glUniform${suffix}`, suffix.startsWith('Matrix') ? [location, count, 0, data] : [location, count, data]);
  }
}

function addBlockBindings({ calls, target: { gl } }: SnapshotContext, program: ProgramShadow): void {
  const count = gl.getProgramParameter(program.handle, c.ACTIVE_UNIFORM_BLOCKS) as number;
  for (let index = 0; index < count; index++) {
    const name = gl.getActiveUniformBlockName(program.handle, index) as string;
    const binding = gl.getActiveUniformBlockParameter(program.handle, index, c.UNIFORM_BLOCK_BINDING) as number;
    if (binding !== 0) calls.add('gpuprofUniformBlockBinding', [program.id, name, binding]);
  }
}
