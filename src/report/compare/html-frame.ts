/** A compared frame as the page's script gets it: the table's cells, all rows, with what to order them by. */
import type { ComparedFrame, ComparedNode, Comparison } from '../../model/comparison.ts';
import { changesText } from '../../model/finding-text.ts';
import type { Finding } from '../../model/findings.ts';
import type { HtmlColumn } from '../html/data.ts';
import { printable } from '../printable.ts';
import { type ComparedCells, type ComparedColumn, comparedCells } from './cells.ts';
import { changedCounters, comparedCounters } from './counters.ts';
import { comparedFrameFacts, comparedNotes, frameTitle } from './facts.ts';
import type { ComparedHtmlFrame } from './html-data.ts';
import { defaultCompareOptions } from './options.ts';

interface Said {
  readonly key: string;
  readonly meaning: string;
  /** What to order by; nothing for text. */
  readonly value?: (node: ComparedNode) => number | null;
}

const part = ({ time: { deltaNs, baseNs } }: ComparedNode): number | null =>
  deltaNs === null || !baseNs ? null : deltaNs / baseNs;

const said: Readonly<Record<ComparedColumn, Said>> = {
  event: {
    key: 'eventId',
    meaning: "number among the new frame's calls; in brackets among the base's, of what is gone",
    value: ({ base, new: next }) => (next ?? base)?.eventId ?? null,
  },
  name: { key: 'name', meaning: 'as the captured program has it' },
  base: { key: 'baseNs', meaning: 'median time of base', value: ({ time }) => time.baseNs },
  new: { key: 'newNs', meaning: 'median time of new', value: ({ time }) => time.newNs },
  part: { key: 'change', meaning: 'change as a part of base', value: part },
  delta: { key: 'deltaNs', meaning: 'new less base', value: ({ time }) => time.deltaNs },
  interval: {
    key: 'lowNs',
    meaning: 'what the change lies between, of all events at once',
    value: ({ time }) => time.lowNs,
  },
  verdict: { key: 'verdict', meaning: 'what is said of the event, of its time and of its counters' },
};

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(6)));

function column(name: ComparedColumn, head: string, rows: readonly ComparedCells[]): HtmlColumn {
  const { key, meaning, value } = said[name];
  const texts = rows.map((cells) => cells[name]);
  if (!value) return { key, head, meaning, type: 'text', isExtra: false, texts };
  return {
    key,
    head,
    meaning,
    type: 'number',
    isExtra: false,
    texts,
    values: rows.map(({ row }) => rounded(value(row.node))),
  };
}

/** The class of a row: the worst that is told of it. */
function look({ match, time: { verdict }, counters }: ComparedNode): string {
  const counted = Object.values(counters).map((change) => change.verdict);
  if (match === 'new' || verdict === 'slower' || counted.includes('more')) return 'worse';
  if (match === 'gone' || verdict === 'faster' || counted.includes('fewer')) return 'better';
  return verdict === 'undecided' ? 'undecided' : '';
}

function notesOf({ match, base, new: next, time, changes }: ComparedNode): string[] {
  const notes: string[] = [];
  if (time.reason !== null) notes.push(`${time.verdict ?? 'time not compared'}: ${time.reason}`);
  if (match === 'moved' && base && next) notes.push(`moved: event ${base.eventId ?? 'none'}, ${base.path}, in base`);
  if (changes.length > 0) notes.push(`changed: ${changesText(changes)}`);
  return notes.map(printable);
}

export function comparedHtmlFrame(
  frame: ComparedFrame,
  comparison: Comparison,
  findings: readonly Finding[],
): ComparedHtmlFrame {
  const shown = comparedCells(frame, comparison, findings, { ...defaultCompareOptions, all: true });
  const nodes = shown.rows.map(({ row }) => row.node);
  const changed = changedCounters(comparison);
  const tables = [...comparedCounters(shown, comparison, { unit: defaultCompareOptions.unit })];
  const kind: HtmlColumn = {
    key: 'kind',
    head: 'kind',
    meaning: 'frame, marker, pass, or what the action does',
    type: 'text',
    isExtra: false,
    texts: nodes.map((node) => node.kind),
  };
  const counters = tables.flatMap(({ name, columns }) => {
    const ofSet = changed.filter(({ set }) => printable(set) === name);
    return columns.map(({ head, texts }, index): HtmlColumn => {
      const { id, description } = ofSet[index];
      const values = nodes.map((node) => rounded(Number(node.counters[id]?.delta ?? 0)));
      const meaning = printable(description === '' ? id : `${id}: ${description}`);
      return { key: printable(id), head, meaning, type: 'number', isExtra: false, texts, values };
    });
  });
  const columns = shown.heads.map(([name, head]) => column(name, head, shown.rows));
  columns.splice(2, 0, kind);
  return {
    title: frameTitle(frame, comparison) || `Frame ${frame.newFrame}`,
    facts: comparedFrameFacts(frame).map(({ label, text }) => [label, text]),
    tree: {
      depths: shown.rows.map(({ indent }) => indent),
      looks: nodes.map(look),
      columns: [...columns, ...counters],
    },
    notes: nodes.map(notesOf),
    frameNotes: [
      ...comparedNotes(shown, comparison),
      ...tables.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`)),
    ],
  };
}
