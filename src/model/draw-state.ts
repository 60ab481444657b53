/** Follows the state that decides which fragments a draw keeps and writes, and puts it in words. */
import { Bindings } from './bindings.ts';
import type { Call } from './call.ts';
import type { Canvas } from './capture.ts';
import { baseName, GL } from './gl-constants.ts';

/**
 * State of a draw by name, in words: `depth test`: `less`. What has no effect is left out: without the test there is no
 * `depth write`.
 */
export type StateWords = Readonly<Record<string, string>>;

const alphaTest = 0xbc0;
const cullFace = 0xb44;
const blend = 0xbe2;
const alphaToCoverage = 0x809e;
const front = 0x404;
const frontAndBack = 0x408;
const counterClockwise = 0x901;

const compareFunctions = ['never', 'less', 'equal', 'lequal', 'greater', 'notequal', 'gequal', 'always'];

const words: ReadonlyMap<number, string> = new Map([
  ...compareFunctions.map((name, at) => [0x200 + at, name] as const),
  [front, 'front'],
  [GL.BACK, 'back'],
  [frontAndBack, 'front and back'],
  [0x900, 'clockwise'],
  [counterClockwise, 'counterclockwise'],
  [0x1e00, 'keep'],
  [0x1e01, 'replace'],
  [0x1e02, 'incr'],
  [0x1e03, 'decr'],
  [0x150a, 'invert'],
  [0x8507, 'incr_wrap'],
  [0x8508, 'decr_wrap'],
  [0, 'zero'],
  [1, 'one'],
  [0x300, 'src_color'],
  [0x301, 'one_minus_src_color'],
  [0x302, 'src_alpha'],
  [0x303, 'one_minus_src_alpha'],
  [0x304, 'dst_alpha'],
  [0x305, 'one_minus_dst_alpha'],
  [0x306, 'dst_color'],
  [0x307, 'one_minus_dst_color'],
  [0x308, 'src_alpha_saturate'],
  [0x8001, 'constant_color'],
  [0x8002, 'one_minus_constant_color'],
  [0x8003, 'constant_alpha'],
  [0x8004, 'one_minus_constant_alpha'],
  [0x8006, 'add'],
  [0x8007, 'min'],
  [0x8008, 'max'],
  [0x800a, 'subtract'],
  [0x800b, 'reverse_subtract'],
]);

const word = (value: number): string => words.get(value) ?? `0x${value.toString(16)}`;

/** The same for colour and alpha is said once. */
const pairText = (colour: string, alpha: string): string => (colour === alpha ? colour : `${colour} (alpha ${alpha})`);

/** A value of all draw buffers, but for some. */
class PerBuffer<T> {
  #all: T;
  readonly #own = new Map<number, T>();

  constructor(all: T) {
    this.#all = all;
  }

  set(value: T, buffer: number | null): void {
    if (buffer !== null) this.#own.set(buffer, value);
    else {
      this.#all = value;
      this.#own.clear();
    }
  }

  of(buffer: number): T {
    return this.#own.get(buffer) ?? this.#all;
  }

  get buffers(): Iterable<number> {
    return this.#own.keys();
  }
}

interface StencilFace {
  func: readonly [func: number, reference: number, mask: number];
  ops: readonly number[];
  writes: number;
}

const hexadecimal = (value: number): string => (value >>> 0).toString(16);

const faceText = ({ func, ops, writes }: StencilFace): string =>
  `${word(func[0])} ${func[1]} & ${hexadecimal(func[2])}, ${ops.map(word).join(' ')}, writes ${hexadecimal(writes)}`;

type Setter = (state: DrawState, args: readonly number[]) => void;

/** Commands of one draw buffer have its number first. */
const perBuffer =
  (set: (state: DrawState, args: readonly number[], buffer: number | null) => void, isIndexed: boolean): Setter =>
  (state, args) =>
    isIndexed ? set(state, args.slice(1), args[0]) : set(state, args, null);

const bothWays = (name: string, set: Parameters<typeof perBuffer>[0]): Readonly<Record<string, Setter>> => ({
  [name]: perBuffer(set, false),
  [`${name}i`]: perBuffer(set, true),
});

