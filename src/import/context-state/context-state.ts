/** The state of one of a program's GL contexts, as the calls that set it. */
import type { Argument } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { ObjectClass, Signature } from '../../model/signature.ts';
import { isSaved, isSavedOnClient, textureBit, transformBit } from './attribute-groups.ts';
import { freshSelection, type Need, type Selected, select, settingsOf } from './families.ts';
import { aboutMatrices, type Made, Matrices, type StateCall } from './matrices.ts';

/** The call that set a piece of state, and what was selected then. */
export interface Entry {
  readonly call: StateCall;
  readonly need: Need | undefined;
  readonly unit: number;
  readonly clientUnit: number;
  readonly arrayBuffer: number;
  readonly modelView: Made | null;
}

/** By index: the last call for the whole of a family, and those for its parts since, in order. */
export type Family = ReadonlyMap<string, Entry>;

interface Saved {
  readonly mask: number;
  readonly families: ReadonlyMap<string, Family>;
  readonly selected: Selected;
}

const about = perSignature(({ name }) => {
  const base = baseName(name);
  return { base, settings: settingsOf(base), mayBeMatrix: aboutMatrices.test(base) };
});

const isArrayState = (mask: number): boolean => (mask & 2) !== 0;

const naming = perSignature(({ params }) =>
  params.flatMap(({ type, objectClass }, at) =>
    objectClass && (type === 'object' || type === 'objects') ? [{ at, objectClass }] : [],
  ),
);

/** The call with 0 in the place of objects that are no more; itself when it names none of them. */
function without(call: StateCall, objectClass: ObjectClass, ids: ReadonlySet<number>): StateCall {
  const places = naming(call.signature).filter((place) => place.objectClass === objectClass);
  const isGone = (value: Argument) => typeof value === 'number' && ids.has(value);
  const has = (value: Argument) => (Array.isArray(value) ? value.some(isGone) : isGone(value));
  if (!places.some(({ at }) => has(call.args[at]))) return call;
  const kept = (value: Argument): Argument => (isGone(value) ? 0 : value);
  const args = [...call.args];
  for (const { at } of places) {
    const value = args[at];
    args[at] = Array.isArray(value) ? value.map((id) => (ids.has(Number(id)) ? 0 : id)) : kept(value);
  }
  return { signature: call.signature, args };
}

/** Follows the calls that a program makes while this context is current. */
export class ContextState {
  readonly families = new Map<string, Family>();
  readonly matrices = new Matrices();
  readonly selected: Selected = freshSelection();
  readonly #saved: Saved[] = [];
  readonly #savedClient: Saved[] = [];

  /** Arguments are a capture's. Calls that set no context state change nothing. */
  apply(signature: Signature, args: readonly Argument[]): void {
    const { base, settings, mayBeMatrix } = about(signature);
    const at = this.selected;
    if (mayBeMatrix && this.matrices.apply(base, { signature, args }, at.matrixMode, at.unit)) return;
    select(at, base, args);
    for (const { family, index, need } of settings?.(args, at) ?? [])
      this.#set(family, index, {
        call: { signature, args },
        need,
        unit: at.unit,
        clientUnit: at.clientUnit,
        arrayBuffer: at.arrayBuffer,
        modelView: this.matrices.modelView,
      });
    if (mayBeMatrix) this.#attributeStack(base, Number(args[0]));
    else if (base === 'Bitmap') this.#moveRaster(signature, args);
  }

  /** Whether the object is bound, or read from, in what its calls have set. */
  holds(objectClass: ObjectClass, id: number): boolean {
    for (const [family, entries] of this.families)
      for (const { call, arrayBuffer } of entries.values()) {
        if (objectClass === 'buffer' && arrayBuffer === id && /Pointer/.test(family)) return true;
        if (without(call, objectClass, new Set([id])) !== call) return true;
      }
    return false;
  }

  /** Objects are deleted: what named them is as it was before, and can be set no more. */
  forget(objectClass: ObjectClass, ids: ReadonlySet<number>): void {
    const at = this.selected;
    if (objectClass === 'framebuffer') {
      if (ids.has(at.drawFramebuffer)) at.drawFramebuffer = 0;
      if (ids.has(at.readFramebuffer)) at.readFramebuffer = 0;
    }
    if (objectClass === 'vertexArray' && ids.has(at.vertexArray)) at.vertexArray = 0;
    if (objectClass === 'buffer' && ids.has(at.arrayBuffer)) at.arrayBuffer = 0;
    for (const [family, entries] of this.families) {
      const kept = [...entries].flatMap(([index, entry]): [string, Entry][] => {
        if (objectClass === 'buffer' && /Pointer/.test(family) && ids.has(entry.arrayBuffer)) return [];
        return [[index, { ...entry, call: without(entry.call, objectClass, ids) }]];
      });
      if (kept.length === 0) this.families.delete(family);
      else if (kept.some(([index, { call }]) => entries.get(index)?.call !== call) || kept.length < entries.size)
        this.families.set(family, new Map(kept));
    }
  }

  /** Bitmaps move the raster position that was set. */
  #moveRaster(signature: Signature, args: readonly Argument[]): void {
    const before = this.families.get('RasterPos');
    const first = before?.get('');
    if (!first) return;
    const moved = before?.get('moved')?.call.args ?? [0, 0, 0, 0, 0, 0, null];
    const [x, y] = [4, 5].map((at) => Number(moved[at]) + Number(args[at]));
    const call = { signature, args: [0, 0, 0, 0, x, y, null] };
    this.#set('RasterPos', 'moved', { ...first, call, need: undefined });
  }

  #set(family: string, index: string, entry: Entry): void {
    const entries = new Map(index === '' ? [] : this.families.get(family));
    // A part that is set again comes after what was set in between.
    entries.delete(index);
    entries.set(index, entry);
    this.families.set(family, entries);
  }

  #attributeStack(base: string, mask: number): void {
    const save = (): Saved => ({ mask, families: new Map(this.families), selected: { ...this.selected } });
    if (base === 'PushAttrib') this.#saved.push(save());
    else if (base === 'PushClientAttrib') this.#savedClient.push(save());
    else if (base === 'PopAttrib') {
      const saved = this.#saved.pop();
      if (!saved) return;
      this.#restore(saved, isSaved);
      if (saved.mask & transformBit) this.selected.matrixMode = saved.selected.matrixMode;
      if (saved.mask & textureBit) this.selected.unit = saved.selected.unit;
    } else if (base === 'PopClientAttrib') {
      const saved = this.#savedClient.pop();
      if (!saved) return;
      this.#restore(saved, isSavedOnClient);
      const { clientUnit, arrayBuffer, vertexArray } = saved.selected;
      if (isArrayState(saved.mask)) Object.assign(this.selected, { clientUnit, arrayBuffer, vertexArray });
    }
  }

  #restore({ mask, families }: Saved, belongs: (family: string, mask: number) => boolean): void {
    for (const family of this.families.keys())
      if (belongs(family, mask) && !families.has(family)) this.families.delete(family);
    for (const [family, entries] of families) if (belongs(family, mask)) this.families.set(family, entries);
  }
}
