import type { Socket } from 'node:net';
import { openRaw, type RawFile } from './qrhi-raw.ts';
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
  /** Why its stream could not be kept; null when it could. */
  failure: unknown = null;
  readonly #socket: Socket;
  /** Where the stream is kept, asked for when there is one; null: it is not kept. */
  readonly #rawPath: (() => string) | null;
  #held: Buffer[] = [];
  #raw: RawFile | null = null;
  #how = '';

  constructor(socket: Socket, peer: string, session: QrhiSession, rawPath: (() => string) | null) {
    this.peer = peer;
    this.session = session;
    this.#socket = socket;
    this.#rawPath = rawPath;
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('data', (chunk: Buffer) => this.#attempt(() => this.#take(chunk)));
    socket.on('error', ({ message }) => {
      this.#how = `the connection broke (${message})`;
    });
    this.ended = new Promise((resolve) => {
      socket.on('close', () => {
        session.end(this.#how === '');
        this.#attempt(() => {
          this.#keep([]);
          this.#raw?.close();
        });
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

  get keptIn(): string | null {
    return this.#raw?.path ?? null;
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
    session.push(chunk);
    this.#keep([chunk]);
    if (!session.isStream && (session.malformed >= patienceLines || session.sizeBytes >= patienceBytes))
      this.close('what it sent is no QRhiProfiler stream');
  }

  #keep(chunks: readonly Buffer[]): void {
    if (this.#rawPath === null) return;
    this.#held.push(...chunks);
    if (!this.session.isStream) return;
    this.#raw ??= openRaw(this.#rawPath());
    for (const chunk of this.#held) this.#raw.write(chunk);
    this.#held = [];
  }

  #attempt(action: () => void): void {
    if (this.failure !== null) return;
    try {
      action();
    } catch (error) {
      this.failure = error;
      this.close('it could not be kept');
    }
  }
}
