import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveFile } from './serve-folder.ts';

/** More than a recorder sends in one message. */
const maxBodyBytes = 8 * 2 ** 20;

/** An answer to a recorder in a page: HTTP status and text. */
export type Answer = readonly [status: number, text: string];
/** Answers one message: its path behind the secret, and its body. */
export type AnswerMessage = (path: string, body: Uint8Array) => Answer | Promise<Answer>;

const nobody: AnswerMessage = () => [410, 'gpuprof records nothing now'];

const anyOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Allow-Private-Network': 'true',
  'Access-Control-Allow-Local-Network': 'true',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > maxBodyBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, sizeBytes);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * The tool's server on the loopback interface: recorders in pages send their captures to it, behind a secret, and a page
 * that is a file comes from it together with what lies in its folder.
 */
export class LoopbackServer {
  readonly #server: Server;
  readonly #secret = randomBytes(16).toString('hex');
  /** A real path; nothing is served when undefined. */
  readonly #folder: string | undefined;
  /** Who answers the recorders. */
  onMessage: AnswerMessage = nobody;

  private constructor(folder: string | undefined) {
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    // A page in the middle of a long frame is not to be cut off.
    this.#server.keepAliveTimeout = 0;
    this.#server.requestTimeout = 0;
  }

  static async start(folder?: string): Promise<LoopbackServer> {
    const server = new LoopbackServer(folder);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Where recorders send to. */
  get endpoint(): string {
    return `${this.origin}/${this.#secret}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    if (path.startsWith(`/${this.#secret}/`))
      return this.#answerRecorder(path.slice(this.#secret.length + 2), request, response);
    const name = decoded(path);
    if (this.#folder === undefined || name === undefined) response.writeHead(404).end();
    else await serveFile(this.#folder, name, request, response);
  }

  async #answerRecorder(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, anyOrigin).end();
      return;
    }
    const body = await bodyOf(request);
    const [status, text] = body === undefined ? [413, ''] : await this.onMessage(path, body);
    response.writeHead(status, { ...anyOrigin, 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
