import type { GlContext } from '../../gl/context.ts';
import { enumName } from '../../gl/enums.ts';
import type { GlFunction } from '../../gl/native.ts';
import { DriverErrors } from '../driver-errors.ts';
import { GuardedBuffer } from '../driver-output.ts';
import type { DriverQueryCommands } from '../driver-queries.ts';

const PERFQUERY_QUERY_NAME_LENGTH_MAX_INTEL = 0x94fd;
const PERFQUERY_COUNTER_NAME_LENGTH_MAX_INTEL = 0x94fe;
const PERFQUERY_COUNTER_DESC_LENGTH_MAX_INTEL = 0x94ff;
const PERFQUERY_GPA_EXTENDED_COUNTERS_INTEL = 0x9500;

/** How GetPerfQueryData waits. These are values, not bits. */
export const dataFlags = { wait: 0x83fb, flush: 0x83fa, doNotFlush: 0x83f9 } as const;

/** Longer texts than this are cut, whatever limit the driver states. */
const mostTextBytes = 65_536;
/** What stands in outputs before a call, so that a driver that leaves them untouched is found out. */
const untouchedByte = 0xd9;
const untouched = 0xd9d9d9d9;

/** GetPerfQueryInfo's answer. */
export interface QueryTypeInfo {
  /** Up to its NUL, or the whole buffer. */
  readonly name: Uint8Array;
  readonly dataSize: number;
  readonly counters: number;
  /** Mesa: the instances that there are. Others: the most there can be. */
  readonly instances: number;
  readonly capabilities: number;
}

/** GetPerfCounterInfo's answer; types are GL enums. */
export interface QueryCounterInfo {
  readonly name: Uint8Array;
  readonly description: Uint8Array;
  readonly offset: number;
  readonly size: number;
  readonly type: number;
  readonly dataType: number;
  readonly most: bigint;
}

/** The extension's ten commands: a driver that has the extension has them all. */
const commandNames = [
  'glGetFirstPerfQueryIdINTEL',
  'glGetNextPerfQueryIdINTEL',
  'glGetPerfQueryIdByNameINTEL',
  'glGetPerfQueryInfoINTEL',
  'glGetPerfCounterInfoINTEL',
  'glCreatePerfQueryINTEL',
  'glDeletePerfQueryINTEL',
  'glBeginPerfQueryINTEL',
  'glEndPerfQueryINTEL',
  'glGetPerfQueryDataINTEL',
] as const;

/** Those of the commands that the context does not have. */
export const lackingIntelCommands = (context: GlContext): string[] =>
  commandNames.filter((name) => context.find(name) === undefined);

function textOf(buffer: GuardedBuffer): Uint8Array {
  const end = buffer.bytes.indexOf(0);
  return buffer.bytes.slice(0, end < 0 ? buffer.sizeBytes : end);
}

/**
 * The ten commands of GL_INTEL_performance_query, each between glGetErrors and with outputs that are checked. What fails
 * comes back as a string: one clause.
 */
export class IntelCommands {
  readonly begin: GlFunction;
  readonly end: GlFunction;
  readonly errors: DriverErrors;
  /** Whether the driver has counters that are meant for Intel's own tools, too. */
  readonly hasExtendedCounters: boolean;
  readonly #context: GlContext;
  readonly #getData: GlFunction;
  readonly #out = new GuardedBuffer(64);
  readonly #queryName: GuardedBuffer;
  readonly #counterName: GuardedBuffer;
  readonly #description: GuardedBuffer;

