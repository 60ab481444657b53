import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { closed, connectTo, send, start, startListening } from './cli-kit.ts';
import { buffer, release, smallStream } from './kit.ts';

interface Stream {
  readonly memory: Readonly<Record<'all' | 'buffer', { readonly liveBytes: number; readonly peakBytes: number }>>;
  readonly malformed: { readonly count: number };
  readonly notes: readonly string[];
}

test('a stream is reported, and kept byte for byte', async (t) => {
  const raw = join(await tempFolder(t), 'raw.csv');
  const { server, port } = await startListening(t, ['--once', '-o', raw, '--format', 'json']);
  // A client that only looks whether the port is open ends nothing.
  await send(port, '');
  const bytes = Buffer.concat([Buffer.from(smallStream), Buffer.from([0, 0xff, 13, 10]), Buffer.from('2,30,101')]);
  await send(port, bytes);
  assert.equal(await server.ended, 0);
  assert.deepEqual(await readFile(raw), bytes);
  const [stream] = JSON.parse(server.stdout()).streams;
  assert.match(stream.stream, /^connection from 127\.0\.0\.1:\d+$/);
  assert.deepEqual([stream.lines, stream.malformed.count, stream.memory.all.liveCount], [22, 2, 3]);
});

test('several streams at once, each reported when it ends, until interrupted', async (t) => {
  const raw = join(await tempFolder(t), 'raw.csv');
  const { server, port } = await startListening(t, ['-o', raw, '--format', 'json']);
  // As Qt does: connected long before its first line.
  const [first, second, third] = [await connectTo(port), await connectTo(port), await connectTo(port)];
  second.write(buffer(2, 200).slice(0, 9));
  third.write(buffer(3, 300));
  // It closes its side only, as `nc -N` does, and waits for ours.
  third.resume().end(release(2, 3));
  await closed(third);
  second.write(buffer(2, 200).slice(9));
  await server.until(/1 resource live of 200 B/);
  // What the system has received counts, whatever the moment of the signal; half a line is no fault.
  first.write(`${buffer(1, 100)}${buffer(4, 400)}1,5,6`);
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 0);
  const { streams } = JSON.parse(server.stdout());
  const interrupted = 'interrupted here, while it streamed';
  assert.deepEqual(
    streams
      .map(({ memory, notes, malformed }: Stream) => [
        memory.all.peakBytes,
        malformed.count,
        notes.includes(interrupted),
      ])
      .sort(([left]: number[], [right]: number[]) => left - right),
    [
      [200, 0, true],
      [300, 0, false],
      [500, 0, true],
    ],
  );
  assert.equal(await readFile(raw, 'utf8'), buffer(3, 300) + release(2, 3));
  assert.equal(await readFile(raw.replace('.csv', '-2.csv'), 'utf8'), buffer(2, 200));
  assert.equal(await readFile(raw.replace('.csv', '-3.csv'), 'utf8'), `${buffer(1, 100)}${buffer(4, 400)}1,5,6`);
});

test('quick clients, one after the other and in parallel, lose nothing', async (t) => {
  const { server, port } = await startListening(t, ['--format', 'json']);
  for (let res = 1; res <= 5; res++) connect(port, '127.0.0.1').resume().end(buffer(res, res));
  await Promise.all(Array.from({ length: 60 }, (_, at) => send(port, buffer(at + 6, at + 6).repeat(1000))));
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
  const { streams } = JSON.parse(server.stdout());
  assert.deepEqual(
    streams.map(({ memory }: Stream) => memory.buffer.liveBytes).sort((left: number, right: number) => left - right),
    Array.from({ length: 65 }, (_, at) => at + 1),
  );
});

test('who has nothing to say makes way when there is no room, and nobody else', async (t) => {
  const { server, port } = await startListening(t, ['--format', 'json']);
  const silent = await Promise.all(Array.from({ length: 127 }, () => connectTo(port)));
  const app = await connectTo(port);
  app.write(buffer(1, 100));
  // Those that came just now may yet speak; after a second they make way.
  for (let count = 0; !/made way for another/.test(server.stderr()); count++) await send(port, buffer(2, 1000 + count));
  assert.match(server.stderr(), /127\.0\.0\.1:\d+ had sent no entry, and made way for another/);
  app.end(release(2, 1));
  for (const socket of silent) socket.destroy();
  await server.until(/"peakBytes":100,/, 'stdout');
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 0);
  const { streams } = JSON.parse(server.stdout());
  const sizes = streams.map(({ memory }: Stream) => memory.buffer.peakBytes);
  assert.ok(sizes.includes(100) && sizes.some((size: number) => size >= 1000));
});

