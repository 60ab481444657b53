import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import { addressOf, Scratch } from '../gl/native.ts';

const GL_TRIANGLES = 0x0004;
const GL_TEXTURE_2D = 0x0de1;
const GL_VIEWPORT = 0x0ba2;
const GL_RGBA8 = 0x8058;
const GL_FRAGMENT_SHADER = 0x8b30;
const GL_VERTEX_SHADER = 0x8b31;
const GL_LINK_STATUS = 0x8b82;
const GL_COLOR_ATTACHMENT0 = 0x8ce0;
const GL_FRAMEBUFFER = 0x8d40;

/**
 * Framebuffer and drawn part, in pixels. llvmpipe answers a query from one 64x64 tile: the drawn part has more tiles than
 * it has threads (32 at most), so that no tile takes as long as the draw, and the last tiles stay empty.
 */
const framebufferSize = 512;
const drawnSize = 384;

const vertexSource = `
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}`;
const fragmentSource = `
precision highp float;
uniform int work;
out vec4 colour;
void main() {
  float x = gl_FragCoord.x * 0.001;
  for (int i = 0; i < work; i++) x = fract(x * 1.1 + gl_FragCoord.y * 0.01);
  colour = vec4(x);
}`;

/** Draws of known cost, in a framebuffer of its own. Needs a context in its initial state, and leaves it so. */
export class TrustScene {
  readonly #context: GlContext;
  readonly #location: number;
  readonly #program: number;
  readonly #framebuffer: number;
  readonly #texture: number;
  readonly #vertexArray: number;
  readonly #viewport: readonly number[];

  constructor(context: GlContext) {
    this.#context = context;
    const { gl, scratch } = context;
    this.#program = this.#link();
    this.#location = gl.glGetUniformLocation(this.#program, scratch.cString('work'));
    gl.glUseProgram(this.#program);
    this.#texture = this.#generate('glGenTextures');
    gl.glBindTexture(GL_TEXTURE_2D, this.#texture);
    gl.glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, framebufferSize, framebufferSize);
    this.#framebuffer = this.#generate('glGenFramebuffers');
    gl.glBindFramebuffer(GL_FRAMEBUFFER, this.#framebuffer);
    gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, this.#texture, 0);
    this.#vertexArray = this.#generate('glGenVertexArrays');
    gl.glBindVertexArray(this.#vertexArray);
    gl.glGetIntegerv(GL_VIEWPORT, scratch.address);
    this.#viewport = Array.from(scratch.i32.subarray(0, 4));
    gl.glViewport(0, 0, drawnSize, drawnSize);
  }

  #generate(command: 'glGenTextures' | 'glGenFramebuffers' | 'glGenVertexArrays'): number {
    this.#context.gl[command](1, this.#context.scratch.address);
    return this.#context.scratch.u32[0];
  }

  #compile(program: number, kind: number, source: string): void {
    const { gl } = this.#context;
    const shader = gl.glCreateShader(kind);
    const text = Buffer.from(`${this.#context.api === 'es' ? '#version 300 es' : '#version 330'}${source}\0`);
    const bytes = new Uint8Array(Math.max(256, text.length));
    bytes.set(text);
    const pointer = new Scratch(8);
    pointer.u64[0] = BigInt(addressOf(bytes));
    gl.glShaderSource(shader, 1, pointer.address, 0);
    gl.glCompileShader(shader);
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader);
  }

  #link(): number {
    const { gl, scratch } = this.#context;
    const program = gl.glCreateProgram();
    this.#compile(program, GL_VERTEX_SHADER, vertexSource);
    this.#compile(program, GL_FRAGMENT_SHADER, fragmentSource);
    gl.glLinkProgram(program);
    gl.glGetProgramiv(program, GL_LINK_STATUS, scratch.address);
    if (scratch.i32[0] !== 0) return program;
    gl.glDeleteProgram(program);
    throw new GpuprofError('cannot-measure', `the trust check's shader does not link on ${this.#context.renderer}`);
  }

  /** Sets how often the draws' fragments go round their loop: the cost of the next draws. */
  setWork(work: number): void {
    this.#context.gl.glUniform1i(this.#location, work);
  }

  draw(): void {
    this.#context.gl.glDrawArrays(GL_TRIANGLES, 0, 3);
  }

  /** Frees everything and puts the bindings and the viewport back. */
  dispose(): void {
    const { gl, scratch } = this.#context;
    const [x, y, width, height] = this.#viewport;
    gl.glViewport(x, y, width, height);
    gl.glUseProgram(0);
    gl.glDeleteProgram(this.#program);
    gl.glBindVertexArray(0);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, 0);
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    scratch.u32[0] = this.#vertexArray;
    gl.glDeleteVertexArrays(1, scratch.address);
    scratch.u32[0] = this.#framebuffer;
    gl.glDeleteFramebuffers(1, scratch.address);
    scratch.u32[0] = this.#texture;
    gl.glDeleteTextures(1, scratch.address);
  }
}
