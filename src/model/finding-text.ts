/** Findings in words. */
import {
  type ComparedNode,
  type EventChange,
  isBesideMedians,
  type ResourceChange,
  type TimeChange,
} from './comparison.ts';
import type { CounterFinding, Finding, FindingKind } from './findings.ts';
import { changeText, partText, quantityText } from './quantity-text.ts';

const mostCounters = 4;

type Told = Omit<Finding, 'message'>;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The path, or the frame; with its number where there are several. */
function subject({ node, path, frame }: Told, several: boolean): string {
  const number = `frame ${frame.newFrame}`;
  if (node === null) return `${several ? number : 'the frame'} without brackets`;
  if (path === '') return several ? number : 'the frame';
  return several ? `${path} in ${number}` : path;
}

/** `1.50 ms before, 1.68 ms now (+184 µs, between +120 µs and +250 µs)`. */
function timeText(time: TimeChange): string {
  const { baseNs, newNs, deltaNs, lowNs, highNs } = time;
  const parts: string[] = isBesideMedians(time) ? ['of runs side by side'] : [];
  if (deltaNs !== null) parts.push(changeText(deltaNs, 'ns'));
  if (lowNs !== null && highNs !== null)
    parts.push(`between ${changeText(lowNs, 'ns')} and ${changeText(highNs, 'ns')}`);
  const change = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `${quantityText(baseNs, 'ns')} before, ${quantityText(newNs, 'ns')} now${change}`;
}

function decidedText(told: Told, time: TimeChange, several: boolean): string {
  const part = partText(Math.abs(time.deltaNs ?? 0), time.baseNs ?? 0)?.replace('+', '');
  return `${subject(told, several)} is ${part === undefined ? '' : `${part} `}${told.kind}: ${timeText(time)}`;
}

/** `PS Invocations 307,200 → 614,400 (+307,200, +100.0%)`. */
function counterText({ counter, change }: CounterFinding): string {
  const { unit, name } = counter;
  const values = `${name} ${quantityText(change.base, unit)} → ${quantityText(change.new, unit)}`;
  if (change.delta === null) return values;
  const part = typeof change.base === 'boolean' ? null : partText(change.delta, change.base ?? 0);
  return `${values} (${changeText(change.delta, unit)}${part === null ? '' : `, ${part}`})`;
}

function countersText(counters: readonly CounterFinding[]): string {
  const shown = counters.slice(0, mostCounters).map(counterText).join('; ');
  const more = counters.length - mostCounters;
  return more > 0 ? `${shown}; and ${counted(more, 'more counter')}` : shown;
}

/** `(marker, 3 draws, 1.20 ms)`: what an event of one side is. */
function whatText({ kind, isLeaf, base, new: next, time }: ComparedNode): string {
  const draws = (next ?? base)?.draws ?? 0;
  const timeNs = next ? time.newNs : time.baseNs;
  const parts: string[] = [kind];
  if (!isLeaf) parts.push(counted(draws, 'draw'));
  if (timeNs !== null) parts.push(quantityText(timeNs, 'ns'));
  return `(${parts.join(', ')})`;
}

function movedText({ base, new: next }: ComparedNode): string {
  return base && next && base.path !== next.path
    ? `has moved, it was ${base.path}`
    : 'comes at another place in the order';
}

/** Digits of a program's key that tell it apart. */
const keyDigits = 8;

/** `program 5b2d1c33 → 91bc77e0, depth write on → off`. */
export const changesText = (changes: readonly EventChange[]): string =>
  changes
    .map(({ what, base, new: next }) => {
      const most = what === 'program' ? keyDigits : Number.POSITIVE_INFINITY;
      return `${what} ${base.slice(0, most)} → ${next.slice(0, most)}`;
    })
    .join(', ');

function changedText(told: Told, { changes, others }: NonNullable<Finding['changed']>, several: boolean): string {
  const more = others === 0 ? '' : `; the same of ${counted(others, 'more event')}`;
  return `${subject(told, several)} has changed: ${changesText(changes)}${more}`;
}

/** `texture 5`, `texture albedo`. */
export function resourceText({ base, new: next }: ResourceChange): string {
  const { class: kind, id, name } = (next ?? base)!;
  return name === `${kind} ${id}` ? name : `${kind} ${name}`;
}

