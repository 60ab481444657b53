/** Baselines in the repository: a report for each capture and renderer. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { baselineReport } from '../../analysis/gate/baseline-report.ts';
import { outputFailure } from '../../capture/whole-file.ts';
import type { Environment, Report } from '../../model/report.ts';
import { json } from '../../report/json.ts';
import { writeOutput } from '../output.ts';
import { readText } from '../read-text.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

const longestSlug = 40;

/** What makes times and counts comparable: the renderer, its version, and the API. */
const identity = ({ api, vendor, renderer, version }: Environment): string =>
  JSON.stringify([api, vendor, renderer, version]);

export const isSameRenderer = (left: Environment, right: Environment): boolean => identity(left) === identity(right);

/** `llvmpipe (LLVM 15.0.6, 256 bits), OpenGL ES 3.2 Mesa 22.3.6`. */
export const rendererText = ({ renderer, version }: Environment): string => `${renderer}, ${version}`;

/** A file's name for a renderer: `llvmpipe-llvm-15-0-6-256-bits-1a2b3c4d`. */
function rendererKey(environment: Environment): string {
  const slug = environment.renderer
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replace(/^-|-$/g, '');
  const hash = createHash('sha256').update(identity(environment)).digest('hex').slice(0, 8);
  return `${slug || 'renderer'}-${hash}`;
}

/** From the configuration's folder. */
const folderOf = (plan: GatePlan, capture: CapturePlan): string => `${plan.baselines}/${capture.name}`;

/** Reports in a capture's folder, from the configuration's folder, in order of their names. */
function filesOf(plan: GatePlan, capture: CapturePlan): string[] {
  const folder = folderOf(plan, capture);
  const names = existsSync(pathOf(plan, folder)) ? readdirSync(pathOf(plan, folder)) : [];
  const reports = names.filter((name) => name.endsWith('.json')).sort();
  return reports.map((name) => `${folder}/${name}`);
}

export const hasBaselines = (plan: GatePlan, capture: CapturePlan): boolean => filesOf(plan, capture).length > 0;

export interface Baselines {
  /** Where the one of this renderer is, or would be; from the configuration's folder. */
  readonly path: string;
  readonly isThere: boolean;
  /** Of other renderers. */
  readonly others: readonly string[];
}

export function baselinesOf(plan: GatePlan, capture: CapturePlan, environment: Environment): Baselines {
  const path = `${folderOf(plan, capture)}/${rendererKey(environment)}.json`;
  const files = filesOf(plan, capture);
  return { path, isThere: files.includes(path), others: files.filter((file) => file !== path) };
}

export type Written = 'new' | 'changed' | 'unchanged';

/** One by one: Node.js never returns from `recursive` where none can be made, such as under /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes a baseline whole, unless it says the same already. Throws GpuprofError `output-failed`. */
export async function writeBaseline(plan: GatePlan, path: string, report: Report): Promise<Written> {
  const file = pathOf(plan, path);
  const text = [...json(baselineReport(report))].join('');
  const before = existsSync(file) ? readText(file) : null;
  if (before === text) return 'unchanged';
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw outputFailure(path, error);
  }
  await writeOutput(file, [text]);
  return before === null ? 'new' : 'changed';
}
