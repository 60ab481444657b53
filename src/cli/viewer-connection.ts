/** The client side of Qt's qrhiprof viewer, as an application with QSG_RHI_PROFILE_HOST is one. */
import { connect, isIPv6, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { qrhiPort } from '../model/qrhi/ops.ts';
import type { StreamTarget } from './stream-target.ts';

export interface ViewerAddress {
  readonly host: string;
  readonly port: number;
}

const closed = 'it closed the connection';
const connectMs = 3000;
/**
 * A viewer that takes nothing for so long has hung; it is looked at as often. Linux shows a program only when a third of
 * its send buffer has become free: every 14 s with a reader of 100 kB/s on one machine (measured).
 */
const patienceMs = 30_000;
/** For the other side to close, once all is sent; what the kernel still holds is sent all the same. */
const closingMs = 5000;
/** Lines that a viewer has not taken yet; more come only from a single run with very many. */
const mostWaitingBytes = 64 * 2 ** 20;

/** `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`. */
export function viewerAddress(text: string): ViewerAddress {
  const [, bracketed, plain, digits] = /^(?:\[([^[\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = digits === undefined ? qrhiPort : Number(digits);
  if (host === undefined || (bracketed !== undefined && !isIPv6(bracketed)) || port < 1 || port > 65535)
    throw new InvalidArgumentError('It must be HOST or HOST:PORT, an IPv6 address in brackets.');
  return { host, port };
}

export const addressText = ({ host, port }: ViewerAddress): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name cannot be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ECONNRESET: closed,
  EPIPE: closed,
};
const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => reasons[code] ?? (message || code);

/** A connected socket, or why there is none. */
export function connectViewer(address: ViewerAddress): Promise<Socket | string> {
  return new Promise((resolve) => {
    // A viewer that sends nothing may end its side at once, and read on.
    const socket = connect({ host: address.host, port: address.port, noDelay: true, allowHalfOpen: true });
    const settle = (result: Socket | string) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      // A destroyed socket may still have an error to tell.
      socket.on('error', () => {});
      if (typeof result === 'string') socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => settle(`no answer in ${connectMs / 1000} s`), connectMs);
    socket.once('connect', () => settle(socket));
    socket.once('error', (error) => settle(reasonOf(error as NodeJS.ErrnoException)));
  });
}

/** Streams to a viewer; when it fails, says so once and goes on without it. */
export class ViewerConnection implements StreamTarget {
  readonly #socket: Socket;
  readonly #lost: (reason: string) => void;
  readonly #closed: Promise<void>;
  /** The viewer has ended its side: it may be gone, or read on. */
  readonly #saidAll: Promise<void>;
  readonly #patienceMs: number;
  #isOpen = true;

  /** `lost` is called once, with the reason as a clause, when the viewer goes before the stream's end. */
  constructor(socket: Socket, lost: (reason: string) => void, patience = patienceMs) {
    this.#socket = socket;
    this.#lost = lost;
    this.#patienceMs = patience;
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#giveUp(closed);
        resolve();
      });
    });
    this.#saidAll = new Promise((resolve) => socket.once('end', resolve));
    socket.once('error', (error) => this.#giveUp(reasonOf(error as NodeJS.ErrnoException)));
    socket.on('timeout', () => this.#giveUp('it has stopped reading'));
    // Viewers send nothing; reading is how their end is noticed.
    socket.resume();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  write(lines: string): void {
    if (!this.#isOpen) return;
    this.#socket.write(lines);
    if (this.#socket.writableLength > mostWaitingBytes) this.#giveUp('it reads too slowly');
  }

  ready(): Promise<void> | undefined {
    return this.#isOpen && this.#socket.writableNeedDrain ? this.#drained() : undefined;
  }

  /** Waits, while the viewer is there, until `over` or until it goes, or may have gone. */
  async hold(over: Promise<void>): Promise<void> {
    await this.#drained();
    await Promise.race([over, this.#closed, this.#saidAll]);
  }

  async end(): Promise<void> {
    await this.#drained();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.end();
    await Promise.race([this.#closed, pause(closingMs, undefined, { ref: false })]);
    this.#socket.destroy();
  }

  abandon(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  /** Waits until everything written has been taken, or the viewer is gone. */
  async #drained(): Promise<void> {
    const socket = this.#socket;
    // Node puts the timeout off while the kernel takes anything of a write; it is no clock for what blocks the process.
    socket.setTimeout(this.#patienceMs);
    await new Promise<void>((resolve) => socket.write('', () => resolve()));
    socket.setTimeout(0);
  }

  #giveUp(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.destroy();
    this.#lost(reason);
  }
}
