/**
 * Client-side vertex arrays, and attributes that are enabled but read from nowhere: both make a driver read memory that
 * the capture does not own, so draws are checked before GL sees them. Buffer objects are the driver's business (robust
 * access).
 */
import { GpuprofError } from '../errors.ts';
import type { Bindings } from '../model/bindings.ts';
import type { Call, DataArgument } from '../model/call.ts';
import { baseName, GL } from '../model/gl-constants.ts';
import { componentBytes, indexBytes } from './pixel-size.ts';

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

/** Follows the client arrays of a capture and refuses draws that would read beyond them. */
export class VertexChecks {
  /** Client arrays by attribute; only the default vertex array can have them. */
  readonly #client = new Map<number, ClientArray>();

  /** To be called before the bindings see the call. Throws GpuprofError `bad-capture`. */
  check(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    if (/^VertexAttribI?Pointer$/.test(name)) this.#pointer(call, bindings, name === 'VertexAttribIPointer');
    else if (/Pointer$/.test(name)) this.#fixedFunction(call, bindings);
    else if (/^(Multi)?Draw(Range)?(Arrays|Elements)/.test(name)) this.#draw(name, call, bindings);
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
    const elementBytes = size * componentBytes(Number(call.args[2]));
    const stride = Number(call.args[integer ? 3 : 4]);
    this.#client.set(attribute, {
      lengthBytes: data.kind === 'inline' ? data.bytes.byteLength : data.byteLength,
      strideBytes: stride || elementBytes,
      elementBytes,
    });
  }

  #fixedFunction(call: Call, bindings: Bindings): void {
    const data = call.args[call.signature.params.findIndex((param) => param.type === 'data')] as DataArgument;
    if (data?.kind === 'inline' || data?.kind === 'resource' || bindings.buffer(GL.ARRAY_BUFFER) === 0)
      throw new GpuprofError('missing-feature', `${call.signature.name} with client memory cannot be replayed`, {
        hint: 'record the vertices in buffer objects',
      });
  }

  #draw(name: string, call: Call, bindings: Bindings): void {
    const { enabled } = bindings.vertexArrayBindings();
    for (const attribute of enabled) {
      if (bindings.attributeBuffer(attribute) !== 0) continue;
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
