import { GpuprofError } from '../errors.ts';
import type { Manifest } from '../model/capture.ts';
import { type ObjectClass, objectClasses } from '../model/signature.ts';

/** More ids of one class than any real program has; a hostile count must not allocate gigabytes. */
const mostIds = 1 << 22;

/** The GL names behind capture-local ids. Entry 0 is GL's own 0, except for framebuffers, where it is the canvas. */
export class LiveObjects {
  readonly names: Readonly<Record<ObjectClass, Uint32Array>>;
  /** GL names of deleted shaders by id: programs may hold them still, and the capture detach them. */
  readonly deletedShaders: Uint32Array;
  /** Textures and renderbuffers (`texture/3`) whose names are deleted, and that framebuffers hold still. */
  readonly nameless = new Set<string>();
  /** GL locations by index into the capture's location table; -1 where the program has no such uniform. */
  readonly locations: Int32Array;

  constructor(manifest: Manifest) {
    const names = {} as Record<ObjectClass, Uint32Array>;
    for (const objectClass of objectClasses) {
      // Display lists keep the capture's own names.
      const highest = objectClass === 'displayList' ? 0 : (manifest.objects[objectClass] ?? 0);
      if (highest >= mostIds)
        throw new GpuprofError('bad-capture', `the capture has ${highest} objects of class ${objectClass}, too many`);
      names[objectClass] = new Uint32Array(highest + 1);
    }
    this.names = names;
    this.deletedShaders = new Uint32Array(names.shader.length);
    this.locations = new Int32Array(manifest.locations.length).fill(-1);
  }

  /** A copy of every name, to be handed to {@link replaceWith} later. */
  copy(): Record<ObjectClass, Uint32Array> {
    const copied = {} as Record<ObjectClass, Uint32Array>;
    for (const objectClass of objectClasses) copied[objectClass] = this.names[objectClass].slice();
    return copied;
  }

  /** Puts saved names back; calls `created` with each name that appeared since. */
  replaceWith(
    saved: Readonly<Record<ObjectClass, Uint32Array>>,
    created: (objectClass: ObjectClass, name: number) => void,
  ): void {
    for (const objectClass of objectClasses) {
      const names = this.names[objectClass];
      const before = saved[objectClass];
      for (let id = 1; id < names.length; id++) {
        if (names[id] === before[id]) continue;
        if (names[id] !== 0) created(objectClass, names[id]);
        names[id] = before[id];
      }
    }
  }
}
