import type { Budget } from './budget.ts';
import type { ByteReader } from './byte-reader.ts';
import type { TraceFunction } from './trace.ts';

/** Ids are small and dense in every trace; larger ones would make the tables large. */
const mostId = 2 ** 20;
const mostNames = 2 ** 16;
/** First bytes of a signed integer, which is stored as a value. */
const negative = 3;
const positive = 4;

interface StructSignature {
  readonly name: string;
  readonly members: readonly string[];
}

/**
 * The signatures of a trace. Each stands where its id is first used. Of enums and bitmasks only what values need is kept.
 */
export class Signatures {
  private readonly bytes: ByteReader;
  private readonly budget: Budget;
  private readonly functions: (TraceFunction | undefined)[] = [];
  private functionCount = 0;
  private readonly structs: (StructSignature | undefined)[] = [];
  private readonly enums: boolean[] = [];
  private readonly oldEnums: (number | bigint | undefined)[] = [];
  private readonly bitmasks: boolean[] = [];
  private readonly frames: boolean[] = [];

  constructor(bytes: ByteReader, budget: Budget) {
    this.bytes = bytes;
    this.budget = budget;
  }

  function(): TraceFunction {
    const id = this.id('function');
    return this.functions[id] ?? this.defineFunction(id);
  }

  struct(): StructSignature {
    const id = this.id('structure');
    const known = this.structs[id];
    if (known !== undefined) return known;
    const struct = { name: this.name(), members: this.names() };
    this.structs[id] = struct;
    return struct;
  }

  /** From version 3 on: all names and values of the enum, which its values do not need. */
  enum(): void {
    const id = this.id('enum');
    if (this.enums[id]) return;
    for (let rest = this.bytes.count(mostNames, 'an enum with values:'); rest > 0; rest--) {
      this.skipText();
      this.signed();
    }
    this.enums[id] = true;
  }

  /** Before version 3: one name and its value, which is what the id stands for. */
  oldEnum(): number | bigint {
    const id = this.id('enum');
    const known = this.oldEnums[id];
    if (known !== undefined) return known;
    this.skipText();
    const value = this.signed();
    this.oldEnums[id] = value;
    return value;
  }

  bitmask(): void {
    const id = this.id('bitmask');
    if (this.bitmasks[id]) return;
    for (let rest = this.bytes.count(mostNames, 'a bitmask with flags:'); rest > 0; rest--) {
      this.skipText();
      this.bytes.uint();
    }
    this.bitmasks[id] = true;
  }

  /** A frame of a backtrace: read over. */
  frame(): void {
    const id = this.id('stack frame');
    if (this.frames[id]) return;
    for (let detail = this.bytes.u8(); detail !== 0; detail = this.bytes.u8()) {
      if (detail > 5) throw this.bytes.fault(`a detail of a stack frame of no known kind, ${detail}`);
      // Module, function and file are text; line number and offset are not.
      if (detail <= 3) this.skipText();
      else this.bytes.uint();
    }
    this.frames[id] = true;
  }

  signed(): number | bigint {
    const type = this.bytes.u8();
    if (type === positive) return this.bytes.uint();
    if (type === negative) return negated(this.bytes.uint());
    throw this.bytes.fault(`a value of type ${type} where an integer must be`);
  }

  name(): string {
    const length = this.bytes.count(mostTextBytes, 'a name of bytes:');
    this.budget.name(length);
    return this.bytes.text(length);
  }

  private names(): string[] {
    const names: string[] = [];
    for (let rest = this.bytes.count(mostNames, 'names:'); rest > 0; rest--) names.push(this.name());
    return names;
  }

  private defineFunction(id: number): TraceFunction {
    const defined = { index: this.functionCount++, name: this.name(), args: this.names() };
    this.functions[id] = defined;
    return defined;
  }

  private skipText(): void {
    this.bytes.skip(this.bytes.count(mostTextBytes, 'a name of bytes:'));
  }

  private id(of: string): number {
    return this.bytes.count(mostId, `${of} id`);
  }
}

/** Far more than any name; it bounds what a wrong length makes the reader skip. */
const mostTextBytes = 2 ** 24;

/** Within 64 bits, as C negates. */
export function negated(value: number | bigint): number | bigint {
  return typeof value === 'number' ? 0 - value : BigInt.asIntN(64, -value);
}