const sizeText = (size: readonly [number, number] | null): string => (size === null ? '' : size.join('×'));

/** `texture 5 is heavier: 16.0 KiB → 64.0 KiB (+48.0 KiB, +300.0%), 64×64 → 128×128`. */
function resourceChanged({ kind, path }: Told, { base, new: next, deltaBytes }: ResourceChange): string {
  if (!base || !next) {
    const { size, sizeBytes } = (next ?? base)!;
    const parts = [sizeText(size), quantityText(sizeBytes, 'bytes')].filter((text) => text !== '');
    return `${path} is ${kind} (${parts.join(', ')})`;
  }
  const [from, to] = [base, next].map(({ sizeBytes }) => quantityText(sizeBytes, 'bytes'));
  const [before, after] = [sizeText(base.size), sizeText(next.size)];
  const sides = before === after ? '' : `, ${before} → ${after}`;
  const part = partText(deltaBytes, base.sizeBytes);
  return `${path} is ${kind}: ${from} → ${to} (${changeText(deltaBytes, 'bytes')}, ${part})${sides}`;
}

/** One sentence without its full stop; `several`: whether the comparison has more than one frame. */
export function findingText(told: Told, several: boolean): string {
  const { kind, node, time, counters, changed, resource } = told;
  if (resource) return resourceChanged(told, resource);
  if (time && kind === 'undecided') {
    const reason = time.reason === null ? '' : `: ${time.reason}`;
    return `${subject(told, several)} is undecided, ${timeText(time)}${reason}`;
  }
  if (time) return decidedText(told, time, several);
  if (counters.length > 0)
    return `${subject(told, several)} ${kind === 'differs' ? '' : 'is '}${kind}: ${countersText(counters)}`;
  if (changed) return changedText(told, changed, several);
  if (node === null)
    return `frame ${told.frame.newFrame} is ${kind}, ${kind === 'new' ? 'base' : 'new'} has no such frame`;
  if (kind === 'moved') return `${subject(told, several)} ${movedText(node)}`;
  return `${subject(told, several)} is ${kind} ${whatText(node)}`;
}

const plurals: Readonly<Record<FindingKind, readonly [string, string]>> = {
  slower: ['is slower', 'are slower'],
  heavier: ['is heavier', 'are heavier'],
  new: ['is new', 'are new'],
  differs: ['differs', 'differ'],
  changed: ['has another name, program or state', 'have another name, program or state'],
  faster: ['is faster', 'are faster'],
  lighter: ['is lighter', 'are lighter'],
  gone: ['is gone', 'are gone'],
  moved: ['has moved', 'have moved'],
  undecided: ['is undecided', 'are undecided'],
};

/** `1 event is slower, 2 are new, 1 resource is heavier; 3 events are undecided`: how many events nothing else explains; one line, no full stop. */
export function findingsSummary(list: readonly Finding[]): string {
  const counts = new Map<FindingKind, number>();
  const frames = new Map<FindingKind, number>();
  const resources = new Map<FindingKind, number>();
  for (const { kind, isExplained, changed, node, time, resource } of list) {
    const of = resource ? resources : node || time ? counts : frames;
    if (!isExplained) of.set(kind, (of.get(kind) ?? 0) + 1 + (changed?.others ?? 0));
  }
  const undecided = counts.get('undecided') ?? 0;
  counts.delete('undecided');
  const clauses = [...counts].map(([kind, count], index) => {
    const what = index === 0 ? `${counted(count, 'event')} ` : `${count} `;
    return what + plurals[kind][count === 1 ? 0 : 1];
  });
  for (const [noun, of] of [
    ['frame', frames],
    ['resource', resources],
  ] as const)
    for (const [kind, count] of of) clauses.push(`${counted(count, noun)} ${plurals[kind][count === 1 ? 0 : 1]}`);
  if (undecided === 0) return clauses.length === 0 ? 'nothing changed' : clauses.join(', ');
  const changed = clauses.length === 0 ? 'no change was decided' : clauses.join(', ');
  return `${changed}; ${counted(undecided, 'event')} ${plurals.undecided[undecided === 1 ? 0 : 1]}`;
}
