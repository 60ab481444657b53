import type { Bindings } from '../model/bindings.ts';
import type { Call } from '../model/call.ts';
import { TextureShapes } from '../model/texture-shapes.ts';
import { type Duty, dutyOf } from './compile/duty.ts';
import type { Programs } from './programs.ts';
import type { FrameChanges } from './restore/frame-changes.ts';
import { AttributeKinds } from './restore/vertex-attributes.ts';

/** What follows the calls of a replay, to know what GL has after each. */
export class Followers {
  readonly shapes = new TextureShapes();
  readonly attributeKinds = new AttributeKinds();
  readonly #bindings: Bindings;
  readonly #programs: Programs;

  constructor(bindings: Bindings, programs: Programs) {
    this.#bindings = bindings;
    this.#programs = programs;
  }

  /** Once a call has been compiled: the call itself, or what is in the lists it calls. `changes` are those of a frame. */
  follow(call: Call, duty: Duty, changes?: FrameChanges): void {
    const bindings = this.#bindings;
    if (duty.isAboutLists) {
      changes?.observe(call, bindings);
      changes?.observeLists(call, bindings);
    } else if (!bindings.lists.isOpen) {
      this.#followOne(call, duty, changes);
      return;
    }
    bindings.effects(call, (effect) => this.#followOne(effect, dutyOf(effect.signature), changes));
  }

  /** In this order: what changes is observed with the bindings from before the call. */
  #followOne(call: Call, duty: Duty, changes?: FrameChanges): void {
    const bindings = this.#bindings;
    if (duty.changesObjects) changes?.observe(call, bindings);
    if (duty.changesShapes) this.shapes.observe(call, bindings);
    if (duty.changesPrograms) this.#programs.observe(call);
    if (duty.changesKinds) this.attributeKinds.observe(call);
    if (duty.changesBindings) bindings.applyEffect(call);
  }
}
