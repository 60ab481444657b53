/** What is told exactly of draws whose counters say nothing, or that look the same. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Comparison } from '../../src/model/comparison.ts';
import { findings } from '../../src/model/findings.ts';
import { runInSession } from '../helpers/session.ts';
import { type Change, writeQuads } from './compare-capture.ts';

let folder: string;
let base: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpuprof-test-'));
  base = await writeQuads(join(folder, 'base.cap'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** What compares a capture with this change, and the sentences that nothing explains. */
async function told(from: string, change: Change): Promise<{ code: number | null; messages: readonly string[] }> {
  const to = await writeQuads(join(folder, 'new.cap'), change);
  const { code, stdout, stderr } = await runInSession([
    'compare',
    from,
    to,
    '--counters-only',
    '--driver',
    'egl',
    '--format',
    'json',
  ]);
  assert.notEqual(stdout, '', stderr);
  const list = findings(JSON.parse(stdout) as Comparison).filter(({ isExplained }) => !isExplained);
  return { code, messages: list.map(({ message }) => message) };
}

const back = 'back/glDrawArrays(6) has changed: ';
const front =
  /^front\/glDrawArrays\(6\) has changed: program \w{8} → \w{8}, early depth possible → prevented by (\S+);/;

test('what disables early depth is named, also where no counter sees it', async () => {
  const late = async (change: Change['late']) => told(base, { late: change });
  assert.deepEqual(await late('no write'), { code: 0, messages: [`${back}depth write on → off`] });
  const untested = await late('no test');
  assert.equal(untested.code, 1);
  assert.match(untested.messages[0], /^back\/glDrawArrays\(6\) is heavier: Samples Passed /);
  assert.ok(untested.messages.includes(`${back}depth test less → off`), untested.messages.join('\n'));
  for (const what of ['discard', 'gl_FragDepth'] as const) {
    const { code, messages } = await late(what);
    assert.deepEqual([code, messages.length], [1, 1], messages.join('\n'));
    assert.equal(front.exec(messages[0])?.[1], what, messages[0]);
    assert.match(messages[0], /; the same of 1 more event$/);
  }
});

test('a depth buffer that is gone is why what it hid is drawn', async () => {
  const from = await writeQuads(join(folder, 'framed.cap'), { framed: 'depth' });
  const { code, messages } = await told(from, { framed: 'flat' });
  assert.equal(code, 1);
  assert.ok(
    messages.some((message) => /depth test less → no depth buffer; the same of 1 more event$/.test(message)),
    messages.join('\n'),
  );
});

test('a larger texture that nothing uses, and a marker of another name', async () => {
  const from = await writeQuads(join(folder, 'spare.cap'), { spare: 32 });
  const { code, messages } = await told(from, { spare: 64, front: 'near' });
  assert.deepEqual(
    [code, messages],
    [
      1,
      [
        'texture unused is heavier: 4.0 KiB → 16.0 KiB (+12.0 KiB, +300.0%), 32×32 → 64×64',
        'near has changed: name front → near',
      ],
    ],
  );
});

test('one more, one less and one moved among twenty draws that look the same', async () => {
  const row = Array.from({ length: 20 }, (_, at) => 24 + 2 * at);
  const from = await writeQuads(join(folder, 'row.cap'), { row });
  const more = await told(from, { row: row.toSpliced(9, 0, 9) });
  assert.deepEqual([more.code, more.messages], [1, ['glDrawArrays(6) is new (draw)']]);
  const less = await told(from, { row: row.toSpliced(9, 1) });
  assert.deepEqual(less, { code: 0, messages: ['glDrawArrays(6) is gone (draw)'] });
  const moved = await told(from, { row: [...row.toSpliced(9, 1), row[9]] });
  assert.ok(moved.messages.includes('glDrawArrays(6) comes at another place in the order'), moved.messages.join('\n'));
  assert.ok(!moved.messages.some((message) => /new|gone/.test(message)), moved.messages.join('\n'));
});
