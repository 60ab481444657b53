import type { GlContext } from '../../gl/context.ts';
import { enumName } from '../../gl/enums.ts';
import { type GlFunction, Scratch } from '../../gl/native.ts';
import { DriverErrors } from '../driver-errors.ts';
import { driverText, GuardedBuffer } from '../driver-output.ts';
import { DriverQueries, type DriverQueryCommands } from '../driver-queries.ts';

const GL_COUNTER_TYPE_AMD = 0x8bc0;
const GL_COUNTER_RANGE_AMD = 0x8bc1;
const GL_PERFMON_RESULT_AVAILABLE_AMD = 0x8bc4;
const GL_PERFMON_RESULT_SIZE_AMD = 0x8bc5;
const GL_PERFMON_RESULT_AMD = 0x8bc6;

/** Longer names are cut. */
const nameBytes = 4096;
/** More groups, or counters of a group, than any driver has: radeonsi has hundreds of groups of up to hundreds. */
const mostIds = 65_536;
/** What stands in outputs before a call, so that a driver that leaves them untouched is found out. */
const untouchedByte = 0xff;
const untouched = 0xffffffff;

/** The extension's eleven commands: a driver that has the extension has them all. */
const commandNames = [
  'glGetPerfMonitorGroupsAMD',
  'glGetPerfMonitorCountersAMD',
  'glGetPerfMonitorGroupStringAMD',
  'glGetPerfMonitorCounterStringAMD',
  'glGetPerfMonitorCounterInfoAMD',
  'glGenPerfMonitorsAMD',
  'glDeletePerfMonitorsAMD',
  'glSelectPerfMonitorCountersAMD',
  'glBeginPerfMonitorAMD',
  'glEndPerfMonitorAMD',
  'glGetPerfMonitorCounterDataAMD',
] as const;

/** Those of the commands that the context does not have. */
export const lackingMonitorCommands = (context: GlContext): string[] =>
  commandNames.filter((name) => context.find(name) === undefined);

/** A list of ids that a driver gave, and for counters how many of them can be active at once. */
export interface IdList {
  readonly ids: readonly number[];
  readonly mostActive: number;
}

/**
 * The commands of GL_AMD_performance_monitor, each between glGetErrors, with outputs that are checked. What fails
 * comes back as a string: one clause.
 */
export class MonitorCommands {
  readonly begin: GlFunction;
  readonly end: GlFunction;
  readonly errors: DriverErrors;
  readonly #context: GlContext;
  readonly #select: GlFunction;
  readonly #getData: GlFunction;
  readonly #out = new GuardedBuffer(64);
  readonly #name = new GuardedBuffer(nameBytes);
  readonly #selection = new Scratch(mostIds * 4);

  /** The context must have all commands: see {@link lackingMonitorCommands}. */
  constructor(context: GlContext) {
    this.#context = context;
    this.errors = new DriverErrors(context);
    this.begin = context.require('glBeginPerfMonitorAMD');
    this.end = context.require('glEndPerfMonitorAMD');
    this.#select = context.require('glSelectPerfMonitorCountersAMD');
    this.#getData = context.require('glGetPerfMonitorCounterDataAMD');
  }

