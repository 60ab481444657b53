import type { Socket } from 'node:net';
import type { RawFile } from './qrhi-raw.ts';
import type { QrhiSession } from './qrhi-session.ts';

/** A peer that vanished without a word is noticed after a while of silence. */
const keepAliveMs = 30_000;
/** This much without a single entry is no stream. */
const patienceBytes = 2 ** 20;
const patienceLines = 100;

/** A connection: what it says is read as it comes, and kept from its first entry on, with what stood before. */
export class QrhiConnection {
  readonly peer: string;
  readonly session: QrhiSession;
  readonly sinceMs = performance.now();
  /** When it last said something. */
  heardMs = this.sinceMs;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  /** Opens what keeps the stream; null where it is not kept, or can be no more. */
  #openRaw: (() => RawFile) | null;
  readonly #unkept: (failure: Error) => void;
  #held: Buffer[] = [];
  #raw: RawFile | null = null;
  #how = '';

  /** `openRaw` is asked for what keeps the stream when there is one; `unkept` is told why it cannot be kept any longer. */
  constructor(
    socket: Socket,
    peer: string,
    session: QrhiSession,
    openRaw: (() => RawFile) | null,
    unkept: (failure: Error) => void,
  ) {
    this.peer = peer;
    this.session = session;
    this.#socket = socket;
    this.#openRaw = openRaw;
    this.#unkept = unkept;
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', ({ message }) => {
      this.#how = `the connection broke (${message})`;
    });
    this.ended = new Promise((resolve) => {
      socket.on('close', () => {
        session.end(this.#how === '');
        this.#keep([]);
        this.#attempt(() => this.#raw?.close());
        resolve();
      });
    });
  }

  /** Whether it has not been ended from here. */
  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Whether anything came. */
  get hasSent(): boolean {
    return this.session.sizeBytes > 0;
  }

  /** Where the whole stream is kept; null where it is not. */
  get keptIn(): string | null {
    return this.#openRaw === null ? null : (this.#raw?.path ?? null);
  }

  /** How it ended, where that was not its own doing. */
  get notes(): readonly string[] {
    return this.#how === '' ? [] : [this.#how];
  }

  /** Ends it from here; one that has ended already has ended well. */
  close(why: string): void {
    if (!this.#socket.readableEnded && this.#how === '') this.#how = why;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const { session } = this;
    this.heardMs = performance.now();
    try {
      session.push(chunk);
    } catch (error) {
      this.close(`what it sent is no QRhiProfiler stream any more: ${(error as Error).message}`);
    }
    this.#keep([chunk]);
    if (!session.isStream && (session.malformed >= patienceLines || session.sizeBytes >= patienceBytes))
      this.close('what it sent is no QRhiProfiler stream');
  }

  #keep(chunks: readonly Buffer[]): void {
    if (this.#openRaw === null) return;
    this.#held.push(...chunks);
    if (!this.session.isStream) return;
    this.#attempt(() => {
      this.#raw ??= this.#openRaw?.() ?? null;
      for (const chunk of this.#held) this.#pause(this.#raw?.write(chunk));
    });
    this.#held = [];
  }

  /** Takes nothing more until then. */
  #pause(taken: Promise<void> | undefined): void {
    if (!taken) return;
    this.#socket.pause();
    void taken.then(() => this.#socket.resume());
  }

  /** What cannot be kept is still reported. */
  #attempt(action: () => void): void {
    if (this.#openRaw === null) return;
    try {
      action();
    } catch (error) {
      this.#openRaw = null;
      this.#unkept(error as Error);
    }
  }
}
