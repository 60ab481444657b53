import type { CounterInfo } from '../../model/counter.ts';
import { isSameOrigin, originText } from '../../model/counter-origin.ts';
import type { CounterSetReport, Report, Warning } from '../../model/report.ts';

export interface ComparableCounters {
  /** Those that both sides have and that are measured alike, in base's order; `exact` where they are so on both sides. */
  readonly counters: readonly CounterInfo[];
  /** By counter id: what is to be said of each of its changes. */
  readonly notes: ReadonlyMap<string, string>;
  readonly warnings: readonly Warning[];
}

type Counted = Pick<Report, 'counters'>;

type ById = ReadonlyMap<string, CounterInfo>;

const byId = ({ counters = [] }: Counted): ById =>
  new Map(counters.flatMap((set) => set.counters.map((counter) => [counter.id, counter])));

function list(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).join(', ');
  return ids.length > 3 ? `${shown} and ${ids.length - 3} more` : shown;
}

const isAlike = (one: CounterInfo, other: CounterInfo): boolean => one.kind === other.kind && one.unit === other.unit;

/**
 * Why changes of a set's counters may come from where they were counted; null when they do not. Sizes are told from the
 * capture, so they are the same everywhere.
 */
function originNote(base: CounterSetReport, next: CounterSetReport | undefined): string | null {
  if (base.source === 'memory' || !base.origin || !next?.origin || isSameOrigin(base.origin, next.origin)) return null;
  const [from, to] = [originText(base.origin), originText(next.origin)];
  const places = from === to ? `${base.origin.version} and ${next.origin.version}` : `${from} and ${to}`;
  return `counted by two drivers, which may count differently: ${places}`;
}

/** Of what one side alone counts; nothing where there is none. */
function onlyOne(code: string, [one, ours]: readonly [string, ById], [other, theirs]: readonly [string, ById]) {
  const ids = [...ours.keys()].filter((id) => !theirs.has(id));
  if (ids.length === 0) return [];
  const isNone = theirs.size === 0;
  const message = isNone
    ? `${other} has no counters, so none is compared`
    : `only ${one} has ${list(ids)}: not compared`;
  return [{ code, message }];
}

/** What new does not count is lost: base was there to be compared with. What base does not count is only left out. */
const oneSided = (base: ById, next: ById): Warning[] => [
  ...onlyOne('counters-lost', ['base', base], ['new', next]),
  ...onlyOne('counters-left', ['new', next], ['base', base]),
];

/**
 * Which counters of two reports may be compared: those of one id, kind and unit. Those that two drivers counted are
 * compared with a note. A warning tells of each set that this is so of, and of what is left out.
 */
export function comparableCounters(base: Counted, next: Counted): ComparableCounters {
  const [ours, theirs] = [byId(base), byId(next)];
  const warnings = oneSided(ours, theirs);
  const both = [...ours.values()].flatMap((one) => {
    const other = theirs.get(one.id);
    return other ? [{ one, other }] : [];
  });
  const unlike = both.filter(({ one, other }) => !isAlike(one, other)).map(({ one }) => one.id);
  if (unlike.length > 0)
    warnings.push({ code: 'counters-unlike', message: `the sides count ${list(unlike)} differently: not compared` });
  const counters = both.flatMap(({ one, other }) =>
    isAlike(one, other) ? [{ ...one, exact: one.exact && other.exact }] : [],
  );
  const notes = new Map<string, string>();
  for (const set of base.counters ?? []) {
    const note = originNote(
      set,
      next.counters?.find(({ id }) => id === set.id),
    );
    const noted = note === null ? [] : counters.filter((counter) => counter.set === set.id);
    if (note === null || noted.length === 0) continue;
    for (const { id } of noted) notes.set(id, note);
    warnings.push({ code: 'counters-origin', message: `counters of ${set.id} are ${note}` });
  }
  return { counters, notes, warnings };
}