const enabling = (on: boolean): Parameters<typeof perBuffer>[0] => {
  return ({ blends, enabled }, [capability], buffer) => {
    if (capability === blend) blends.set(on, buffer);
    else if (buffer === null && on) enabled.add(capability);
    else if (buffer === null) enabled.delete(capability);
  };
};

const indexedEnabling =
  (on: boolean): Setter =>
  (state, [capability, buffer]) =>
    enabling(on)(state, [capability], buffer);

/** Of a 32-bit float the digits that it holds for certain. */
const decimal = (value: number): string => String(Number(value.toPrecision(6)));

const depthRange: Setter = (state, [near, far]) => {
  state.depthRange = `${decimal(near)} to ${decimal(far)}`;
};

const clearDepth: Setter = (state, [value]) => {
  state.clearDepth = value;
};

const setters: Readonly<Record<string, Setter>> = {
  Enable: perBuffer(enabling(true), false),
  Disable: perBuffer(enabling(false), false),
  Enablei: indexedEnabling(true),
  Disablei: indexedEnabling(false),
  DepthFunc: (state, [func]) => {
    state.depthFunc = func;
  },
  DepthRange: depthRange,
  DepthRangef: depthRange,
  ClearDepth: clearDepth,
  ClearDepthf: clearDepth,
  DepthMask: (state, [mask]) => {
    state.depthMask = mask !== 0;
  },
  StencilFunc: (state, [func, reference, mask]) => {
    state.stencil(frontAndBack, { func: [func, reference, mask] });
  },
  StencilFuncSeparate: (state, [face, func, reference, mask]) => {
    state.stencil(face, { func: [func, reference, mask] });
  },
  StencilOp: (state, ops) => state.stencil(frontAndBack, { ops }),
  StencilOpSeparate: (state, [face, ...ops]) => state.stencil(face, { ops }),
  StencilMask: (state, [writes]) => state.stencil(frontAndBack, { writes }),
  StencilMaskSeparate: (state, [face, writes]) => state.stencil(face, { writes }),
  CullFace: (state, [face]) => {
    state.cullFace = face;
  },
  FrontFace: (state, [direction]) => {
    state.frontFace = direction;
  },
  ...bothWays('ColorMask', ({ colourMasks }, channels, buffer) => {
    const open = [...'rgba'].filter((_, at) => channels[at] !== 0).join('');
    colourMasks.set(open || 'none', buffer);
  }),
  ...bothWays('BlendFunc', ({ blendFunctions }, [source, target], buffer) => {
    blendFunctions.set([source, target, source, target], buffer);
  }),
  ...bothWays('BlendFuncSeparate', ({ blendFunctions }, args, buffer) => blendFunctions.set(args, buffer)),
  ...bothWays('BlendEquation', ({ blendEquations }, [mode], buffer) => blendEquations.set([mode, mode], buffer)),
  ...bothWays('BlendEquationSeparate', ({ blendEquations }, args, buffer) => blendEquations.set(args, buffer)),
};

/** What decides whether there is a depth and a stencil buffer. */
const framing =
  /^(BindFramebuffer|Delete(Framebuffer|Renderbuffer|Texture)s|(Named)?Framebuffer(Renderbuffer|Texture.*))$/;

export class DrawState {
  readonly enabled = new Set<number>();
  depthFunc = 0x201;
  depthMask = true;
  depthRange = '0 to 1';
  clearDepth = 1;
  cullFace: number = GL.BACK;
  frontFace = counterClockwise;
  readonly blends = new PerBuffer(false);
  readonly blendFunctions = new PerBuffer<readonly number[]>([1, 0, 1, 0]);
  readonly blendEquations = new PerBuffer<readonly number[]>([0x8006, 0x8006]);
  readonly colourMasks = new PerBuffer('rgba');
  readonly #stencil: readonly [StencilFace, StencilFace] = [newFace(), newFace()];
  readonly #canvas: Pick<Canvas, 'depth' | 'stencil'>;
  /** Of framebuffers alone. */
  readonly #bindings = new Bindings();

  constructor(canvas: Pick<Canvas, 'depth' | 'stencil'>) {
    this.#canvas = canvas;
  }

