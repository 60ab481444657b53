/** What else is told exactly of an event that is on both sides: another name, another program, another state to draw under. */
import type { EventChange } from '../../model/comparison.ts';
import type { NodeReport, Report } from '../../model/report.ts';

type Facts = Pick<Report, 'programs' | 'states'>;

const none: readonly EventChange[] = [];

/** Only markers have names of their own: those of render passes and actions say what they do. */
const renamed = (base: NodeReport, next: NodeReport): EventChange | null =>
  next.kind !== 'marker' || base.name === next.name ? null : { what: 'name', base: base.name, new: next.name };

/** Only what both sides know is compared: programs by their keys, state by its names. */
export class EventChanges {
  readonly #base: Facts;
  readonly #next: Facts;
  /** By both numbers. */
  readonly #states = new Map<string, readonly EventChange[]>();

  constructor(base: Facts, next: Facts) {
    this.#base = base;
    this.#next = next;
  }

  of(base: NodeReport | undefined, next: NodeReport | undefined): readonly EventChange[] {
    if (!base || !next) return none;
    const name = renamed(base, next);
    const program = this.#program(base.program, next.program);
    const state = this.#state(base.state ?? 0, next.state ?? 0);
    return name || program ? [...[name, program].filter((change) => change !== null), ...state] : state;
  }

  #program(base: number, next: number): EventChange | null {
    const [from, to] = [this.#base.programs?.[base], this.#next.programs?.[next]];
    return from === undefined || to === undefined || from === to ? null : { what: 'program', base: from, new: to };
  }

  #state(base: number, next: number): readonly EventChange[] {
    const [from, to] = [this.#base.states?.[base], this.#next.states?.[next]];
    if (!from || !to) return none;
    const key = `${base} ${next}`;
    let changes = this.#states.get(key);
    if (!changes) {
      changes = Object.keys(from).flatMap((what): EventChange[] =>
        !Object.hasOwn(to, what) || from[what] === to[what] ? [] : [{ what, base: from[what], new: to[what] }],
      );
      this.#states.set(key, changes);
    }
    return changes;
  }
}
