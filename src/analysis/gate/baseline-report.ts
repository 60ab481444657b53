/** What of a report is kept as a baseline: as little as a later comparison needs, so that a repository can hold it. */
import type { CounterCell, Environment, FrameReport, NodeReport, Report, Statistics } from '../../model/report.ts';

type Samples = readonly (number | null)[];

const whole = (samples: Samples): Samples => samples.map((value) => value && Math.round(value));

const rounded = (statistics: Statistics | null): Statistics | null =>
  statistics && {
    median: Math.round(statistics.median),
    min: Math.round(statistics.min),
    max: Math.round(statistics.max),
    mad: Math.round(statistics.mad),
    low95: Math.round(statistics.low95),
    high95: Math.round(statistics.high95),
    runs: statistics.runs,
  };

/** Of what is sound the value alone, as the reader of reports puts the rest there again. */
function keptCell({ value, status, reason }: CounterCell): CounterCell {
  if (status === 'ok' && reason === null) return { value } as CounterCell;
  return { value, samples: [], status, reason };
}

const keptCells = (cells: NonNullable<NodeReport['counters']>): NodeReport['counters'] =>
  Object.fromEntries(Object.entries(cells).map(([id, cell]) => [id, keptCell(cell)]));

/** On software renderers CPU times are compared, elsewhere durations: only their samples stay. */
function keptNode(node: NodeReport, software: boolean): NodeReport {
  const { durationNs, cpuNs, samples, counters } = node;
  return {
    ...node,
    durationNs: rounded(durationNs),
    rawNs: null,
    cpuNs: rounded(cpuNs),
    share: node.share === null ? null : Number(node.share.toFixed(4)),
    ...(counters && { counters: keptCells(counters) }),
    samples: {
      durationNs: software ? [] : whole(samples.durationNs),
      rawNs: [],
      cpuNs: software && samples.cpuNs ? whole(samples.cpuNs) : null,
    },
  };
}

function keptFrame(frame: FrameReport, software: boolean): FrameReport {
  const { plainNs, plainCpuNs, plainSamples } = frame;
  return {
    ...frame,
    plainNs: rounded(plainNs),
    plainCpuNs: rounded(plainCpuNs),
    ...(plainSamples && {
      plainSamples: {
        durationNs: software ? [] : whole(plainSamples.durationNs),
        cpuNs: software && plainSamples.cpuNs ? whole(plainSamples.cpuNs) : null,
      },
    }),
    bracketedNs: null,
    sumOfLeavesNs: rounded(frame.sumOfLeavesNs),
    inflation: null,
    floorNs: rounded(frame.floorNs),
    nodes: frame.nodes.map((node) => keptNode(node, software)),
  };
}

/** Without what changes with every update of a system, and nothing that is measured depends on. */
const keptEnvironment = (environment: Environment): Environment => ({
  ...environment,
  os: environment.os.replace(/^(\S+) .*?(\S+)$/, '$1 $2'),
  node: environment.node.split('.')[0],
});

/**
 * A report without what no comparison asks for: readings as they came, samples of the metric that is not compared and of
 * counters, the trust check's rungs, versions of the kernel and of Node.js. Times are whole nanoseconds.
 */
export function baselineReport(report: Report): Report {
  const { trust, environment, frames } = report;
  return {
    ...report,
    environment: keptEnvironment(environment),
    trust: { ...trust, methods: trust.methods.map((method) => ({ ...method, ratio: null, rungs: [], floorNs: null })) },
    frames: frames.map((frame) => keptFrame(frame, environment.software)),
  };
}
