/** The state of one of a program's GL contexts, as the calls that set it. */
import type { Argument } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { Signature } from '../../model/signature.ts';
import { isSaved, isSavedOnClient, textureBit, transformBit } from './attribute-groups.ts';
import { freshSelection, type Need, type Selected, select, settingsOf } from './families.ts';
import { type Made, Matrices, type StateCall } from './matrices.ts';

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

const aboutMatrices = /^(Load|Mult|Push|Pop|Rotate|Translate|Scale|Ortho|Frustum)/;

const about = perSignature(({ name }) => {
  const base = baseName(name);
  return { base, settings: settingsOf(base), mayBeMatrix: aboutMatrices.test(base) };
});

const isArrayState = (mask: number): boolean => (mask & 2) !== 0;

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
