/** The JSON of a report (report/SCHEMA.md) as it is checked when read: unknown fields are left out. */
import { z } from 'zod';
import type { NodeReport, Statistics } from '../../model/report.ts';
import { isPlainNode, isReading, isTime, mostCounted, plainLists, statisticsFields } from './plain-node.ts';
import { nodeFault, plainFault, type StatisticsFault } from './statistics-fit.ts';

/** Whole numbers that a double would round stand as text of decimal digits. */
const bigint = z
  .string()
  .regex(/^-?\d{1,20}$/, 'is no whole number')
  .transform(BigInt);
const counterValue = z.union([z.number().min(-mostCounted).max(mostCounted), z.boolean(), bigint, z.null()]);

const count = z.int().min(0);
const maybeText = z.string().nullable();

/** What is wrong with a number that is not as it should be. */
const faultOf = (input: unknown, problem: string, path: PropertyKey[]): z.core.$ZodRawIssue => ({
  code: 'custom',
  message: Number.isFinite(input) ? problem : 'is no number',
  input,
  path,
});

/** Per run, in run order. */
const samplesOf = (isValue: (sample: unknown) => boolean, problem: string) =>
  z.custom<(number | null)[]>().check(({ value, issues }) => {
    if (!Array.isArray(value)) issues.push({ code: 'invalid_type', expected: 'array', input: value });
    else {
      const at = value.findIndex((sample) => sample !== null && !isValue(sample));
      if (at >= 0) issues.push(faultOf(value[at], problem, [at]));
    }
  });

const statisticsOf = (isValue: (value: unknown) => boolean, problem: string) =>
  z.custom<Statistics | null>().check(({ value, issues }) => {
    if (value === null) return;
    if (typeof value !== 'object') issues.push({ code: 'custom', message: 'is no object', input: value });
    else
      for (const field of statisticsFields)
        if (!isValue(value[field])) issues.push(faultOf(value[field], problem, [field]));
  });

const times = samplesOf(isTime, 'is no time');
const timeStatistics = statisticsOf(isTime, 'is no time');

const status = z.enum(['ok', 'questionable', 'failed']);

/** A baseline has only the value of what is sound. */
const cell = z.object({
  value: counterValue,
  samples: z.array(counterValue).default([]),
  status: status.default('ok'),
  reason: maybeText.default(null),
});

export const nodeKind = z.enum([
  'frame',
  'marker',
  'pass',
  'draw',
  'clear',
  'dispatch',
  'blit',
  'copy',
  'resolve',
  'mipmap',
  'upload',
]);

/** As `frames[].nodes[]`, each by itself. */
export const nodeSchema = z.object({
  eventId: z.number().nullable(),
  parentId: z.number().nullable(),
  depth: count,
  kind: nodeKind,
  name: z.string(),
  path: z.string(),
  draws: count,
  isLeaf: z.boolean(),
  program: count,
  target: z.string(),
  state: count.optional(),
  durationNs: timeStatistics,
  rawNs: statisticsOf(isReading, 'is no reading'),
  cpuNs: timeStatistics,
  share: z.number().nullable(),
  status: z.enum(['ok', 'below-resolution', 'questionable', 'failed']),
  reason: maybeText,
  counters: z.record(z.string(), cell).optional(),
  samples: z.object({ durationNs: times, rawNs: samplesOf(isReading, 'is no reading'), cpuNs: times.nullable() }),
});

type Issues = z.core.$ZodRawIssue[];

/** Whether a node stands where a tree can have it: depth first, the frame first, each in the event that it names. */
function isInPlace({ depth, kind, parentId }: NodeReport, index: number, open: readonly NodeReport[], issues: Issues) {
  const isFrame = index === 0;
  if (depth < (isFrame ? 0 : 1) || depth > open.length || (kind === 'frame') !== isFrame)
    issues.push({ code: 'custom', message: 'is out of place', input: depth, path: [index, 'depth'] });
  else if (parentId !== (depth > 1 ? open[depth - 1].eventId : null))
    issues.push({ code: 'custom', message: 'is not the event around it', input: parentId, path: [index, 'parentId'] });
  return issues.length === 0;
}

const tell = (fault: StatisticsFault | null, place: readonly PropertyKey[], issues: Issues): boolean => {
  if (fault === null) return false;
  const { path, value, problem } = fault;
  issues.push({ code: 'custom', message: problem, input: value, path: [...place, ...path] });
  return true;
};

/** What everything that walks the nodes builds on; ends at the first fault. */
const nodes = z
  .custom<unknown[]>((value) => Array.isArray(value), 'is no list')
  .transform((list, { issues }): NodeReport[] => {
    const checked: NodeReport[] = [];
    const open: NodeReport[] = [];
    const areChecked = plainLists.has(list);
    for (const [index, value] of list.entries()) {
      const { data, error } =
        areChecked || isPlainNode(value)
          ? { data: value as NodeReport, error: undefined }
          : nodeSchema.safeParse(value);
      if (error)
        for (const issue of error.issues)
          issues.push({ ...issue, input: value, path: [index, ...issue.path] } as z.core.$ZodRawIssue);
      if (!data || !isInPlace(data, index, open, issues) || (!areChecked && tell(nodeFault(data), [index], issues)))
        break;
      open.length = data.depth;
      open.push(data);
      checked.push(data);
    }
    if (list.length === 0) issues.push({ code: 'custom', message: 'has no frame', input: list });
    return checked;
  });

