/** A frame as the page's script gets it: the table's cells, with what to order them by. */
import type { CounterValue } from '../../model/counter.ts';
import type { FrameReport, NodeReport, Report } from '../../model/report.ts';
import { inUnit } from '../../model/units.ts';
import { type ColumnKey, columns, headOf, type TimeKey, timesOf } from '../columns.ts';
import { type CounterTable, counterTables } from '../counter-columns.ts';
import { cells, type FrameRows, frameRows } from '../frame-rows.ts';
import { rowNotes } from '../notes.ts';
import { defaultOptions, type ReportOptions } from '../options.ts';
import { printable } from '../printable.ts';
import { frameFacts } from '../summary.ts';
import { type ColumnName, none } from '../table-columns.ts';
import type { HtmlColumn, HtmlFrame, HtmlNode, HtmlThumbnail } from './data.ts';
import { pictureColumn, thumbnailsOf } from './thumbnails.ts';

const extra: readonly ColumnKey[] = ['low95Ns', 'high95Ns', 'rawNs', 'cpuMadNs', 'runs', 'status'];

/** Of what is below resolution only a bound is told: then these are not. */
const untold: readonly ColumnKey[] = ['minNs', 'maxNs', 'low95Ns', 'high95Ns'];

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(6)));
const whole = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** The columns of times are those of frames that were timed. */
function timeColumns(shown: FrameRows): HtmlColumn[] {
  const { rows, scale, frame } = shown;
  const nodes = rows.map(({ node }) => node);
  const texts = rows.map((row) => cells(shown, row));
  const column = (key: ColumnKey, parts: Pick<HtmlColumn, 'type' | 'values' | 'texts'>): HtmlColumn => ({
    key,
    head: headOf(key, scale.unit),
    meaning: columns[key].meaning,
    isExtra: extra.includes(key),
    ...parts,
  });
  const cell = (name: Exclude<ColumnName, 'bar'>) => texts.map((row) => row[name]);
  const number = (key: ColumnKey, of: (node: NodeReport) => number | null, name: Exclude<ColumnName, 'bar'>) =>
    column(key, { type: 'number', values: nodes.map(of), texts: cell(name) });
  const time = (key: TimeKey, name?: Exclude<ColumnName, 'bar'>) => {
    const values = nodes.map(timesOf(key));
    const isUntold = untold.includes(key);
    const text = (value: number | null, at: number) => {
      if (value === null) return none;
      return isUntold && texts[at].spread === '' ? '' : inUnit(value, scale.unit);
    };
    return column(key, { type: 'number', values: values.map(whole), texts: name ? cell(name) : values.map(text) });
  };
  const hasCpu = nodes.some(({ cpuNs }) => cpuNs !== null);
  const share = nodes.map((node) => rounded(node.share));
  return [
    number('eventId', ({ eventId }) => eventId, 'event'),
    column('name', { type: 'text', texts: cell('name') }),
    column('kind', { type: 'text', texts: cell('kind') }),
    number('draws', ({ draws }) => draws, 'draws'),
    ...(frame.runs === 0
      ? []
      : [
          time('durationNs', 'duration'),
          time('madNs', 'spread'),
          time('minNs'),
          time('maxNs'),
          time('low95Ns'),
          time('high95Ns'),
          time('rawNs'),
          ...(hasCpu ? [time('cpuNs', 'cpu'), time('cpuMadNs')] : []),
          column('share', { type: 'number', values: share, texts: cell('share') }),
          { ...column('share', { type: 'bar', values: share }), key: 'bar', head: 'bar' },
          column('runs', {
            type: 'number',
            values: nodes.map(({ durationNs }) => durationNs?.runs ?? 0),
            texts: nodes.map(({ durationNs }) => String(durationNs?.runs ?? 0)),
          }),
          column('status', { type: 'text', texts: nodes.map(({ status }) => status) }),
        ]),
  ];
}

const asNumber = (value: CounterValue | undefined): number | null => (value == null ? null : Number(value));

function counterColumns(shown: FrameRows, report: Report, tables: readonly CounterTable[]): HtmlColumn[] {
  return (report.counters ?? []).flatMap(({ counters }, set) =>
    tables[set].columns.map(({ head, texts }, index): HtmlColumn => {
      const { id, description } = counters[index];
      const values = shown.rows.map(({ node }) => asNumber(node.counters?.[id]?.value));
      const meaning = [id, description]
        .filter((text) => text !== '')
        .map(printable)
        .join(': ');
      return { key: printable(id), head, meaning, type: 'number', isExtra: false, values, texts };
    }),
  );
}

const counterNotes = ({ name, how, notes }: CounterTable): string[] => [
  ...(how === '' ? [] : [`${name}: ${how}`]),
  ...notes.map((note) => `${name}: ${note}`),
];

const nodeData = ({ target, reason, state, samples }: NodeReport, thumbnail: HtmlThumbnail | undefined): HtmlNode => ({
  target: printable(target),
  thumbnail,
  reason: reason === null ? null : printable(reason),
  state,
  durationNs: samples.durationNs.map(whole),
  cpuNs: samples.cpuNs?.map(whole) ?? null,
});

/** All rows of a frame, in the unit of the options. */
export function frameData(
  frame: FrameReport,
  report: Report,
  { unit, thumbnails: taken }: Pick<ReportOptions, 'unit' | 'thumbnails'>,
): HtmlFrame {
  const shown = frameRows(frame, { ...defaultOptions, unit });
  const tables = [...counterTables(shown, report)];
  const nodes = shown.rows.map(({ node }) => node);
  const thumbnails = thumbnailsOf(nodes, taken?.frames.get(frame.frame));
  const own = timeColumns(shown);
  const pictures = taken ? [pictureColumn(thumbnails)] : [];
  return {
    frame: frame.frame,
    facts: frameFacts(frame, report).map(({ label, text }) => [label, text]),
    tree: {
      depths: nodes.map(({ depth }) => depth),
      looks: nodes.map(({ status }) => status),
      columns: [...own.slice(0, 2), ...pictures, ...own.slice(2), ...counterColumns(shown, report, tables)],
    },
    nodes: nodes.map((node, index) => nodeData(node, thumbnails[index])),
    notes: [...rowNotes(shown), ...tables.flatMap(counterNotes)],
  };
}
