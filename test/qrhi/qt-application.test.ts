import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../helpers/cli.ts';
import { startListening } from './cli-kit.ts';

const qmlscene = '/usr/lib/qt5/bin/qmlscene';
const xServer = '/usr/bin/Xvfb';
const quick = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].some((folder) =>
  existsSync(`${folder}/qt5/qml/QtQuick.2`),
);
const missing =
  !(existsSync(qmlscene) && quick && existsSync(xServer)) &&
  'Qt 5 is not installed (apt-get install qmlscene qml-module-qtquick2 xvfb)';

test('a Qt Quick application streams into --listen', { skip: missing }, async (t) => {
  const x = spawn(xServer, ['-displayfd', '3', '-noreset', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  t.after(() => x.kill());
  const [display] = (await once(x.stdio[3] as Readable, 'data')) as [Buffer];
  const { server, port } = await startListening(t, ['--once', '--strict', '--format', 'json']);
  const qt = await runProgram(qmlscene, [fileURLToPath(new URL('scene.qml', import.meta.url))], {
    env: {
      DISPLAY: `:${display.toString().trim()}`,
      QT_QPA_PLATFORM: 'xcb',
      LIBGL_ALWAYS_SOFTWARE: '1',
      QSG_RHI: '1',
      QSG_RHI_BACKEND: 'opengl',
      QSG_RHI_PROFILE: '1',
      QSG_RHI_PROFILE_HOST: '127.0.0.1',
      QSG_RHI_PROFILE_PORT: `${port}`,
    },
  });
  assert.equal(qt.code, 0, qt.stderr);
  assert.equal(await server.ended, 0, server.stderr());
  const [{ memory, malformed, live }] = JSON.parse(server.stdout()).streams;
  assert.equal(malformed.count, 0);
  // A window of 400x300 has two color buffers, by Qt's reckoning.
  assert.deepEqual([memory.swapchain.peakBytes, memory.swapchain.liveCount], [2 * 400 * 300 * 4, 0]);
  assert.ok(memory.buffer.created > 0);
  assert.equal(live[0].kind, 'renderbuffer');
});
