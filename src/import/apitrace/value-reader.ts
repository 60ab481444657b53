import type { Budget } from './budget.ts';
import type { ByteReader } from './byte-reader.ts';
import type { TraceLimits } from './limits.ts';
import { negated, type Signatures } from './signatures.ts';
import { TracePointer, TraceStruct, type TraceValue } from './trace.ts';

const firstWithEnumSets = 3;

/** Reads values; see docs/FORMAT.markdown of apitrace, "Values". */
export class ValueReader {
  private readonly bytes: ByteReader;
  private readonly budget: Budget;
  private readonly signatures: Signatures;
  private readonly mostDepth: number;
  private readonly hasEnumSets: boolean;

  constructor(bytes: ByteReader, budget: Budget, signatures: Signatures, formatVersion: number, limits: TraceLimits) {
    this.bytes = bytes;
    this.budget = budget;
    this.signatures = signatures;
    this.mostDepth = limits.depth;
    this.hasEnumSets = formatVersion >= firstWithEnumSets;
  }

  /** `depth`: how many arrays, structures and representations are around it. */
  value(depth = 0): TraceValue {
    const type = this.bytes.u8();
    switch (type) {
      case 0:
        return null;
      case 1:
        return false;
      case 2:
        return true;
      case 3:
        return negated(this.bytes.uint());
      case 4:
        return this.bytes.uint();
      case 5:
        return this.bytes.f32();
      case 6:
        return this.bytes.f64();
      case 7:
        return this.text();
      case 8:
        return this.blob();
      case 9:
        if (!this.hasEnumSets) return this.signatures.oldEnum();
        this.signatures.enum();
        return this.signatures.signed();
      case 10:
        this.signatures.bitmask();
        return this.bytes.uint();
      case 11:
        return this.array(this.deeper(depth));
      case 12:
        return this.struct(this.deeper(depth));
      case 13:
        return new TracePointer(this.bytes.uint());
      case 14:
        this.value(this.deeper(depth)); // The form for people.
        return this.value(depth + 1);
      case 15:
        return this.wideText();
      default:
        throw this.bytes.fault(`a value of no known type, ${type}`, this.bytes.offsetBytes - 1);
    }
  }

  private deeper(depth: number): number {
    if (depth < this.mostDepth) return depth + 1;
    throw this.bytes.fault(`arrays and structures more than ${this.mostDepth} deep`);
  }

  private text(): string {
    const length = this.bytes.count(Number.MAX_SAFE_INTEGER, 'text of bytes:');
    this.budget.text(length);
    return this.bytes.text(length);
  }

  private wideText(): string {
    const length = this.bytes.count(Number.MAX_SAFE_INTEGER, 'wide text of characters:');
    this.budget.slots(length);
    const points: string[] = [];
    for (let index = 0; index < length; index++) points.push(character(this.bytes.uint()));
    const zero = points.indexOf('\0');
    return (zero < 0 ? points : points.slice(0, zero)).join('');
  }

  private blob(): Uint8Array {
    const length = this.bytes.count(Number.MAX_SAFE_INTEGER, 'a blob of bytes:');
    this.budget.blob(length);
    return this.bytes.blob(length);
  }

  private array(depth: number): TraceValue[] {
    const length = this.bytes.count(Number.MAX_SAFE_INTEGER, 'an array of values:');
    this.budget.slots(length);
    const values: TraceValue[] = [];
    for (let index = 0; index < length; index++) values.push(this.value(depth));
    return values;
  }

  private struct(depth: number): TraceStruct {
    const { name, members } = this.signatures.struct();
    this.budget.slots(members.length);
    const values: TraceValue[] = [];
    for (let index = 0; index < members.length; index++) values.push(this.value(depth));
    return new TraceStruct(name, members, values);
  }
}

/** A `wchar_t`: a code point, or half of one where it has 16 bits. */
function character(point: number | bigint): string {
  return typeof point === 'number' && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
}
