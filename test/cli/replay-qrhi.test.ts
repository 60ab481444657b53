import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CaptureWriter } from '../../src/capture/write.ts';
import { signatureOf } from '../../src/gl/command-table.ts';
import { head } from '../capture/sample.ts';
import { projectRoot } from '../helpers/cli.ts';
import { drivers } from '../helpers/drivers.ts';
import { samplePath, tempFolder } from '../helpers/files.ts';
import { runInSession } from '../helpers/session.ts';
import { startListening } from '../qrhi/cli-kit.ts';
import { recordNode } from '../record/node-kit.ts';
import { bytes, check, linesOf, noChecker } from '../report/qrhi-kit.ts';
import { writeSmallCapture } from './small-capture.ts';

const triangle = samplePath('triangle');
/** Another driver draws the same calls: its samples are few. */
const samples = { egl: ['triangle', 'scene', 'draws-2000', 'ten-batches'], 'headless-gl': ['triangle', 'ten-batches'] };

for (const driver of drivers)
  test(`${driver}: streams of the sample captures pass the strict check`, { skip: noChecker }, async (t) => {
    const folder = await tempFolder(t);
    for (const sample of samples[driver]) {
      const path = join(folder, `${sample}.csv`);
      const options = ['--driver', driver, '--format', 'qrhi', '-o', path, '--runs', '2'];
      // The options change what a stream holds in one way for all captures: the smallest tries them all.
      const withEvents = ['--qrhi-events', '--verify', '--qrhi-interval', '1'];
      for (const more of sample === 'triangle' ? [[], ['--qrhi-qt', '6'], withEvents] : [withEvents]) {
        const args = ['replay', '--timer', 'finish', samplePath(sample), ...options, ...more];
        const { code, stderr } = await runInSession(args);
        assert.equal(code, 0, stderr);
        assert.equal(check(path, more[0] === '--qrhi-qt' ? 6 : 5), 'ok', `${sample} ${more}`);
      }
    }
    assert.deepEqual((await readdir(folder)).sort(), samples[driver].map((sample) => `${sample}.csv`).sort());
  });

test('the triangle, line by line', async () => {
  const { code, stdout, stderr } = await runInSession([
    'replay',
    '--timer',
    'finish',
    triangle,
    '--format',
    'qrhi',
    '--runs',
    '2',
    '--screenshot',
    '/dev/null',
  ]);
  assert.equal(code, 0, stderr);
  const buffer = (id: number, size: number) =>
    `1,1000000000000${id},buffer ${id},type,1,usage,1,logical_size,${size},effective_size,${size},backing_gpu_buf_count,1,backing_cpu_buf_count,0`;
  assert.deepEqual(linesOf(stdout, 1, 2, 3, 4, 5, 6, 11, 12, 13, 14), [
    '5,40000000000001,,type,0,width,256,height,256,effective_sample_count,1,transient_backing,0,winsys_backing,1,approx_byte_size,262144',
    '11,40000000000000,canvas,width,256,height,256,buffer_count,2,msaa_buffer_count,0,effective_sample_count,1,approx_total_byte_size,524288',
    buffer(1, 24),
    '3,10000000000001,buffer 1,slot,0,size,24',
    '4,10000000000001,buffer 1,slot,0',
    buffer(2, 36),
    '3,10000000000002,buffer 2,slot,0,size,36',
    '4,10000000000002,buffer 2,slot,0',
    '13,40000000000000,canvas,id,1,size,262144',
    '14,0,,id,1',
    '2,10000000000001,buffer 1',
    '2,10000000000002,buffer 2',
    '6,40000000000001,',
    '12,40000000000000,canvas',
  ]);
  // A run that is not measured, one or two warm-ups, two plain and two bracketed ones, and that of the screenshot.
  const windows = linesOf(stdout, 17).map((line) => line.split(',').slice(3, 5).join(' '));
  assert.deepEqual(windows.slice(0, 2), ['frames_since_resize 3', 'frames_since_resize 5']);
  assert.equal(linesOf(stdout, 18).length, windows.length);
  const total = 'real_alloc_count,4,sub_alloc_count,4,total_size,786492,unused_size,0';
  assert.deepEqual([...new Set(linesOf(stdout, 15))], [`15,0,,${total}`]);
});

