/** Budgets beside a measurement: which limits hold. */
import type { ComparedFrame, ComparedNode, Comparison } from '../../model/comparison.ts';
import type { CounterInfo, CounterValue } from '../../model/counter.ts';
import type { GateCheck, GateLevel } from '../../model/gate.ts';
import type { FrameReport, NodeReport, Report, Statistics } from '../../model/report.ts';
import { judgeCounter } from './judge-counter.ts';
import { judgeTime, type TimeFacts } from './judge-time.ts';
import { type Budget, isTime, needsBase } from './limit.ts';
import { type Judged, settled, type UndecidedLevel, worseOf } from './outcome.ts';
import { pathGlob } from './path-glob.ts';

export interface BudgetRules {
  readonly undecided: UndecidedLevel;
  /** Whether a budget that no event matches fails; else it warns. */
  readonly strict: boolean;
  /** Why there is no comparison, or none of an event: the end of a sentence. */
  readonly unknown: string;
  /** Why times are not compared with those of the baseline; null when they are. */
  readonly incomparable: string | null;
}

interface Place {
  readonly report: Report;
  readonly frame: FrameReport;
  readonly node: NodeReport;
  /** Null where nothing was compared. */
  readonly comparedFrame: ComparedFrame | null;
  readonly compared: ComparedNode | null;
  readonly unknown: string;
}

const isFrame = ({ kind }: NodeReport): boolean => kind === 'frame';

/** The frame's own time is that of runs without brackets, which slow it; else the sum of its events. */
function timeFacts(place: Place, metric: string, incomparable: string | null): TimeFacts {
  const { report, frame, node, compared, comparedFrame, unknown } = place;
  const isCpu = metric === 'cpu' || report.environment.software;
  const plain = isCpu ? frame.plainCpuNs : frame.plainNs;
  const ofPlain = isFrame(node) && plain !== null;
  const statistics = ofPlain ? plain : isCpu ? node.cpuNs : node.durationNs;
  const isDoubtful = node.status === 'failed' || node.status === 'questionable';
  const noCpu = isCpu && !report.environment.software;
  const problem = noCpu
    ? `${report.environment.renderer} is no software renderer, so it has no CPU times`
    : isDoubtful && !ofPlain
      ? node.reason
      : statistics
        ? null
        : (node.reason ?? report.settings.why);
  const plainChange = comparedFrame?.plain.verdict === null ? undefined : comparedFrame?.plain;
  const time = (isFrame(node) ? plainChange : undefined) ?? compared?.time;
  return {
    statistics,
    problem,
    kind: isCpu ? ' of CPU time' : '',
    change: compared && time && !noCpu ? { match: compared.match, time } : null,
    unknown: noCpu ? (problem ?? unknown) : unknown,
    incomparable: noCpu ? null : incomparable,
  };
}

interface Weighed {
  readonly judged: Judged & { readonly level: GateLevel };
  readonly base: CounterValue;
  readonly value: CounterValue;
  readonly range?: number;
}

/** Half the width of its interval. */
const rangeOf = ({ low95, high95 }: Statistics): number => (high95 - low95) / 2;

function weighTime(budget: Budget, place: Place, incomparable: string | null): Weighed {
  const facts = timeFacts(place, budget.metric, incomparable);
  const told = worseOf(budget, (limit) => judgeTime(limit, facts));
  const standsIn = budget.metric === 'duration' && place.report.environment.software;
  const text = standsIn ? `${told.text}; on a software renderer a duration is CPU time` : told.text;
  return {
    judged: { ...told, text },
    base: told.baseNs,
    value: told.valueNs,
    // A change may be of another sitting than the statistics.
    ...(facts.statistics?.median === told.valueNs && { range: rangeOf(facts.statistics) }),
  };
}

const infoOf = ({ counters = [] }: Report, id: string): CounterInfo | undefined =>
  counters.flatMap((set) => set.counters).find((counter) => counter.id === id);

function weighCounter(budget: Budget, place: Place): Weighed {
  const { report, node, compared, unknown } = place;
  const info = infoOf(report, budget.metric);
  const cell = node.counters?.[budget.metric];
  // A set that is nowhere to be had stands there under the name that was asked for.
  const set = report.counters?.find(({ id }) => budget.metric === id || budget.metric.startsWith(`${id}/`));
  const change = compared?.match === 'new' ? 'new' : (compared?.counters[budget.metric] ?? null);
  const value = cell?.value ?? null;
  const judged = worseOf(budget, (limit) =>
    judgeCounter(limit, {
      name: info?.name ?? budget.metric,
      unit: info?.unit ?? budget.unit,
      value,
      reason: cell?.reason ?? set?.reason ?? null,
      change,
      unknown: compared ? 'the baseline does not have it' : unknown,
    }),
  );
  const base = change === 'new' || !needsBase(judged.limit) ? null : (change?.base ?? null);
  return { judged, base, value };
}

