/** What framebuffers are made of, and what actions touch of it. */
import type { Attachment } from '../bindings.ts';
import { GL } from '../gl-constants.ts';
import { area, type Rectangle } from './fixed-state.ts';
import type { Followers } from './followers.ts';
import { amount } from './image-bytes.ts';
import type { Ledger } from './ledger.ts';

/** An image that is attached. */
export interface Target {
  /** The object it is part of, and which part: level and layer. */
  readonly key: string;
  readonly part: string;
  /** Of the whole object. */
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  /** Of a pixel, with all its samples. */
  readonly pixelBytes: number;
  /** At least 1. */
  readonly samples: number;
}

export interface Aspects {
  /** Draw buffers by index; null: all that are drawn to. */
  readonly color: boolean | number;
  readonly depth: boolean;
  readonly stencil: boolean;
}

function canvasTarget({ state }: Followers, isColor: boolean): Target | undefined {
  const { width, height, samples, alpha, depth, stencil } = state.canvas;
  if (!isColor && !depth && !stencil) return undefined;
  const colorBytes = alpha ? 4 : 3;
  const count = Math.max(1, samples);
  const pixelBytes = (isColor ? colorBytes : depth ? 4 : 1) * count;
  const key = isColor ? 'canvas color' : 'canvas depth and stencil';
  const sizeBytes = amount(width * height * pixelBytes);
  return { key, part: '', sizeBytes, width, height, layers: 1, pixelBytes, samples: count };
}

function attachedTarget({ textures }: Followers, { kind, id, level, layer }: Attachment): Target | undefined {
  if (kind === 'renderbuffer') {
    const image = textures.renderbuffer(id);
    if (!image) return undefined;
    const { width, height, sizeBytes, texelBytes, samples } = image;
    return {
      key: `renderbuffer ${id}`,
      part: '',
      sizeBytes,
      width,
      height,
      layers: 1,
      pixelBytes: texelBytes * samples,
      samples,
    };
  }
  const { key, sizeBytes, levels } = textures.texture(id);
  const image = levels.find((each) => each.level === level);
  if (!image) return undefined;
  const { width, height, layers, texelBytes, samples } = image;
  const part = `level ${level} ${layer === null ? '' : `layer ${layer}`}`;
  const pixelBytes = texelBytes * samples;
  return { key, part, sizeBytes, width, height, layers: layer === null ? layers : 1, pixelBytes, samples };
}

function at(f: Followers, framebuffer: number, point: number): Target | undefined {
  const attachment = f.bindings.framebuffer(framebuffer).attachments.get(point);
  return attachment && attachedTarget(f, attachment);
}

/** The colour image that a framebuffer is read from. */
export function readTarget(f: Followers, framebuffer: number): Target | undefined {
  if (framebuffer === 0) return canvasTarget(f, true);
  return at(f, framebuffer, f.bindings.framebuffer(framebuffer).readBuffer);
}

/** The depth image (a packed one is the stencil image, too), or the stencil image. */
export function depthStencilTargets(f: Followers, framebuffer: number, depth: boolean, stencil: boolean): Target[] {
  if (framebuffer === 0) {
    const { canvas } = f.state;
    const target = (depth && canvas.depth) || (stencil && canvas.stencil) ? canvasTarget(f, false) : undefined;
    return target ? [target] : [];
  }
  const points = [...(depth ? [GL.DEPTH_ATTACHMENT] : []), ...(stencil ? [GL.STENCIL_ATTACHMENT] : [])];
  return points.flatMap((point) => at(f, framebuffer, point) ?? []);
}

/** The colour images that a framebuffer's draw buffers name, by the draw buffer's index. */
export function colorTargets(f: Followers, framebuffer: number): Map<number, Target> {
  const found = new Map<number, Target>();
  for (const [index, point] of f.bindings.framebuffer(framebuffer).drawBuffers.slice(0, 32).entries()) {
    if (point === GL.NONE) continue;
    const target = framebuffer === 0 ? canvasTarget(f, true) : at(f, framebuffer, point);
    if (target) found.set(index, target);
  }
  return found;
}

/** Books a target of which `region` is touched. */
export function useTarget(ledger: Ledger, target: Target, region: Rectangle | null): void {
  const touched = region ? area(region) * target.layers * target.pixelBytes : 0;
  ledger.use('target', target.key, target.sizeBytes, touched, target.part);
}

/** Books the framebuffer of a draw: bound are all its images, touched those that the state lets it read or write. */
export function useDrawTargets(f: Followers, ledger: Ledger): void {
  const { state } = f;
  const framebuffer = f.bindings.drawFramebuffer;
  const colors = colorTargets(f, framebuffer);
  const others = depthStencilTargets(f, framebuffer, true, true);
  const discards = state.enabled.has(GL.RASTERIZER_DISCARD);
  const tested = new Set(
    depthStencilTargets(f, framebuffer, state.enabled.has(GL.DEPTH_TEST), state.enabled.has(GL.STENCIL_TEST)).map(
      ({ key, part }) => key + part,
    ),
  );
  const all = [...colors.values(), ...others];
  if (all.length === 0) return;
  // Images of several sizes: what they share is drawn (OpenGL 4.6, section 9.4.1).
  const width = Math.min(...all.map((target) => target.width));
  const height = Math.min(...all.map((target) => target.height));
  const region = state.region(width, height, true);
  for (const [index, target] of colors)
    useTarget(ledger, target, !discards && state.writesColor(index) ? region : null);
  for (const target of others)
    useTarget(ledger, target, !discards && tested.has(target.key + target.part) ? region : null);
  if (discards) return;
  const layers = Math.min(...all.map((target) => target.layers));
  ledger.drawsInto(`${all[0].key} ${all[0].part}`, width * height * layers * all[0].samples);
}

/** Books what a clear of these aspects writes; `color`: a draw buffer's index, or all of them. */
export function useClearedTargets(f: Followers, ledger: Ledger, framebuffer: number, aspects: Aspects): void {
  const { state } = f;
  const clear = (target: Target, isWritten: boolean) => {
    const writes = isWritten && !state.enabled.has(GL.RASTERIZER_DISCARD);
    useTarget(ledger, target, writes ? state.region(target.width, target.height, false) : null);
  };
  for (const [index, target] of colorTargets(f, framebuffer))
    if (aspects.color === true || aspects.color === index) clear(target, state.writesColor(index));
  for (const target of depthStencilTargets(f, framebuffer, aspects.depth, false)) clear(target, state.depthMask);
  for (const target of depthStencilTargets(f, framebuffer, false, aspects.stencil)) clear(target, state.stencilMask);
}
