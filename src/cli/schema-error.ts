/** What zod says of a file that was read, in one sentence with the place. */
import type { z } from 'zod';
import { GpuprofError } from '../errors.ts';
import { nearest } from './nearest.ts';

type Place = readonly PropertyKey[];

/** Where something stands, as JavaScript would reach it; empty for the whole. */
function placeText(place: Place): string {
  return place
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** A fault of the file at a place in it. */
export function faultAt(file: string, place: Place, problem: string): GpuprofError {
  const where = placeText(place);
  return new GpuprofError('bad-input', `${file}: ${where === '' ? '' : `${where}: `}${problem}`);
}

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  int: 'whole number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  record: 'object',
};

/** A value in a sentence, on one line. */
export function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  // JSON has neither NaN nor big integers.
  const isNumeric = typeof value === 'number' || typeof value === 'bigint';
  const text =
    typeof value === 'object' && value !== null
      ? 'an object'
      : isNumeric
        ? String(value)
        : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function valueAt(root: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], root);
}

type Issue = z.core.$ZodIssue;

/** An unknown key comes first: it may be what is missing elsewhere, misspelt. */
const weightiest = (issues: readonly Issue[]): Issue | undefined =>
  issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];

/** Of a union, the reading that comes furthest: the one whose fault lies deepest. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  let best = issue as Issue;
  let depth = 0;
  for (const issues of issue.errors) {
    const first = weightiest(issues);
    if (!first) continue;
    const inner = deepest(first);
    // What another reading is no value of says nothing; an unknown key says more than that.
    const reached =
      2 * inner.path.length + (['invalid_type', 'invalid_value', 'invalid_union'].includes(inner.code) ? 0 : 1);
    if (reached > depth) [best, depth] = [{ ...inner, path: [...issue.path, ...inner.path] }, reached];
  }
  return best;
}

/** Kinds of values that the readings of a union would take. */
function expectations(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flatMap(([first]) => (first ? expectations(first) : []));
  if (issue.code === 'invalid_type') return [nouns[issue.expected] ?? issue.expected];
  return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
}

function sentence(issue: Issue, value: unknown): string {
  const shown = show(value);
  if (issue.code === 'unrecognized_keys') return issue.message;
  if (value === undefined && ['invalid_type', 'invalid_union'].includes(issue.code)) return 'it is missing';
  if (issue.code === 'invalid_type' || issue.code === 'invalid_union')
    return `${shown} is no ${[...new Set(expectations(issue))].join(' or ')}`;
  if (issue.code === 'invalid_value') {
    const choices = issue.values.map(String);
    return `${shown} is none of ${choices.join(', ')}${typeof value === 'string' ? nearest(value, choices) : ''}`;
  }
  if (issue.code === 'too_small' && issue.origin === 'array') return 'it is empty';
  if (issue.code === 'too_small' && issue.origin === 'string') return 'it is empty';
  if (issue.code === 'too_small')
    return `${shown} is too small; ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `${shown} is too large; ${issue.maximum} at most`;
  return `${shown} ${issue.message}`;
}

/** The first fault that zod found, as the error to throw. */
export function schemaError(file: string, content: unknown, issues: readonly Issue[]): GpuprofError {
  const issue = deepest(weightiest(issues) as Issue);
  return faultAt(file, issue.path, sentence(issue, valueAt(content, issue.path)));
}
