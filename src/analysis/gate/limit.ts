/** Limits of budgets, as they are written. */
export type LimitDimension = 'time' | 'bytes' | 'count';

/** Values in nanoseconds, bytes or counts. */
export type Limit = { readonly text: string } & (
  | { readonly kind: 'absolute'; readonly value: number }
  /** Above the baseline, of it. */
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'more'; readonly value: number }
);

/** What a unit multiplies by, as a power of ten or of two. */
const units: Readonly<Record<LimitDimension, Readonly<Record<string, readonly [base: 10 | 2, exponent: number]>>>> = {
  time: { ns: [10, 0], us: [10, 3], µs: [10, 3], μs: [10, 3], ms: [10, 6], s: [10, 9] },
  bytes: {
    '': [10, 0],
    B: [10, 0],
    kB: [10, 3],
    KB: [10, 3],
    MB: [10, 6],
    GB: [10, 9],
    KiB: [2, 10],
    MiB: [2, 20],
    GiB: [2, 30],
  },
  count: { '': [10, 0], k: [10, 3], K: [10, 3], M: [10, 6], G: [10, 9] },
};

const wanted: Readonly<Record<LimitDimension, string>> = {
  time: 'is no duration; write 2ms or +5%',
  bytes: 'is no size; write 64MB or +5%',
  count: 'is no count; write 1200000, 1.2M or +5%',
};

/** `1.1M` is 1,100,000 exactly: the power of ten goes into the number's own text. */
function scaled(digits: string, [base, exponent]: readonly [10 | 2, number]): number {
  return base === 10 ? Number(`${digits}e${exponent}`) : Number(digits) * 2 ** exponent;
}

/** Of a limit below the baseline: met once, it would fail for good after the next `--update`. */
const below = 'is below the baseline, where no limit can be: a faster or lighter event always passes; write +0% or +5%';

/** Reads a limit; a string is what is wrong with it, as the rest of a sentence that begins with the text. */
export function parseLimit(written: string | number, dimension: LimitDimension): Limit | string {
  const problem = `${JSON.stringify(written)} ${wanted[dimension]}`;
  const text = String(written).trim();
  const [, sign, digits, unit] = /^([+-]?)(\d+(?:\.\d+)?|\.\d+)\s*([^\s\d]*)$/.exec(text) ?? [];
  if (digits === undefined) return problem;
  if (sign === '-') return `${JSON.stringify(written)} ${below}`;
  if (unit === '%') return sign === '' ? problem : { text, kind: 'percent', percent: Number(digits) };
  const scale = Object.hasOwn(units[dimension], unit) ? units[dimension][unit] : undefined;
  if (scale === undefined) return problem;
  const value = scaled(digits, scale);
  if (!Number.isFinite(value)) return problem;
  return sign === '' ? { text, kind: 'absolute', value } : { text, kind: 'more', value };
}

/** Whether one limit lies above another of its kind: of two kinds neither does. */
export function isAbove(one: Limit, other: Limit): boolean {
  if (one.kind === 'percent') return other.kind === 'percent' && one.percent > other.percent;
  return one.kind === other.kind && one.value > other.value;
}

export const needsBase = (limit: Limit | null): boolean => limit !== null && limit.kind !== 'absolute';

/** One metric's limits on the events that a path glob matches. */
export interface Budget {
  /** Empty for the frame itself. */
  readonly pattern: string;
  /** `duration`, `cpu`, or a counter's id. */
  readonly metric: string;
  readonly unit: string;
  /** At least one of them is there. */
  readonly warn: Limit | null;
  readonly fail: Limit | null;
}

export const isTime = ({ metric }: Pick<Budget, 'metric'>): boolean => metric === 'duration' || metric === 'cpu';
