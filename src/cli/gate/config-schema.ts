/** What a configuration of the gate may hold. The JSON schema (config.schema.json) is made from this. */
import { z } from 'zod';
import type { GateConfig } from '../../model/gate-config.ts';
import { nearest } from '../nearest.ts';
import { counterMetrics } from './metrics.ts';

/** An object whose unknown keys are refused with the nearest known name. */
function exactly<T extends z.core.$ZodLooseShape>(shape: T, description: string) {
  const names = Object.keys(shape);
  return z
    .strictObject(shape, {
      error: (issue) => {
        if (issue.code !== 'unrecognized_keys') return undefined;
        const [key] = issue.keys;
        return `${JSON.stringify(key)} is nothing that can stand here${nearest(key, names)}`;
      },
    })
    .describe(description);
}

/** What these leave out is refused with a better message than a pattern's (analysis/gate/limit.ts). */
const limit = z.union([z.string().meta({ pattern: '^[^-]' }), z.number().meta({ minimum: 0 })]).meta({
  id: 'limit',
  description:
    '"2ms" and "500us" for times; 1200000, "1.2M" and "64MB" for counters; "+5%", "+50us", "+100" above the baseline',
});

const levels = z
  .union([limit, exactly({ warn: limit.optional(), fail: limit.optional() }, 'A limit to warn at, and one to fail at')])
  .meta({ id: 'levels', description: 'A limit to fail at, or one for each of warn and fail' });

const limits = z
  .object({
    duration: levels.optional().describe('Time; CPU time on software renderers'),
    cpu: levels.optional().describe('CPU time; software renderers only'),
    ...Object.fromEntries(
      [...counterMetrics].map(([name, { description }]) => [name, levels.optional().describe(description)]),
    ),
  })
  .catchall(levels)
  .meta({
    id: 'limits',
    description: "Limits by metric: duration, cpu, a counter's name in camel case, or its id (intel/SET/NAME)",
  });

const budgets = z.record(z.string(), z.union([limit, limits])).meta({
  id: 'budgets',
  description:
    'Limits by path glob of events, such as **/Shadow, and of the frame itself: by "frame", or without a path',
});

const percentage = z.string().regex(/^\d+(\.\d+)?%$/, { error: 'is no percentage; write 5%' });
const count = (least: number, most: number) => z.int().min(least).max(most);

const perCapture = {
  baseline: z
    .union([z.string().min(1), z.literal(false)])
    .optional()
    .describe('A report, another capture, "auto" (what gpuprof gate --update wrote; the default), or false for none'),
  budgets: budgets.optional(),
  timing: z.boolean().optional().describe('False only counts: no times are measured or compared'),
  counters: z.array(z.string().min(1)).optional().describe('Patterns of counters to measure and compare'),
  threshold: percentage
    .optional()
    .describe('Smallest change of a time that matters, part of the baseline (default: 5%)'),
  minChange: z.string().optional().describe('And at least this (default: 50us)'),
  falseAlarmRate: percentage
    .optional()
    .describe('Highest probability of any false verdict on time in one comparison (default: 1%)'),
  undecided: z
    .enum(['pass', 'warn', 'fail'])
    .optional()
    .describe('What it counts as when the runs do not say whether a limit holds (default: warn)'),
  strict: z.boolean().optional().describe('Whether a budget that no event matches fails; else it warns'),
  driver: z.enum(['auto', 'egl', 'headless-gl', 'swiftshader']).optional().describe('Where the GL context comes from'),
  browser: z.string().min(1).optional().describe('For the driver swiftshader: the Chromium or Chrome that recorded'),
  api: z.enum(['es', 'gl']).optional().describe('OpenGL ES or desktop OpenGL'),
  softwareThreads: z
    .union([count(0, 16), z.literal('default')])
    .optional()
    .describe('Worker threads of a software renderer (default: 0)'),
  frame: z
    .union([count(1, 1_000_000), z.literal('all')])
    .optional()
    .describe('Which frame, from 1 (default: all)'),
  timer: z.enum(['auto', 'elapsed', 'timestamp', 'finish']).optional().describe('How brackets are timed'),
  per: z.enum(['draw', 'pass', 'marker', 'frame']).optional().describe('What one bracket encloses (default: draw)'),
  runs: count(1, 1_000_000).optional().describe('Measured runs of each process (default: as many as it takes)'),
  warmup: count(0, 1_000_000).optional().describe('Runs before those that count'),
  timeBudget: z.number().positive().max(3600).optional().describe('Seconds after which no further run begins'),
  env: z.record(z.string(), z.string()).optional().describe('Variables that replays have from their start'),
};

const capture = exactly(
  {
    file: z.string().min(1).describe("Path from the configuration's folder; a glob means every file it matches"),
    name: z
      .string()
      .regex(/^[^/\\\s](?:[^/\\]*[^/\\\s])?$/, { error: 'is no name; leave out slashes' })
      .optional()
      .describe("In results, and of the baseline's folder (default: the file's name)"),
    ...perCapture,
  },
  'A capture, with what it has for itself',
);

export const configSchema = exactly(
  {
    $schema: z.string().optional(),
    captures: z
      .array(z.union([z.string().min(1), capture]))
      .min(1)
      .describe('Captures to check, or globs of them'),
    baselines: z
      .string()
      .min(1)
      .optional()
      .describe('Folder of what gpuprof gate --update writes (default: gpuprof-baselines)'),
    ...perCapture,
  },
  'Configuration of gpuprof gate',
) satisfies z.ZodType<GateConfig>;

/** The JSON schema of configurations, for editors. */
export const configJsonSchema = (): z.core.JSONSchema.BaseSchema => z.toJSONSchema(configSchema);
