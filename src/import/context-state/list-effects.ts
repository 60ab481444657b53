/** What display lists do to a context's state when they are called: only such of their calls are kept. */
import type { DataArgument } from '../../model/call.ts';
import { isImmediate, listNames } from '../../model/display-lists.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { ContextState } from './context-state.ts';
import { isCurrentValue, selects, settingsOf } from './families.ts';
import { aboutMatrices, type StateCall } from './matrices.ts';

const GL_COMPILE_AND_EXECUTE = 0x1301;
/** GL's own bound on lists that call lists. */
const deepest = 64;
/** Calls that one call of lists may stand for. */
const mostCalls = 1 << 20;

const selecting = /^(ActiveTexture|CallLists?|ListBase|PushAttrib|PopAttrib|Bitmap)$/;

const concern = perSignature((signature) => {
  const base = baseName(signature.name);
  const isKept = settingsOf(base) !== undefined || selecting.test(base) || aboutMatrices.test(base);
  return {
    base,
    /** Most calls by far neither set state nor make lists. */
    isNothing: !isKept && !selects.test(base) && base !== 'NewList' && base !== 'EndList',
    isKept,
    /** Only the last such call counts. */
    isValue: isCurrentValue(base),
    isImmediate: isImmediate(signature),
  };
});

/** The lists of a share group. */
export class ListEffects {
  readonly #lists = new Map<number, readonly StateCall[]>();
  #open: { readonly name: number; readonly executes: boolean; readonly calls: Map<string, StateCall> } | undefined;

  /** Applies to a context's state what a call in it does, at once or by way of lists. */
  apply(state: ContextState, call: StateCall): void {
    const { base, isNothing, isKept, isValue, isImmediate: isAtOnce } = concern(call.signature);
    if (isNothing) return;
    if (base === 'NewList') {
      const [name, mode] = call.args.map(Number);
      this.#open = { name, executes: mode === GL_COMPILE_AND_EXECUTE, calls: new Map() };
    } else if (base === 'EndList') {
      if (this.#open) this.#lists.set(this.#open.name, [...this.#open.calls.values()]);
      this.#open = undefined;
    } else if (this.#open && !isAtOnce) {
      if (!isKept) return;
      const { calls, executes } = this.#open;
      const key = isValue ? `${base} ${call.args[0]}` : String(calls.size);
      calls.delete(key);
      calls.set(key, call);
      if (executes) this.#carryOut(state, call, { depth: 0, left: mostCalls });
    } else this.#carryOut(state, call, { depth: 0, left: mostCalls });
  }

  #carryOut(state: ContextState, call: StateCall, bounds: { depth: number; left: number }): void {
    const { base } = concern(call.signature);
    if (base !== 'CallList' && base !== 'CallLists') {
      state.apply(call.signature, call.args);
      return;
    }
    if (bounds.depth >= deepest) return;
    bounds.depth++;
    for (const name of this.#named(state, base, call))
      for (const inside of this.#lists.get(name) ?? []) if (bounds.left-- > 0) this.#carryOut(state, inside, bounds);
    bounds.depth--;
  }

  #named(state: ContextState, base: string, { signature, args }: StateCall): number[] {
    if (base === 'CallList') return [Number(args[0])];
    const first = Number(state.families.get('ListBase')?.get('')?.call.args[0] ?? 0);
    const data = args[2] as DataArgument;
    const names = listNames({ signature, args, result: 0 }, data?.kind === 'inline' ? data.bytes : null);
    return names.map((name) => (first + name) >>> 0);
  }
}
