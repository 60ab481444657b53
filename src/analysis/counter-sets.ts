/** What is to be said of a metric set as a whole. */
import type { CounterInfo } from '../model/counter.ts';
import type { SetMeasurement } from '../model/counter-sample.ts';
import type { EventTree } from '../model/event-tree.ts';
import type { CounterCell, CounterSetReport } from '../model/report.ts';

type Verdict = Pick<CounterSetReport, 'status' | 'reason'>;
type Cells = ReadonlyMap<string, readonly CounterCell[]>;

const nounOf = (count: number, noun: string): string => `${noun}${count === 1 ? '' : 's'}`;

/** Why the set's worst leaves are not `ok`; parents only repeat them. */
function leafVerdict(tree: EventTree, counters: readonly CounterInfo[], cells: Cells): Verdict {
  const first: { failed?: string | null; questionable?: string | null } = {};
  const counts = { failed: 0, questionable: 0 };
  let values = 0;
  for (const node of tree.leaves) {
    const seen = { failed: false, questionable: false };
    for (const { id } of counters) {
      const cell = cells.get(id)?.[node];
      if (!cell) continue;
      if (cell.status !== 'failed') values++;
      if (cell.status === 'ok') continue;
      seen[cell.status] = true;
      first[cell.status] ??= cell.reason;
    }
    for (const status of ['failed', 'questionable'] as const) if (seen[status]) counts[status]++;
  }
  if (tree.leaves.length > 0 && values === 0) return { status: 'failed', reason: first.failed ?? null };
  const of = `of ${tree.leaves.length} ${nounOf(tree.leaves.length, 'leaf').replace('leafs', 'leaves')}`;
  const reasons: string[] = [];
  if (counts.failed > 0) reasons.push(`${counts.failed} ${of} could not be counted: ${first.failed}`);
  if (counts.questionable > 0)
    reasons.push(
      `${counts.questionable} ${of} ${counts.questionable === 1 ? 'is' : 'are'} questionable: ${first.questionable}`,
    );
  if (reasons.length > 0) return { status: 'questionable', reason: reasons.join('; ') };
  for (const { id } of counters) {
    const doubtful = cells.get(id)?.find(({ status }) => status !== 'ok');
    if (doubtful) return { status: 'questionable', reason: doubtful.reason };
  }
  return { status: 'ok', reason: null };
}

function verdictOf(
  tree: EventTree,
  measurement: SetMeasurement,
  counters: readonly CounterInfo[],
  cells: Cells,
): Verdict {
  const { problem, lost } = measurement;
  if (problem !== null) return { status: 'failed', reason: problem };
  const gone = counters.filter(({ id }) => lost.has(id));
  const kept = counters.filter(({ id }) => !lost.has(id));
  if (gone.length === 0) return leafVerdict(tree, counters, cells);
  const [{ id }] = gone;
  if (kept.length === 0) return { status: 'failed', reason: lost.get(id) ?? null };
  const rest = leafVerdict(tree, kept, cells);
  const loss = `${gone.length} of ${counters.length} counters cannot be read: ${lost.get(id)}`;
  return { status: 'questionable', reason: rest.reason === null ? loss : `${loss}; ${rest.reason}` };
}

/** A set of one frame with the counters that are shown of it. */
export function setReport(
  tree: EventTree,
  measurement: SetMeasurement,
  counters: readonly CounterInfo[],
  cells: Cells,
): CounterSetReport {
  const { set, origin, passes, runs } = measurement;
  const verdict = verdictOf(tree, measurement, counters, cells);
  return { ...set, counters, origin, passes, runs: runs.length, ...verdict };
}

function mergeSet(sets: readonly CounterSetReport[], frames: readonly number[]): CounterSetReport {
  const worst = sets.find(({ status }) => status !== 'ok');
  const allFailed = sets.every(({ status }) => status === 'failed');
  const place = worst && sets.length > 1 && !allFailed ? `frame ${frames[sets.indexOf(worst)]}: ` : '';
  return {
    ...sets[0],
    origin: sets.find(({ origin }) => origin !== null)?.origin ?? null,
    passes: Math.max(...sets.map(({ passes }) => passes)),
    runs: Math.max(...sets.map(({ runs }) => runs)),
    status: allFailed ? 'failed' : worst ? 'questionable' : 'ok',
    reason: worst ? `${place}${worst.reason}` : null,
  };
}

/** The sets of a report's frames (frame numbers beside them), each once: as doubtful as in the frame that is first to be. */
export function mergeSets(
  frames: readonly { readonly frame: { readonly frame: number }; readonly sets: readonly CounterSetReport[] }[],
): CounterSetReport[] {
  const ids = new Set(frames.flatMap(({ sets }) => sets.map(({ id }) => id)));
  return [...ids].map((id) => {
    const withSet = frames.flatMap(({ frame, sets }) => {
      const set = sets.find((one) => one.id === id);
      return set ? [{ frame: frame.frame, set }] : [];
    });
    return mergeSet(
      withSet.map(({ set }) => set),
      withSet.map(({ frame }) => frame),
    );
  });
}
