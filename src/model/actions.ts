import type { Bindings } from './bindings.ts';
import type { Call } from './call.ts';
import type { Canvas } from './capture.ts';
import type { ActionKind } from './event-tree.ts';
import { baseName, drawCommand, GL } from './gl-constants.ts';
import { numberNamed as named, placeNamed } from './named-arguments.ts';
import { perSignature } from './per-signature.ts';
import type { Signature } from './signature.ts';
import { writes } from './writes.ts';

/** What a call that makes the GPU work does; see {@link describeAction}. */
export interface Action {
  readonly kind: ActionKind;
  /** `glDrawElements(36)`. */
  readonly name: string;
  readonly draws: number;
  readonly program: number;
  readonly target: string;
}

type MaybeKind = ActionKind | 'blit?' | 'upload?' | 'readback?';

const kinds: readonly (readonly [RegExp, MaybeKind])[] = [
  [drawCommand, 'draw'],
  [/^Clear(|Buffer[fiu]\w*|NamedFramebuffer[fiu]\w*|(Named)?Buffer(Sub)?Data|Tex(Sub)?Image)$/, 'clear'],
  [/^DispatchCompute/, 'dispatch'],
  [/^Blit(Named)?Framebuffer$/, 'blit?'],
  [/^ResolveMultisampleFramebuffer$/, 'resolve'],
  [/^Copy(Multi)?(Tex|Texture)(Sub)?Image|^Copy(ImageSubData|BufferSubData|NamedBufferSubData|Pixels)$/, 'copy'],
  [/^NamedCopyBufferSubData$/, 'copy'],
  [/^(Readn?Pixels|Getn?(Compressed)?(Tex|Texture)(Sub)?Image)$/, 'readback?'],
  [/^Generate(Multi)?(Tex|Texture)?Mipmap$/, 'mipmap'],
  [
    /^(Compressed)?(Multi)?(Tex|Texture)(Sub)?Image[123]D$|^(Named)?Buffer(Sub)?Data$|^(Named)?BufferStorage$/,
    'upload?',
  ],
];

const maybeKind = perSignature((signature): MaybeKind | null => {
  const base = baseName(signature.name);
  return kinds.find(([pattern]) => pattern.test(base))?.[1] ?? null;
});

/** Whether calls of this signature can be actions; others need not be decoded to know that they are none. */
export function mayBeAction(signature: Signature): boolean {
  return maybeKind(signature) !== null;
}

/** The kind of action a call is, given the bindings before it; null for calls that leave the GPU nothing to do. */
export function actionKind(call: Call, bindings: Bindings, canvas: Canvas): ActionKind | null {
  const kind = maybeKind(call.signature);
  switch (kind) {
    case 'blit?': {
      const named = call.signature.params[0]?.type === 'object';
      const source = named ? Number(call.args[0]) : bindings.readFramebuffer;
      return (source === 0 ? canvas.samples > 0 : bindings.isMultisampled(source)) ? 'resolve' : 'blit';
    }
    case 'upload?': {
      // Without data a command only allocates.
      const data = call.signature.params.findIndex(({ type }) => type === 'data');
      return call.args[data] === null ? null : 'upload';
    }
    case 'readback?':
      // Into client memory the CPU waits anyway and the time is the transfer's.
      return bindings.buffer(GL.PIXEL_PACK_BUFFER) === 0 ? null : 'copy';
    default:
      return kind;
  }
}

const buffers = [
  [GL.COLOR_BUFFER_BIT, 'Color'],
  [GL.DEPTH_BUFFER_BIT, 'Depth'],
  [GL.STENCIL_BUFFER_BIT, 'Stencil'],
] as const;

const bufferNames: Readonly<Record<number, string>> = {
  [GL.DEPTH]: 'Depth',
  [GL.STENCIL]: 'Stencil',
  [GL.DEPTH_STENCIL]: 'Depth + Stencil',
};

function maskNames(mask: number): string {
  return buffers.flatMap(([bit, name]) => (mask & bit ? [name] : [])).join(' + ');
}

/** Where a draw call has what is said of it: found once, for a frame has thousands of one signature. */
const drawParts = perSignature((signature) => ({
  isMulti: signature.name.startsWith('glMulti'),
  callsLists: /^glCallLists?$/.test(signature.name),
  numbers: [
    placeNamed(signature, 'count'),
    placeNamed(signature, 'instancecount', 'instanceCount', 'primcount'),
  ].filter((place) => place !== undefined),
}));

