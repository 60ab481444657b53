import type { TraceCall, TraceFunction } from '../trace.ts';
import { commandTranslators } from './commands.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { windowTranslators } from './windows.ts';

interface Found {
  readonly translate: Translate;
  /** Whether it needs a current context. */
  readonly isGl: boolean;
}

/** Turns a trace's calls into a capture's, one after the other. */
export class Translator {
  readonly #session: Session;
  readonly #found: (Found | undefined)[] = [];
  readonly #ofWindows: (name: string) => Translate | undefined;
  readonly #ofGl: (name: string) => Translate;

  constructor(session: Session) {
    this.#session = session;
    this.#ofWindows = windowTranslators(session);
    this.#ofGl = commandTranslators(session);
  }

  translate(call: TraceCall): void {
    const { translate, isGl } = this.#found[call.function.index] ?? this.#find(call.function);
    try {
      // As glretrace does with calls that are made without a context.
      if (isGl && !this.#session.enter(call.thread)) throw new LeftOut('no context was current');
      translate(call);
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      this.#session.builder.drop(call.function.name, error.message);
    }
  }

  #find({ index, name }: TraceFunction): Found {
    const ofWindow = this.#ofWindows(name);
    const found = ofWindow ? { translate: ofWindow, isGl: false } : { translate: this.#ofGl(name), isGl: true };
    this.#found[index] = found;
    return found;
  }
}