  /** The context must have all commands: see {@link lackingIntelCommands}. */
  constructor(context: GlContext) {
    this.#context = context;
    this.errors = new DriverErrors(context);
    this.begin = context.require('glBeginPerfQueryINTEL');
    this.end = context.require('glEndPerfQueryINTEL');
    this.#getData = context.require('glGetPerfQueryDataINTEL');
    this.#queryName = new GuardedBuffer(this.#limit(PERFQUERY_QUERY_NAME_LENGTH_MAX_INTEL, 256));
    this.#counterName = new GuardedBuffer(this.#limit(PERFQUERY_COUNTER_NAME_LENGTH_MAX_INTEL, 256));
    this.#description = new GuardedBuffer(this.#limit(PERFQUERY_COUNTER_DESC_LENGTH_MAX_INTEL, 1024));
    this.#out.clear(0);
    const getBooleans = context.require('glGetBooleanv');
    const error = this.errors.of(() => getBooleans(PERFQUERY_GPA_EXTENDED_COUNTERS_INTEL, this.#out.address));
    this.hasExtendedCounters = error === null && this.#out.bytes[0] !== 0;
  }

  /** A limit that the driver states, or the extension's least when that makes no sense. */
  #limit(name: number, least: number): number {
    this.#out.clear(0);
    const error = this.errors.of(() => this.#context.gl.glGetIntegerv(name, this.#out.address));
    const stated = this.#out.i32(0);
    return error === null && stated >= least && stated <= mostTextBytes ? stated : least;
  }

  /** One number that a command writes. */
  #number(command: string, call: (out: number) => void): number | string {
    this.#out.clear(untouchedByte);
    const error = this.errors.of(() => call(this.#out.address));
    if (error) return `${command} raised ${error}`;
    if (this.#out.overrun) return `${command} wrote more than there was room for`;
    const value = this.#out.u32(0);
    return value === untouched ? `${command} gives nothing` : value;
  }

  firstType(): number | string {
    return this.#number('GetFirstPerfQueryIdINTEL', (out) => this.#context.gl.glGetFirstPerfQueryIdINTEL(out));
  }

  /** 0 after the last. */
  nextType(id: number): number | string {
    return this.#number('GetNextPerfQueryIdINTEL', (out) => this.#context.gl.glGetNextPerfQueryIdINTEL(id, out));
  }

  typeByName(name: Uint8Array): number | string {
    const text = new GuardedBuffer(name.length + 1);
    text.bytes.set(name);
    const { glGetPerfQueryIdByNameINTEL: get } = this.#context.gl;
    return this.#number('GetPerfQueryIdByNameINTEL', (out) => get(text.address, out));
  }

  typeInfo(id: number): QueryTypeInfo | string {
    const out = this.#out;
    const name = this.#queryName;
    out.clear(untouchedByte);
    name.clear(0);
    const at = out.address;
    const get = this.#context.gl.glGetPerfQueryInfoINTEL;
    const error = this.errors.of(() => get(id, name.sizeBytes, name.address, at, at + 4, at + 8, at + 12));
    if (error) return `GetPerfQueryInfoINTEL raised ${error}`;
    if (out.overrun || name.overrun) return 'GetPerfQueryInfoINTEL wrote more than there was room for';
    if (out.u32(0) === untouched || out.u32(4) === untouched)
      return 'GetPerfQueryInfoINTEL gives no size or number of counters';
    const orZero = (value: number) => (value === untouched ? 0 : value);
    return {
      name: textOf(name),
      dataSize: out.u32(0),
      counters: out.u32(4),
      instances: orZero(out.u32(8)),
      capabilities: orZero(out.u32(12)),
    };
  }

  /** Counters of a type are numbered from 1. */
  counterInfo(type: number, counter: number): QueryCounterInfo | string {
    const out = this.#out;
    const name = this.#counterName;
    const text = this.#description;
    for (const [buffer, fill] of [[out, untouchedByte] as const, [name, 0] as const, [text, 0] as const])
      buffer.clear(fill);
    const at = out.address;
    const get = this.#context.gl.glGetPerfCounterInfoINTEL;
    const error = this.errors.of(() =>
      get(
        type,
        counter,
        name.sizeBytes,
        name.address,
        text.sizeBytes,
        text.address,
        at,
        at + 4,
        at + 8,
        at + 12,
        at + 16,
      ),
    );
    if (error) return `GetPerfCounterInfoINTEL raised ${error}`;
    if (out.overrun || name.overrun || text.overrun)
      return 'GetPerfCounterInfoINTEL wrote more than there was room for';
    const [offset, size, kind, dataType] = [0, 4, 8, 12].map((place) => out.u32(place));
    if ([offset, size, kind, dataType].includes(untouched)) return 'GetPerfCounterInfoINTEL does not describe it';
    const most = out.u32(16) === untouched ? 0n : out.view.getBigUint64(16, true);
    return { name: textOf(name), description: textOf(text), offset, size, type: kind, dataType, most };
  }

  /** A new query instance. */
  #create(type: number): number | string {
    const command = 'CreatePerfQueryINTEL';
    const handle = this.#number(command, (out) => this.#context.gl.glCreatePerfQueryINTEL(type, out));
    return handle === 0 ? `${command} gives none` : handle;
  }

  /** Instances of a query type. */
  queries(type: number): DriverQueryCommands {
    const { begin, end, errors } = this;
    return {
      begin,
      end,
      errors,
      names: { create: 'CreatePerfQueryINTEL', begin: 'BeginPerfQueryINTEL', end: 'EndPerfQueryINTEL' },
      create: () => this.#create(type),
      delete: (handle) => {
        errors.of(() => this.#context.gl.glDeletePerfQueryINTEL(handle));
      },
    };
  }

  /** Asks for a query's result. Returns the bytes written, 0 while there is none, or why there will be none. */
  data(handle: number, flags: number, into: GuardedBuffer): number | string {
    this.#out.view.setUint32(0, 0, true);
    this.errors.take();
    this.#getData(handle, flags, into.sizeBytes, into.address, this.#out.address);
    const error = this.errors.take();
    return error === 0 ? this.#out.u32(0) : `GetPerfQueryDataINTEL raised ${enumName(error)}`;
  }
}
