/** Buffers that the program wrote through an address: the trace has what was written, as calls of memcpy. */
import type { Argument } from '../../../model/call.ts';
import { GL } from '../../../model/gl-constants.ts';
import type { Signature } from '../../../model/signature.ts';
import { argumentsFor } from './arguments.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { numberOf, wideOf } from './values.ts';

const GL_MAP_WRITE_BIT = 2;
const GL_DYNAMIC_STORAGE_BIT = 0x100;

interface Mapping {
  readonly address: number;
  /** In the buffer. */
  readonly offset: number;
  /** Infinite when the buffer's size is not known. */
  readonly sizeBytes: number;
}

/** Mappings of buffers by id, the newest last. */
class Mappings {
  readonly #mapped = new Map<number, Mapping>();
  /** Buffers whose storage is immutable. */
  readonly fixed = new Set<number>();

  set(buffer: number, mapping: Mapping): void {
    this.#mapped.delete(buffer);
    this.#mapped.set(buffer, mapping);
  }

  delete(buffer: number): void {
    this.#mapped.delete(buffer);
  }

  /** Which buffer an address lies in, and where. Of a buffer that is gone, the address may be another's by now. */
  find(address: number, sizeBytes: number): { buffer: number; offset: number } | undefined {
    let found: { buffer: number; offset: number } | undefined;
    for (const [buffer, { address: start, offset, sizeBytes: room }] of this.#mapped)
      if (address >= start && address + sizeBytes <= start + room) found = { buffer, offset: offset + address - start };
    return found;
  }
}

/** Writes bytes into a buffer, through the target it is bound to, if any. */
function write(session: Session, buffer: number, offset: number, bytes: Uint8Array): void {
  const { bindings } = session.context;
  const data = session.builder.data(bytes);
  let target = [...bindings.buffers].find(([, id]) => id === buffer)?.[0];
  if (target === undefined && bindings.buffer(GL.ELEMENT_ARRAY_BUFFER) === buffer) target = GL.ELEMENT_ARRAY_BUFFER;
  if (target !== undefined) {
    session.named('glBufferSubData', [target, offset, bytes.length, data]);
    return;
  }
  const before = bindings.buffer(GL.COPY_WRITE_BUFFER);
  session.named('glBindBuffer', [GL.COPY_WRITE_BUFFER, buffer]);
  session.named('glBufferSubData', [GL.COPY_WRITE_BUFFER, offset, bytes.length, data]);
  session.named('glBindBuffer', [GL.COPY_WRITE_BUFFER, before]);
}

/** The buffer that a command is about, named or bound to a target, by its converted arguments. */
function bufferOf(session: Session, { params }: Signature, args: readonly Argument[]): number {
  const first = Number(args[0]);
  return params[0].objectClass === 'buffer' ? first : session.context.bindings.buffer(first);
}

/** What GL refuses of the size that a buffer is to have; the replayer must not believe it. */
function refuseStorage({ fixed }: Mappings, buffer: number, sizeBytes: number, isFixed: boolean): void {
  if (buffer === 0) throw new LeftOut('no buffer was bound');
  if (fixed.has(buffer)) throw new LeftOut("its buffer's storage is immutable");
  if (sizeBytes < 0 || (isFixed && sizeBytes === 0)) throw new LeftOut('no buffer has such a size');
}

/** glBufferData, glBufferStorage: where the buffer gets its size, and loses its mapping. */
function storage(session: Session, mappings: Mappings, signature: Signature): Translate {
  const convert = argumentsFor(session, signature);
  const flags = signature.params.findIndex(({ name }) => name === 'flags');
  return (call) => {
    const args = convert(call);
    // What was written through the address is written by a call here.
    if (flags >= 0 && Number(args[flags]) & GL_MAP_WRITE_BIT)
      args[flags] = Number(args[flags]) | GL_DYNAMIC_STORAGE_BIT;
    const buffer = bufferOf(session, signature, args);
    refuseStorage(mappings, buffer, Number(args[1]), flags >= 0);
    if (flags >= 0) mappings.fixed.add(buffer);
    session.bufferSizes.set(buffer, Number(args[1]));
    mappings.delete(buffer);
    session.emit(signature, args);
  };
}

function map(session: Session, mappings: Mappings, signature: Signature): Translate {
  const isRange = signature.name.includes('Range');
  const isNamed = signature.params[0].objectClass === 'buffer';
  return ({ args, result }) => {
    const address = Number(wideOf(result ?? null));
    if (address === 0) return;
    const first = numberOf(args[0]);
    const buffer = isNamed ? session.id('buffer', first) : session.context.bindings.buffer(first);
    const size = session.bufferSizes.get(buffer) ?? Number.POSITIVE_INFINITY;
    mappings.set(
      buffer,
      isRange
        ? { address, offset: Number(wideOf(args[1])), sizeBytes: Number(wideOf(args[2])) }
        : { address, offset: 0, sizeBytes: size },
    );
  };
}

function unmap(session: Session, mappings: Mappings, signature: Signature): Translate {
  const isNamed = signature.params[0].objectClass === 'buffer';
  return ({ args }) => {
    const first = numberOf(args[0]);
    mappings.delete(isNamed ? session.id('buffer', first) : session.context.bindings.buffer(first));
  };
}

function copy(session: Session, mappings: Mappings): Translate {
  return ({ args }) => {
    const [destination, source] = args;
    if (!(source instanceof Uint8Array) || source.length === 0) return;
    const place = mappings.find(Number(wideOf(destination)), source.length);
    if (!place) throw new LeftOut('it writes to no mapped buffer');
    write(session, place.buffer, place.offset, source);
  };
}

/** Translators of mapping's commands, all of which share what is mapped. */
export function mappingTranslators(
  session: Session,
): (name: string, signature: Signature | undefined) => Translate | undefined {
  const mappings = new Mappings();
  return (name, signature) => {
    if (name === 'memcpy') return copy(session, mappings);
    if (!signature) return undefined;
    if (/^gl(Named)?Buffer(Data|Storage)(ARB|EXT)?$/.test(name)) return storage(session, mappings, signature);
    if (/^glMap(Named)?Buffer(Range)?(ARB|EXT|OES)?$/.test(name)) return map(session, mappings, signature);
    if (/^glUnmap(Named)?Buffer(ARB|EXT|OES)?$/.test(name)) return unmap(session, mappings, signature);
    if (/^glFlushMapped(Named)?BufferRange/.test(name)) return () => {};
    return undefined;
  };
}
