import type { Comparison } from '../../model/comparison.ts';
import type { Environment, Report } from '../../model/report.ts';

export type MetricChoice = Pick<Comparison['settings'], 'metric' | 'why'>;

const identity = ['vendor', 'renderer', 'version', 'api'] as const;

const named: Readonly<Record<(typeof identity)[number], string>> = {
  vendor: 'vendors',
  renderer: 'renderers',
  version: 'versions',
  api: 'APIs',
};

const refused = (why: string): MetricChoice => ({ metric: null, why });

/** Why the times of two renderers or ways of measuring say nothing of each other; null when they do. */
function difference(base: Report, next: Report, paired: boolean): string | null {
  const differ = (what: string, one: string, other: string) =>
    one === other ? null : `the ${what} differ: ${one} and ${other}`;
  for (const field of identity) {
    const reason = differ(named[field], base.environment[field], next.environment[field]);
    if (reason) return reason;
  }
  return (
    differ('timer methods', base.settings.method ?? 'none', next.settings.method ?? 'none') ??
    differ('brackets', base.settings.per, next.settings.per) ??
    (paired ? null : differ('drivers', base.environment.driver, next.environment.driver))
  );
}

const cpuWhy = ({ renderer }: Environment): string =>
  `${renderer} draws on the CPU, and other work on the machine hardly changes CPU time`;

/**
 * What verdicts on time rest on: CPU time on software renderers and the duration on hardware, unless one is asked for.
 * None across renderers, their versions or APIs, timer methods or brackets; nor across drivers unless in one sitting.
 */
export function chooseMetric(
  base: Report,
  next: Report,
  asked: 'duration' | 'cpu' | 'auto',
  paired: boolean,
): MetricChoice {
  for (const [side, { settings }] of [
    ['base', base],
    ['new', next],
  ] as const)
    if (settings.method === null) return refused(`${side} has no times: ${settings.why}`);
  const reason = difference(base, next, paired);
  if (reason) return refused(reason);
  const { environment } = base;
  if (asked === 'duration') return { metric: 'duration', why: 'asked for' };
  if (environment.software) return { metric: 'cpu', why: asked === 'cpu' ? 'asked for' : cpuWhy(environment) };
  return asked === 'cpu'
    ? refused(`CPU time is measured on software renderers, and ${environment.renderer} is none`)
    : { metric: 'duration', why: `${environment.renderer} measures what the GPU does` };
}
