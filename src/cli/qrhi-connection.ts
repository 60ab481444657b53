import type { Socket } from 'node:net';
import type { QrhiStreamReport } from '../report/qrhi-usage/stream-report.ts';
import { openRaw, type RawFile } from './qrhi-raw.ts';
import type { QrhiSession } from './qrhi-session.ts';

/** A peer that vanished without a word is noticed after a while of silence. */
const keepAliveMs = 30_000;
/** This much without a single entry is no stream. */
const patienceBytes = 2 ** 20;
const patienceLines = 100;

/** A connection that streams: what it said is read as it comes, and kept. */
export class QrhiConnection {
  readonly peer: string;
  readonly session: QrhiSession;
  /** Resolves when it has ended, however; rejects when its stream cannot be kept. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #rawPath: string | null;
  #raw: RawFile | null = null;
  #how = '';

  constructor(socket: Socket, peer: string, session: QrhiSession, rawPath: string | null) {
    this.peer = peer;
    this.session = session;
    this.#socket = socket;
    this.#rawPath = rawPath;
    socket.setKeepAlive(true, keepAliveMs);
    this.ended = new Promise((resolve, reject) => {
      socket.on('data', (chunk: Buffer) => {
        try {
          this.#take(chunk);
        } catch (error) {
          socket.destroy();
          reject(error);
        }
      });
      socket.on('error', ({ message }) => {
        this.#how = `the connection broke (${message})`;
      });
      socket.on('close', () => {
        if (this.#how === '') session.end();
        this.#raw?.close();
        resolve();
      });
      if (socket.closed) resolve();
    });
  }

  /** Whether anything came. */
  get hasSent(): boolean {
    return this.session.sizeBytes > 0;
  }

  /** Whether an entry came. */
  get isStream(): boolean {
    return this.session.entries > 0;
  }

  get keptIn(): string | null {
    return this.#raw?.path ?? null;
  }

  /** Ends it from here. */
  close(why: string): void {
    this.#how = why;
    this.#socket.destroy();
  }

  report(): QrhiStreamReport {
    return this.session.report(this.#how === '' ? [] : [this.#how]);
  }

  #take(chunk: Buffer): void {
    const { session } = this;
    if (this.#rawPath !== null) {
      this.#raw ??= openRaw(this.#rawPath);
      this.#raw.write(chunk);
    }
    session.push(chunk);
    if (session.entries === 0 && (session.malformed >= patienceLines || session.sizeBytes >= patienceBytes))
      this.close('what it sent is no QRhiProfiler stream');
  }
}
