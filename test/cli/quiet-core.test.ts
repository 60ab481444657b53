import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { coresOf, idleTimes, quietCore } from '../../src/cli/compare/quiet-core.ts';
import { pinToCore } from '../../src/gl/host-process.ts';

const allowed = (thread: string): string =>
  /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync(`/proc/self/task/${thread}/status`, 'utf8'))?.[1] ?? '';

test('lists of cores as Linux writes them', () => {
  assert.deepEqual(coresOf('0'), [0]);
  assert.deepEqual(coresOf('0-3'), [0, 1, 2, 3]);
  assert.deepEqual(coresOf('1,4-6,8'), [1, 4, 5, 6, 8]);
});

test('the idle time of each core out of /proc/stat', () => {
  const stat = 'cpu  9 9 9 9 9 9\ncpu0 10 0 5 700 20 0 1 0 0 0\ncpu11 10 0 5 600 3 0 1 0 0 0\nintr 1 2 3\n';
  assert.deepEqual(
    [...idleTimes(stat)],
    [
      [0, 720],
      [11, 603],
    ],
  );
});

test('the core is one that this process may run on, and all its threads keep to it', async (t) => {
  const own = coresOf(allowed(String(process.pid)));
  const busy = spawn(process.execPath, ['-e', 'for (;;);']);
  t.after(() => busy.kill('SIGKILL'));
  await once(busy, 'spawn');
  const core = await quietCore();
  assert.ok(core !== null && own.includes(core), `${core} of ${own}`);
  assert.equal(pinToCore(core), null);
  for (const thread of readdirSync('/proc/self/task')) assert.equal(allowed(thread), String(core));
  assert.equal(pinToCore(1023), 'the system refuses core 1023');
});
