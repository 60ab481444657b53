import koffi from 'koffi';
import type { Param, Result, Signature } from '../model/signature.ts';

/**
 * A native GL function. Scalars go in as numbers (64-bit values too), ids and enums as numbers, and every pointer as
 * an address: see {@link addressOf}. Passing addresses instead of objects keeps the replay loop free of allocation.
 */
export type GlFunction = (...args: (number | bigint)[]) => number;

const paramTypes: Record<Param['type'], string> = {
  bool: 'uint8_t',
  i32: 'int32_t',
  u32: 'uint32_t',
  f32: 'float',
  f64: 'double',
  i64: 'int64_t',
  u64: 'uint64_t',
  enum: 'uint32_t',
  bitfield: 'uint32_t',
  object: 'uint32_t',
  objects: 'uintptr_t',
  location: 'int32_t',
  data: 'uintptr_t',
  string: 'uintptr_t',
  strings: 'uintptr_t',
  out: 'uintptr_t',
  pointer: 'uintptr_t',
};

const resultTypes: Record<Result['type'], string> = {
  void: 'void',
  bool: 'uint8_t',
  i32: 'int32_t',
  u32: 'uint32_t',
  f32: 'float',
  i64: 'int64_t',
  u64: 'uint64_t',
  enum: 'uint32_t',
  object: 'uint32_t',
  string: 'const char *',
  pointer: 'uintptr_t',
};

const isSync = (kind: { type: string; objectClass?: string }) => kind.type === 'object' && kind.objectClass === 'sync';

/** Narrow integers are declared `i32`/`u32` in the table; the C ABI passes them widened, so one type serves. */
const prototypes = new Map<string, ReturnType<typeof koffi.proto>>();

/** A callable for the function at `pointer`. Prototypes are global in koffi, so each shape is declared once. */
export function bindFunction(pointer: unknown, signature: Signature): GlFunction {
  const result = isSync(signature.result) ? 'uintptr_t' : resultTypes[signature.result.type];
  const params = signature.params.map((param) => (isSync(param) ? 'uintptr_t' : paramTypes[param.type]));
  const shape = `${result} (${params.join(', ')})`;
  let prototype = prototypes.get(shape);
  if (!prototype) {
    prototype = koffi.proto(`${result} gl_shape_${prototypes.size}(${params.join(', ') || 'void'})`);
    prototypes.set(shape, prototype);
  }
  return koffi.decode(pointer, prototype) as GlFunction;
}

/**
 * The address of a view's first byte. Valid while the view's buffer is alive and not detached: keep a reference to it
 * as long as GL may read it. Views under 64 bytes can live on V8's movable heap, so share one larger buffer instead.
 */
export function addressOf(view: ArrayBufferView): number {
  return Number(koffi.address(view));
}

/** A copy of native memory, of a mapped buffer for one. */
export function bytesAt(address: number, sizeBytes: number): Uint8Array {
  return new Uint8Array(koffi.view(address, sizeBytes)).slice();
}

/** Native memory for small arguments and results: typed views over one buffer that never moves. */
export class Scratch {
  readonly sizeBytes: number;
  readonly address: number;
  readonly u8: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;

  constructor(sizeBytes: number) {
    const buffer = new ArrayBuffer(Math.max(256, Math.ceil(sizeBytes / 8) * 8));
    this.sizeBytes = buffer.byteLength;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
    this.address = addressOf(this.u8);
  }

  /** Writes text with a final NUL and returns its address. The text must fit; longer text needs its own buffer. */
  cString(text: string): number {
    const { written } = new TextEncoder().encodeInto(text, this.u8.subarray(0, this.sizeBytes - 1));
    this.u8[written] = 0;
    return this.address;
  }
}
