/**
 * Client-side vertex arrays, attributes that are enabled but read from nowhere, and indices beyond the element buffer
 * (Mesa's llvmpipe reads on, robust context or not): all make a driver read memory that the capture does not own, so
 * draws are checked before GL sees them. Vertices in buffer objects are the driver's business (robust access).
 */
import { GpuprofError } from '../../errors.ts';
import type { Bindings } from '../../model/bindings.ts';
import type { Argument, Call, DataArgument } from '../../model/call.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import { indexBytes, typeBytes } from '../../model/texel-sizes.ts';

/**
 * The checks believe what calls say of buffers and vertex arrays. Throws GpuprofError `bad-capture` when GL refused one:
 * then draws have been checked against what is not there (ANGLE crashes over attributes without a buffer).
 */
export function refuseFailedBufferCall(call: Call): void {
  if (/Buffer(Data|Storage)|VertexA|VertexBuffer|BindBuffer\b/.test(call.signature.name))
    throw new GpuprofError('bad-capture', `GL refuses ${call.signature.name}, which later calls rely on`);
}

interface ClientArray {
  readonly lengthBytes: number;
  readonly strideBytes: number;
  readonly elementBytes: number;
}

const range = (first: number, count: number) => (count > 0 ? first + count - 1 : -1);

/** The greatest vertex a draw reads, -1 for none, Infinity when it is in a buffer the replayer does not look into. */
function greatestVertex(name: string, call: Call): number {
  const a = call.args;
  if (/^DrawArrays(Instanced(BaseInstance)?)?$/.test(name)) return range(Number(a[1]), Number(a[2]));
  if (!/^Draw(Range)?Elements/.test(name) || /Indirect|BaseVertex/.test(name)) return Number.POSITIVE_INFINITY;
  const ranged = name.startsWith('DrawRange');
  const data = a[ranged ? 5 : 3] as DataArgument;
  const size = indexBytes(Number(a[ranged ? 4 : 2])) ?? 0;
  if (data?.kind !== 'inline' || size === 0) return Number.POSITIVE_INFINITY;
  const view = new DataView(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength);
  let greatest = -1;
  for (let at = 0; at + size <= view.byteLength; at += size) {
    const index = size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
    if (index > greatest) greatest = index;
  }
  return greatest;
}

/** The bytes of a call's data, wherever the capture keeps them; empty when there are none. */
export type BytesOf = (data: Argument) => Uint8Array;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Follows the client arrays of a capture and refuses draws that would read beyond them. */
export class VertexChecks {
  /** Client arrays by attribute; only the default vertex array can have them. */
  readonly #client = new Map<number, ClientArray>();
  readonly #bufferBytes: (buffer: number) => number;

  /** `bufferBytes` gives the size of a buffer by id. */
  constructor(bufferBytes: (buffer: number) => number) {
    this.#bufferBytes = bufferBytes;
  }

  /** To be called before the bindings see the call. Throws GpuprofError `bad-capture`. */
  check(call: Call, bindings: Bindings, bytesOf: BytesOf): void {
    const name = baseName(call.signature.name);
    if (/^VertexAttribI?Pointer$/.test(name)) this.#pointer(call, bindings, name === 'VertexAttribIPointer');
    else if (/Pointer$/.test(name)) this.#fixedFunction(call, bindings);
    else if (/^(Multi)?Draw(Range)?(Arrays|Elements)/.test(name)) this.#draw(name, call, bindings, bytesOf);
  }

  #pointer(call: Call, bindings: Bindings, integer: boolean): void {
    const attribute = Number(call.args[0]);
    const data = call.args[integer ? 4 : 5] as DataArgument;
    this.#client.delete(attribute);
    if (data?.kind !== 'inline' && data?.kind !== 'resource') {
      if (data?.kind === 'offset' && data.offset !== 0 && bindings.buffer(GL.ARRAY_BUFFER) === 0)
        throw new GpuprofError('bad-capture', `${call.signature.name} has an offset, but no array buffer is bound`);
      return;
    }
    if (bindings.buffer(GL.ARRAY_BUFFER) !== 0)
      throw new GpuprofError('bad-capture', `${call.signature.name} has data although an array buffer is bound`);
    const size = Math.min(4, Number(call.args[1]));
    const elementBytes = size * (typeBytes(Number(call.args[2])) || 8);
    const stride = Number(call.args[integer ? 3 : 4]);
    this.#client.set(attribute, {
      lengthBytes: data.kind === 'inline' ? data.bytes.byteLength : data.byteLength,
      strideBytes: stride || elementBytes,
      elementBytes,
    });
  }

  /** Indices at an offset must lie inside the element buffer. */
  #indices(name: string, call: Call, bindings: Bindings, bytesOf: BytesOf): void {
    const a = call.args;
    const sizeBytes = this.#bufferBytes(bindings.buffer(GL.ELEMENT_ARRAY_BUFFER));
    const check = (count: number, type: number, offset: number) => {
      if (count > 0 && offset + count * (indexBytes(type) ?? 4) > sizeBytes)
        throw new GpuprofError(
          'bad-capture',
          `${call.signature.name} reads ${count} indices at ${offset}, beyond its element buffer of ${sizeBytes} bytes`,
        );
    };
    if (name.startsWith('Multi')) {
      const counts = viewOf(bytesOf(a[1]));
      const offsets = viewOf(bytesOf(a[3]));
      const draws = Math.min(counts.byteLength / 4, offsets.byteLength / 8);
      for (let draw = 0; draw + 1 <= draws; draw++)
        check(counts.getInt32(draw * 4, true), Number(a[2]), Number(offsets.getBigUint64(draw * 8, true)));
      return;
    }
    const ranged = name.startsWith('DrawRange') ? 2 : 0;
    const data = a[3 + ranged] as DataArgument;
    const offset = data?.kind === 'offset' ? data.offset : 0;
    if (data === null || data.kind === 'offset') check(Number(a[1 + ranged]), Number(a[2 + ranged]), offset);
  }

  #fixedFunction(call: Call, bindings: Bindings): void {
    const data = call.args[call.signature.params.findIndex((param) => param.type === 'data')] as DataArgument;
    if (data?.kind === 'inline' || data?.kind === 'resource' || bindings.buffer(GL.ARRAY_BUFFER) === 0)
      throw new GpuprofError('missing-feature', `${call.signature.name} with client memory cannot be replayed`, {
        hint: 'record the vertices in buffer objects',
      });
  }

  #draw(name: string, call: Call, bindings: Bindings, bytesOf: BytesOf): void {
    if (/Elements/.test(name) && !/Indirect/.test(name)) this.#indices(name, call, bindings, bytesOf);
    const { enabled } = bindings.vertexArrayBindings();
    for (const attribute of enabled) {
      const buffer = bindings.attributeBuffer(attribute);
      if (buffer !== 0 && this.#bufferBytes(buffer) === 0)
        throw new GpuprofError(
          'bad-capture',
          `${call.signature.name} reads vertex attribute ${attribute} from buffer ${buffer}, which holds nothing`,
        );
      if (buffer !== 0) continue;
      const array = bindings.vertexArray === 0 ? this.#client.get(attribute) : undefined;
      if (!array)
        throw new GpuprofError(
          'bad-capture',
          `${call.signature.name} reads vertex attribute ${attribute}, which is enabled but has no data`,
        );
      const vertex = greatestVertex(name, call);
      if (vertex >= 0 && vertex * array.strideBytes + array.elementBytes > array.lengthBytes)
        throw new GpuprofError(
          'bad-capture',
          `${call.signature.name} reads beyond the client array of vertex attribute ${attribute}`,
        );
    }
  }
}