test('an interval that the runs do not fill is told of', async () => {
  const args = [
    'replay',
    '--timer',
    'finish',
    triangle,
    '--format',
    'qrhi',
    '--runs',
    '3',
    '--warmup',
    '0',
    '--qrhi-interval',
  ];
  const told = async (interval: string) => {
    const { code, stdout, stderr } = await runInSession([...args, interval]);
    assert.equal(code, 0, stderr);
    return { lines: [16, 17, 18].map((op) => linesOf(stdout, op).length > 0), stderr };
  };
  const note = (interval: number, ops: string) =>
    new RegExp(
      `^gpuprof: note: no window of ${interval} runs was filled, so that the stream has no lines of ${ops}: ` +
        'there were \\d+ replay runs after the first, and \\d+ that count for op 16\\n$',
    );
  const none = await told('500');
  assert.deepEqual(none.lines, [false, false, false]);
  assert.match(none.stderr, note(500, 'ops 16 to 18'));
  const [some, all] = [await told('4'), await told('2')];
  assert.deepEqual(some.lines, [false, true, true]);
  assert.match(some.stderr, note(4, 'op 16'));
  assert.deepEqual(all, { lines: [true, true, true], stderr: '' });
});

test('captures of Node programs: the strict check, and a readback for each reading of the canvas', async (t) => {
  const { code, path, stderr } = await recordNode(t, 'thumbnails.cjs', ['--frame', '2', '--frames', '2']);
  assert.equal(code, 0, stderr);
  const stream = join(await tempFolder(t), 'stream.csv');
  const replayed = await runInSession([
    'replay',
    '--timer',
    'finish',
    path,
    '--runs',
    '2',
    '--qrhi',
    stream,
    '--qrhi-events',
  ]);
  assert.equal(replayed.code, 0, replayed.stderr);
  const text = await readFile(stream, 'utf8');
  const readbacks = linesOf(text, 13);
  assert.deepEqual(
    [...new Set(readbacks.map((line) => line.replace(/id,\d+,/, '')))],
    [`13,40000000000000,canvas,size,${64 * 48 * 4}`],
  );
  // Two frames of two plain and two measured runs, and what is not measured.
  assert.ok(readbacks.length >= 8, `${readbacks.length} readbacks`);
  if (!noChecker) assert.equal(check(stream), 'ok');
});

test('every frame is replayed, with events by name; other reports stand beside the stream', async (t) => {
  const folder = await tempFolder(t);
  const capture = await writeSmallCapture(join(folder, 'small.cap'), { frames: 3 });
  const path = join(folder, 'stream.csv');
  const args = ['replay', '--timer', 'finish', capture, '--qrhi', path, '--qrhi-events', '--runs', '2', '--csv', '-'];
  const { code, stdout, stderr } = await runInSession(args);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^frame,eventId,/);
  const stream = await readFile(path, 'utf8');
  const events = linesOf(stream, 16).map((line) => line.split(',').slice(1, 3).join(' '));
  // A window of plain runs and, after the events, the frame's time again: Qt's viewer shows what came last.
  const canvas = '40000000000000 canvas';
  assert.equal(events.filter((event) => event === canvas).length, 6);
  assert.deepEqual([events[0], events.at(-1)], [canvas, canvas]);
  assert.deepEqual(events.filter((event) => !event.startsWith('4000000')).slice(0, 3), [
    '1 sky',
    '3 sky/glClear(Color)',
    '5 =ground [2J',
  ]);
});

test('without brackets on events the frame stands there once', async () => {
  const { stdout } = await runInSession([
    'replay',
    '--timer',
    'finish',
    triangle,
    '--per',
    'frame',
    '--runs',
    '2',
    '--format',
    'qrhi',
    '--qrhi-events',
  ]);
  assert.equal(linesOf(stdout, 16).length, 1);
});

test('runs for counters are frames too, where they share the context', async () => {
  const args = [
    'replay',
    '--timer',
    'finish',
    triangle,
    '--driver',
    'egl',
    '--format',
    'qrhi',
    '--qrhi-interval',
    '1',
    '--runs',
    '2',
    '--warmup',
    '0',
  ];
  const frames = async (...more: string[]) => {
    const { code, stdout, stderr } = await runInSession([...args, ...more]);
    assert.equal(code, 0, stderr);
    return linesOf(stdout, 17).length;
  };
  const plain = await frames();
  // A WebGL capture is counted on a desktop context beside the one that is timed.
  assert.equal(await frames('--counters', 'statistics'), plain);
  assert.ok((await frames('--counters', 'statistics', '--api', 'gl')) > plain);
});

