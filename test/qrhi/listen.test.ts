import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { closed, connectTo, send, startListening } from './cli-kit.ts';
import { buffer, release, smallStream } from './kit.ts';

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

test('connections one after the other, one at a time, until interrupted', async (t) => {
  const raw = join(await tempFolder(t), 'raw.csv');
  const { server, port } = await startListening(t, ['-o', raw]);
  const first = await connectTo(port);
  first.write(buffer(1, 100));
  await server.until(/resource live of 100 B/);
  const other = await connectTo(port);
  other.resume();
  await closed(other);
  await server.until(/refused 127\.0\.0\.1:\d+: 127\.0\.0\.1:\d+ streams/);
  first.end(release(2, 1));
  await server.until(/Nothing is live at the end/, 'stdout');
  await send(port, buffer(2, 30));
  await server.until(/Live at the end: 1, 30 B/, 'stdout');
  const last = await connectTo(port);
  last.write(buffer(3, 31));
  await server.until(/resource live of 31 B/);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
  assert.match(server.stdout(), /Live at the end: 1, 31 B[\s\S]*interrupted here, while it streamed/);
  assert.equal(await readFile(raw, 'utf8'), buffer(1, 100) + release(2, 1));
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
  // One that says nothing makes way.
  const silent = await connectTo(port);
  silent.resume();
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
  const once1 = await startListening(t, ['--once']);
  await send(once1.port, 'hello\n');
  assert.equal(await once1.server.ended, 2);
  assert.match(once1.server.stderr(), /is no QRhiProfiler stream: line 1 does not end with a comma/);
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
