/**
 * JUnit XML as GitLab, Jenkins and the actions of GitHub read it: a suite for each capture, a case for each check.
 * GitLab takes the suite from `classname`, the text of a failure from its content, and the first only of cases with one
 * name; Jenkins takes a file without cases for a failure, so that each suite has one that tells of the measurement.
 */
import type { GateCapture, GateCheck, GateResult } from '../../model/gate.ts';
import { printable } from '../printable.ts';
import { captureSummary, checkValue, placeText } from './texts.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const xml = (text: string): string => printable(text).replace(/[&<>"']/g, (character) => entities[character]);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('');

const seconds = (wallMs: number): string => (wallMs / 1000).toFixed(3);

interface Case {
  readonly name: string;
  readonly wallMs: number;
  readonly outcome: 'pass' | 'failure' | 'error' | 'skipped';
  /** Of an outcome that is not `pass`, and what else is to be told of one that is; null for nothing. */
  readonly message: string | null;
  readonly details: string | null;
}

const outcomes = {
  pass: 'pass',
  warn: 'pass',
  fail: 'failure',
  unmeasured: 'error',
  undecided: 'skipped',
} as const satisfies Record<GateCheck['level'], Case['outcome']>;

/** `frame 1: scene/floor: duration, at most +5%`. */
const checkName = (check: GateCheck): string => {
  const place = check.path === '' ? placeText(check) : `frame ${check.frame}: ${check.path}`;
  return `${place}: ${check.metric}${check.limit === null ? '' : `, limit ${check.limit}`}`;
};

function checkCase(check: GateCheck, name: string): Case {
  const { level, message, limit } = check;
  const details = `base ${checkValue(check.base, check)}, value ${checkValue(check.value, check)}, limit ${limit ?? 'none'}`;
  return {
    name,
    wallMs: 0,
    outcome: outcomes[level],
    message: level === 'pass' ? null : level === 'warn' ? `warning: ${message}` : message,
    details,
  };
}

/** Names that repeat are numbered. */
function casesOf(capture: GateCapture): Case[] {
  const { level, reason, wallMs } = capture;
  // What failed is told by its checks.
  const isTold = reason === null || (level !== 'unmeasured' && level !== 'undecided');
  const measurement: Case = {
    name: 'measurement',
    wallMs,
    outcome: isTold ? 'pass' : outcomes[level],
    message: reason,
    details: captureSummary(capture),
  };
  const seen = new Map<string, number>([[measurement.name, 1]]);
  const checks = capture.checks.map((check) => {
    const name = checkName(check);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return checkCase(check, count === 1 ? name : `${name} (${count})`);
  });
  return [measurement, ...checks];
}

function caseElement(classname: string, { name, wallMs, outcome, message, details }: Case): string {
  const start = `    <testcase${attributes({ classname, name, time: seconds(wallMs) })}`;
  if (outcome === 'pass' && message === null) return `${start}/>\n`;
  const text = xml(message ?? '');
  const inner =
    outcome === 'pass'
      ? `<system-out>${text}</system-out>`
      : outcome === 'skipped'
        ? `<skipped${attributes({ message: message ?? '' })}>${text}</skipped>`
        : `<${outcome}${attributes({ message: message ?? '', type: `gpuprof.${outcome}` })}>${text}\n${xml(details ?? '')}</${outcome}>`;
  return `${start}>\n      ${inner}\n    </testcase>\n`;
}

const countsOf = (cases: readonly Case[]) => ({
  tests: cases.length,
  failures: cases.filter(({ outcome }) => outcome === 'failure').length,
  errors: cases.filter(({ outcome }) => outcome === 'error').length,
  skipped: cases.filter(({ outcome }) => outcome === 'skipped').length,
});

function* properties({ file, environment, baseline }: GateCapture): Generator<string> {
  const values: Record<string, string> = file === '' ? {} : { capture: file };
  if (environment) Object.assign(values, { renderer: environment.renderer, version: environment.version });
  if (baseline !== null) values.baseline = baseline;
  const entries = Object.entries(values);
  if (entries.length === 0) return;
  yield '    <properties>\n';
  for (const [name, value] of entries) yield `      <property${attributes({ name, value })}/>\n`;
  yield '    </properties>\n';
}

/** What stands for captures where there are none: a shard may have got none, and else nothing was measured. */
function noCapture({ shard }: GateResult): GateCapture {
  const name = shard === null ? 'no capture' : `shard ${shard.index} of ${shard.count}`;
  const reason = shard === null ? 'there is no capture' : 'no capture is in this shard';
  const nothing = {
    file: '',
    environment: null,
    baseline: null,
    checks: [],
    comparison: null,
    warnings: [],
    wallMs: 0,
  };
  return { ...nothing, name, level: shard === null ? 'unmeasured' : 'undecided', reason };
}

export function* gateJunit(result: GateResult): Generator<string> {
  const captures = result.captures.length === 0 ? [noCapture(result)] : result.captures;
  const suites = captures.map((capture) => ({ capture, cases: casesOf(capture) }));
  const wallMs = captures.reduce((sum, capture) => sum + capture.wallMs, 0);
  const all = countsOf(suites.flatMap(({ cases }) => cases));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${attributes({ name: 'gpuprof gate', ...all, time: seconds(wallMs) })}>\n`;
  for (const { capture, cases } of suites) {
    yield `  <testsuite${attributes({ name: capture.name, ...countsOf(cases), time: seconds(capture.wallMs) })}>\n`;
    yield* properties(capture);
    for (const each of cases) yield caseElement(capture.name, each);
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}
