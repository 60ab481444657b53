import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Layout, Numbers } from '../../model/texture-formats.ts';
import type { Handle } from '../webgl.ts';
import type { Target } from './gl-guard.ts';
import { vertexArrayBinder } from './gl-guard.ts';
import { fragmentSource, type Sampled, vertexSource } from './reader-shaders.ts';
import type { Values } from './texel-encode.ts';

interface Program {
  readonly handle: Handle;
  location(name: string): Handle | null;
}

/** Rows read at a time, so that reading a large image back needs little memory. */
const texelsAtOnce = 1 << 18;

/** For each cube face, the direction of its (s, t, 1) with s and t from -1 to 1; columns s, t, 1. */
const faceAxes: readonly (readonly number[])[] = [
  [0, 0, -1, 0, -1, 0, 1, 0, 0],
  [0, 0, 1, 0, -1, 0, -1, 0, 0],
  [1, 0, 0, 0, 0, 1, 0, 1, 0],
  [1, 0, 0, 0, 0, -1, 0, -1, 0],
  [1, 0, 0, 0, -1, 0, 0, 0, 1],
  [-1, 0, 0, 0, -1, 0, 0, 0, -1],
];

/** The texture unit's image that is to be read, and which part. */
export interface Source {
  readonly texture: Handle;
  readonly target: number;
  readonly imageTarget: number;
  readonly level: number;
  readonly width: number;
  readonly height: number;
  readonly layer: number;
  readonly depth: number;
}

/**
 * The recorder's own GL objects for reading images back: shaders that copy texels into a framebuffer of plain integers
 * (WebGL 2) or bytes (WebGL 1). Every method runs inside {@link guarded}. Objects are made when first needed.
 */
export class GlReader {
  readonly #target: Target;
  readonly #programs = new Map<string, Program>();
  #framebuffer: Handle | undefined;
  #output: Handle | undefined;
  #outputSize: readonly [number, number] = [0, 0];
  #triangle: Handle | undefined;
  #vertexArray: Handle | undefined;
  #sampler: Handle | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Texels of one layer, from row `row` on. */
  sample(source: Source, numbers: Numbers, row: number, rows: number): Values {
    const { gl, version } = this.#target;
    this.#bindOutput(source.width, Math.min(source.height, this.rowsAtOnce(source.width)));
    gl.viewport(0, 0, source.width, rows);
    gl.bindTexture(source.target, source.texture);
    if (version === 2) return this.#sampleWords(source, numbers, row, rows);
    const floats = numbers === 'float' || numbers === 'depth' || numbers === 'depthStencil';
    return floats ? this.#sampleFloats(source, row, rows) : this.#sampleBytes(source, row, rows);
  }

  rowsAtOnce(width: number): number {
    return Math.max(1, Math.floor(texelsAtOnce / width));
  }

