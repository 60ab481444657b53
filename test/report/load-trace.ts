/**
 * Loads Trace Event JSON by the rules of Perfetto's trace processor: what that drops without a word, or moves to another
 * track, is a problem here. Written from its importer's behaviour: events in order of time and, of one time, slices first,
 * longer ones before shorter; one stack of slices a track; a flow's ends bind to the slice on top of the stack.
 */

interface TraceEvent {
  readonly ph: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly cat?: string;
  readonly id?: number;
  readonly bp?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface LoadedSlice {
  readonly name: string;
  readonly pid: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly parent: LoadedSlice | undefined;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface LoadedTrace {
  readonly slices: LoadedSlice[];
  readonly flows: { readonly from: LoadedSlice; readonly to: LoadedSlice }[];
  /** By name, in order of time. */
  readonly counters: Map<string, { readonly atNs: number; readonly value: number }[]>;
  /** By process and thread. */
  readonly names: Map<string, string>;
  readonly problems: string[];
}

const deepest = 512;

/** A number of microseconds, read as a double. */
const nanoseconds = (micros: number | undefined): number => Math.round((micros ?? Number.NaN) * 1000);

class Loader implements LoadedTrace {
  readonly slices: LoadedSlice[] = [];
  readonly flows: LoadedTrace['flows'] = [];
  readonly counters: LoadedTrace['counters'] = new Map();
  readonly names = new Map<string, string>();
  readonly problems: string[] = [];
  readonly #stacks = new Map<string, LoadedSlice[]>();
  readonly #begun = new Map<string, LoadedSlice>();

  take(event: TraceEvent): void {
    const problem = this.#load(event, nanoseconds(event.ts));
    if (problem) this.problems.push(`${problem}: ${JSON.stringify(event)}`);
  }

  /** Returns what is wrong with the event. */
  #load(event: TraceEvent, atNs: number): string | undefined {
    if (event.ph === 'M') return this.#name(event);
    if (!Number.isSafeInteger(atNs) || atNs < 0 || !(event.pid > 0 && event.tid > 0)) return 'is nowhere';
    if (event.ph === 'X') return this.#slice(event, atNs);
    if (event.ph === 's' || event.ph === 'f') return this.#flow(event, atNs);
    return event.ph === 'C' ? this.#counter(event, atNs) : 'is of no known phase';
  }

  #stack({ pid, tid }: TraceEvent): LoadedSlice[] {
    const track = `${pid}/${tid}`;
    const stack = this.#stacks.get(track) ?? [];
    this.#stacks.set(track, stack);
    return stack;
  }

  #name({ name, pid, tid, args }: TraceEvent): string | undefined {
    if (name === 'process_sort_index') return undefined;
    const of = name === 'process_name' ? `${pid}` : `${pid}/${tid}`;
    if (!args?.name || this.names.has(of)) return 'names nothing, or again';
    this.names.set(of, String(args.name));
    return undefined;
  }

  #slice(event: TraceEvent, startNs: number): string | undefined {
    const durationNs = nanoseconds(event.dur);
    const endNs = startNs + durationNs;
    if (!(durationNs >= 0) || !event.name) return 'is no slice';
    const stack = this.#stack(event);
    const isOver = (open: LoadedSlice) =>
      open.endNs < startNs || (open.endNs === startNs && (open.startNs < open.endNs || durationNs > 0));
    while (stack.length > 0 && isOver(stack[stack.length - 1])) stack.pop();
    const parent = stack.at(-1);
    if (parent && endNs > parent.endNs) return `overlaps ${parent.name}`;
    if (stack.length >= deepest) return 'is too deep';
    const slice = { name: event.name, pid: event.pid, startNs, endNs, parent, args: event.args ?? {} };
    stack.push(slice);
    this.slices.push(slice);
    return undefined;
  }

  #flow(event: TraceEvent, atNs: number): string | undefined {
    const slice = this.#stack(event).at(-1);
    const key = `${event.cat} ${event.name} ${event.id}`;
    if (!Number.isSafeInteger(event.id)) return 'has no id';
    if (slice?.startNs !== atNs) return 'is on no slice of its time';
    const from = this.#begun.get(key);
    if (event.ph === 's') {
      this.#begun.set(key, slice);
      return from === undefined ? undefined : 'begins again';
    }
    if (!from || event.bp !== 'e') return 'ends what has not begun, or binds to the next slice';
    this.#begun.delete(key);
    this.flows.push({ from, to: slice });
    return undefined;
  }

  #counter(event: TraceEvent, atNs: number): string | undefined {
    const values = this.counters.get(event.name) ?? [];
    this.counters.set(event.name, values);
    const value = event.args?.value;
    if (typeof value !== 'number' || atNs < (values.at(-1)?.atNs ?? 0)) return 'counts nothing';
    values.push({ atNs, value });
    return undefined;
  }

  end(): void {
    for (const flow of this.#begun.keys()) this.problems.push(`never ends: ${flow}`);
  }
}

export function loadTrace(text: string): LoadedTrace {
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
  const rank = ({ ph, dur }: TraceEvent) => (ph === 'X' ? -nanoseconds(dur) : 1);
  const order = (a: TraceEvent, b: TraceEvent) => nanoseconds(a.ts ?? 0) - nanoseconds(b.ts ?? 0) || rank(a) - rank(b);
  const loader = new Loader();
  for (const event of traceEvents.toSorted(order)) loader.take(event);
  loader.end();
  return loader;
}
