import { GpuprofError } from '../../errors.ts';
import type { WebGl2 } from '../../gl/webgl2-context.ts';
import { type ProgramKind, sourcesOf } from './shaders.ts';

type ProgramHandle = ReturnType<WebGl2['createProgram']>;
type Location = ReturnType<WebGl2['getUniformLocation']>;

/** Texture units, fixed so that samplers are set once a program. */
export const units = {
  baseColorTexture: 0,
  metallicRoughnessTexture: 1,
  normalTexture: 2,
  occlusionTexture: 3,
  emissiveTexture: 4,
  shadowMap: 5,
  jointMatrices: 6,
  hdrColor: 0,
} as const;

export interface Program {
  readonly handle: ProgramHandle;
  /** Null when the program has no such uniform; setting it then does nothing. */
  location(name: string): Location;
}

/** The binding point of the Frame block. */
export const frameBinding = 0;

function compile(gl: WebGl2, type: number, source: string): NonNullable<ReturnType<WebGl2['createShader']>> {
  const shader = gl.createShader(type);
  if (!shader) throw new GpuprofError('missing-feature', 'the driver makes no shaders');
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
    throw new GpuprofError(
      'missing-feature',
      `the driver does not compile the scene's shader: ${gl.getShaderInfoLog(shader)}`,
    );
  return shader;
}

function link(gl: WebGl2, kind: ProgramKind, defines: readonly string[]): Program {
  const sources = sourcesOf(kind, defines);
  const vertex = compile(gl, gl.VERTEX_SHADER, sources.vertex);
  const fragment = compile(gl, gl.FRAGMENT_SHADER, sources.fragment);
  const handle = gl.createProgram();
  gl.attachShader(handle, vertex);
  gl.attachShader(handle, fragment);
  gl.linkProgram(handle);
  gl.deleteShader(vertex);
  gl.deleteShader(fragment);
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS))
    throw new GpuprofError(
      'missing-feature',
      `the driver does not link the scene's program: ${gl.getProgramInfoLog(handle)}`,
    );

  const known = new Map<string, Location>();
  const location = (name: string): Location => {
    if (!known.has(name)) known.set(name, gl.getUniformLocation(handle, name));
    return known.get(name) ?? null;
  };
  gl.useProgram(handle);
  for (const [name, unit] of Object.entries(units)) if (location(name)) gl.uniform1i(location(name), unit);
  const block = gl.getUniformBlockIndex(handle, 'Frame');
  if (block !== gl.INVALID_INDEX) gl.uniformBlockBinding(handle, block, frameBinding);
  return { handle, location };
}

/** Programs by what they are for and what they define, each linked once. */
export function createPrograms(gl: WebGl2): (kind: ProgramKind, defines: readonly string[]) => Program {
  const made = new Map<string, Program>();
  return (kind, defines) => {
    const key = `${kind} ${defines.join(',')}`;
    const present = made.get(key);
    if (present) return present;
    const program = link(gl, kind, defines);
    made.set(key, program);
    return program;
  };
}
