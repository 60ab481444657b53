/**
 * The shape of one GL command: what its parameters mean and how a capture stores them.
 * The generated command table (src/gl) and the signatures carried in a capture file are both made of these.
 */

/** GL object kinds; each has its own space of capture-local ids, starting at 1 (0 is "none"). */
export const objectClasses = [
  'assemblyProgram',
  'buffer',
  'displayList',
  'framebuffer',
  'program',
  'programPipeline',
  'query',
  'renderbuffer',
  'sampler',
  'shader',
  'sync',
  'texture',
  'transformFeedback',
  'vertexArray',
] as const;
export type ObjectClass = (typeof objectClasses)[number];

/**
 * How a parameter is stored, see capture/FORMAT.md "Values":
 * scalars by width; `enum` and `bitfield` are unsigned words with a name space; `object` is a capture-local id;
 * `objects` a list of ids; `location` a uniform location as an index into the capture's location table;
 * `data` bytes the call reads (or an offset into a bound buffer); `string` and `strings` UTF-8 text;
 * `out` memory the call writes; `pointer` an address that only means something inside the recorded process.
 */
export type ParamType =
  | 'bool'
  | 'i32'
  | 'u32'
  | 'f32'
  | 'f64'
  | 'i64'
  | 'u64'
  | 'enum'
  | 'bitfield'
  | 'object'
  | 'objects'
  | 'location'
  | 'data'
  | 'string'
  | 'strings'
  | 'out'
  | 'pointer';

/** Element type of a `data` parameter, for people who read a dump. */
export type ElementType =
  | 'i8'
  | 'u8'
  | 'i16'
  | 'u16'
  | 'i32'
  | 'u32'
  | 'f32'
  | 'f64'
  | 'i64'
  | 'u64'
  | 'enum'
  | 'pointer';

export interface Param {
  readonly name: string;
  readonly type: ParamType;
  /** For `object` and `objects`. */
  readonly objectClass?: ObjectClass;
  /** For `enum` and `bitfield`: the registry's group, which decides the printed name. */
  readonly group?: string;
  /** For `data` and `out`. */
  readonly element?: ElementType;
}

/** What a command returns; only `object` results are stored in captures. */
export interface Result {
  readonly type: 'void' | 'bool' | 'i32' | 'u32' | 'enum' | 'object' | 'string' | 'pointer' | 'f32' | 'i64' | 'u64';
  readonly objectClass?: ObjectClass;
}

export interface Signature {
  /** The GL name, with its `gl` prefix and extension suffix. */
  readonly name: string;
  readonly result: Result;
  readonly params: readonly Param[];
}
