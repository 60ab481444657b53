import type { Server, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { liveView } from './live-view.ts';
import type { QrhiOptions } from './qrhi.ts';
import { QrhiConnection } from './qrhi-connection.ts';
import type { RawFiles } from './qrhi-raw.ts';
import { QrhiReports } from './qrhi-reports.ts';
import { noStream, openSession } from './qrhi-session.ts';
import { say } from './say.ts';

/** Each may hold what is live in its application. */
const mostConnections = 128;
/** Who has sent no entry for so long makes way when there is no room. */
const graceMs = 1000;
/** Of those that were refused, made way, or could not be kept: the rest are counted, or had sent nothing. */
const mostTold = 5;
/** What streams without a pause is not waited for. */
const mostReadingMs = 500;

/** An address and a port; IPv4 as such, also where an IPv6 server sees it. */
export function place(address: string, port: number): string {
  const shown = address.replace(/^::ffff:(?=\d+\.)/, '');
  return shown.includes(':') ? `[${shown}]:${port}` : `${shown}:${port}`;
}

/** Takes all streams that come, at the same time, and reports each when it ends. */
export class QrhiServer {
  readonly reports: QrhiReports;
  /** Resolves when `--once` is fulfilled; rejects when something cannot be written. */
  readonly finished: Promise<void>;
  readonly #options: QrhiOptions;
  readonly #server: Server;
  readonly #where: string;
  readonly #raw: RawFiles | null;
  readonly #view;
  /** Who is connected, the first to come first, and when each has been reported. */
  readonly #connections = new Map<QrhiConnection, Promise<void>>();
  #settle: { readonly done: () => void; readonly failed: (error: unknown) => void };
  /** Reports are written one after the other. */
  #writing: Promise<void> = Promise.resolve();
  /** Streams that could not be kept whole. */
  unkept = 0;
  #refused = 0;
  #madeWay = 0;
  /** Of all connections. */
  #sizeBytes = 0;
  /** Connections, chunks and ends so far. */
  #happened = 0;

  /** `raw` keeps the streams; null where nobody asked. */
  constructor(server: Server, where: string, options: QrhiOptions, raw: RawFiles | null) {
    this.reports = new QrhiReports('-', options);
    this.#options = options;
    this.#server = server;
    this.#where = where;
    this.#raw = raw;
    this.#settle = { done: () => {}, failed: () => {} };
    this.finished = new Promise((done, failed) => {
      this.#settle = { done, failed };
    });
    this.#view = liveView(() => {
      const streams = [...this.#connections.keys()].filter(({ session }) => session.isStream);
      const last = streams.reduce<QrhiConnection | null>(
        (latest, next) => (latest && latest.heardMs >= next.heardMs ? latest : next),
        null,
      );
      const who = last === null ? 'listening on' : `${last.peer} streams to`;
      const others = streams.length > 1 ? `, 1 of ${streams.length} that do` : '';
      return {
        headline: `${who} ${this.#where}${others}; Ctrl-C ends`,
        sizeBytes: this.#sizeBytes,
        qt: this.#options.qt,
        report: () => last?.session.report() ?? null,
      };
    });
    this.#view.start();
    server.on('connection', (socket) => this.#arrive(socket));
    server.on('error', ({ message }) => this.#tell(`a connection could not be taken: ${message}`));
  }

  /** Ends what goes on, and reports it. */
  async stop(): Promise<void> {
    await this.#readReceived();
    this.#server.close();
    const why = this.#options.once ? 'ended here, by --once, while it streamed' : 'interrupted here, while it streamed';
    for (const connection of this.#connections.keys()) connection.close(why);
    await Promise.all(this.#connections.values());
    this.#raw?.close();
    this.#view.stop();
    if (this.#refused > mostTold) say(`${this.#refused} connections in all were refused`);
    if (this.reports.count === 0) say('no stream came');
  }

  /** What the system has received already, connections too, is not lost: goes on until nothing is ready to be read. */
  async #readReceived(): Promise<void> {
    const endMs = performance.now() + mostReadingMs;
    for (let before = -1; before !== this.#happened && performance.now() < endMs; ) {
      before = this.#happened;
      await setImmediate();
    }
  }

  #arrive(socket: Socket): void {
    this.#happened++;
    // Whatever becomes of it, its errors are its own affair.
    socket.on('error', () => {});
    const peer = place(socket.remoteAddress ?? 'somebody', socket.remotePort ?? 0);
    if (!this.#hasRoom()) {
      socket.destroy();
      if (++this.#refused <= mostTold) this.#tell(`refused ${peer}: ${mostConnections} are connected`);
      return;
    }
    for (const event of ['data', 'end', 'close'])
      socket.on(event, () => {
        this.#happened++;
      });
    socket.on('data', (chunk: Buffer) => {
      this.#sizeBytes += chunk.length;
    });
    const raw = this.#raw;
    const connection = new QrhiConnection(
      socket,
      peer,
      openSession(`connection from ${peer}`, this.#options.top),
      raw && (() => raw.next()),
      ({ message }) => {
        if (++this.unkept <= mostTold) this.#tell(`the stream of ${peer} is kept only up to here: ${message}`);
      },
    );
    const left = connection.ended
      .then(() => this.#leave(connection))
      .catch((error: unknown) => this.#settle.failed(error))
      .finally(() => this.#connections.delete(connection));
    this.#connections.set(connection, left);
  }

  /** Whether one more can be taken, for which one that has sent no entry may have to go. */
  #hasRoom(): boolean {
    if (this.#connections.size < mostConnections) return true;
    const before = performance.now() - graceMs;
    const idle = [...this.#connections.keys()].find(
      ({ session, sinceMs, isOpen }) => isOpen && !session.isStream && sinceMs < before,
    );
    if (!idle) return false;
    idle.close('another came, and this one had sent no entry');
    if (++this.#madeWay <= mostTold) this.#tell(`${idle.peer} had sent no entry, and made way for another`);
    return true;
  }

  #tell(text: string): void {
    this.#view.stop();
    say(text);
    this.#view.start();
  }

  async #leave(connection: QrhiConnection): Promise<void> {
    const { session, peer, keptIn, notes, hasSent } = connection;
    const { once, strict } = this.#options;
    const fault = noStream(session);
    if (fault) {
      this.#tell(`${peer} sent ${session.sizeBytes} bytes that are no QRhiProfiler stream`);
      if (strict) this.reports.fault(fault);
    } else if (hasSent) {
      this.#writing = this.#writing.then(async () => {
        this.#view.stop();
        if (keptIn !== null) say(`the stream is in ${keptIn}`);
        await this.reports.add(session, notes);
        this.#view.start();
      });
      await this.#writing;
    }
    if (hasSent && once && !fault) this.#settle.done();
  }
}