  #use(sampled: Sampled, source: Source, row: number): Program {
    const { gl, version } = this.#target;
    const key = JSON.stringify(sampled);
    const program = this.#programs.get(key) ?? this.#link(fragmentSource(version, sampled));
    this.#programs.set(key, program);
    gl.useProgram(program.handle);
    gl.uniform1i(program.location('source'), 0);
    gl.uniform3f(program.location('place'), row, source.layer, source.depth);
    gl.uniform2f(program.location('size'), source.width, source.height);
    if (source.target === c.TEXTURE_CUBE_MAP) {
      const axes = faceAxes[source.imageTarget - c.TEXTURE_CUBE_MAP_POSITIVE_X];
      gl.uniformMatrix3fv(program.location('face'), false, new Float32Array(axes));
    }
    return program;
  }

  #sampleWords(source: Source, numbers: Numbers, row: number, rows: number): Values {
    const { gl } = this.#target;
    this.#sampler ??= this.#makeSampler();
    gl.bindSampler(0, this.#sampler);
    const integers = numbers === 'int' || numbers === 'uint' ? numbers : 'float';
    this.#use({ target: source.target, numbers: integers }, source, row);
    this.#draw();
    const words = new Uint32Array(source.width * rows * 4);
    gl.readPixels(0, 0, source.width, rows, c.RGBA_INTEGER, c.UNSIGNED_INT, words);
    if (numbers === 'uint') return words;
    return numbers === 'int' ? new Int32Array(words.buffer) : new Float32Array(words.buffer);
  }

  #readBytes(width: number, rows: number): Uint8Array {
    const bytes = new Uint8Array(width * rows * 4);
    this.#target.gl.readPixels(0, 0, width, rows, c.RGBA, c.UNSIGNED_BYTE, bytes);
    return bytes;
  }

  #sampleBytes(source: Source, row: number, rows: number): Values {
    this.#use({ target: source.target, numbers: 'bytes' }, source, row);
    this.#draw();
    return Float32Array.from(this.#readBytes(source.width, rows), (value) => value / 255);
  }

  /** WebGL 1 has no integers: each component's 32 bits are worked out in the shader and drawn as one RGBA8 texel. */
  #sampleFloats(source: Source, row: number, rows: number): Values {
    const { gl } = this.#target;
    const values = new Float32Array(source.width * rows * 4);
    const program = this.#use({ target: source.target, numbers: 'packed' }, source, row);
    for (let component = 0; component < 4; component++) {
      gl.uniform4f(
        program.location('component'),
        ...([0, 1, 2, 3].map((at) => Number(at === component)) as [number, number, number, number]),
      );
      this.#draw();
      const floats = new Float32Array(this.#readBytes(source.width, rows).buffer);
      for (let index = 0; index < floats.length; index++) values[index * 4 + component] = floats[index];
    }
    return values;
  }

  /**
   * Stencil of the image that `attach` puts on the framebuffer bound for it: one draw for each bit. One byte a pixel.
   */
  stencil(width: number, height: number, attach: () => void): Uint8Array {
    const { gl, version } = this.#target;
    const result = new Uint8Array(width * height);
    const output = gl.createTexture();
    gl.bindTexture(c.TEXTURE_2D, output);
    gl.texImage2D(c.TEXTURE_2D, 0, c.RGBA, width, height, 0, c.RGBA, c.UNSIGNED_BYTE, null);
    this.#framebuffer ??= gl.createFramebuffer();
    gl.bindFramebuffer(c.FRAMEBUFFER, this.#framebuffer);
    gl.framebufferTexture2D(c.FRAMEBUFFER, c.COLOR_ATTACHMENT0, c.TEXTURE_2D, output, 0);
    attach();
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.enable(c.STENCIL_TEST);
    gl.stencilOpSeparate(c.FRONT_AND_BACK, c.KEEP, c.KEEP, c.KEEP);
    const program = this.#programs.get('white') ?? this.#link(fragmentSource(version, 'white'));
    this.#programs.set('white', program);
    gl.useProgram(program.handle);
    for (let bit = 1; bit < 256; bit *= 2) {
      gl.clear(c.COLOR_BUFFER_BIT);
      gl.stencilFuncSeparate(c.FRONT_AND_BACK, c.EQUAL, bit, bit);
      this.#draw();
      const bytes = this.#readBytes(width, height);
      for (let index = 0; index < result.length; index++) if (bytes[index * 4]) result[index] |= bit;
    }
    gl.disable(c.STENCIL_TEST);
    this.detach();
    gl.deleteTexture(output);
    this.#outputSize = [0, 0];
    return result;
  }

  /** Binds a framebuffer of the recorder's own, with nothing attached but what `attach` attaches. */
  bindEmpty(attach: () => void): void {
    const { gl } = this.#target;
    this.#framebuffer ??= gl.createFramebuffer();
    gl.bindFramebuffer(c.FRAMEBUFFER, this.#framebuffer);
    this.detach();
    attach();
  }

  detach(): void {
    const { gl } = this.#target;
    gl.framebufferTexture2D(c.FRAMEBUFFER, c.COLOR_ATTACHMENT0, c.TEXTURE_2D, null, 0);
    gl.framebufferRenderbuffer(c.FRAMEBUFFER, c.DEPTH_ATTACHMENT, c.RENDERBUFFER, null);
    gl.framebufferRenderbuffer(c.FRAMEBUFFER, c.STENCIL_ATTACHMENT, c.RENDERBUFFER, null);
    gl.framebufferRenderbuffer(c.FRAMEBUFFER, c.DEPTH_STENCIL_ATTACHMENT, c.RENDERBUFFER, null);
    this.#outputSize = [0, 0];
  }

  /** Colour of the framebuffer bound for reading: floats, integers, or bytes as parts of one. */
  readColour(width: number, rows: number, numbers: Layout['numbers'], row: number): Values {
    const { gl } = this.#target;
    const count = width * rows * 4;
    if (numbers === 'unorm') {
      const bytes = new Uint8Array(count);
      gl.readPixels(0, row, width, rows, c.RGBA, c.UNSIGNED_BYTE, bytes);
      return Float32Array.from(bytes, (value) => value / 255);
    }
    const values =
      numbers === 'int' ? new Int32Array(count) : numbers === 'uint' ? new Uint32Array(count) : new Float32Array(count);
    const type = numbers === 'int' ? c.INT : numbers === 'uint' ? c.UNSIGNED_INT : c.FLOAT;
    gl.readPixels(0, row, width, rows, type === c.FLOAT ? c.RGBA : c.RGBA_INTEGER, type, values);
    return values;
  }

  #bindOutput(width: number, height: number): void {
    const { gl, version } = this.#target;
    this.#framebuffer ??= gl.createFramebuffer();
    gl.bindFramebuffer(c.FRAMEBUFFER, this.#framebuffer);
    if (this.#outputSize[0] === width && this.#outputSize[1] === height) return;
    this.detach();
    if (this.#output) gl.deleteTexture(this.#output);
    this.#output = gl.createTexture();
    gl.bindTexture(c.TEXTURE_2D, this.#output);
    if (version === 2) gl.texStorage2D(c.TEXTURE_2D, 1, c.RGBA32UI, width, height);
    else gl.texImage2D(c.TEXTURE_2D, 0, c.RGBA, width, height, 0, c.RGBA, c.UNSIGNED_BYTE, null);
    gl.framebufferTexture2D(c.FRAMEBUFFER, c.COLOR_ATTACHMENT0, c.TEXTURE_2D, this.#output, 0);
    this.#outputSize = [width, height];
  }

  #makeSampler(): Handle {
    const { gl } = this.#target;
    const sampler = gl.createSampler();
    gl.samplerParameteri(sampler, c.TEXTURE_MIN_FILTER, c.NEAREST);
    gl.samplerParameteri(sampler, c.TEXTURE_MAG_FILTER, c.NEAREST);
    for (const wrap of [c.TEXTURE_WRAP_S, c.TEXTURE_WRAP_T, c.TEXTURE_WRAP_R])
      gl.samplerParameteri(sampler, wrap, c.CLAMP_TO_EDGE);
    return sampler;
  }

  #link(fragment: string): Program {
    const { gl, version } = this.#target;
    const handle = gl.createProgram();
    for (const [type, source] of [
      [c.VERTEX_SHADER, vertexSource(version)],
      [c.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(handle, shader);
      gl.deleteShader(shader);
    }
    gl.bindAttribLocation(handle, 0, 'corner');
    gl.linkProgram(handle);
    const locations = new Map<string, Handle | null>();
    return {
      handle,
      location: (name) => {
        if (!locations.has(name)) locations.set(name, gl.getUniformLocation(handle, name));
        return locations.get(name) ?? null;
      },
    };
  }

  #draw(): void {
    const { gl, version } = this.#target;
    const bind = vertexArrayBinder(this.#target);
    if (version === 2) {
      this.#vertexArray ??= gl.createVertexArray();
      bind?.(this.#vertexArray);
    } else if (!this.#triangle) {
      this.#triangle = gl.createBuffer();
      gl.bindBuffer(c.ARRAY_BUFFER, this.#triangle);
      gl.bufferData(c.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), c.STATIC_DRAW);
    } else gl.bindBuffer(c.ARRAY_BUFFER, this.#triangle);
    if (version === 1) {
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 2, c.FLOAT, false, 0, 0);
    }
    gl.drawArrays(c.TRIANGLES, 0, 3);
    if (version === 2) bind?.(null);
  }

  /** Gives every object back to GL. */
  dispose(): void {
    const { gl } = this.#target;
    for (const { handle } of this.#programs.values()) gl.deleteProgram(handle);
    this.#programs.clear();
    if (this.#output) gl.deleteTexture(this.#output);
    if (this.#framebuffer) gl.deleteFramebuffer(this.#framebuffer);
    if (this.#triangle) gl.deleteBuffer(this.#triangle);
    if (this.#vertexArray) gl.deleteVertexArray(this.#vertexArray);
    if (this.#sampler) gl.deleteSampler(this.#sampler);
    this.#output = this.#framebuffer = this.#triangle = this.#vertexArray = this.#sampler = undefined;
    this.#outputSize = [0, 0];
  }
}
