/** Small helpers of the test programs; they only call the context they are given, as any program would. */

// biome-ignore lint/suspicious/noExplicitAny: programs run on contexts of several makes
export type Gl = any;

/** Sets a program up and returns what draws its next frame. */
export type Program = (gl: Gl) => () => void;

export function link(gl: Gl, vertex: string, fragment: string, before?: (program: object) => void): object {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
    // Deleted shaders live on in the program: a recorder must still know their sources.
    gl.deleteShader(shader);
  }
  before?.(program);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

export function buffer(
  gl: Gl,
  data: ArrayBufferView,
  target: number = gl.ARRAY_BUFFER,
  usage: number = gl.STATIC_DRAW,
): object {
  const made = gl.createBuffer();
  gl.bindBuffer(target, made);
  gl.bufferData(target, data, usage);
  return made;
}

export const quad = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);

/** Texels that differ everywhere. */
export function texels(count: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}