  static follows(name: string): boolean {
    const base = baseName(name);
    return Object.hasOwn(setters, base) || framing.test(base);
  }

  /** To be called with each call that {@link follows} names. */
  observe(call: Call): void {
    const base = baseName(call.signature.name);
    if (Object.hasOwn(setters, base)) setters[base](this, call.args.map(Number));
    else this.#bindings.apply(call);
  }

  stencil(face: number, values: Partial<StencilFace>): void {
    if (face !== GL.BACK) Object.assign(this.#stencil[0], values);
    if (face !== front) Object.assign(this.#stencil[1], values);
  }

  words(): StateWords {
    const { enabled } = this;
    const hasBuffer = this.#buffers();
    const onOff = (capability: number): string => (enabled.has(capability) ? 'on' : 'off');
    return {
      ...this.#depth(hasBuffer.depth),
      'stencil test': enabled.has(GL.STENCIL_TEST) ? (hasBuffer.stencil ? this.#faces() : 'no stencil buffer') : 'off',
      'alpha test': onOff(alphaTest),
      'alpha to coverage': onOff(alphaToCoverage),
      culling: enabled.has(cullFace) ? `${word(this.cullFace)}, ${word(this.frontFace)} is front` : 'off',
      blending: this.#ofBuffers([this.blends, this.blendFunctions, this.blendEquations], (buffer) =>
        this.#blend(buffer),
      ),
      'colour mask': this.#ofBuffers([this.colourMasks], (buffer) => this.colourMasks.of(buffer)),
      'rasterizer discard': onOff(GL.RASTERIZER_DISCARD),
    };
  }

  /** Of glClear with this mask: what decides how much of what is drawn after it is hidden. Null where that is nothing. */
  clearWords(mask: number): StateWords | null {
    if ((mask & GL.DEPTH_BUFFER_BIT) === 0 || !this.#buffers().depth) return null;
    return { 'clear depth': decimal(this.clearDepth), 'depth write': this.#depthWrite };
  }

  get #depthWrite(): string {
    return this.depthMask ? 'on' : 'off';
  }

  #buffers(): { readonly depth: boolean; readonly stencil: boolean } {
    const { drawFramebuffer } = this.#bindings;
    if (drawFramebuffer === 0) return this.#canvas;
    const { attachments } = this.#bindings.framebuffer(drawFramebuffer);
    return { depth: attachments.has(GL.DEPTH_ATTACHMENT), stencil: attachments.has(GL.STENCIL_ATTACHMENT) };
  }

  /** Without a buffer every fragment passes (OpenGL ES 3.2, section 15.1.3). */
  #depth(hasBuffer: boolean): StateWords {
    if (!this.enabled.has(GL.DEPTH_TEST)) return { 'depth test': 'off' };
    if (!hasBuffer) return { 'depth test': 'no depth buffer' };
    return {
      'depth test': word(this.depthFunc),
      'depth write': this.#depthWrite,
      'depth range': this.depthRange,
    };
  }

  #faces(): string {
    const [front, back] = this.#stencil.map(faceText);
    return front === back ? front : `${front}; back: ${back}`;
  }

  #blend(buffer: number): string {
    if (!this.blends.of(buffer)) return 'off';
    const [source, target, sourceAlpha, targetAlpha] = this.blendFunctions.of(buffer).map(word);
    const [mode, modeAlpha] = this.blendEquations.of(buffer).map(word);
    return pairText(`${source} ${target} ${mode}`, `${sourceAlpha} ${targetAlpha} ${modeAlpha}`);
  }

  /** What all buffers have, then those that differ. */
  #ofBuffers(values: readonly PerBuffer<unknown>[], text: (buffer: number) => string): string {
    const all = text(-1);
    const own = [...new Set(values.flatMap((value) => [...value.buffers]))].sort((one, other) => one - other);
    const differing = own
      .filter((buffer) => text(buffer) !== all)
      .map((buffer) => `; buffer ${buffer}: ${text(buffer)}`);
    return all + differing.join('');
  }
}

function newFace(): StencilFace {
  return { func: [0x207, 0, 0xffffffff], ops: [0x1e00, 0x1e00, 0x1e00], writes: 0xffffffff };
}
