/** The host's clock of day steps to and fro by hours, in every process of Node's: nothing is measured or waited for by it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Report } from '../../src/model/report.ts';
import { writeSmallCapture } from '../cli/small-capture.ts';
import { noChromium } from '../helpers/chromium.ts';
import { run } from '../helpers/cli.ts';
import { tempFolder } from '../helpers/files.ts';
import { nodeProgram } from '../record/node-kit.ts';
import { page, painter, writeSite } from '../record/page-kit.ts';

const steps = `
const RealDate = Date;
let looks = 0;
const now = () => RealDate.now() + (looks++ % 2 === 0 ? 5 : -5) * 3_600_000;
globalThis.Date = class extends RealDate {
  constructor(...values) { values.length === 0 ? super(now()) : super(...values); }
  static now() { return now(); }
};`;

/** The environment of programs whose clock steps at every look. */
async function stepping(t: TestContext) {
  const module = join(await tempFolder(t), 'steps.mjs');
  await writeFile(module, steps);
  return { env: { NODE_OPTIONS: `--import ${pathToFileURL(module)}` } };
}

test('a replay, its limit of time, and its stream to a viewer', async (t) => {
  const folder = await tempFolder(t);
  const file = await writeSmallCapture(join(folder, 'small.cap'));
  const viewer = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(viewer, 'listening');
  t.after(() => viewer.close());
  const { port } = viewer.address() as AddressInfo;
  const timed = ['--driver', 'egl', '--timer', 'finish', '--timeout', '30', '--budget', '0.2', '--timeline'];
  const linger = ['--qrhi-connect', `127.0.0.1:${port}`, '--qrhi-linger', '0.1'];
  const began = performance.now();
  const { code, stdout, stderr } = await run(['replay', file, ...timed, ...linger, '--json', '-'], await stepping(t));
  const tookNs = (performance.now() - began) * 1e6;
  assert.equal(code, 0, stderr);
  const { frames, warnings } = JSON.parse(stdout) as Report;
  for (const { durationNs } of frames[0].nodes)
    assert.ok(durationNs && durationNs.median > 0 && durationNs.max < tookNs, JSON.stringify(durationNs));
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'questionable'),
    [],
  );
});

test('recording a Node program, and its limit of time', async (t) => {
  const output = join(await tempFolder(t), 'a.cap');
  const clock = await stepping(t);
  const args = ['record', 'node', '-o', output, '--timeout', '60', nodeProgram('immediates.cjs')];
  const { code, stderr } = await run(args, clock);
  assert.equal(code, 0, stderr);
});

test('recording a page, and its limits of time', { skip: noChromium }, async (t) => {
  const site = await writeSite(
    await tempFolder(t),
    page(`${painter}
    const gl = begin(document.querySelector('canvas'));
    const draw = () => { paint(gl, 1); requestAnimationFrame(draw); };
    draw();`),
  );
  const { code, stderr } = await run(
    ['record', 'page', site, '-o', join(await tempFolder(t), 'a.cap'), '--timeout', '60'],
    await stepping(t),
  );
  assert.equal(code, 0, stderr);
});