/** Names an event: by its number too where others have its path. */
function subject({ report, frame, node }: Place, shared: ReadonlySet<string>): string {
  const number = report.frames.length > 1 ? ` in frame ${frame.frame}` : '';
  if (isFrame(node)) return report.frames.length > 1 ? `frame ${frame.frame}` : 'the frame';
  return `${node.path}${shared.has(node.path) ? ` (event ${node.eventId})` : ''}${number}`;
}

/** `source`: which budget it is, where several are about one value; else nothing. */
function checkOf(
  budget: Budget,
  place: Place,
  shared: ReadonlySet<string>,
  rules: BudgetRules,
  source: string,
): GateCheck {
  const { judged, ...values } = isTime(budget)
    ? weighTime(budget, place, rules.incomparable)
    : weighCounter(budget, place);
  return {
    frame: place.frame.frame,
    path: place.node.path,
    eventId: place.node.eventId,
    metric: budget.metric,
    unit: budget.unit,
    limit: judged.limit.text,
    ...values,
    level: settled(judged.level, rules.undecided),
    message: `${subject(place, shared)}: ${judged.text}${source}`,
  };
}

/** Paths that several events of a frame have. */
function sharedPaths({ nodes }: FrameReport): Set<string> {
  const counts = new Map<string, number>();
  for (const { path } of nodes) counts.set(path, (counts.get(path) ?? 0) + 1);
  return new Set([...counts].flatMap(([path, count]) => (count > 1 ? [path] : [])));
}

interface Matcher {
  readonly budget: Budget;
  readonly matches: (node: NodeReport) => boolean;
  matched: boolean;
}

function matcherOf(budget: Budget): Matcher {
  if (budget.pattern === '') return { budget, matches: isFrame, matched: false };
  const glob = pathGlob(budget.pattern);
  return { budget, matches: (node) => !isFrame(node) && glob(node.path), matched: false };
}

function* frameChecks(
  report: Report,
  frame: FrameReport,
  comparison: Comparison | null,
  matchers: readonly Matcher[],
  rules: BudgetRules,
) {
  const comparedFrame = comparison?.frames.find(({ newFrame }) => newFrame === frame.frame) ?? null;
  const compared = new Map(comparedFrame?.nodes.flatMap((node) => (node.new ? [[node.new.eventId, node]] : [])));
  const shared = sharedPaths(frame);
  const unknown = comparison && !comparedFrame ? `the baseline has no frame ${frame.frame}` : rules.unknown;
  for (const node of frame.nodes) {
    const place = { report, frame, node, comparedFrame, compared: compared.get(node.eventId) ?? null, unknown };
    const about = matchers.filter((matcher) => matcher.matches(node));
    for (const matcher of about) {
      matcher.matched = true;
      const { pattern, metric } = matcher.budget;
      const isShared = about.some(({ budget }) => budget.metric === metric && budget.pattern !== pattern);
      yield checkOf(matcher.budget, place, shared, rules, isShared ? ` (budget for ${pattern})` : '');
    }
  }
}

function unmatchedCheck(budget: Budget, { frames }: Report, strict: boolean): GateCheck {
  const { pattern, metric, unit, fail, warn } = budget;
  const limit = (fail ?? warn)?.text ?? null;
  return {
    frame: frames[0]?.frame ?? 1,
    path: pattern,
    eventId: null,
    metric,
    unit,
    limit,
    base: null,
    value: null,
    level: strict ? 'fail' : 'warn',
    message: `no event matches the budget for ${pattern}: ${metric} ${limit}`,
  };
}

/**
 * Every limit on every event that it is about. Of a comparison the new side is this report. A budget that is about no
 * event is a check that warns, with `strict` one that fails; `reason`: why nothing was checked, null when anything was.
 */
export function checkBudgets(
  report: Report,
  comparison: Comparison | null,
  budgets: readonly Budget[],
  rules: BudgetRules,
): { readonly checks: GateCheck[]; readonly reason: string | null } {
  const matchers = budgets.map(matcherOf);
  const checks = report.frames.flatMap((frame) => [...frameChecks(report, frame, comparison, matchers, rules)]);
  const unmatched = matchers.filter(({ matched }) => !matched);
  return {
    checks: [...checks, ...unmatched.map(({ budget }) => unmatchedCheck(budget, report, rules.strict))],
    reason: checks.length > 0 ? null : 'nothing was checked: no event matches any of its budgets',
  };
}
