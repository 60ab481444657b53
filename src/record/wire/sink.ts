import type { Argument } from '../../model/call.ts';
import { encodeCall } from '../../model/call-words.ts';
import type { Signature } from '../../model/signature.ts';
import type { CaptureHead, CaptureSink } from '../../model/sink.ts';
import type { CaptureEnd } from '../call-recorder.ts';
import { paddedBytes, type RecordKind, recordHeaderBytes, recordKinds } from './records.ts';

const batchBytes = 4 * 2 ** 20;
const callWords = 2 ** 16;
const padding = new Uint8Array(4);

/** Takes bytes to the tool before it returns, so that the recorded program holds no more than one batch. */
export type Send = (batch: Uint8Array) => void;

/** Sends a capture to the tool as it is recorded. Free of Node: it also runs in web pages. */
export class WireSink implements CaptureSink {
  readonly #send: Send;
  readonly #batch = new Uint8Array(batchBytes);
  readonly #text = new TextEncoder();
  readonly #signatures = new Map<Signature, number>();
  readonly #locations = new Map<string, number>();
  #filled = 0;
  #words: number[] = [];
  #resources = 0;

  constructor(send: Send, head: CaptureHead) {
    this.#send = send;
    this.#json(recordKinds.head, head);
  }

  resource(bytes: Uint8Array): number {
    this.#record(recordKinds.resource, bytes);
    return this.#resources++;
  }

  location(program: number, name: string): number {
    const key = `${program} ${name}`;
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    this.#record(recordKinds.location, new Uint8Array(Uint32Array.of(program).buffer), this.#text.encode(name));
    this.#locations.set(key, this.#locations.size);
    return this.#locations.size - 1;
  }

  call(signature: Signature, args: readonly Argument[], result = 0): void {
    let index = this.#signatures.get(signature);
    if (index === undefined) {
      index = this.#signatures.size;
      this.#signatures.set(signature, index);
      this.#record(recordKinds.signature, this.#text.encode(signature.name));
    }
    encodeCall(this.#words, index, signature, args, result);
    if (this.#words.length >= callWords) this.#sendCalls();
  }

  beginFrame(): void {
    this.#sendCalls();
    this.#record(recordKinds.frame);
  }

  /** Sends what is left; the capture is whole. */
  finish({ reference, requires, notes }: CaptureEnd): void {
    this.#sendCalls();
    const size = new Uint8Array(Uint32Array.of(reference.width, reference.height).buffer);
    this.#record(recordKinds.reference, size, reference.data);
    this.#json(recordKinds.end, { requires, notes });
    this.#flush();
  }

  /** Takes the capture back. */
  discard(): void {
    this.#words = [];
    this.#record(recordKinds.discard);
    this.#flush();
  }

  #sendCalls(): void {
    if (this.#words.length > 0) this.#record(recordKinds.calls, new Uint8Array(Uint32Array.from(this.#words).buffer));
    this.#words = [];
  }

  #json(kind: RecordKind, value: unknown): void {
    this.#record(kind, this.#text.encode(JSON.stringify(value)));
  }

  #record(kind: RecordKind, ...parts: readonly Uint8Array[]): void {
    const byteLength = parts.reduce((sum, part) => sum + part.length, 0);
    this.#write(new Uint8Array(Uint32Array.of(kind, byteLength).buffer, 0, recordHeaderBytes));
    for (const part of parts) this.#write(part);
    this.#write(padding.subarray(0, paddedBytes(byteLength) - byteLength));
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + batchBytes - this.#filled);
      this.#batch.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === batchBytes) this.#flush();
    }
  }

  #flush(): void {
    if (this.#filled > 0) this.#send(this.#batch.subarray(0, this.#filled));
    this.#filled = 0;
  }
}
