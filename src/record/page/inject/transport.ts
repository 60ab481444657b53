import type { CaptureHead } from '../../../model/sink.ts';
import { WireSink } from '../../wire/sink.ts';
import type { CanvasLabel } from '../protocol.ts';

const { apply } = Reflect;
const Request = XMLHttpRequest;
const Bytes = Blob;
const { open, send } = XMLHttpRequest.prototype;

/** The way to the tool: each message has arrived, and has been dealt with, before {@link Transport.post} returns. */
export class Transport {
  readonly #endpoint: string;
  /** Why the tool could not be told of a failure. */
  problem: string | undefined;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** Returns the answer's HTTP status. Throws when the tool cannot be reached. */
  post(path: string, body: string | Uint8Array): { readonly status: number; readonly text: string } {
    const request = new Request();
    // The arguments of open() that make it synchronous.
    apply(open, request, ['POST', `${this.#endpoint}/${path}`, false]);
    // The browser takes a blob's bytes many times faster than those of an array.
    apply(send, request, [typeof body === 'string' ? body : new Bytes([body as Uint8Array<ArrayBuffer>])]);
    return { status: request.status, text: request.responseText };
  }

  /** The text at an address; throws when there is none. */
  get(url: string): string {
    const request = new Request();
    apply(open, request, ['GET', url, false]);
    apply(send, request, []);
    return request.responseText;
  }

  /** Begins a capture; undefined when the tool is taking another one or has had its own. */
  begin(head: CaptureHead, canvas: CanvasLabel): WireSink | undefined {
    const { status, text } = this.post('begin', JSON.stringify(canvas));
    if (status !== 200) return undefined;
    return new PageSink(this, text, head);
  }

  /** Tells of a capture's failure; when the tool cannot be reached, it finds out by {@link problem}. */
  fail(failure: unknown): void {
    const text = failure instanceof Error ? failure.message : String(failure);
    try {
      this.post('failed', text);
    } catch {
      this.problem = text;
    }
  }
}

class PageSink extends WireSink {
  readonly #transport: Transport;
  readonly #id: string;

  constructor(transport: Transport, id: string, head: CaptureHead) {
    super((batch) => {
      const answer = transport.post(`data/${id}`, batch);
      if (answer.status !== 200) throw new Error(answer.text || 'gpuprof has given this capture up');
    }, head);
    this.#transport = transport;
    this.#id = id;
  }

  /** The tool is free for another capture then. */
  override discard(): void {
    this.#transport.post(`discarded/${this.#id}`, '');
  }
}
