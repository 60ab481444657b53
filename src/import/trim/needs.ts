/** What a capture's frames need of their setup. */
import type { CallStream } from '../../model/call-stream.ts';
import type { Facts } from './facts.ts';
import { canvasKeys, heldKeys, type Key, namedKeys } from './keys.ts';
import { type Follower, groupsOf } from './setup-facts.ts';

const GL_STENCIL_TEST = 0xb90;
const GL_DEPTH_TEST = 0xb71;
const readsPixels = /^gl(Blit|Read|CopyPixels)/;

/** Which buffers of the canvas matter: one that is never tested against is only ever written. */
export class CanvasUse {
  #depth = false;
  #stencil = false;

  observe(stream: CallStream): void {
    for (const [index, start] of stream.starts.entries()) {
      const { name } = stream.signature(index);
      if (readsPixels.test(name)) this.#depth = this.#stencil = true;
      if (name !== 'glEnable') continue;
      const cap = stream.words[start + 3];
      this.#depth ||= cap === GL_DEPTH_TEST;
      this.#stencil ||= cap === GL_STENCIL_TEST;
    }
  }

  matters(key: Key): boolean {
    if (key === 'canvas depth') return this.#depth;
    return key !== 'canvas stencil' || this.#stencil;
  }
}

/** Objects that must be there, and those of them whose contents must be what they were. */
export interface Needs {
  readonly exist: Set<Key>;
  readonly contents: Set<Key>;
}

/** `follower` stands at the end of the setup, and goes on through the frames. */
export function needsOf(frames: readonly CallStream[], follower: Follower, use: CanvasUse): Needs {
  const exist = new Set<Key>();
  const contents = new Set<Key>();
  const replaced = new Set<Key>();
  const read = (key: Key) => {
    exist.add(key);
    if (!replaced.has(key)) contents.add(key);
  };
  const hold = (keys: Iterable<Key>) => {
    for (const key of keys) {
      exist.add(key);
      for (const held of heldKeys(follower.bindings, key)) exist.add(held);
    }
  };
  const take = ({ writes, reads, replaces, kind }: Facts) => {
    // A clear reads nothing of what it replaces.
    const fresh = new Set(replaces.filter((key) => !contents.has(key)));
    for (const key of [...reads, ...writes]) if (!fresh.has(key)) read(key);
    for (const key of fresh) {
      exist.add(key);
      replaced.add(key);
    }
    if (kind === 'make') for (const key of writes) replaced.add(key);
  };
  for (const frame of frames) {
    for (const call of frame) hold(namedKeys(call));
    for (const { facts } of groupsOf(frame, follower)) take(facts);
  }
  // The picture is what the canvas shows at the end, whether anything drew into it or not.
  read('canvas color');
  for (const key of canvasKeys) if (!use.matters(key)) contents.delete(key);
  return { exist, contents };
}
