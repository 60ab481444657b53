import type { Argument, Call, DataArgument } from '../../model/call.ts';
import type { ObjectClass, Signature } from '../../model/signature.ts';
import type { CaptureSink } from '../../model/sink.ts';

/** Finds a GL command's signature by name; a page gets a trimmed table. */
export type SignatureOf = (name: string) => Signature | undefined;

/** Data up to this size is stored in the call itself. */
const inlineBytes = 256;

/** Calls kept back until their place in the capture is known. Bytes go to the sink at once, so this stays small. */
export class CallList {
  readonly #sink: CaptureSink;
  readonly #signatureOf: SignatureOf;
  readonly #entries: (Call | null)[] = [];

  constructor(sink: CaptureSink, signatureOf: SignatureOf) {
    this.#sink = sink;
    this.#signatureOf = signatureOf;
  }

  /** Adds a call by its GL name; `result` is the id of the object it returns. */
  add(name: string, args: readonly Argument[], result = 0): void {
    const signature = this.#signatureOf(name);
    if (!signature) throw new Error(`no GL command is called ${name}`);
    this.#entries.push({ signature, args, result });
  }

  /** Marks where a frame begins. */
  addFrame(): void {
    this.#entries.push(null);
  }

  /** Bytes as an argument; copied, so the caller may change them afterwards. */
  data(bytes: Uint8Array): DataArgument {
    const copy = bytes.slice();
    if (copy.length <= inlineBytes) return { kind: 'inline', bytes: copy };
    return { kind: 'resource', resource: this.#sink.resource(copy), byteOffset: 0, byteLength: copy.length };
  }

  words(values: readonly number[], kind: typeof Int32Array | typeof Uint32Array | typeof Float32Array): DataArgument {
    return this.data(new Uint8Array(kind.from(values).buffer));
  }

  /** Hands everything to the sink, in order; `observe` sees every call. */
  flush(observe: (call: Call) => void): void {
    for (const entry of this.#entries)
      if (entry) {
        observe(entry);
        this.#sink.call(entry.signature, entry.args, entry.result);
      } else this.#sink.beginFrame();
    this.#entries.length = 0;
  }
}

/** Capture-local ids, dense in each class, in the order in which objects come into the capture. */
export class Ids {
  readonly #last = new Map<ObjectClass, number>();

  next(objectClass: ObjectClass): number {
    const id = (this.#last.get(objectClass) ?? 0) + 1;
    this.#last.set(objectClass, id);
    return id;
  }
}
