/** The JSON of a gate's result (report/SCHEMA.md) as it is checked when read: unknown fields are left out. */
import { z } from 'zod';
import type { GateResult } from '../../model/gate.ts';
import { gateLevels } from '../../model/gate.ts';
import { nodeKind as kind, reportSchema, resource } from '../compare/report-schema.ts';

const { capture, environment, settings, warnings, counters: counterSets } = reportSchema.shape;
const counterInfo = counterSets.unwrap().element.shape.counters;

/** Whole numbers that a double would round stand as text of decimal digits. */
const bigint = z
  .string()
  .regex(/^-?\d{1,20}$/, 'is no whole number')
  .transform(BigInt);
const counterValue = z.union([z.number(), z.boolean(), bigint, z.null()]);
const maybeNumber = z.number().nullable();
const maybeText = z.string().nullable();
const level = z.enum(gateLevels);
/** As many as `--shard` takes. */
const mostShards = 9999;

const event = z.object({
  eventId: maybeNumber,
  path: z.string(),
  name: z.string(),
  program: z.number(),
  target: z.string(),
  draws: z.number(),
});

const time = z.object({
  baseNs: maybeNumber,
  newNs: maybeNumber,
  deltaNs: maybeNumber,
  lowNs: maybeNumber,
  highNs: maybeNumber,
  thresholdNs: maybeNumber,
  verdict: z.enum(['slower', 'faster', 'same', 'undecided']).nullable(),
  reason: maybeText,
});

const counterChange = z.object({
  base: counterValue,
  new: counterValue,
  delta: z.union([z.number(), bigint, z.null()]),
  verdict: z.enum(['more', 'fewer', 'same', 'differs', 'unknown']),
  reason: maybeText,
});

const node = z.object({
  match: z.enum(['matched', 'moved', 'new', 'gone']),
  kind,
  depth: z.int().min(0),
  parent: z.int().min(-1),
  isLeaf: z.boolean(),
  base: event.nullable(),
  new: event.nullable(),
  time,
  changes: z.array(z.object({ what: z.string(), base: z.string(), new: z.string() })).default([]),
  counters: z.record(z.string(), counterChange),
});

/** A frame's: what stands around one comes before it. */
const nodes = z.array(node).superRefine((list, issues) => {
  for (const [index, { parent }] of list.entries())
    if (parent >= index)
      issues.addIssue({ code: 'custom', message: 'is no node before it', input: parent, path: [index, 'parent'] });
});

const side = z.object({
  label: z.string(),
  capture,
  environment,
  settings,
  env: z.record(z.string(), z.string()),
});

const comparison = z.object({
  format: z.literal('gpuprof-comparison'),
  version: z.literal(1),
  producer: z.string(),
  base: side,
  new: side,
  settings: z.object({
    metric: z.enum(['duration', 'cpu']).nullable(),
    why: z.string(),
    threshold: z.number(),
    minChangeNs: z.number(),
    falseAlarmRate: z.number(),
    interleaved: z.boolean(),
    pairs: z.number(),
  }),
  counters: counterInfo,
  // Results of older producers have none.
  resources: z
    .array(z.object({ base: resource.nullable(), new: resource.nullable(), deltaBytes: z.number() }))
    .default([]),
  framesAlone: z.object({ base: z.array(z.int().min(1)), new: z.array(z.int().min(1)) }),
  frames: z.array(z.object({ baseFrame: z.int().min(1), newFrame: z.int().min(1), plain: time, nodes })),
  warnings,
});

const check = z.object({
  frame: z.int().min(1),
  path: z.string(),
  eventId: maybeNumber,
  metric: z.string(),
  unit: z.string(),
  limit: maybeText,
  base: counterValue,
  value: counterValue,
  range: z.number().optional(),
  level,
  message: z.string(),
});

export const resultSchema = z.object({
  format: z.literal('gpuprof-gate'),
  version: z.literal(1),
  producer: z.string(),
  level,
  shard: z
    .object({ index: z.int().min(1), count: z.int().min(1).max(mostShards) })
    .refine(({ index, count }) => index <= count, { error: 'is more than there are shards', path: ['index'] })
    .nullable(),
  captures: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      environment: environment.nullable(),
      baseline: maybeText,
      level,
      reason: maybeText,
      checks: z.array(check),
      comparison: comparison.nullable(),
      warnings,
      wallMs: z.number(),
    }),
  ),
}) satisfies z.ZodType<GateResult>;
