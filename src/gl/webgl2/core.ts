import type { GlContext, GlFunctions } from '../context.ts';
import { addressOf } from '../native.ts';
import type { CanvasTarget } from './canvas.ts';
import { constants } from './constants.ts';
import {
  type HandleClass,
  HandleTable,
  idOf,
  type WebGLBuffer,
  type WebGLFramebuffer,
  type WebGLProgram,
  type WebGLTexture,
  WebGLVertexArrayObject,
} from './objects.ts';

export type View = ArrayBufferView;

/** Followed here because a native draw without its buffers reads from address 0. */
interface VertexArrayState {
  elementBuffer: WebGLBuffer | null;
  readonly enabled: Set<number>;
  /** Attributes with a buffer. */
  readonly sourced: Map<number, WebGLBuffer>;
}

/** What the parts of a WebGL 2 context share: the GL below, its handles, and the state that only WebGL has. */
export class Core {
  readonly context: GlContext;
  readonly gl: GlFunctions;
  readonly canvas: CanvasTarget;
  readonly handles = new HandleTable();
  /** UNPACK_FLIP_Y_WEBGL and its like: they change what is uploaded, and GL does not know them. */
  flipY = false;
  premultiply = false;
  colorspaceConversion: number = constants.BROWSER_DEFAULT_WEBGL;
  /** null is the canvas. */
  drawFramebuffer: WebGLFramebuffer | null = null;
  readFramebuffer: WebGLFramebuffer | null = null;
  program: WebGLProgram | null = null;
  vertexArray: WebGLVertexArrayObject | null = null;
  arrayBuffer: WebGLBuffer | null = null;
  /** What each texture was first bound to, which GL does not tell. */
  readonly textureTargets = new WeakMap<WebGLTexture, number>();

  /** Bound when the program binds none: only a vertex array of its own keeps client memory out of draws. */
  readonly defaultVertexArray: WebGLVertexArrayObject;
  readonly #arrays = new WeakMap<WebGLVertexArrayObject, VertexArrayState>();
  readonly #errors: number[] = [];
  readonly #encoder = new TextEncoder();
  #longText = new Uint8Array(0);

  constructor(context: GlContext, canvas: CanvasTarget) {
    this.context = context;
    this.gl = context.gl;
    this.canvas = canvas;
    this.gl.glGenVertexArrays(1, context.scratch.address);
    this.defaultVertexArray = new WebGLVertexArrayObject(context.scratch.u32[0]);
    this.gl.glBindVertexArray(idOf(this.defaultVertexArray));
  }

  /** What the bound vertex array draws from. */
  get arrays(): VertexArrayState {
    const bound = this.vertexArray ?? this.defaultVertexArray;
    const present = this.#arrays.get(bound);
    if (present) return present;
    const made: VertexArrayState = { elementBuffer: null, enabled: new Set(), sourced: new Map() };
    this.#arrays.set(bound, made);
    return made;
  }

  /** Follows what GL does to the bindings of an object that was just deleted. */
  forget(kind: HandleClass, handle: object): void {
    if (kind === 'buffer') {
      const { arrays } = this;
      if (arrays.elementBuffer === handle) arrays.elementBuffer = null;
      for (const [index, buffer] of arrays.sourced) if (buffer === handle) arrays.sourced.delete(index);
      if (this.arrayBuffer === handle) this.arrayBuffer = null;
    }
    if (kind === 'vertexArray' && this.vertexArray === handle) {
      this.vertexArray = null;
      this.gl.glBindVertexArray(idOf(this.defaultVertexArray));
    }
    if (kind !== 'framebuffer') return;
    if (this.drawFramebuffer === handle) {
      this.drawFramebuffer = null;
      this.gl.glBindFramebuffer(constants.DRAW_FRAMEBUFFER, this.canvas.drawId);
    }
    if (this.readFramebuffer === handle) {
      this.readFramebuffer = null;
      this.gl.glBindFramebuffer(constants.READ_FRAMEBUFFER, this.canvas.drawId);
    }
  }

  /** Records an error that WebGL finds and GL would not, for the next getError. */
  fail(error: number): undefined {
    if (!this.#errors.includes(error)) this.#errors.push(error);
  }

  /** Allocates by `call` and, unless GL refused, clears what it made: WebGL promises zeros. */
  allocate(call: () => void, clear: () => void): void {
    this.#keepErrors();
    call();
    if (!this.#keepErrors()) clear();
  }

  /** Takes GL's errors over, for the next getError; tells whether there were any. */
  #keepErrors(): boolean {
    let any = false;
    for (let error = this.gl.glGetError(); error !== constants.NO_ERROR; error = this.gl.glGetError()) {
      this.fail(error);
      any = true;
    }
    return any;
  }

  takeError(): number {
    return this.#errors.shift() ?? this.gl.glGetError();
  }

  /** Address of bytes that stay put for the next GL call; small views are copied, since V8 may move them. */
  bytes(view: View): number {
    if (view.byteLength >= 64) return addressOf(view);
    const { scratch } = this.context;
    scratch.u8.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return scratch.address;
  }

  /** Address of text with a final NUL, good for the next GL call. */
  text(value: string): number {
    const { scratch } = this.context;
    if (value.length * 3 < scratch.sizeBytes) return scratch.cString(value);
    this.#longText = this.#encoder.encode(`${value}\0`);
    return addressOf(this.#longText);
  }

  /** Calls back with the address of a list of C strings. */
  withTexts(values: readonly string[], use: (list: number) => void): void {
    const texts = values.map((value) => this.#encoder.encode(`${value}\0`.padEnd(64, '\0')));
    const list = new BigUint64Array(Math.max(8, texts.length));
    texts.forEach((text, index) => {
      list[index] = BigInt(addressOf(text));
    });
    use(addressOf(list));
  }

  /** One integer of state, whatever its type. */
  integer(name: number): number {
    return this.context.integer(name);
  }

  /** Whether the framebuffer that reads come from is a multisampled canvas. */
  get readsResolvedCanvas(): boolean {
    return this.readFramebuffer === null && this.canvas.samples > 0;
  }

  /** Runs `read` with the canvas's single-sample copy up to date and bound for reading. */
  whileReading<T>(read: () => T): T {
    if (!this.readsResolvedCanvas) return read();
    this.canvas.resolve();
    this.gl.glBindFramebuffer(constants.READ_FRAMEBUFFER, this.canvas.readId);
    try {
      return read();
    } finally {
      this.gl.glBindFramebuffer(constants.READ_FRAMEBUFFER, this.canvas.drawId);
      this.gl.glBindFramebuffer(constants.DRAW_FRAMEBUFFER, this.framebufferId(this.drawFramebuffer));
    }
  }

  /** GL's name for a framebuffer; the canvas's own for null. */
  framebufferId(framebuffer: WebGLFramebuffer | null): number {
    return framebuffer === null ? this.canvas.drawId : idOf(framebuffer);
  }
}
