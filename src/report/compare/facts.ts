/** What stands above and below a comparison in words: what was compared, how it is judged, and what to know. */
import {
  type ComparedFrame,
  type Comparison,
  type ComparisonSide,
  isBesideMedians,
  type TimeChange,
} from '../../model/comparison.ts';
import { changesText } from '../../model/finding-text.ts';
import { changeText, partText, quantityText } from '../../model/quantity-text.ts';
import { durationText } from '../../model/units.ts';
import { printable } from '../printable.ts';
import type { Fact } from '../summary.ts';
import type { ComparedFrameCells } from './cells.ts';

const mostReasons = 5;

const percent = (part: number): string => `${Number((part * 100).toPrecision(3))}%`;
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function rendererText({ environment }: ComparisonSide): string {
  const { driver, renderer, version, software, softwareThreads } = environment;
  const threads =
    software && softwareThreads !== null
      ? `, ${softwareThreads === 0 ? 'no worker threads' : counted(softwareThreads, 'worker thread')}`
      : '';
  return `${renderer}${threads} (${driver}, ${version})`;
}

/** The label, and the capture and variables where the label does not say them. */
function sideText({ label, capture, env }: ComparisonSide): string {
  const file = label.includes(capture.file) ? label : `${label} (${capture.file})`;
  const variables = Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .filter((variable) => !label.includes(variable));
  return variables.length === 0 ? file : `${file}, with ${variables.join(' ')}`;
}

function rendererFacts({ base, new: next }: Comparison): Fact[] {
  const [left, right] = [rendererText(base), rendererText(next)];
  if (left === right) return [{ label: 'renderer', text: left }];
  return [
    { label: 'renderer', text: `base: ${left}` },
    { label: '', text: `new: ${right}` },
  ];
}

const metricNames = { duration: 'durations', cpu: 'CPU times' } as const;

function judgementFacts({ settings }: Comparison): Fact[] {
  const { metric, why, threshold, minChangeNs, falseAlarmRate, interleaved, pairs } = settings;
  if (metric === null) return [{ label: 'times', text: `not compared: ${why}` }];
  const runs = interleaved
    ? `${counted(pairs, 'pair')}, by turns in one sitting`
    : `${pairs} of each side, not by turns`;
  const least = `${percent(threshold)} of base, ${durationText(minChangeNs)} at least`;
  const rate = interleaved
    ? `a false verdict in at most ${percent(falseAlarmRate)} of comparisons`
    : 'separate sittings differ by themselves, so that verdicts can be false at any rate';
  return [
    { label: 'times', text: `${metricNames[metric]}: ${why}` },
    {
      label: 'matters',
      text: `a change of ${least}; ${rate}`,
    },
    { label: 'runs', text: runs },
  ];
}

/** The sides and the rules. */
export function comparisonFacts(comparison: Comparison): Fact[] {
  const facts = [
    { label: 'base', text: sideText(comparison.base) },
    { label: 'new', text: sideText(comparison.new) },
    ...rendererFacts(comparison),
    ...judgementFacts(comparison),
  ];
  return facts.map(({ label, text }) => ({ label, text: printable(text) }));
}

/** `9.90 ms → 10.4 ms, +5.1% (+460 µs to +540 µs): slower`. */
function plainText({ baseNs, newNs, deltaNs, lowNs, highNs, verdict, reason }: TimeChange): string {
  const part = deltaNs === null || baseNs === null ? null : partText(deltaNs, baseNs);
  const values = `${quantityText(baseNs, 'ns')} → ${quantityText(newNs, 'ns')}${part === null ? '' : `, ${part}`}`;
  const interval =
    lowNs === null || highNs === null ? '' : ` (${changeText(lowNs, 'ns')} to ${changeText(highNs, 'ns')})`;
  const said = verdict ?? (reason === null ? null : `not compared, ${reason}`);
  return `${values}${interval}, without brackets${said === null ? '' : `: ${said}`}`;
}

/** The frame's own time; none where neither side has one. */
export const comparedFrameFacts = ({ plain }: ComparedFrame): Fact[] =>
  plain.baseNs === null && plain.newNs === null ? [] : [{ label: 'frame', text: printable(plainText(plain)) }];

/** Which frames of the sides these are; empty for the only one of both. */
export function frameTitle({ baseFrame, newFrame }: ComparedFrame, { frames }: Comparison): string {
  if (baseFrame !== newFrame) return `Frame ${baseFrame} of base, frame ${newFrame} of new`;
  return frames.length > 1 ? `Frame ${newFrame}` : '';
}

/** What changed of the rows, each once, with the first event that has it. */
function changeNotes(rows: ComparedFrameCells['rows']): string[] {
  const found = new Map<string, { readonly path: string; count: number }>();
  for (const { row } of rows) {
    const { base, new: next, changes } = row.node;
    if (changes.length === 0) continue;
    const text = changesText(changes);
    const same = found.get(text);
    if (same) same.count++;
    else found.set(text, { path: (next ?? base)?.path ?? '', count: 1 });
  }
  const notes = [...found].map(([text, { path, count }]) => {
    const where = count === 1 ? path : `${path} and ${count - 1} more`;
    return printable(`changed: ${text} (${where || 'the frame'})`);
  });
  const more = notes.length - mostReasons;
  return more > 0 ? [...notes.slice(0, mostReasons), `${counted(more, 'more change')} in the JSON`] : notes;
}

/** Why verdicts on time of the rows shown are none or undecided, what marks mean, and how many rows are not shown. */
export function comparedNotes({ frame, rows }: ComparedFrameCells, { settings }: Comparison): string[] {
  const reasons = new Map<string, number>();
  for (const { row } of rows) {
    const { match, time } = row.node;
    if (match === 'new' || match === 'gone' || time.reason === null) continue;
    if (time.verdict === null && settings.metric === null) continue;
    const note = `${time.verdict ?? 'not compared'}: ${printable(time.reason)}`;
    reasons.set(note, (reasons.get(note) ?? 0) + 1);
  }
  const notes = [...reasons].map(([note, count]) => `${note} (${counted(count, 'event')})`);
  const more = notes.length - mostReasons;
  if (more > 0) notes.splice(mostReasons, more, `${counted(more, 'more reason')} in the JSON`);
  if (rows.some(({ row }) => isBesideMedians(row.node.time)))
    notes.push(
      'verdicts rest on the change and its interval, which are of runs side by side; the medians of base and new can differ otherwise',
    );
  if (rows.some(({ row }) => row.node.match === 'gone' && row.node.base?.eventId != null))
    notes.push("(n) event of the base's numbering");
  notes.push(...changeNotes(rows));
  const movedFrom = rows.filter(({ row }) => row.node.match === 'moved').slice(0, mostReasons);
  for (const { row } of movedFrom) {
    const { base, new: next } = row.node;
    if (base && next && base.path !== next.path) notes.push(printable(`moved: ${base.path} is now ${next.path}`));
  }
  if (rows.length < frame.nodes.length) notes.push(`${rows.length} of ${frame.nodes.length} rows shown`);
  return notes;
}
