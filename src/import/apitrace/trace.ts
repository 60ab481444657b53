/** An address in the traced process: a key or an offset into a buffer, never to be followed. */
export class TracePointer {
  /** A bigint only beyond 2^53. */
  readonly address: number | bigint;

  constructor(address: number | bigint) {
    this.address = address;
  }
}

/** A C structure passed by reference; `values[i]` belongs to `members[i]`. */
export class TraceStruct {
  readonly name: string;
  readonly members: readonly string[];
  readonly values: readonly TraceValue[];

  constructor(name: string, members: readonly string[], values: readonly TraceValue[]) {
    this.name = name;
    this.members = members;
    this.values = values;
  }
}

/**
 * One argument or result. Null is a null pointer, or an argument that the trace does not give. Integers, enums and
 * bitmasks are numbers, or bigints where a number would not be exact (beyond 2^53); floats and doubles are numbers; a
 * Uint8Array is a blob; a value with a form for people and one for machines is the one for machines.
 */
export type TraceValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | TracePointer
  | TraceStruct
  | readonly TraceValue[];

/** A function of the trace; all its calls share one object. */
export interface TraceFunction {
  /** From 0, in order of first use. */
  readonly index: number;
  readonly name: string;
  readonly args: readonly string[];
}

export interface TraceCall {
  /** From 0, in order of entry, as `apitrace dump` numbers them. */
  readonly number: number;
  /** As the trace numbers threads, from 0; 0 before version 4. */
  readonly thread: number;
  readonly function: TraceFunction;
  /** At least one for each of `function.args`. */
  readonly args: readonly TraceValue[];
  /** Undefined for a function that returned nothing. */
  readonly result: TraceValue | undefined;
}

export type TraceContainer = 'snappy' | 'gzip' | 'brotli' | 'zstd';

/** How far a trace went. */
export interface TraceEnding {
  /** Whether the file ended between two events with every call returned. */
  readonly isComplete: boolean;
  /** In the uncompressed stream: of the first byte after the last whole event. */
  readonly offsetBytes: number;
  /** Number of the last call that was given; null when there was none. */
  readonly lastCall: number | null;
  /** Calls that were entered and never returned; they are not given. */
  readonly unfinishedCalls: number;
  /** In one sentence, what is missing; null for a complete trace. */
  readonly reason: string | null;
}

/** An apitrace file, opened: its head is read, its calls are not yet. */
export interface Trace {
  readonly path: string;
  readonly container: TraceContainer;
  /** The meaning of calls, 0 to 6: of FORMAT.markdown's versions, the one that the trace's writer promised. */
  readonly version: number;
  /** The binary layout, 0 to 6; from 6 on it may be newer than `version`. */
  readonly formatVersion: number;
  /** What the trace tells about its process and machine, such as `process.name`; empty before version 6. */
  readonly properties: ReadonlyMap<string, string>;
  /**
   * The calls in the order in which they returned. Each use reads the file anew, in pieces, so that memory holds one
   * piece and the calls that are still running.
   * @throws GpuprofError (bad-input) with the offset, when the trace is malformed; one that merely stops is no error
   */
  calls(): Iterable<TraceCall>;
  /** Known after `calls()` ran to its end; null before. */
  readonly ending: TraceEnding | null;
}
