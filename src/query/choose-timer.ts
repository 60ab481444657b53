import { GpuprofError } from '../errors.ts';
import type { GlContext } from '../gl/context.ts';
import type { Warning } from '../model/report.ts';
import type { MethodTrust, TimerMethodName, TrustCheck } from '../model/sample.ts';
import { type TimerMethod, timerMethod, timerMethodNames } from './timer-method.ts';
import { checkTrust } from './trust-check.ts';
import { trustBounds } from './trust-verdict.ts';

/** A method to measure with, and how it came to be chosen. */
export interface TimerChoice {
  readonly asked: TimerMethodName | 'auto';
  readonly method: TimerMethod;
  /** One clause. */
  readonly why: string;
  readonly trust: TrustCheck;
  readonly warnings: readonly Warning[];
  /** Whether runs can be measured behind a lead (see GpuLead): the GPU has a clock of its own that can be trusted. */
  readonly lead: boolean;
}

/** No method: none can be trusted, or nobody wants one. */
export interface NoTimer {
  readonly asked: TimerMethodName | 'auto';
  readonly method: null;
  /** One clause; and why a leaf has no duration, in few words. */
  readonly why: string;
  readonly problem: string;
  readonly trust: TrustCheck;
  readonly warnings: readonly Warning[];
}

/** `auto` on a software renderer: only finish brackets can carry CPU time, which is steady where duration is not. */
const softwareOrder: readonly TimerMethodName[] = ['finish', 'elapsed', 'timestamp'];

/** What `auto` picks from a trust check, and why; throws GpuprofError `cannot-measure` when nothing is trusted. */
export function pickMethod(trust: TrustCheck, software: boolean): { name: TimerMethodName; why: string } {
  const order = software ? softwareOrder : timerMethodNames;
  const byName = (name: TimerMethodName) => trust.methods.find(({ method }) => method === name) as MethodTrust;
  const refused = order.map(byName).filter(({ trusted }) => !trusted);
  const described = refused.map(({ method, available, reason }) =>
    available ? `${method} ${reason}` : `${method} is not available: ${reason}`,
  );
  const name = order.find((candidate) => byName(candidate).trusted);
  if (!name)
    throw new GpuprofError('cannot-measure', `no timer can be trusted here: ${described.join('; ')}`, {
      hint: '`gpuprof doctor` checks every driver; try another with --driver',
    });
  const grounds = software && name === 'finish' ? 'it carries CPU time and' : 'the cheapest that is trusted: it';
  const chosen = `${grounds} ${byName(name).reason}`;
  return { name, why: [chosen, ...described].join('; ') };
}

/** A method asked for by name is checked alone, but for timestamps, which leads and timelines rest on. */
const checkedFor = (asked: TimerMethodName | 'auto'): readonly TimerMethodName[] =>
  timerMethodNames.filter((name) => asked === 'auto' || name === asked || name === 'timestamp');

/**
 * Checks timer methods on a context in its initial state (see {@link checkTrust}), all of them for `auto`, and settles on one.
 * Throws GpuprofError `cannot-measure` when the method asked for is not to be had, or `auto` finds none to trust.
 */
export function chooseTimer(context: GlContext, asked: TimerMethodName | 'auto'): TimerChoice {
  return settleOn(context, asked, checkTrust(context, checkedFor(asked)));
}

/**
 * As {@link chooseTimer} with `auto`, for replays that count: a context that nothing can time has no method, and the
 * warning says why.
 */
export function chooseTimerIfAny(context: GlContext): TimerChoice | NoTimer {
  let trust: TrustCheck = { bounds: trustBounds, methods: [] };
  try {
    trust = checkTrust(context);
    return settleOn(context, 'auto', trust);
  } catch (error) {
    if (!(error instanceof GpuprofError && error.code === 'cannot-measure')) throw error;
    const warnings = [{ code: 'no-timer', message: `there are no durations: ${error.message}` }];
    const problem = 'no timer can be trusted here';
    return { asked: 'auto', method: null, why: error.message, problem, trust, warnings };
  }
}

/** For replays that only count. */
export function withoutTimer(asked: TimerMethodName | 'auto'): NoTimer {
  const why = 'not timed, as asked';
  return { asked, method: null, why, problem: why, trust: { bounds: trustBounds, methods: [] }, warnings: [] };
}

function settleOn(context: GlContext, asked: TimerMethodName | 'auto', trust: TrustCheck): TimerChoice {
  const { name, why } = asked === 'auto' ? pickMethod(trust, context.software) : { name: asked, why: 'as asked for' };
  const method = timerMethod(context, name);
  if (typeof method === 'string')
    throw new GpuprofError('cannot-measure', `${context.renderer} cannot time by ${name}: ${method}`, {
      hint: 'use --timer auto',
    });
  const verdict = trust.methods.find((candidate) => candidate.method === name);
  const warnings =
    verdict && !verdict.trusted
      ? [
          {
            code: 'untrusted-timer',
            message: `the durations are wrong: ${name}, as asked for, ${verdict.reason}; use --timer auto`,
          },
        ]
      : [];
  const timestamp = trust.methods.find((candidate) => candidate.method === 'timestamp');
  const lead = !context.software && !method.isolate && timestamp?.trusted === true;
  const told = lead ? `${why}; the GPU is kept busy while a run is submitted` : why;
  return { asked, method, why: told, trust, warnings, lead };
}
