import type { Bindings } from '../bindings.ts';
import { GL } from '../gl-constants.ts';
import { type BindingCommand, type BindingCommands, number } from './binding-command.ts';
import { bindBuffer } from './buffers.ts';

const GL_TEXTURE_BIT = 0x40000;
const GL_PIXEL_MODE_BIT = 0x20;
const GL_CLIENT_PIXEL_STORE_BIT = 1;
const GL_CLIENT_VERTEX_ARRAY_BIT = 2;
/** Deeper than any driver's attribute stacks: a bad capture must not fill memory. */
const mostSaved = 64;

function replaceAll<K, V>(map: Map<K, V>, entries: Iterable<readonly [K, V]>): void {
  const kept = [...entries];
  map.clear();
  for (const [key, value] of kept) map.set(key, value);
}

/** What of the bindings the attribute groups of `mask` hold; returns what puts them back. */
function saveAttributes(b: Bindings, mask: number): () => void {
  const textures =
    mask & GL_TEXTURE_BIT ? [...b.textures].map(([unit, targets]) => [unit, new Map(targets)] as const) : null;
  const { activeUnit } = b;
  const drawBuffers = mask & GL.COLOR_BUFFER_BIT ? b.framebuffer(b.drawFramebuffer).drawBuffers : null;
  const readBuffer = mask & GL_PIXEL_MODE_BIT ? b.framebuffer(b.readFramebuffer).readBuffer : null;
  return () => {
    if (textures) {
      replaceAll(b.textures, textures);
      b.activeUnit = activeUnit;
    }
    if (drawBuffers) b.framebuffer(b.drawFramebuffer).drawBuffers = drawBuffers;
    if (readBuffer !== null) b.framebuffer(b.readFramebuffer).readBuffer = readBuffer;
  };
}

function saveClientAttributes(b: Bindings, mask: number): () => void {
  const bound = (targets: readonly number[]) => targets.map((target) => [target, b.buffer(target)] as const);
  const pixels = mask & GL_CLIENT_PIXEL_STORE_BIT ? bound([GL.PIXEL_PACK_BUFFER, GL.PIXEL_UNPACK_BUFFER]) : [];
  const isArrays = (mask & GL_CLIENT_VERTEX_ARRAY_BIT) !== 0;
  const arrays = isArrays ? bound([GL.ARRAY_BUFFER]) : [];
  const { vertexArray } = b;
  const array = b.vertexArrayBindings();
  const [buffers, binding, enabled] = [[...array.buffers], [...array.attributeBinding], [...array.enabled]];
  const { elementBuffer } = array;
  return () => {
    for (const [target, buffer] of [...pixels, ...arrays]) bindBuffer(b, target, buffer);
    if (!isArrays) return;
    b.vertexArray = vertexArray;
    const now = b.vertexArrayBindings();
    replaceAll(now.buffers, buffers);
    replaceAll(now.attributeBinding, binding);
    now.enabled.clear();
    for (const attribute of enabled) now.enabled.add(attribute);
    now.elementBuffer = elementBuffer;
  };
}

const push =
  (stack: (b: Bindings) => (() => void)[], save: (b: Bindings, mask: number) => () => void): BindingCommand =>
  (b, a) => {
    if (stack(b).length < mostSaved) stack(b).push(save(b, number(a[0])));
  };
const pop =
  (stack: (b: Bindings) => (() => void)[]): BindingCommand =>
  (b) => {
    stack(b).pop()?.();
    b.attributeFloor = Math.min(b.attributeFloor, b.attributeStack.length + b.clientAttributeStack.length);
  };
const serverStack = (b: Bindings) => b.attributeStack;
const clientStack = (b: Bindings) => b.clientAttributeStack;

/** The attribute stacks of compatibility contexts. */
export const attributeStackCommands: BindingCommands = {
  PushAttrib: push(serverStack, saveAttributes),
  PopAttrib: pop(serverStack),
  PushClientAttrib: push(clientStack, saveClientAttributes),
  PopClientAttrib: pop(clientStack),
};
