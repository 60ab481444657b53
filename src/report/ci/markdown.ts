/** A gate's result in GitHub's Markdown: a step summary, and a comment on a pull request. */

import { findingsSummary } from '../../model/finding-text.ts';
import { findings } from '../../model/findings.ts';
import type { GateCapture, GateCheck, GateResult } from '../../model/gate.ts';
import { comparedTables, comparisonDetails, findingLines } from '../compare/markdown.ts';
import { defaultCompareOptions } from '../compare/options.ts';
import { type CharactersLeft, escapeMarkdown, tableRow } from '../markdown-lines.ts';
import { printable } from '../printable.ts';
import { shorten } from '../text.ts';
import type { GateReportOptions } from './options.ts';
import { captureSummary, checkValue, gateSummary, gateVerdict, placeText, verdictText, worstFirst } from './texts.ts';

/** Stands first in a comment, so that a script finds the one to replace. */
const commentMarker = '<!-- gpuprof-gate -->';

const mostListed = 20;
/** Room in which nothing is worth beginning. */
const leastDetails = 3000;
const widestText = 400;
const widestPath = 120;

/** What a document may hold, by the measure that its reader counts with. */
interface Room {
  left: number;
  /** Of one capture's details, so that the first does not take all the room. */
  readonly mostDetails: number;
  readonly measure: (text: string) => number;
}

function takes(room: Room, text: string): boolean {
  const size = room.measure(text);
  if (size > room.left) return false;
  room.left -= size;
  return true;
}

const short = (text: string, width = widestText): string => escapeMarkdown(shorten(printable(text), width));

/** What did not pass, a sentence each. */
function checkList(checks: readonly GateCheck[]): string {
  const told = worstFirst(checks.filter(({ level }) => level !== 'pass'));
  const lines = told.slice(0, mostListed).map(({ level, message }) => `- **${level}** ${short(message)}\n`);
  const more = told.length - mostListed;
  if (more > 0) lines.push(`- and ${more} more\n`);
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

/** A capture's heading, what it comes to, and what did not pass. */
function captureSection(capture: GateCapture): string {
  const { name, baseline, environment, checks } = capture;
  const on = environment === null ? '' : ` On ${short(environment.renderer)}.`;
  const against = baseline === null ? '' : ` Compared with ${short(baseline)}.`;
  const heading = `### ${short(name, widestPath)}: ${verdictText(capture)}`;
  return `${heading}\n\n${short(captureSummary(capture))}.${against}${on}\n\n${checkList(checks)}`;
}

const checkRow = (check: GateCheck): string => {
  const values = [checkValue(check.base, check), checkValue(check.value, check), check.limit ?? ''];
  const event = check.eventId === null ? '' : String(check.eventId);
  const texts = [placeText(check), check.metric, ...values].map((text) => short(text, widestPath));
  return tableRow([check.level, event, ...texts]);
};

/** The rows that fit, the worst first, and how many did not. */
function checkTable(checks: readonly GateCheck[], left: CharactersLeft): string {
  const heads = ['level', 'event', 'name', 'metric', 'base', 'value', 'limit'];
  const align = [':---', '---:', ':---', ':---', '---:', '---:', '---:'];
  let table = tableRow(heads) + tableRow(align);
  for (const [index, check] of worstFirst(checks).entries()) {
    const row = checkRow(check);
    left.characters -= row.length;
    if (left.characters < 0)
      return `${table}\n${checks.length - index} more checks would make this longer than GitHub takes.\n\n`;
    table += row;
  }
  return `${table}\n`;
}

/** The numbers behind it, folded; empty where there are none. */
function captureDetails(capture: GateCapture, options: GateReportOptions, mostCharacters: number): string {
  const { name, comparison, warnings } = capture;
  const checks = capture.checks.filter(({ level }) => options.all || level !== 'pass');
  const parts: string[] = [];
  const left = { characters: mostCharacters };
  if (checks.length > 0) parts.push(checkTable(checks, left));
  if (comparison) {
    const list = findings(comparison);
    parts.push(`**${findingsSummary(list)}**\n\n`, ...findingLines(list));
    parts.push(...comparedTables(comparison, list, { ...defaultCompareOptions, unit: options.unit }, left));
    parts.push(...comparisonDetails(comparison), '\n');
  }
  parts.push(...warnings.slice(0, mostListed).map(({ message }) => `> **warning** ${short(message)}\n\n`));
  const text = parts.join('');
  if (text === '') return '';
  return `<details><summary>Numbers of ${short(name, widestPath)}</summary>\n\n${text}</details>\n\n`;
}

/** Whole captures, the worst first, then their details, as far as there is room; told in the captures' order of badness. */
function* document(result: GateResult, options: GateReportOptions, head: string, room: Room): Generator<string> {
  const heading = `${head}## gpuprof gate ${gateVerdict(result)}\n\n${escapeMarkdown(gateSummary(result))}.\n\n`;
  room.left -= room.measure(heading);
  yield heading;
  const captures = worstFirst(result.captures);
  const sections: { readonly capture: GateCapture; readonly text: string }[] = [];
  for (const capture of captures) {
    const text = captureSection(capture);
    if (takes(room, text)) sections.push({ capture, text });
  }
  let unfolded = 0;
  for (const { capture, text } of sections) {
    yield text;
    const isFull = room.left < leastDetails;
    const details = isFull ? '' : captureDetails(capture, options, Math.min(room.mostDetails, room.left / 3));
    if (!isFull && takes(room, details)) yield details;
    else unfolded++;
  }
  const untold = captures.length - sections.length;
  if (untold > 0) yield `${untold} more captures would make this longer than GitHub takes.\n`;
  if (unfolded > 0) yield `The numbers of ${unfolded} captures would make this longer than GitHub takes.\n`;
}

/** For $GITHUB_STEP_SUMMARY, of which GitHub takes 1 MiB a step; some is left for what else the step writes. */
export const gateStepSummary = (result: GateResult, options: GateReportOptions): Iterable<string> =>
  document(result, options, '', { left: 900_000, mostDetails: 200_000, measure: (text) => Buffer.byteLength(text) });

/** For a comment on a pull request, of which GitHub takes 65,536 characters. */
export const gateComment = (result: GateResult, options: GateReportOptions): Iterable<string> =>
  document(result, options, `${commentMarker}\n`, {
    left: 60_000,
    mostDetails: 20_000,
    measure: (text) => text.length,
  });
