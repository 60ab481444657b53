/** Serves one file on the loopback interface, behind a path that nobody can guess, and nothing else. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GpuprofError } from '../../errors.ts';

export interface ServedFile {
  /** The last part of the address. */
  readonly name: string;
  readonly contentType: string;
  readonly chunks: readonly Uint8Array[];
  /** The web application that may read it from its own pages; pages of all others may not. */
  readonly reader?: string;
}

const host = '127.0.0.1';

/** What a report's page needs; it loads nothing, and nobody may frame it. */
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function listenFailure(port: number, { code, message }: NodeJS.ErrnoException): GpuprofError {
  if (code === 'EADDRINUSE')
    return new GpuprofError('bad-usage', `port ${port} is in use on ${host}`, {
      hint: 'end what listens there, or name another with --port',
    });
  if (code === 'EACCES')
    return new GpuprofError('bad-usage', `port ${port} is not allowed`, { hint: 'name one from 1024 on with --port' });
  return new GpuprofError('bad-usage', `cannot listen on ${host}: ${message}`);
}

export class ViewServer {
  readonly #server: Server;
  readonly #file: ServedFile;
  readonly #path: string;

  private constructor(file: ServedFile) {
    this.#file = file;
    this.#path = `/${randomBytes(16).toString('hex')}/${file.name}`;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Port 0 is any that is free. Throws GpuprofError `bad-usage` for one that cannot be had. */
  static async start(file: ServedFile, port: number): Promise<ViewServer> {
    const server = new ViewServer(file);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error) => reject(listenFailure(port, error));
      server.#server.once('error', fail);
      server.#server.listen(port, host, () => {
        server.#server.off('error', fail);
        resolve();
      });
    });
    return server;
  }

  /** Where the file is. */
  get address(): string {
    return `http://${host}:${this.#port}${this.#path}`;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #headers(): Readonly<Record<string, string>> {
    const { contentType, chunks, reader } = this.#file;
    return {
      'Content-Type': contentType,
      'Content-Length': String(chunks.reduce((sum, { length }) => sum + length, 0)),
      'Content-Security-Policy': reader === undefined ? pagePolicy : "default-src 'none'; frame-ancestors 'none'",
      'Cross-Origin-Resource-Policy': reader === undefined ? 'same-origin' : 'cross-origin',
    };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of [
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
      ['Referrer-Policy', 'no-referrer'],
    ])
      response.setHeader(name, value);
    const end = (status: number, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, headers).end();
    // A page of another site that has its name point here still says that name.
    const { host: asked, origin } = request.headers;
    if (asked !== `${host}:${this.#port}` && asked !== `localhost:${this.#port}`) return void end(403);
    if (request.url !== this.#path) return void end(404);
    const { reader, chunks } = this.#file;
    if (reader !== undefined) {
      response.setHeader('Vary', 'Origin');
      if (origin === reader) response.setHeader('Access-Control-Allow-Origin', reader);
    }
    const isReader = reader !== undefined && origin === reader;
    if (request.method === 'OPTIONS' && isReader)
      return void end(204, {
        'Access-Control-Allow-Methods': 'GET',
        'Access-Control-Allow-Headers': '*',
        // Of a page on the public network, Chromium asks first.
        'Access-Control-Allow-Private-Network': 'true',
        'Access-Control-Allow-Local-Network': 'true',
      });
    if (request.method !== 'GET' && request.method !== 'HEAD') return void end(405, { Allow: 'GET, HEAD' });
    response.writeHead(200, this.#headers());
    if (request.method === 'GET') for (const chunk of chunks) response.write(chunk);
    response.end();
  }

  /** Ends it, and all connections. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