test('who sends no entry any more is left, and what came before is reported', async (t) => {
  const { server, port } = await startListening(t, ['--once', '--format', 'json']);
  await send(port, smallStream + '\0'.repeat(17 * 2 ** 20));
  assert.equal(await server.ended, 0);
  const [{ notes }] = JSON.parse(server.stdout()).streams;
  const where = `from byte ${Buffer.byteLength(smallStream)} on there is no entry in 16 MiB`;
  assert.ok(notes.includes(`what it sent is no QRhiProfiler stream any more: ${where}`), notes.join());
});

test('malformed lines with --strict: the server goes on, and exits 2 at the end', async (t) => {
  const { server, port } = await startListening(t, ['--strict', '--format', 'json']);
  await send(port, `${smallStream}x\n`);
  await send(port, `${smallStream}y\nz\n`);
  await send(port, smallStream);
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 2);
  assert.equal(JSON.parse(server.stdout()).streams.length, 3);
  assert.match(
    server.stderr(),
    /line 21 is malformed: it does .*\n.*line 21 is malformed, as is 1 more: it does .*\n$/,
  );
});

test('an IPv6 address', async (t) => {
  const server = start(t, ['qrhi', '--listen', '0', '--host', '[::1]', '--once', '--format', 'json']);
  const [, port] = await server.until(/listening on \[::1\]:(\d+)/);
  connect(Number(port), '::1').resume().end(smallStream);
  assert.equal(await server.ended, 0, server.stderr());
  assert.match(JSON.parse(server.stdout()).streams[0].stream, /^connection from \[::1\]:\d+$/);
});

test('garbage is told of, and keeps nobody out', async (t) => {
  const { server, port } = await startListening(t, []);
  await send(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await server.until(/sent 35 bytes that are no QRhiProfiler stream/);
  // It never ends its line, nor its connection.
  const endless = await connectTo(port);
  endless.resume();
  const gone = closed(endless);
  const chunk = Buffer.alloc(65536, 0x16);
  const feed = (): void => {
    while (!endless.destroyed && endless.write(chunk));
  };
  endless.on('drain', feed);
  feed();
  await gone;
  await server.until(/sent \d{7,} bytes that are no QRhiProfiler stream/);
  // One that says nothing is in nobody's way.
  await connectTo(port);
  await send(port, smallStream);
  await server.until(/Live at the end: 3/, 'stdout');
  // One that breaks off is reported as far as it came.
  const broken = await connectTo(port);
  broken.write(buffer(9, 9));
  await server.until(/resource live of 9 B/);
  broken.resetAndDestroy();
  await server.until(/the connection broke/, 'stdout');
  server.child.kill('SIGINT');
  assert.equal(await server.ended, 0);
});

test('nothing came; what came was no stream; the port is taken', async (t) => {
  const idle = await startListening(t, []);
  idle.server.child.kill('SIGINT');
  assert.equal(await idle.server.ended, 0);
  assert.match(idle.server.stderr(), /no stream came\n$/);
  assert.equal(idle.server.stdout(), '');
  // The first stream is waited for, not the first connection; a device takes all of them.
  const once1 = await startListening(t, ['--once', '-o', '/dev/null']);
  await send(once1.port, 'hello\n');
  await once1.server.until(/sent 6 bytes that are no QRhiProfiler stream/);
  await send(once1.port, smallStream);
  assert.equal(await once1.server.ended, 0, once1.server.stderr());
  const strict = await startListening(t, ['--once', '--strict']);
  await send(strict.port, `${smallStream}x\n`);
  assert.equal(await strict.server.ended, 2);
  assert.match(strict.server.stderr(), /line 21 is malformed: it does not end with a comma\n$/);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const { code, stdout, stderr } = await run(['qrhi', '--listen', `${port}`]);
  assert.deepEqual(
    [code, stdout, stderr],
    [
      2,
      '',
      `gpuprof: port ${port} is in use on 127.0.0.1; end what listens there, which may be Qt's own viewer, or name another port: --listen PORT\n`,
    ],
  );
});
