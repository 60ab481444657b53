/** The JSON of a report (report/SCHEMA.md) as it is checked when read: unknown fields are left out. */
import { z } from 'zod';
import type { Statistics } from '../../model/report.ts';

/** Whole numbers that a double would round stand as text of decimal digits. */
const bigint = z
  .string()
  .regex(/^-?\d{1,20}$/, 'is no whole number')
  .transform(BigInt);
const counterValue = z.union([z.number(), z.boolean(), bigint, z.null()]);

const count = z.int().min(0);
const maybeText = z.string().nullable();

// A report of 10,000 events has a million of the numbers that these two look at: zod would take seconds for them.
const isSamples = (value: unknown): value is (number | null)[] =>
  Array.isArray(value) && value.every((sample) => sample === null || Number.isFinite(sample));
const samples = z.custom<(number | null)[]>(isSamples, 'is no list of numbers');

const statisticsFields = ['median', 'min', 'max', 'mad', 'low95', 'high95', 'runs'] as const;
const maybeStatistics = z.custom<Statistics | null>().check(({ value, issues }) => {
  if (value === null) return;
  if (typeof value !== 'object') issues.push({ code: 'custom', message: 'is no object', input: value });
  else
    for (const field of statisticsFields)
      if (!Number.isFinite(value[field]))
        issues.push({ code: 'custom', message: 'is no number', input: value[field], path: [field] });
});

const status = z.enum(['ok', 'questionable', 'failed']);

/** A baseline has only the value of what is sound. */
const cell = z.object({
  value: counterValue,
  samples: z.array(counterValue).default([]),
  status: status.default('ok'),
  reason: maybeText.default(null),
});

const node = z.object({
  eventId: z.number().nullable(),
  parentId: z.number().nullable(),
  depth: count,
  kind: z.enum(['frame', 'marker', 'pass', 'draw', 'clear', 'dispatch', 'blit', 'copy', 'resolve', 'mipmap', 'upload']),
  name: z.string(),
  path: z.string(),
  draws: count,
  isLeaf: z.boolean(),
  program: count,
  target: z.string(),
  state: count.optional(),
  durationNs: maybeStatistics,
  rawNs: maybeStatistics,
  cpuNs: maybeStatistics,
  share: z.number().nullable(),
  status: z.enum(['ok', 'below-resolution', 'questionable', 'failed']),
  reason: maybeText,
  counters: z.record(z.string(), cell).optional(),
  samples: z.object({ durationNs: samples, rawNs: samples, cpuNs: samples.nullable() }),
});

/** Depth first, the frame first: what everything that walks the nodes builds on. */
const nodes = z.array(node).check(({ value, issues }) => {
  for (const [index, { depth, kind }] of value.entries()) {
    const least = index === 0 ? 0 : 1;
    const most = index === 0 ? 0 : value[index - 1].depth + 1;
    if (depth >= least && depth <= most && (kind === 'frame') === (index === 0)) continue;
    issues.push({ code: 'custom', message: 'is out of place', input: depth, path: [index, 'depth'] });
    return;
  }
  if (value.length === 0) issues.push({ code: 'custom', message: 'has no frame', input: value });
});

const frame = z.object({
  frame: z.int().min(1),
  plainNs: maybeStatistics,
  plainCpuNs: maybeStatistics,
  plainSamples: z.object({ durationNs: samples, cpuNs: samples.nullable() }).optional(),
  bracketedNs: maybeStatistics,
  sumOfLeavesNs: maybeStatistics,
  inflation: z.number().nullable(),
  floorNs: maybeStatistics,
  runs: count,
  questionableRuns: count,
  repeatedRuns: count,
  nodes,
});

const origin = z.object({ driver: z.string(), api: z.string(), renderer: z.string(), version: z.string() });

const counterInfo = z.object({
  id: z.string(),
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
  frames: z.array(frame).min(1),
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