const frameFields = z.object({
  frame: z.int().min(1),
  plainNs: timeStatistics,
  plainCpuNs: timeStatistics,
  plainSamples: z.object({ durationNs: times, cpuNs: times.nullable() }).optional(),
  bracketedNs: timeStatistics,
  sumOfLeavesNs: timeStatistics,
  inflation: z.number().min(0).nullable(),
  floorNs: timeStatistics,
  runs: count,
  questionableRuns: count,
  repeatedRuns: count,
  nodes,
});
const frame = frameFields.check(({ value, issues }) => {
  tell(plainFault(value), [], issues);
});

/** Each measured once. */
const frames = z
  .array(frame)
  .min(1)
  .check(({ value, issues }) => {
    const known = new Set<number>();
    for (const [index, { frame }] of value.entries()) {
      if (known.has(frame))
        issues.push({ code: 'custom', message: 'is there already', input: frame, path: [index, 'frame'] });
      known.add(frame);
    }
  });

const origin = z.object({ driver: z.string(), api: z.string(), renderer: z.string(), version: z.string() });

const counterInfo = z.object({
  // Not what every object has: values are looked up by it.
  id: z.string().refine((id) => !(id in {}), 'is no name of a counter'),
  set: z.string(),
  name: z.string(),
  description: z.string(),
  unit: z.string(),
  dataType: z.enum(['u32', 'u64', 'f32', 'f64', 'bool']),
  kind: z.enum(['sum', 'ratio', 'average', 'maximum', 'distinct', 'any', 'point']),
  parts: z.object({ of: z.string(), by: z.string(), scale: z.number() }).optional(),
  exact: z.boolean(),
});

const counterSet = z.object({
  id: z.string(),
  source: z.enum(['timer', 'statistics', 'intel', 'amd', 'memory', 'derived']),
  name: z.string(),
  description: z.string(),
  scope: z.enum(['context', 'global']),
  counters: z.array(counterInfo),
  origin: origin.nullable(),
  passes: count,
  runs: count,
  status,
  reason: maybeText,
});

const timer = z.enum(['elapsed', 'timestamp', 'finish']);

const trust = z.object({
  bounds: z.tuple([z.number(), z.number()]),
  methods: z.array(
    z.object({
      method: timer,
      available: z.boolean(),
      trusted: z.boolean(),
      reason: z.string(),
      ratio: z.number().nullable(),
      rungs: z.array(z.object({ work: z.number(), hostNs: z.number(), readNs: z.number() })),
      floorNs: z.number().nullable(),
      bits: z.number().nullable(),
    }),
  ),
});

const environment = z.object({
  driver: z.string(),
  api: z.string(),
  vendor: z.string(),
  renderer: z.string(),
  version: z.string(),
  software: z.boolean(),
  softwareThreads: count.nullable(),
  os: z.string(),
  cpu: z.string(),
  cores: count,
  node: z.string(),
});

const capture = z.object({
  file: z.string(),
  api: z.enum(['webgl1', 'webgl2', 'gles', 'gl']),
  canvas: z.object({
    width: count,
    height: count,
    alpha: z.boolean(),
    depth: z.boolean(),
    stencil: z.boolean(),
    samples: count,
    preserved: z.boolean(),
  }),
  origin: z.object({
    producer: z.string(),
    driver: z.string(),
    vendor: z.string(),
    renderer: z.string(),
    version: z.string(),
  }),
  frames: count,
});

export const resource = z.object({
  class: z.enum(['buffer', 'texture', 'renderbuffer']),
  id: count,
  name: z.string(),
  sizeBytes: z.number().min(0),
  size: z.tuple([z.number(), z.number()]).nullable(),
});

const verification = z.object({
  passed: z.boolean(),
  message: z.string(),
  pixels: count,
  differing: count,
  beyondTolerance: count,
  maxDifference: z.number(),
  meanDifference: z.number(),
  sameRenderer: z.boolean(),
  tolerance: z.number(),
  allowedBeyond: z.number(),
});

export const reportSchema = z.object({
  format: z.literal('gpuprof-report'),
  version: z.literal(1),
  producer: z.string(),
  capture,
  environment,
  trust,
  settings: z.object({
    timer: z.enum(['auto', ...timer.options]),
    method: timer.nullable(),
    why: z.string(),
    per: z.enum(['draw', 'pass', 'marker', 'frame']),
    warmups: count,
  }),
  counters: z.array(counterSet).optional(),
  programs: z.record(z.string().regex(/^\d{1,10}$/, 'is no program'), z.string()).optional(),
  states: z.record(z.string().regex(/^\d{1,10}$/, 'is no state'), z.record(z.string(), z.string())).optional(),
  resources: z.array(resource).optional(),
  frames,
  glErrors: z.array(
    z.object({
      frame: z.number().nullable(),
      eventId: z.number(),
      call: z.string(),
      error: z.string(),
      count,
    }),
  ),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  verification: verification.optional(),
});
