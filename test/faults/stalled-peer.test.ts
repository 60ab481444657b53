/** Viewers over real connections: who reads slowly is waited for, who has stopped is not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connectViewer, ViewerConnection } from '../../src/cli/viewer-connection.ts';

/** Connects to a viewer that does with its socket what `serve` says; tells why it was lost, and what serving came to. */
async function connectTo<T>(t: TestContext, serve: (socket: Socket) => T, patienceMs?: number) {
  const server = createServer().listen(0, '127.0.0.1');
  const served = once(server, 'connection').then(([socket]: Socket[]) => {
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    return serve(socket);
  });
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = await connectViewer({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  assert.ok(typeof socket !== 'string', String(socket));
  const lost: string[] = [];
  return { viewer: new ViewerConnection(socket, (reason) => lost.push(reason), patienceMs), lost, served };
}

/** Reads so many bytes every 20 ms; resolves with all bytes once the other side has ended. */
function readSlowly(socket: Socket, stepBytes: number): Promise<number> {
  let received = 0;
  const timer = setInterval(() => {
    const chunk = socket.read(Math.min(stepBytes, socket.readableLength)) as Buffer | null;
    received += chunk?.length ?? 0;
  }, 20);
  return new Promise((resolve) => {
    socket.on('readable', () => {});
    socket.once('end', () => {
      clearInterval(timer);
      resolve(received);
    });
  });
}

const patienceMs = 1500;
/** Far more than kernels keep, so that it takes several times the patience. */
const much = 'x'.repeat(20 * 2 ** 20);

test('a viewer that reads slowly gets everything, though one write takes longer than the patience', async (t) => {
  const begun = performance.now();
  const { viewer, lost, served } = await connectTo(t, (socket) => readSlowly(socket, 2 ** 16), patienceMs);
  viewer.write(much);
  await viewer.ready();
  assert.ok(performance.now() - begun > 2 * patienceMs, `taken in ${performance.now() - begun} ms: no slow viewer`);
  await viewer.end();
  assert.deepEqual([await served, lost], [much.length, []]);
});

test('a viewer that has stopped reading is given up once, and nothing waits for it any more', async (t) => {
  const { viewer, lost } = await connectTo(t, (socket) => socket.pause(), patienceMs);
  viewer.write(much);
  await viewer.ready();
  assert.deepEqual([lost, viewer.isOpen], [['it has stopped reading'], false]);
  viewer.write('more');
  assert.equal(viewer.ready(), undefined);
  await viewer.end();
  await viewer.hold(new Promise(() => {}));
  assert.equal(lost.length, 1);
});

test('no viewer is given up for what blocks the program, nor while there is nothing to take', async (t) => {
  const { viewer, lost, served } = await connectTo(t, (socket) => text(socket.setEncoding('utf8')), 100);
  viewer.write('first\n');
  await viewer.ready();
  const until = performance.now() + 300;
  while (performance.now() < until);
  await viewer.hold(setTimeout(300));
  viewer.write('second\n');
  await viewer.end();
  assert.deepEqual([await served, lost], ['first\nsecond\n', []]);
});

test('a viewer that ends its own side at once gets everything; only nothing is held for it', async (t) => {
  const { viewer, lost, served } = await connectTo(t, (socket) => {
    socket.end();
    return text(socket.setEncoding('utf8'));
  });
  await setTimeout(100);
  viewer.write('first\n');
  await viewer.ready();
  await viewer.hold(new Promise(() => {}));
  viewer.write('last\n');
  await viewer.end();
  assert.deepEqual([await served, lost], ['first\nlast\n', []]);
});

test('a viewer that is too far behind is given up at once', async (t) => {
  const { viewer, lost } = await connectTo(t, (socket) => socket.pause());
  for (let at = 0; at < 4; at++) viewer.write(much);
  assert.deepEqual(lost, ['it reads too slowly']);
});
