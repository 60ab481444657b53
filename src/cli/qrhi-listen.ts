import { createServer, type Server } from 'node:net';
import { GpuprofError } from '../errors.ts';
import { qrhiPort } from '../model/qrhi/ops.ts';
import { interruption } from './interruption.ts';
import { checkOutput } from './output.ts';
import type { QrhiOptions } from './qrhi.ts';
import { RawFiles } from './qrhi-raw.ts';
import { place, QrhiServer } from './qrhi-server.ts';
import { say } from './say.ts';

const anyAddress = ['0.0.0.0', '::'];

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
    const fail = (error: Error) => reject(listenFailure(host, port, error));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
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

/** Takes streams from Qt applications until interrupted, or with `once` until the first has ended. */
export async function listen(port: number, options: QrhiOptions): Promise<void> {
  if (options.output !== undefined) checkOutput(options.output, '');
  // IPv6 as in an address with a port.
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  // What may wait for the reader of a pipe, and be interrupted.
  const raw = options.output === undefined ? null : await RawFiles.open(options.output);
  // Before anybody is told that it listens: who is told may end it.
  const { over } = interruption();
  const server = createServer();
  const bound = await bind(server, host, port);
  greet(host, bound);
  const streams = new QrhiServer(server, place(host, bound), options, raw);
  let failure: unknown = null;
  try {
    await Promise.race([over, streams.finished]);
  } catch (error) {
    failure = error;
  }
  await streams.stop();
  if (failure !== null) throw failure;
  await streams.reports.end();
  const { unkept } = streams;
  if (unkept > 0)
    throw new GpuprofError('output-failed', `${unkept} stream${unkept === 1 ? ' was' : 's were'} not kept whole`);
}