/** Draws that a draw call stands for: those of a multi-draw, else 1. */
export function drawCount(call: Call): number {
  if (!drawParts(call.signature).isMulti) return 1;
  return Math.max(0, named(call, 'drawcount', 'maxdrawcount', 'primcount') ?? 1);
}

/**
 * What a signature alone says of its calls: that they are actions of a kind, draws one draw each, or none; or what decides
 * it for each of them.
 */
export function kindOfAll(signature: Signature): ActionKind | null | 'by arguments' | 'by bindings' {
  const kind = maybeKind(signature);
  switch (kind) {
    case 'draw':
      return drawParts(signature).isMulti ? 'by arguments' : kind;
    case 'upload?':
      return 'by arguments';
    case 'blit?':
    case 'readback?':
      return 'by bindings';
    default:
      return kind;
  }
}

function drawDetail(call: Call): string {
  const { isMulti, callsLists, numbers } = drawParts(call.signature);
  if (isMulti) {
    const draws = drawCount(call);
    return `${draws} ${draws === 1 ? 'draw' : 'draws'}`;
  }
  if (callsLists) return String(call.args[0]);
  let text = '';
  for (const place of numbers) text += text === '' ? Number(call.args[place]) : `, ${Number(call.args[place])}`;
  return text;
}

function size(call: Call): string {
  const sides = ['width', 'height', 'depth'].map((side) =>
    named(call, side, `src${side[0].toUpperCase()}${side.slice(1)}`),
  );
  const known = sides.filter((side) => side !== undefined);
  if (known.length > 0) return known.join('x');
  const bytes = named(call, 'size');
  return bytes === undefined ? '' : `${bytes} B`;
}

function clearDetail(call: Call): string {
  const mask = named(call, 'mask');
  if (mask !== undefined) return maskNames(mask);
  const buffer = named(call, 'buffer');
  if (named(call, 'drawbuffer') === undefined || buffer === undefined) return size(call);
  return bufferNames[buffer] ?? `Color ${named(call, 'drawbuffer')}`;
}

function detail(kind: ActionKind, call: Call): string {
  switch (kind) {
    case 'draw':
      return drawDetail(call);
    case 'clear':
      return clearDetail(call);
    case 'dispatch': {
      const groups = ['x', 'y', 'z'].map((axis) => named(call, `num_groups_${axis}`));
      return groups[0] === undefined ? '' : groups.join(', ');
    }
    case 'blit':
    case 'resolve':
      return maskNames(named(call, 'mask') ?? 0);
    default:
      return size(call);
  }
}

const framebufferName = (id: number): string => (id === 0 ? 'canvas' : `framebuffer ${id}`);

/** The framebuffer an action draws to, or null when it writes something else. */
export function actionFramebuffer(kind: ActionKind, call: Call, bindings: Bindings): number | null {
  const named = call.signature.params[0]?.objectClass === 'framebuffer';
  if (kind === 'draw') return bindings.drawFramebuffer;
  if (kind === 'blit' || kind === 'resolve') return named ? Number(call.args[1]) : bindings.drawFramebuffer;
  if (kind !== 'clear' || /Data|Tex/.test(call.signature.name)) return null;
  return named ? Number(call.args[0]) : bindings.drawFramebuffer;
}

function targetName(kind: ActionKind, call: Call, bindings: Bindings): string {
  const framebuffer = actionFramebuffer(kind, call, bindings);
  if (framebuffer !== null) return framebufferName(framebuffer);
  const objects = writes(call, bindings).slice(0, 4);
  return objects
    .map((ref) => (ref.class === 'framebuffer' ? framebufferName(ref.id) : `${ref.class} ${ref.id}`))
    .join(', ');
}

/** What a call makes the GPU do, given the bindings before it; null when it is no action. */
export function describeAction(call: Call, bindings: Bindings, canvas: Canvas): Action | null {
  const kind = actionKind(call, bindings, canvas);
  if (kind === null) return null;
  const stage = kind === 'dispatch' ? 0x20 : 2;
  return {
    kind,
    name: `${call.signature.name}(${detail(kind, call)})`,
    draws: kind === 'draw' ? drawCount(call) : 0,
    program: kind === 'draw' || kind === 'dispatch' ? bindings.drawingProgram(stage) : 0,
    target: targetName(kind, call, bindings),
  };
}