test('gpuprof qrhi --listen takes what a replay sends, and reports its events', async (t) => {
  const folder = await tempFolder(t);
  const [kept, written] = [join(folder, 'kept.csv'), join(folder, 'written.csv')];
  const { server, port } = await startListening(t, ['-o', kept, '--once', '--strict', '--format', 'json']);
  const to = ['--qrhi-connect', `127.0.0.1:${port}`, '--qrhi-linger', '0', '--qrhi', written, '--qrhi-events'];
  const { code, stderr } = await runInSession([
    'replay',
    '--timer',
    'finish',
    samplePath('scene'),
    '--runs',
    '2',
    ...to,
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(await server.ended, 0, server.stderr());
  assert.equal(await readFile(kept, 'utf8'), await readFile(written, 'utf8'));
  const [{ eventTimes, memory, frameTimes, live }] = JSON.parse(server.stdout()).streams;
  assert.deepEqual([eventTimes.length, eventTimes[0].name, live], [317, 'courtyard', []]);
  assert.deepEqual([memory.swapchain.created, memory.buffer.created, frameTimes.gpuOther], [1, 55, null]);
  // Its 6 textures, to the byte: 512x512 of depth, 320x200 RGBA16F, and RGBA8 with all levels, two of 64x64 and two of 32x32.
  assert.equal(memory.texture.peakBytes, 512 * 512 * 4 + 320 * 200 * 8 + 2 * 21844 + 2 * 5460);
});

/** A viewer on a port of its own. */
async function viewer(
  t: TestContext,
  onSocket: (socket: Socket) => void,
): Promise<{ server: Server; address: string }> {
  const server = createServer(onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Collects what comes in. */
function collect(socket: Socket): { text: string } {
  const received = { text: '' };
  socket.setEncoding('utf8').on('data', (text: string) => {
    received.text += text;
  });
  return received;
}

test('a viewer gets the whole stream, what is released only after lingering', async (t) => {
  const path = join(await tempFolder(t), 'stream.csv');
  let received = { text: '' };
  const { address } = await viewer(t, (socket) => {
    received = collect(socket);
  });
  const args = [
    'replay',
    '--timer',
    'finish',
    triangle,
    '--runs',
    '3',
    '--qrhi',
    path,
    '--qrhi-connect',
    address,
    '--qrhi-linger',
    '0.2',
  ];
  const { code, stdout, stderr } = await runInSession(args);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /glDrawArrays\(3\)/);
  assert.match(stderr, /^gpuprof: holding the connection to the viewer at 127\.0\.0\.1:\d+ for 0\.2 s$/m);
  assert.equal(received.text, await readFile(path, 'utf8'));
});

test('the connection is held until interrupted, which is no failure', async (t) => {
  let received = { text: '' };
  const { address } = await viewer(t, (socket) => {
    received = collect(socket);
  });
  const script = join(projectRoot, 'bin', 'gpuprof.js');
  const child = spawn(process.execPath, [
    script,
    'replay',
    '--timer',
    'finish',
    triangle,
    '--runs',
    '3',
    '--qrhi-connect',
    address,
  ]);
  child.stdout.resume();
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (/until interrupted/.test(stderr)) resolve();
    });
    child.on('close', () => reject(new Error(stderr)));
  });
  while (linesOf(received.text, 17).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(linesOf(received.text, 2, 6, 8, 12), []);
  const closed = once(child, 'close');
  child.kill('SIGINT');
  assert.deepEqual(await closed, [0, null]);
  assert.equal(linesOf(received.text, 12).length, 1);
});

