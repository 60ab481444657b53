import type { Param } from '../../model/signature.ts';
import { signatureOf } from '../command-table.ts';
import { constants as c } from './constants.ts';
import type { Core } from './core.ts';
import { type HandleClass, idOf, isDeleted, markDeleted, type WebGLProgram } from './objects.ts';

type Method = (...args: never[]) => unknown;

/** Methods that are one GL command with the same arguments: `gl` and the name, objects by their GL names. */
const plainMethods = `
activeTexture attachShader beginQuery beginTransformFeedback bindAttribLocation bindBufferBase bindBufferRange
bindRenderbuffer bindSampler bindTransformFeedback blendColor blendEquation blendEquationSeparate blendFunc
blendFuncSeparate checkFramebufferStatus clear clearBufferfi clearColor clearStencil colorMask compileShader
copyBufferSubData cullFace depthFunc depthMask detachShader disable enable endQuery endTransformFeedback finish flush frontFace generateMipmap
getAttribLocation getFragDataLocation getUniformBlockIndex hint isEnabled lineWidth linkProgram pauseTransformFeedback
polygonOffset resumeTransformFeedback sampleCoverage
samplerParameterf samplerParameteri scissor stencilFunc stencilFuncSeparate stencilMask stencilMaskSeparate stencilOp
stencilOpSeparate texParameterf texParameteri uniformBlockBinding validateProgram
vertexAttrib1f vertexAttrib2f vertexAttrib3f vertexAttrib4f vertexAttribDivisor vertexAttribI4i vertexAttribI4ui
viewport waitSync`;

/** Creation and deletion take lists in GL. Shaders, programs and syncs have commands of their own. */
const listed = { buffer: 'Buffer', framebuffer: 'Framebuffer', query: 'Query', renderbuffer: 'Renderbuffer' } as const;
const alsoListed = {
  sampler: 'Sampler',
  texture: 'Texture',
  transformFeedback: 'TransformFeedback',
  vertexArray: 'VertexArray',
} as const;

const plural = (name: string) => (name === 'Query' ? 'Queries' : `${name}s`);
const commandOf = (method: string) => `gl${method[0].toUpperCase()}${method.slice(1)}` as const;

/** Turns one argument into what the native function takes, as WebIDL converts it. */
function converter(core: Core, param: Param): (value: unknown) => number | bigint {
  if (param.type === 'object') return (value) => idOf(value as WebGLProgram | null);
  if (param.type === 'bool') return (value) => (value ? 1 : 0);
  if (param.type === 'string') return (value) => core.text(String(value));
  if (param.type === 'u64') return (value) => BigInt.asUintN(64, BigInt(Number(value)));
  if (param.type === 'f32' || param.type === 'f64') return Number;
  return (value) => Math.trunc(Number(value)) || 0;
}

/** Whether an argument names an object that is gone; programs and shaders live on while they are in use. */
function namesDeleted(params: readonly Param[], args: readonly unknown[]): boolean {
  return params.some(
    (param, index) =>
      param.type === 'object' &&
      param.objectClass !== 'program' &&
      param.objectClass !== 'shader' &&
      args[index] &&
      isDeleted(args[index] as WebGLProgram),
  );
}

/** The method for one GL command, by the command table. */
export function deriveMethod(core: Core, command: `gl${string}`): Method {
  const signature = signatureOf(command);
  if (!signature) throw new Error(`no GL command is called ${command}`);
  const { params, result } = signature;
  const converters = params.map((param) => converter(core, param));
  const takesObjects = params.some((param) => param.type === 'object');
  const native: number[] = new Array(params.length);
  return (...args: unknown[]): unknown => {
    if (takesObjects && namesDeleted(params, args)) return core.fail(c.INVALID_OPERATION);
    for (let index = 0; index < converters.length; index++) native[index] = converters[index](args[index]) as number;
    const value = core.gl[command](...native);
    if (result.type === 'void') return undefined;
    return result.type === 'bool' ? value !== 0 : value;
  };
}

/** All methods that follow from the command table alone. */
export function derivedMethods(core: Core): Record<string, Method> {
  const methods: Record<string, Method> = {};
  for (const name of plainMethods.trim().split(/\s+/)) methods[name] = deriveMethod(core, commandOf(name));

  const { scratch } = core.context;
  for (const [kind, name] of Object.entries({ ...listed, ...alsoListed }) as [HandleClass, string][]) {
    const generate = `glGen${plural(name)}` as const;
    const remove = `glDelete${plural(name)}` as const;
    methods[`create${name}`] = () => {
      core.gl[generate](1, scratch.address);
      return core.handles.add(kind, scratch.u32[0]);
    };
    methods[`delete${name}`] = (handle: WebGLProgram | null) => {
      if (!handle || isDeleted(handle)) return;
      markDeleted(handle);
      scratch.u32[0] = idOf(handle);
      core.gl[remove](1, scratch.address);
      core.forget(kind, handle);
    };
  }
  for (const name of ['Shader', 'Program', 'Sync'] as const)
    methods[`delete${name}`] = (handle: WebGLProgram | null) => {
      if (!handle || isDeleted(handle)) return;
      markDeleted(handle);
      core.gl[`glDelete${name}`](idOf(handle));
    };
  for (const name of [...Object.values(listed), ...Object.values(alsoListed), 'Shader', 'Program', 'Sync'])
    methods[`is${name}`] = (handle: WebGLProgram | null) =>
      Boolean(handle && (!isDeleted(handle) || handle === core.program) && core.gl[`glIs${name}`](idOf(handle)));
  return methods;
}
