import type { Report } from '../model/report.ts';
import type { FrameRows } from './frame-rows.ts';
import { printable } from './printable.ts';
import { marks } from './table-columns.ts';

const mostReasons = 5;

/** Explains the marks that a frame's rows carry, says why rows failed, and how many rows are not shown. */
export function rowNotes({ frame, rows, options }: FrameRows): string[] {
  const notes: string[] = [];
  const leavesBelow = rows.some(({ node }) => node.isLeaf && node.status === 'below-resolution');
  const groupsBelow = rows.some(({ node }) => !node.isLeaf && node.status === 'below-resolution');
  if (leavesBelow && !options.raw)
    notes.push(`${marks.bound} too short to tell from the bracket's own cost (under twice the floor)`);
  if (groupsBelow || (leavesBelow && options.raw))
    notes.push(`${marks.belowResolution} below resolution: reads less than twice the floor of its brackets`);
  const questionable = rows.filter(({ node }) => node.status === 'questionable');
  if (questionable.length > 0)
    notes.push(`${marks.questionable} questionable: ${printable(questionable[0].node.reason ?? 'no reason given')}`);
  // Where nothing was timed, a warning has said so once for all.
  const failed = frame.runs === 0 ? [] : rows.filter(({ node }) => node.status === 'failed');
  for (const { node } of failed.slice(0, mostReasons))
    notes.push(`event ${node.eventId ?? 'frame'} failed: ${printable(node.reason ?? 'no reason given')}`);
  if (failed.length > mostReasons) notes.push(`${failed.length - mostReasons} more failed`);
  if (rows.length < frame.nodes.length) notes.push(`${rows.length} of ${frame.nodes.length} rows shown`);
  return notes;
}

export const warningTexts = (report: Report): string[] => report.warnings.map(({ message }) => printable(message));
