/** Follows the state that decides which part of a target an action can touch. */
import { inlineWords } from '../argument-values.ts';
import type { Argument, Call, DataArgument } from '../call.ts';
import type { Canvas, CaptureApi } from '../capture.ts';
import { baseName, GL } from '../gl-constants.ts';
import { numberNamed } from '../named-arguments.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const numbers = (call: Call): number[] => call.args.map((value) => Number(value) || 0);

function floats(value: Argument | undefined): readonly number[] {
  const data = value as DataArgument;
  if (data?.kind !== 'inline') return [];
  const view = new DataView(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength & ~3);
  return Array.from({ length: Math.min(4, view.byteLength / 4) }, (_, at) => view.getFloat32(at * 4, true));
}

const rectangle = ([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Rectangle => ({ x, y, width, height });

/** The pixels that two rectangles share; empty rectangles have width 0. */
export function intersection(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.ceil(Math.min(a.x + a.width, b.x + b.width)) - Math.floor(x);
  const height = Math.ceil(Math.min(a.y + a.height, b.y + b.height)) - Math.floor(y);
  return { x: Math.floor(x), y: Math.floor(y), width: Math.max(0, width), height: Math.max(0, height) };
}

export const area = ({ width, height }: Rectangle): number => width * height;

type Setter = (state: FixedState, call: Call) => void;

const enable =
  (on: boolean): Setter =>
  (state, call) => {
    if (on) state.enabled.add(Number(call.args[0]));
    else state.enabled.delete(Number(call.args[0]));
  };

/** Only the first viewport and scissor are followed: with several, the others mostly cover the same target. */
const setters: Readonly<Record<string, Setter>> = {
  Enable: enable(true),
  Disable: enable(false),
  Enablei: (state, call) => call.args[1] === 0 && enable(true)(state, call),
  Disablei: (state, call) => call.args[1] === 0 && enable(false)(state, call),
  Viewport: (state, call) => {
    state.viewport = rectangle(numbers(call));
  },
  ViewportIndexedf: (state, call) => {
    if (call.args[0] === 0) state.viewport = rectangle(numbers(call).slice(1));
  },
  ViewportIndexedfv: (state, call) => {
    if (call.args[0] === 0) state.viewport = rectangle(floats(call.args[1]));
  },
  ViewportArrayv: (state, call) => {
    if (call.args[0] === 0) state.viewport = rectangle(floats(call.args[2]));
  },
  Scissor: (state, call) => {
    state.scissor = rectangle(numbers(call));
  },
  ScissorIndexed: (state, call) => {
    if (call.args[0] === 0) state.scissor = rectangle(numbers(call).slice(1));
  },
  ScissorIndexedv: (state, call) => {
    if (call.args[0] === 0) state.scissor = rectangle(inlineWords(call.args[1]).map((word) => word | 0));
  },
  ScissorArrayv: (state, call) => {
    if (call.args[0] === 0) state.scissor = rectangle(inlineWords(call.args[2]).map((word) => word | 0));
  },
  ColorMask: (state, call) => {
    state.colorMasks.clear();
    state.colorMask = numbers(call).some((each) => each !== 0);
  },
  ColorMaski: (state, call) => {
    const [index, ...masks] = numbers(call);
    state.colorMasks.set(
      index,
      masks.some((each) => each !== 0),
    );
  },
  DepthMask: (state, call) => {
    state.depthMask = Boolean(call.args[0]);
  },
  StencilMask: (state, call) => {
    state.stencilMask = Number(call.args[0]) !== 0;
  },
  StencilMaskSeparate: (state, call) => {
    if (call.args[0] !== GL_BACK) state.stencilMask = Number(call.args[1]) !== 0;
  },
  PrimitiveRestartIndex: (state, call) => {
    state.restartIndex = Number(call.args[0]);
  },
  gpuprofCanvasSize: (state, call) => {
    state.canvas = {
      ...state.canvas,
      width: numberNamed(call, 'width') ?? 0,
      height: numberNamed(call, 'height') ?? 0,
    };
  },
};

const GL_BACK = 0x405;

export class FixedState {
  readonly enabled = new Set<number>();
  viewport: Rectangle;
  scissor: Rectangle;
  colorMask = true;
  /** By draw buffer, where it differs. */
  readonly colorMasks = new Map<number, boolean>();
  depthMask = true;
  stencilMask = true;
  restartIndex = 0;
  canvas: Canvas;
  readonly #alwaysRestarts: boolean;

  constructor(canvas: Canvas, api: CaptureApi) {
    this.canvas = canvas;
    this.viewport = rectangle([0, 0, canvas.width, canvas.height]);
    this.scissor = this.viewport;
    // WebGL 2.0, section 5.18.
    this.#alwaysRestarts = api === 'webgl2';
  }

  static follows(name: string): boolean {
    return Object.hasOwn(setters, name);
  }

  /** To be called with each call that {@link follows} names. */
  observe(call: Call): void {
    setters[baseName(call.signature.name)](this, call);
  }

  /** The index that starts a new primitive instead of meaning a vertex; -1 for none. */
  restart(indexBytes: number): number {
    if (this.#alwaysRestarts || this.enabled.has(GL.PRIMITIVE_RESTART_FIXED_INDEX)) return 2 ** (indexBytes * 8) - 1;
    return this.enabled.has(GL.PRIMITIVE_RESTART) ? this.restartIndex : -1;
  }

  writesColor(drawBuffer: number): boolean {
    return this.colorMasks.get(drawBuffer) ?? this.colorMask;
  }

  /** What scissoring leaves of a target of this size, and the viewport of what is drawn. */
  region(width: number, height: number, inViewport: boolean): Rectangle {
    let region: Rectangle = { x: 0, y: 0, width: Math.max(0, width), height: Math.max(0, height) };
    if (inViewport) region = intersection(region, this.viewport);
    return this.enabled.has(GL.SCISSOR_TEST) ? intersection(region, this.scissor) : region;
  }
}
