/** Sections of rows in as many lines as there are: what matters most is shown, in its place. */

export interface SectionRow {
  readonly lines: readonly string[];
  /** The lower, the sooner it is shown. */
  readonly rank: number;
}

export interface Section {
  /** What its rows are called where some are left out. */
  readonly what: string;
  /** Stands above the first of its rows that is shown. */
  readonly head: readonly string[];
  readonly rows: readonly SectionRow[];
}

/** Rows from this rank on are shown in room that nothing else needs, not even lines between sections. */
export const spareRank = 100;

function choose(sections: readonly Section[], height: number, gap: number): ReadonlySet<SectionRow> {
  const rows = sections.flatMap((section) => section.rows.map((row) => ({ section, row })));
  const shown = new Set<SectionRow>();
  const begun = new Set<Section>();
  let left = height + gap;
  for (const { section, row } of rows.sort((a, b) => a.row.rank - b.row.rank)) {
    const size = row.lines.length + (begun.has(section) ? 0 : section.head.length + gap);
    if (size > left) continue;
    left -= size;
    shown.add(row);
    begun.add(section);
  }
  return shown;
}

const isEnough = (sections: readonly Section[], shown: ReadonlySet<SectionRow>): boolean =>
  sections.every(({ rows }) => rows.every((row) => shown.has(row) || row.rank >= spareRank));

/** At most `height` lines; `note` is the last of them when rows are left out, told how many of what. */
export function fitSections(
  sections: readonly Section[],
  height: number,
  note: (leftOut: ReadonlyMap<string, number>) => string,
): string[] {
  const fit = (lines: number): [shown: ReadonlySet<SectionRow>, gap: number] => {
    const spaced = choose(sections, lines, 1);
    return isEnough(sections, spaced) ? [spaced, 1] : [choose(sections, lines, 0), 0];
  };
  const leftOutOf = (shown: ReadonlySet<SectionRow>): ReadonlyMap<string, number> => {
    const counts = sections.map(({ what, rows }) => [what, rows.filter((row) => !shown.has(row)).length] as const);
    return new Map(counts.filter(([, count]) => count > 0));
  };
  let [shown, gap] = fit(height);
  const isWhole = leftOutOf(shown).size === 0;
  if (!isWhole) [shown, gap] = fit(height - 1);
  const lines: string[] = [];
  for (const { head, rows } of sections) {
    const those = rows.filter((row) => shown.has(row));
    if (those.length === 0) continue;
    if (gap === 1 && lines.length > 0) lines.push('');
    lines.push(...head, ...those.flatMap((row) => row.lines));
  }
  return isWhole ? lines : [...lines, note(leftOutOf(shown))];
}