test('without a viewer, and with one that goes, the replay still reports', async (t) => {
  const { server, address } = await viewer(t, (socket) => socket.destroy());
  const args = [
    'replay',
    '--timer',
    'finish',
    samplePath('scene'),
    '--runs',
    '3',
    '--qrhi-connect',
    address,
    '--json',
    '-',
  ];
  const gone = await runInSession(args);
  assert.equal(gone.code, 0, gone.stderr);
  assert.match(gone.stderr, /^gpuprof: lost the viewer at 127\.0\.0\.1:\d+: it closed the connection\n$/);
  assert.equal(JSON.parse(gone.stdout).format, 'gpuprof-report');
  server.close();
  await once(server, 'close');
  const none = await runInSession(args);
  assert.equal(none.code, 0, none.stderr);
  assert.equal(none.stderr, `gpuprof: no viewer at ${address}: nothing listens there; replaying without it\n`);
  assert.equal(JSON.parse(none.stdout).format, 'gpuprof-report');
});

/** A capture whose only frame fills a buffer so many times. */
async function writeFilling(path: string, uploads: number): Promise<string> {
  const writer = await CaptureWriter.create(path, head);
  const call = (name: string, ...args: Parameters<typeof writer.call>[1]) => writer.call(signatureOf(name)!, args);
  call('glGenBuffers', 1, [1]);
  call('glBindBuffer', 0x8892, 1);
  call('glBufferData', 0x8892, 4, null, 0x88e4);
  writer.beginFrame();
  for (let upload = 0; upload < uploads; upload++) call('glBufferSubData', 0x8892, 0, 4, bytes(4));
  await writer.finish({});
  return path;
}

test('a viewer that goes while much of the stream waits for it, and a file gets it all', async (t) => {
  const folder = await tempFolder(t);
  const uploads = 40_000;
  const capture = await writeFilling(join(folder, 'filling.cap'), uploads);
  const { address } = await viewer(t, (socket) => {
    socket.on('error', () => {});
    // It reads a little, then nothing for a while.
    socket.once('data', () => {
      socket.pause();
      setTimeout(() => socket.resetAndDestroy(), 1500);
    });
  });
  const path = join(folder, 'stream.csv');
  const timed = ['--timer', 'finish', '--per', 'frame', '--runs', '4', '--warmup', '0'];
  const args = ['replay', capture, ...timed, '--qrhi-connect', address, '--qrhi', path];
  const { code, stderr } = await runInSession(args);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^gpuprof: lost the viewer at 127\.0\.0\.1:\d+: it closed the connection$/m);
  const text = await readFile(path, 'utf8');
  const written = linesOf(text, 3).length;
  // Each replay whole; how many there are before the four that count is the measuring's affair.
  assert.equal(written % uploads, 0);
  assert.ok(written > 4 * uploads, `${written} uploads`);
  assert.match(text.slice(-200), /\n12,\d+,40000000000000,canvas,\n$/);
});

test('options that have nothing to work on, and places that cannot be written', async (t) => {
  const folder = await tempFolder(t);
  for (const [args, message] of [
    [['--qrhi-interval', '5'], /--qrhi-interval is for QRhiProfiler streams; add --format qrhi/],
    [['--qrhi', join(folder, 'a'), '--qrhi-linger', '1'], /--qrhi-linger is for --qrhi-connect/],
    [['--qrhi-connect', '::1'], /It must be HOST or HOST:PORT, an IPv6 address in brackets/],
    [['--qrhi-connect', 'host:99999'], /It must be HOST or HOST:PORT/],
    [
      ['--no-timing', '--verify', '--qrhi', join(folder, 'a')],
      /--qrhi asks for a report, which --no-timing leaves out/,
    ],
    [['--format', 'qrhi', '-o', join(folder, 'none', 'a')], /its folder does not exist/],
    [['--format', 'qrhi', '-o', triangle], /is the input/],
  ] as const) {
    const { code, stderr } = await runInSession(['replay', '--timer', 'finish', triangle, ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a stream that is not whole leaves the file as it was', async (t) => {
  const folder = await tempFolder(t);
  const capture = join(folder, 'broken.cap');
  const writer = await CaptureWriter.create(capture, head);
  writer.call(signatureOf('glMapBuffer')!, [0x8892, 0x88b9]);
  writer.beginFrame();
  await writer.finish({});
  const path = join(folder, 'stream.csv');
  await writeFile(path, 'before');
  const { code } = await runInSession(['replay', '--timer', 'finish', capture, '--format', 'qrhi', '-o', path]);
  assert.equal(code, 2);
  assert.equal(await readFile(path, 'utf8'), 'before');
  assert.deepEqual((await readdir(folder)).sort(), ['broken.cap', 'stream.csv']);
});
