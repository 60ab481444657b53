/** A browser, or a part of it, that dies while a page is recorded. */
import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { noChromium } from '../helpers/chromium.ts';
import { tempFolder } from '../helpers/files.ts';
import { page, painter, writeSite } from '../record/page-kit.ts';
import { allGone, below, start } from './kit.ts';

const loop = `${painter}
const gl = begin(document.querySelector('canvas'));
const draw = () => { paint(gl, 1); requestAnimationFrame(draw); };
requestAnimationFrame(draw);`;

for (const [what, dies, code, line] of [
  ['the process that shows the page', /--type=renderer/, 2, /^gpuprof: the page crashed\n$/],
  [
    'the browser',
    /^(?!.*--type=)[^\0]*chrom/s,
    3,
    /^gpuprof: \S+ ended before there was a capture; it crashed, or something else ended it; try again\n$/,
  ],
] as const)
  test(`${what} dies: one line, and no process, profile or file is left`, { skip: noChromium }, async (t) => {
    const folder = await tempFolder(t);
    const site = await writeSite(join(folder, 'site'), page(loop));
    for (const name of ['out', 'tmp']) await mkdir(join(folder, name));
    // So many frames never come to an end.
    const args = ['record', 'page', site, '-o', join(folder, 'out', 'a.cap'), '--frames', '1000'];
    const { pid, until, ended } = start(t, args, { TMPDIR: join(folder, 'tmp') });
    await until(async () => (await readdir(join(folder, 'out'))).length > 0);
    const processes = await below(pid);
    const victims = processes.filter(({ command }) => dies.test(command));
    assert.ok(victims.length > 0 && victims.length < processes.length);
    for (const victim of victims) process.kill(victim.pid, 'SIGKILL');
    const outcome = await ended;
    assert.match(outcome.stderr, line);
    assert.equal(outcome.code, code);
    await allGone(processes);
    assert.deepEqual(await readdir(join(folder, 'out')), []);
    assert.deepEqual(await readdir(join(folder, 'tmp')), []);
  });
