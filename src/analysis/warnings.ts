import { isSameOrigin, originText } from '../model/counter-origin.ts';
import {
  type CounterSetReport,
  type FrameReport,
  type GlErrorReport,
  isPlayedOnce,
  type Report,
  type Warning,
} from '../model/report.ts';

/** The leaves explain a frame when their sum is within this part of its own duration. */
const explainedWithin = 0.25;
const highInflation = 2;

const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)} times`;

function frameWarnings(frame: FrameReport, per: Report['settings']['per'], isOnly: boolean): Warning[] {
  const warnings: Warning[] = [];
  const place = isOnly ? '' : `frame ${frame.frame}: `;
  const warn = (code: string, message: string) => warnings.push({ code, message: `${place}${message}` });
  const leaves = frame.nodes.filter((node) => node.isLeaf);
  const coarser = { draw: 'pass', pass: 'marker', marker: 'frame', frame: null }[per];
  const remedy = coarser ? `; try --per ${coarser}` : '';
  if (frame.runs > 0 && frame.plainNs === null && !isPlayedOnce(frame))
    warn('plain-unmeasured', "the frame's own duration could not be measured: every plain run was questionable");
  if (frame.plainNs && frame.sumOfLeavesNs && frame.plainNs.median > 0) {
    const ratio = frame.sumOfLeavesNs.median / frame.plainNs.median;
    if (ratio > 1 + explainedWithin)
      warn('leaves-exceed-frame', `the leaves add up to ${times(ratio)} the frame's own duration${remedy}`);
    if (ratio < 1 - explainedWithin)
      warn(
        'leaves-miss-frame',
        `the leaves add up to ${(ratio * 100).toFixed(0)}% of the frame's own duration; the rest lies between them: state changes, submission, waiting`,
      );
  }
  if (frame.inflation !== null && frame.inflation > highInflation)
    warn('inflation', `with brackets the frame takes ${times(frame.inflation)} as long as without${remedy}`);
  const below = leaves.filter(({ status }) => status === 'below-resolution').length;
  if (below * 2 > leaves.length)
    warn('below-resolution', `${below} of ${leaves.length} leaves are below resolution${remedy}`);
  const failed = leaves.filter(({ status }) => status === 'failed').length;
  if (failed > 0 && frame.runs > 0) warn('failed-leaves', `${failed} of ${leaves.length} leaves could not be measured`);
  if (frame.questionableRuns > 0) {
    const reason = frame.nodes[0]?.status === 'questionable' ? `: ${frame.nodes[0].reason}` : '';
    warn('questionable-runs', `${frame.questionableRuns} of ${frame.runs} runs stayed questionable${reason}`);
  }
  return warnings;
}

function glErrorWarning(errors: readonly GlErrorReport[]): Warning[] {
  if (errors.length === 0) return [];
  const { frame, eventId, call, error } = errors[0];
  const where = frame === null ? `call ${eventId} of the setup` : `event ${eventId} of frame ${frame}`;
  const more = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  return [{ code: 'gl-errors', message: `${where} raised ${error}: ${call}${more}` }];
}

/** Which sets say less than they were asked for; what is derived repeats what its parts have said. */
function lossWarnings(sets: readonly CounterSetReport[]): Warning[] {
  return sets.flatMap(({ id, source, status, reason }): Warning[] => {
    if (status === 'ok' || source === 'derived') return [];
    const why = reason === null ? '' : `: ${reason}`;
    return status === 'failed'
      ? [{ code: 'counters-lost', message: `${id} could not be measured${why}` }]
      : [{ code: 'counters-questionable', message: `${id} is questionable${why}` }];
  });
}

/** Which sets come from another context than the times, one warning for each such context. */
function elsewhereWarnings(sets: readonly CounterSetReport[], times: Report['environment']): Warning[] {
  const places = new Map<string, string[]>();
  for (const { id, origin } of sets) {
    if (origin === null || isSameOrigin(origin, times)) continue;
    const place = originText(origin);
    places.set(place, [...(places.get(place) ?? []), id]);
  }
  return [...places].map(([place, ids]) => ({
    code: 'counters-elsewhere',
    message: `${ids.join(', ')} ${ids.length === 1 ? 'was' : 'were'} measured on ${place}, the times on ${originText(times)}`,
  }));
}

/** What a reader must know before trusting a report's numbers, most serious first; each names its remedy if it has one. */
export function warningsOf(report: Omit<Report, 'warnings'>): Warning[] {
  const { software, renderer } = report.environment;
  const note: Warning[] = software
    ? [
        {
          code: 'software-renderer',
          message: `${renderer} draws on the CPU: the durations are not those of a GPU; compare CPU times, which other work on the machine hardly changes`,
        },
      ]
    : [];
  return [
    ...glErrorWarning(report.glErrors),
    ...report.frames.flatMap((frame) => frameWarnings(frame, report.settings.per, report.capture.frames === 1)),
    ...lossWarnings(report.counters ?? []),
    ...(report.settings.method === null
      ? []
      : [...elsewhereWarnings(report.counters ?? [], report.environment), ...note]),
  ];
}