  #list(command: string, count: () => void, fill: (size: number, ids: number) => void): IdList | string {
    const out = this.#out;
    out.clear(untouchedByte);
    const error = this.errors.of(count);
    if (error) return `${command} raised ${error}`;
    const length = out.i32(0);
    if (length < 0 || length > mostIds || out.overrun) return `${command} says that there are ${length}`;
    const mostActive = out.u32(4) === untouched ? 0 : out.i32(4);
    if (length === 0) return { ids: [], mostActive };
    const list = new GuardedBuffer(length * 4);
    list.clear(untouchedByte);
    const refused = this.errors.of(() => fill(length, list.address));
    if (refused) return `${command} raised ${refused}`;
    if (list.overrun) return `${command} wrote more than there was room for`;
    const ids = Array.from({ length }, (_, index) => list.u32(index * 4)).filter((id) => id !== untouched);
    return { ids: [...new Set(ids)], mostActive };
  }

  /** Ids of all groups. */
  groups(): IdList | string {
    const get = this.#context.require('glGetPerfMonitorGroupsAMD');
    return this.#list(
      'GetPerfMonitorGroupsAMD',
      () => get(this.#out.address, 0, 0),
      (size, ids) => get(0, size, ids),
    );
  }

  /** Ids of a group's counters, and how many of them can be active at once: 0 when the driver does not say. */
  counters(group: number): IdList | string {
    const get = this.#context.require('glGetPerfMonitorCountersAMD');
    return this.#list(
      'GetPerfMonitorCountersAMD',
      () => get(group, this.#out.address, this.#out.address + 4, 0, 0),
      (size, ids) => get(group, 0, 0, size, ids),
    );
  }

  #text(call: (size: number, length: number, text: number) => void): string | null {
    this.#out.clear(untouchedByte);
    this.#name.clear(0);
    const error = this.errors.of(() => call(nameBytes, this.#out.address, this.#name.address));
    if (error) return null;
    const length = this.#out.i32(0);
    const bytes = this.#name.bytes;
    return driverText(length > 0 && length < nameBytes ? bytes.subarray(0, length) : bytes) || null;
  }

  /** Null when the driver gives none. */
  groupName(group: number): string | null {
    const get = this.#context.require('glGetPerfMonitorGroupStringAMD');
    return this.#text((size, length, text) => get(group, size, length, text));
  }

  /** Null when the driver gives none. */
  counterName(group: number, counter: number): string | null {
    const get = this.#context.require('glGetPerfMonitorCounterStringAMD');
    return this.#text((size, length, text) => get(group, counter, size, length, text));
  }

  #info(group: number, counter: number, name: number): string | null {
    const get = this.#context.require('glGetPerfMonitorCounterInfoAMD');
    this.#out.clear(untouchedByte);
    return this.errors.of(() => get(group, counter, name, this.#out.address));
  }

  /** A counter's type as a GL enum, or why there is none. */
  counterType(group: number, counter: number): number | string {
    const error = this.#info(group, counter, GL_COUNTER_TYPE_AMD);
    if (error) return `GetPerfMonitorCounterInfoAMD raised ${error}`;
    const type = this.#out.u32(0);
    return type === untouched ? 'GetPerfMonitorCounterInfoAMD gives no type' : type;
  }

  /** A counter's least and largest value as `read` finds them (offset to value), or null when the driver gives none. */
  counterRange<T>(
    group: number,
    counter: number,
    sizeBytes: number,
    read: (view: DataView, at: number) => T,
  ): [T, T] | null {
    if (this.#info(group, counter, GL_COUNTER_RANGE_AMD)) return null;
    const { view } = this.#out;
    const written = this.#out.bytes.subarray(0, sizeBytes).some((byte) => byte !== untouchedByte);
    return written ? [read(view, 0), read(view, sizeBytes)] : null;
  }

  #create(): number | string {
    const command = 'GenPerfMonitorsAMD';
    this.#out.clear(0);
    const error = this.errors.of(() => this.#context.gl.glGenPerfMonitorsAMD(1, this.#out.address));
    if (error) return `${command} raised ${error}`;
    return this.#out.u32(0) || `${command} gives none`;
  }

  /** Monitors, as query objects. */
  get queries(): DriverQueryCommands {
    const { begin, end, errors } = this;
    return {
      begin,
      end,
      errors,
      names: { create: 'GenPerfMonitorsAMD', begin: 'BeginPerfMonitorAMD', end: 'EndPerfMonitorAMD' },
      create: () => this.#create(),
      delete: (monitor) => {
        this.#out.view.setUint32(0, monitor, true);
        errors.of(() => this.#context.gl.glDeletePerfMonitorsAMD(1, this.#out.address));
      },
    };
  }

  /** Enables counters of a group, which forgets the monitor's results. Returns why the driver refuses, or null. */
  select(monitor: number, group: number, counters: readonly number[]): string | null {
    this.#selection.u32.set(counters);
    const error = this.errors.of(() => this.#select(monitor, 1, group, counters.length, this.#selection.address));
    return error && `SelectPerfMonitorCountersAMD raised ${error}`;
  }

  /**
   * Why the driver does not sample these counters together, as one clause, or null: an empty session is tried. Where there
   * is no monitor to try with, nothing is known against them.
   */
  trial(group: number, counters: readonly number[]): string | null {
    const queries = new DriverQueries(this.queries);
    if (queries.reserve(1) !== null) return null;
    const refused = this.select(queries.object(0), group, counters);
    if (refused === null) {
      queries.begin(0);
      queries.end(0);
    }
    const failed = refused ?? queries.refusal(0);
    queries.settle(0);
    queries.dispose();
    return failed;
  }

  #number(monitor: number, name: number, called: string): number | string {
    const out = this.#out;
    out.clear(untouchedByte);
    this.errors.take();
    this.#getData(monitor, name, 4, out.address, out.address + 8);
    const error = this.errors.take();
    if (error !== 0) return `asking for its ${called} raised ${enumName(error)}`;
    const value = out.u32(0);
    return value === untouched ? `the driver does not answer when asked for its ${called}` : value;
  }

  /** Whether a monitor has a result: 1, null for not yet, or why it will have none. */
  availability(monitor: number): 1 | string | null {
    const answer = this.#number(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD, 'availability');
    if (typeof answer === 'string') return answer;
    return answer === 0 ? null : 1;
  }

  /** Size of a monitor's result in bytes, or why there is none. */
  resultSize(monitor: number): number | string {
    return this.#number(monitor, GL_PERFMON_RESULT_SIZE_AMD, 'size');
  }

  /** Reads a monitor's result into `buffer`. Returns the bytes written, or why there is none. */
  result(monitor: number, buffer: GuardedBuffer): number | string {
    buffer.clear(untouchedByte);
    this.#out.clear(untouchedByte);
    this.errors.take();
    this.#getData(monitor, GL_PERFMON_RESULT_AMD, buffer.sizeBytes, buffer.address, this.#out.address);
    const error = this.errors.take();
    if (error !== 0) return `asking for its result raised ${enumName(error)}`;
    const written = this.#out.i32(0);
    if (written < 0 || written > buffer.sizeBytes)
      return `the driver says that it wrote ${written} bytes where there was room for ${buffer.sizeBytes}`;
    return written;
  }
}
