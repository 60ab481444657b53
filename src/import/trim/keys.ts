/** Names for what a capture's calls make, change and read, so that sets can hold them. */
import type { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import { GL } from '../../model/gl-constants.ts';
import type { ObjectClass } from '../../model/signature.ts';
import type { ObjectRef } from '../../model/writes.ts';

/** `texture 5`; a buffer of the canvas is `canvas color`, `canvas depth` or `canvas stencil`. */
export type Key = string;

export const keyOf = (objectClass: ObjectClass, id: number): Key => `${objectClass} ${id}`;

export const canvasKeys: readonly Key[] = ['canvas color', 'canvas depth', 'canvas stencil'];

/** The canvas counts by its buffers. */
export const keysOf = (refs: readonly ObjectRef[]): Key[] =>
  refs.flatMap((ref) => (ref.class === 'framebuffer' && ref.id === 0 ? canvasKeys : [keyOf(ref.class, ref.id)]));

/** Objects whose id is the call's own argument under another type: FORMAT.md, "Conventions". */
const labelled: ReadonlyMap<number, ObjectClass> = new Map([
  [0x82e0, 'buffer'],
  [0x82e1, 'shader'],
  [0x82e2, 'program'],
  [0x82e3, 'query'],
  [0x82e4, 'programPipeline'],
  [0x82e6, 'sampler'],
  [GL.RENDERBUFFER, 'renderbuffer'],
  [GL.FRAMEBUFFER, 'framebuffer'],
  [0x1702, 'texture'],
  [0x8074, 'vertexArray'],
  [0x8e22, 'transformFeedback'],
]);

const copied = (target: number): ObjectClass => (target === GL.RENDERBUFFER ? 'renderbuffer' : 'texture');

/** Every object that a call names, in whatever argument. */
export function namedKeys({ signature, args, result }: Call): Key[] {
  const keys: Key[] = [];
  for (const [at, { type, objectClass }] of signature.params.entries()) {
    if (!objectClass) continue;
    const ids = type === 'objects' ? (args[at] as readonly number[]) : [Number(args[at])];
    for (const id of ids) if (id !== 0) keys.push(keyOf(objectClass, id));
  }
  if (signature.result.objectClass && result !== 0) keys.push(keyOf(signature.result.objectClass, result));
  if (/^glObjectLabel(KHR)?$/.test(signature.name)) {
    const objectClass = labelled.get(Number(args[0]));
    if (objectClass) keys.push(keyOf(objectClass, Number(args[1])));
  }
  if (/^glCopyImageSubData/.test(signature.name))
    keys.push(keyOf(copied(Number(args[1])), Number(args[0])), keyOf(copied(Number(args[7])), Number(args[6])));
  return keys;
}

/** What a container holds at the moment. */
export function heldKeys(b: Bindings, key: Key): Key[] {
  const [objectClass, text] = key.split(' ');
  const id = Number(text);
  switch (objectClass) {
    case 'framebuffer':
      return id === 0 ? [] : [...b.framebuffer(id).attachments.values()].map(({ kind, id: held }) => keyOf(kind, held));
    case 'vertexArray': {
      const array = b.vertexArrayBindings(id);
      return [array.elementBuffer, ...array.buffers.values()].filter(Boolean).map((held) => keyOf('buffer', held));
    }
    case 'transformFeedback':
      return [...b.transformFeedbackBindings(id).buffers.values()].map(({ buffer }) => keyOf('buffer', buffer));
    case 'programPipeline':
      return [...(b.pipelineStages.get(id)?.values() ?? [])].map((held) => keyOf('program', held));
    default:
      return [];
  }
}

/** All that is bound anywhere, and what bound containers hold: what an action may read. */
export function boundKeys(b: Bindings): Key[] {
  const keys = new Set<Key>();
  const add = (objectClass: ObjectClass, id: number) => {
    if (id !== 0) keys.add(keyOf(objectClass, id));
  };
  add('program', b.program);
  add('programPipeline', b.pipeline);
  for (const program of b.assemblyPrograms.values()) add('assemblyProgram', program);
  for (const buffer of b.buffers.values()) add('buffer', buffer);
  for (const list of b.indexedBuffers.values()) for (const { buffer } of list.values()) add('buffer', buffer);
  for (const unit of b.textures.values()) for (const texture of unit.values()) add('texture', texture);
  for (const sampler of b.samplers.values()) add('sampler', sampler);
  for (const { texture } of b.images.values()) add('texture', texture);
  add('framebuffer', b.drawFramebuffer);
  add('framebuffer', b.readFramebuffer);
  add('renderbuffer', b.renderbuffer);
  keys.add(keyOf('vertexArray', b.vertexArray));
  keys.add(keyOf('transformFeedback', b.transformFeedback));
  for (const key of [...keys]) for (const held of heldKeys(b, key)) keys.add(held);
  if (b.drawFramebuffer === 0 || b.readFramebuffer === 0) for (const key of canvasKeys) keys.add(key);
  return [...keys];
}
