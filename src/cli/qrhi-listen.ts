import { createServer, type Server, type Socket } from 'node:net';
import { GpuprofError } from '../errors.ts';
import { qrhiPort } from '../model/qrhi/ops.ts';
import { printable } from '../report/printable.ts';
import { interruption } from './interruption.ts';
import { liveView } from './live-view.ts';
import { checkOutput } from './output.ts';
import type { QrhiOptions } from './qrhi.ts';
import { QrhiConnection } from './qrhi-connection.ts';
import { rawPath } from './qrhi-raw.ts';
import { checkIsStream, checkStrict, openSession, writeQrhi } from './qrhi-session.ts';

const refusalsTold = 5;
const anyAddress = ['0.0.0.0', '::'];

const say = (text: string): void => {
  process.stderr.write(`gpuprof: ${printable(text)}\n`);
};
const place = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Why a port cannot be listened on, and what to do about it. */
function listenFailure(host: string, port: number, { code, message }: NodeJS.ErrnoException): GpuprofError {
  if (code === 'EADDRINUSE')
    return new GpuprofError('bad-usage', `port ${port} is in use on ${host}`, {
      hint: "end what listens there, which may be Qt's own viewer, or name another port: --listen PORT",
    });
  if (code === 'EACCES')
    return new GpuprofError('bad-usage', `port ${port} is not allowed`, {
      hint: 'name one from 1024 on: --listen PORT',
    });
  const reason = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'this machine has no such address' : message;
  return new GpuprofError('bad-usage', `cannot listen on ${host}: ${reason}`);
}

/** Listens, and returns the port, which the system chooses for 0. */
function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(host, port, error)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function greet(host: string, port: number): void {
  const who = anyAddress.includes(host) ? 'every machine may connect' : `only at this address; --host 0.0.0.0 for all`;
  const from = anyAddress.includes(host) ? "this machine's address" : host;
  const portSetting = port === qrhiPort ? '' : ` QSG_RHI_PROFILE_PORT=${port}`;
  say(`listening on ${place(host, port)} (${who})`);
  say(`start the Qt application with QSG_RHI=1 QSG_RHI_PROFILE=1 QSG_RHI_PROFILE_HOST=${from}${portSetting}`);
}

/** The server: one stream at a time, each reported when it ends. */
class QrhiServer {
  readonly #options: QrhiOptions;
  readonly #server: Server;
  readonly #where: string;
  readonly #view;
  #current: QrhiConnection | null = null;
  #streams = 0;
  #refused = 0;
  /** Connections are received, and reports written, one after the other. */
  #arrivals: Promise<void> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();
  #settle: { readonly done: () => void; readonly failed: (error: unknown) => void };
  /** Resolves when `--once` is fulfilled; rejects when a report cannot be written. */
  readonly finished: Promise<void>;

  constructor(server: Server, where: string, options: QrhiOptions) {
    this.#options = options;
    this.#server = server;
    this.#where = where;
    this.#settle = { done: () => {}, failed: () => {} };
    this.finished = new Promise((done, failed) => {
      this.#settle = { done, failed };
    });
    this.#view = liveView(() => ({
      headline: this.#current
        ? `${this.#current.peer} streams to ${this.#where}; Ctrl-C ends`
        : `listening on ${this.#where}; Ctrl-C ends`,
      sizeBytes: this.#current?.session.sizeBytes ?? 0,
      qt: this.#options.qt,
      report: () => this.#current?.session.report() ?? null,
    }));
    this.#view.start();
    server.on('connection', (socket) => {
      // Until it is taken over, whatever happens to it is its own affair.
      socket.on('error', () => {});
      socket.pause();
      this.#arrivals = this.#arrivals
        .then(() => this.#arrive(socket))
        .catch((error: unknown) => this.#settle.failed(error));
    });
  }

  /** Ends what goes on, and reports it. */
  async stop(): Promise<void> {
    this.#server.close();
    this.#current?.close('interrupted here, while it streamed');
    try {
      await this.#current?.ended;
      await this.#writing;
    } finally {
      this.#view.stop();
    }
    if (this.#streams === 0) say('no stream came');
  }

  async #arrive(socket: Socket): Promise<void> {
    const peer = place(socket.remoteAddress ?? 'somebody', socket.remotePort ?? 0);
    const session = await openSession(`connection from ${peer}`, this.#options.top);
    if (this.#current?.isStream) {
      socket.destroy();
      this.#refused++;
      if (this.#refused <= refusalsTold) this.#tell(`refused ${peer}: ${this.#current.peer} streams`);
      return;
    }
    // Who has sent no entry must not keep an application out.
    this.#current?.close('another came, and this one had sent no entry');
    await this.#current?.ended;
    const { output } = this.#options;
    const raw = output === undefined ? null : rawPath(output, this.#streams + 1);
    const connection = new QrhiConnection(socket, peer, session, raw);
    this.#current = connection;
    this.#refused = 0;
    connection.ended.then(() => this.#leave(connection)).catch((error: unknown) => this.#settle.failed(error));
    socket.resume();
  }

  #tell(text: string): void {
    this.#view.stop();
    say(text);
    this.#view.start();
  }

  async #leave(connection: QrhiConnection): Promise<void> {
    if (this.#current === connection) this.#current = null;
    if (!connection.hasSent) return;
    const report = connection.report();
    if (connection.isStream) {
      this.#streams++;
      this.#writing = this.#writing.then(async () => {
        this.#view.stop();
        if (connection.keptIn !== null) say(`the stream is in ${connection.keptIn}`);
        await writeQrhi([report], '-', this.#options);
        if (this.#options.strict) checkStrict([report]);
        this.#view.start();
      });
      await this.#writing;
    } else if (!this.#options.once)
      this.#tell(`${connection.peer} sent ${report.sizeBytes} bytes that are no QRhiProfiler stream`);
    else checkIsStream(report);
    if (this.#options.once) this.#settle.done();
  }
}

/** Takes streams from Qt applications until interrupted, or with `once` until the first has ended. */
export async function listen(port: number, options: QrhiOptions): Promise<void> {
  if (options.output !== undefined) checkOutput(options.output, '');
  // Before anybody is told that it listens: who is told may end it.
  const { over } = interruption();
  const server = createServer();
  const bound = await bind(server, options.host, port);
  greet(options.host, bound);
  const streams = new QrhiServer(server, place(options.host, bound), options);
  let failure: unknown = null;
  try {
    await Promise.race([over, streams.finished]);
  } catch (error) {
    failure = error;
  }
  await streams.stop();
  if (failure !== null) throw failure;
}
