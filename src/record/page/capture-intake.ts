import { GpuprofError } from '../../errors.ts';
import { CaptureReceiver, type ReceivedCapture } from '../wire/receiver.ts';
import type { Answer } from './loopback-server.ts';
import type { CanvasLabel } from './protocol.ts';

/** A capture as it came from a page. */
export interface TakenCapture extends ReceivedCapture {
  readonly label: CanvasLabel;
}

const gone: Answer = [410, 'gpuprof has given this capture up'];

interface Incoming {
  readonly id: string;
  readonly receiver: CaptureReceiver;
  readonly label: CanvasLabel;
}

/** Takes one capture from whichever window or worker of a page begins one first. */
export class CaptureIntake {
  readonly #path: string;
  readonly #done: Promise<TakenCapture>;
  #resolve: (capture: TakenCapture) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #current: Incoming | undefined;
  #captures = 0;
  #closed = false;
  /** Batches are taken one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Bytes of the capture that is coming in. */
  receivedBytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever is interested awaits it later.
    this.#done.catch(() => {});
  }

  /** The whole capture, or why there is none. */
  get done(): Promise<TakenCapture> {
    return this.#done;
  }

  /** The capture that is coming in, by its number. */
  get incoming(): string | undefined {
    return this.#current?.id;
  }

  /** Answers one message of a recorder: its path behind the secret, and its body. */
  answer(path: string, body: Uint8Array): Promise<Answer> {
    const answer = this.#queue.then(() => this.#answer(path, body));
    this.#queue = answer.catch(() => {});
    return answer;
  }

  async #answer(path: string, body: Uint8Array): Promise<Answer> {
    if (this.#closed) return gone;
    const [what, id] = path.split('/');
    if (what === 'begin') return this.#begin(body);
    if (what === 'failed') {
      await this.fail(new GpuprofError('bad-input', Buffer.from(body).toString('utf8').slice(0, 500)));
      return [200, ''];
    }
    if (this.#current?.id !== id) return gone;
    if (what === 'data') return this.#take(this.#current, body);
    if (what !== 'discarded') return [404, ''];
    await this.#current.receiver.abort();
    this.#current = undefined;
    return [200, ''];
  }

  #begin(body: Uint8Array): Answer {
    if (this.#current) return [409, 'another capture is coming in'];
    const id = String(++this.#captures);
    const label = JSON.parse(Buffer.from(body).toString('utf8')) as CanvasLabel;
    this.#current = { id, receiver: new CaptureReceiver(this.#path), label };
    this.receivedBytes = 0;
    return [200, id];
  }

  async #take({ receiver, label }: Incoming, body: Uint8Array): Promise<Answer> {
    this.receivedBytes += body.length;
    try {
      await receiver.take(body);
    } catch (error) {
      await this.fail(error);
      return [500, (error as Error).message];
    }
    if (receiver.received) {
      this.#closed = true;
      this.#current = undefined;
      this.#resolve({ ...receiver.received, label });
    }
    return [200, ''];
  }

  /** Gives up: nothing is left of a capture that is not whole. */
  async fail(error: unknown): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#current?.receiver.abort();
    this.#current = undefined;
    this.#reject(error);
  }
}
