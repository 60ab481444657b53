/**
 * Writes traces of any version, 0 to 6, as apitrace's docs/FORMAT.markdown has them: apitrace itself writes only the
 * newest. `apitrace dump` reads what this makes.
 */

/** Writes one value. */
export type Written = (writer: TraceWriter) => void;

export interface WrittenCall {
  readonly args?: readonly Written[];
  /** Arguments that the function fills in, by index. */
  readonly outputs?: Readonly<Record<number, Written>>;
  readonly result?: Written;
  readonly thread?: number;
  /** Writes details of the entry beside the arguments. */
  readonly details?: Written;
}

/** A function's name and its arguments' names. */
export type WrittenFunction = readonly [name: string, ...args: string[]];

export class TraceWriter {
  readonly version: number;
  private readonly bytes: number[] = [];
  private readonly ids = new Map<string, number>();
  private readonly kinds = new Map<string, number>();
  private calls = 0;

  constructor(version: number, properties: Readonly<Record<string, string>> = {}, semanticVersion = version) {
    this.version = version;
    this.uint(version);
    if (version < 6) return;
    this.uint(semanticVersion);
    for (const [name, value] of Object.entries(properties)) this.string(name).string(value);
    this.string('');
  }

  get length(): number {
    return this.bytes.length;
  }

  toBytes(): Buffer {
    return Buffer.from(this.bytes);
  }

  /** An entry and its return. */
  call(signature: WrittenFunction, call: WrittenCall = {}): this {
    this.leave(this.enter(signature, call), call);
    return this;
  }

  /** Returns the number of the call. */
  enter(signature: WrittenFunction, { args = [], thread = 0, details }: WrittenCall = {}): number {
    this.byte(0);
    if (this.version >= 4) this.uint(thread);
    const [name, ...names] = signature;
    if (this.id('function', name)) {
      this.string(name).uint(names.length);
      for (const argument of names) this.string(argument);
    }
    if (this.version < 4 && thread > 0) this.byte(3).uint(thread);
    details?.(this);
    args.forEach((value, index) => {
      this.argument(index, value);
    });
    this.byte(0);
    return this.calls++;
  }

  leave(number: number, { outputs = {}, result }: WrittenCall = {}): this {
    this.byte(1).uint(number);
    for (const [index, value] of Object.entries(outputs)) this.argument(Number(index), value);
    if (result !== undefined) {
      this.byte(2);
      result(this);
    }
    return this.byte(0);
  }

  /** Writes the id of `key`, new for each kind and key; true where its definition must follow. */
  id(kind: string, key: string): boolean {
    const known = this.ids.get(`${kind} ${key}`);
    if (known !== undefined) {
      this.uint(known);
      return false;
    }
    const next = this.kinds.get(kind) ?? 0;
    this.kinds.set(kind, next + 1);
    this.ids.set(`${kind} ${key}`, next);
    this.uint(next);
    return true;
  }

  byte(value: number): this {
    this.bytes.push(value);
    return this;
  }

  raw(bytes: Uint8Array): this {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  uint(value: number | bigint): this {
    let rest = BigInt(value);
    for (; rest >= 128n; rest >>= 7n) this.byte(Number(rest & 127n) | 128);
    return this.byte(Number(rest));
  }

  string(value: string): this {
    const bytes = Buffer.from(value);
    return this.uint(bytes.length).raw(bytes);
  }

  private argument(index: number, value: Written): void {
    this.byte(1).uint(index);
    value(this);
  }
}

const absolute = (value: number | bigint): number | bigint => (value < 0 ? -value : value);
const float = (write: (bytes: Buffer) => void, length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes;
};

export const none: Written = (w) => w.byte(0);
export const bool =
  (value: boolean): Written =>
  (w) =>
    w.byte(value ? 2 : 1);
/** Integers as apitrace stores them: negative ones by their magnitude. */
export const int =
  (value: number | bigint): Written =>
  (w) =>
    w.byte(value < 0 ? 3 : 4).uint(absolute(value));
export const f32 =
  (value: number): Written =>
  (w) =>
    w.byte(5).raw(float((b) => b.writeFloatLE(value), 4));
export const f64 =
  (value: number): Written =>
  (w) =>
    w.byte(6).raw(float((b) => b.writeDoubleLE(value), 8));
export const text =
  (value: string): Written =>
  (w) =>
    w.byte(7).string(value);
export const blob =
  (bytes: Uint8Array): Written =>
  (w) =>
    w.byte(8).uint(bytes.length).raw(bytes);
export const array =
  (...values: Written[]): Written =>
  (w) => {
    w.byte(11).uint(values.length);
    for (const value of values) value(w);
  };
export const pointer =
  (address: number | bigint): Written =>
  (w) =>
    w.byte(13).uint(address);
/** What people see, and what it is. */
export const shown =
  (human: Written, machine: Written): Written =>
  (w) => {
    w.byte(14);
    human(w);
    machine(w);
  };
export const wide =
  (points: readonly number[]): Written =>
  (w) => {
    w.byte(15).uint(points.length);
    for (const point of points) w.uint(point);
  };

/** Before version 3 an enum's signature is one name with its value. */
export const enumeration =
  (name: string, values: Readonly<Record<string, number>>, value: number): Written =>
  (w) => {
    w.byte(9);
    if (w.version < 3) {
      const [key] = Object.entries(values).find(([, each]) => each === value) ?? [`${value}`];
      if (w.id('enum', `${name}.${key}`)) {
        w.string(key);
        int(value)(w);
      }
      return;
    }
    if (w.id('enum', name)) {
      w.uint(Object.keys(values).length);
      for (const [key, each] of Object.entries(values)) int(each)(w.string(key));
    }
    int(value)(w);
  };

export const bitmask =
  (name: string, flags: Readonly<Record<string, number>>, value: number): Written =>
  (w) => {
    w.byte(10);
    if (w.id('bitmask', name)) {
      w.uint(Object.keys(flags).length);
      for (const [key, flag] of Object.entries(flags)) w.string(key).uint(flag);
    }
    w.uint(value);
  };

export const struct =
  (name: string, members: Readonly<Record<string, Written>>): Written =>
  (w) => {
    w.byte(12);
    if (w.id('struct', name)) {
      w.string(name).uint(Object.keys(members).length);
      for (const member of Object.keys(members)) w.string(member);
    }
    for (const value of Object.values(members)) value(w);
  };

/** A backtrace of one frame; from version 5 on. */
export const backtrace =
  (module: string, symbol: string, line: number): Written =>
  (w) => {
    w.byte(4).uint(1);
    if (w.id('frame', `${module} ${symbol} ${line}`)) {
      w.byte(1).string(module).byte(2).string(symbol).byte(3).string('a.c').byte(4).uint(line).byte(5).uint(64).byte(0);
    }
  };

/** The flag of a call that the tracer made up; from version 6 on. */
export const fake: Written = (w) => w.byte(5).uint(1);
