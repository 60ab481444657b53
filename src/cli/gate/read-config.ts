/** A configuration, checked and worked out for every capture. */
import { basename, resolve } from 'node:path';
import { type Budget, isTime, needsBase, parseLimit } from '../../analysis/gate/limit.ts';
import type { GateCaptureConfig, GateCaptureDefaults, GateConfig } from '../../model/gate-config.ts';
import type { SideReplay } from '../compare/requests.ts';
import { defaultTimeoutSeconds } from '../option-values.ts';
import { faultAt, schemaError, show } from '../schema-error.ts';
import { captureFiles, isGlob } from './capture-files.ts';
import { nameFault } from './capture-name.ts';
import type { ConfigFile } from './config-file.ts';
import { configSchema } from './config-schema.ts';
import { mergeBudgets, readBudgets } from './read-budgets.ts';

export interface CapturePlan {
  readonly name: string;
  /** From the configuration's folder; a glob that matches nothing as it is. */
  readonly file: string;
  /** That it is not there, in a sentence; null when it is. */
  readonly missing: string | null;
  /** A file from the configuration's folder, `auto`, or null for none. */
  readonly baseline: string | null;
  readonly budgets: readonly Budget[];
  readonly timing: boolean;
  /** Patterns. */
  readonly counters: readonly string[];
  /** 0 to 1. */
  readonly threshold: number;
  readonly minChangeNs: number;
  readonly falseAlarmRate: number;
  readonly undecided: 'pass' | 'warn' | 'fail';
  readonly strict: boolean;
  readonly replay: SideReplay;
  readonly runs: number | undefined;
  readonly timeBudget: number | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface GatePlan {
  /** Absolute. */
  readonly folder: string;
  /** From that folder. */
  readonly baselines: string;
  readonly captures: readonly CapturePlan[];
}

/** A path of the configuration, as any process reaches it. */
export const pathOf = ({ folder }: GatePlan, path: string): string => resolve(folder, path);

const part = (percentage: string): number => Number(percentage.slice(0, -1)) / 100;

type Place = readonly PropertyKey[];

function minChange(written: string, file: string, place: Place): number {
  const read = parseLimit(written, 'time');
  if (typeof read !== 'string' && read.kind === 'absolute') return read.value;
  throw faultAt(file, [...place, 'minChange'], `${JSON.stringify(written)} is no duration; write 50us`);
}

/** Those of budgets; without budgets all work counters, so that nothing that was added goes unseen. */
function countersOf(patterns: readonly string[] | undefined, budgets: readonly Budget[]): string[] {
  const named = budgets.filter((budget) => !isTime(budget)).map(({ metric }) => metric);
  return [...new Set([...(patterns ?? (budgets.length === 0 ? ['statistics', 'memory'] : [])), ...named])];
}

function planOf(name: string, file: string, own: GateCaptureConfig, all: GateConfig, at: Place, config: string) {
  const settings: GateCaptureDefaults = { ...all, ...own };
  const budgets = mergeBudgets(
    readBudgets(all.budgets ?? {}, { file: config, place: ['budgets'] }),
    readBudgets(own.budgets ?? {}, { file: config, place: [...at, 'budgets'] }),
  );
  const { baseline = 'auto', frame = 'all', timer = 'auto', per = 'draw', driver = 'auto' } = settings;
  const baseless = budgets.find(({ warn, fail }) => needsBase(warn) || needsBase(fail));
  if (baseline === false && baseless) {
    const { text } = (needsBase(baseless.fail) ? baseless.fail : baseless.warn) ?? { text: '' };
    throw faultAt(config, at, `a budget of ${text} needs a baseline, and baseline is false`);
  }
  if (baseline === false && budgets.length === 0)
    throw faultAt(config, at, 'there is nothing to check: it has neither budgets nor a baseline');
  const timed = budgets.length === 0 || budgets.some(isTime);
  if (settings.timing === false && budgets.some(isTime))
    throw faultAt(config, at, 'a budget is about time, and timing is false');
  const replay = {
    driver,
    browser: settings.browser,
    api: settings.api,
    softwareThreads: settings.softwareThreads ?? 0,
    frame,
    timer,
    per,
    warmup: settings.warmup,
  };
  return {
    name,
    file,
    baseline: baseline === false ? null : baseline,
    budgets,
    timing: timed && settings.timing !== false,
    counters: countersOf(settings.counters, budgets),
    threshold: part(settings.threshold ?? '5%'),
    minChangeNs: minChange(settings.minChange ?? '50us', config, own.minChange === undefined ? [] : at),
    falseAlarmRate: part(settings.falseAlarmRate ?? '1%'),
    undecided: settings.undecided ?? 'warn',
    strict: settings.strict ?? false,
    replay,
    runs: settings.runs,
    timeBudget: settings.timeBudget,
    env: { ...all.env, ...own.env },
  } satisfies Omit<CapturePlan, 'missing' | 'replay'> & { readonly replay: Omit<SideReplay, 'timeout'> };
}

/**
 * Throws GpuprofError `bad-input` for the first fault, with the file and the place in it. A capture that is not there is
 * none: what should have written it may have failed, which results then tell. A replay may stand still for `timeout` seconds.
 */
export function readConfig(
  { name: config, folder, content }: Omit<ConfigFile, 'path'>,
  timeout = defaultTimeoutSeconds,
): GatePlan {
  const parsed = configSchema.safeParse(content, { reportInput: false });
  if (!parsed.success) throw schemaError(config, content, parsed.error.issues);
  const all: GateConfig = parsed.data;
  const places = new Map<string, Place>();
  const captures = all.captures.flatMap((entry, index) => {
    const at: Place = ['captures', index];
    const own: GateCaptureConfig = typeof entry === 'string' ? { file: entry } : entry;
    const found = captureFiles(folder, own.file);
    const place = typeof entry === 'string' ? at : [...at, 'file'];
    const missing = found.length === 0 ? faultAt(config, place, `there is no ${own.file}`).message : null;
    return (missing === null ? found : [own.file]).map((file) => {
      const plain = missing !== null && isGlob(file) ? file : basename(file).replace(/\.cap$/, '');
      const name = own.name === undefined ? plain : found.length > 1 ? `${own.name} ${plain}` : own.name;
      const fault = missing === null ? nameFault(name) : undefined;
      if (fault !== undefined)
        throw faultAt(config, own.name === undefined ? at : [...at, 'name'], `${show(name)} ${fault}`);
      if (places.has(name)) throw faultAt(config, at, `another capture is called ${name}; give this one a name`);
      places.set(name, at);
      const plan = planOf(name, file, own, all, at, config);
      return { ...plan, replay: { ...plan.replay, timeout }, missing };
    });
  });
  return { folder, baselines: all.baselines ?? 'gpuprof-baselines', captures };
}
