import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { NodeReport, Report } from '../../src/model/report.ts';
import { findBrowser } from '../../src/record/page/find-browser.ts';
import { launchBrowser } from '../../src/record/page/launch.ts';
import { html } from '../../src/report/html/html.ts';
import { defaultOptions } from '../../src/report/options.ts';
import { tempFolder } from '../helpers/files.ts';
import { node, report, withNodes } from './sample.ts';

const browser = await launchBrowser({ program: findBrowser(), args: [], headed: false, timeoutMs: 120_000 });
after(() => browser.close());

const resources = [
  { class: 'texture', id: 3, name: 'wood <b>', sizeBytes: 4096, size: [32, 32] },
  { class: 'buffer', id: 1, name: 'buffer 1', sizeBytes: 1024, size: null },
] as const;

/** Opens a report in the browser; nothing may fail in it, and nothing may be asked of the network. */
async function open(t: TestContext, shown: Report, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const file = join(await tempFolder(t), 'report.html');
  await writeFile(file, [...html(shown, { ...defaultOptions, resources })].join(''));
  const page = await browser.newPage({ colorScheme });
  const seen: string[] = [];
  page.on('pageerror', ({ message }) => seen.push(message));
  page.on('console', (message) => seen.push(message.text()));
  page.on('request', (request) => seen.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  t.after(async () => {
    await page.close();
    assert.deepEqual(seen, [pathToFileURL(file).href]);
  });
  return page;
}

const names = (page: Page): Promise<string[]> =>
  page.locator('#rows [role=row] .name').evaluateAll((cells) => cells.map((cell) => cell.textContent ?? ''));

test('facts, warnings, the tree, sizes and a histogram', async (t) => {
  const page = await open(t, report);
  assert.equal(await page.title(), 'scene.cap: gpuprof');
  assert.equal(
    await page.getByRole('region', { name: 'Warnings' }).textContent(),
    'frame 1: 1 of 5 leaves could not be measured',
  );
  const all = await names(page);
  assert.equal(all.length, report.frames[0].nodes.length);
  assert.match(all[0], /^▾/);
  const grid = page.getByRole('treegrid', { name: 'Events' });
  assert.equal(await grid.getAttribute('aria-rowcount'), String(all.length + 1));
  const sizes = await page
    .locator('table tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(sizes, [
    ['texture', '3', 'wood <b>', '32×32', '4.0 KiB'],
    ['buffer', '1', 'buffer 1', '', '1.0 KiB'],
  ]);
  assert.match((await page.locator('.histogram').getAttribute('aria-label')) ?? '', /^Histogram: \d+ samples from /);
});

test('keys move through the tree, close and open it', async (t) => {
  const page = await open(t, report);
  await page.locator('#tree').focus();
  const chosen = () => page.locator('[role=row][aria-selected=true]').getAttribute('aria-rowindex');
  await page.keyboard.press('ArrowDown');
  assert.equal(await chosen(), '3');
  assert.equal(await page.locator('#tree').getAttribute('aria-activedescendant'), 'row-1');
  await page.keyboard.press('End');
  assert.equal(await chosen(), String(report.frames[0].nodes.length + 1));
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await names(page)).length, 1);
  assert.equal(await page.locator('#row-0').getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowRight');
  assert.equal((await names(page)).length, report.frames[0].nodes.length);
});

const many = 10_000;
const manyNodes: readonly NodeReport[] = [
  node({ name: 'Frame', kind: 'frame', depth: 0, eventId: null, parentId: null, isLeaf: false }, many * 1000),
  ...Array.from({ length: many }, (_, index) =>
    node({ name: index === 7777 ? '</script><i>odd' : `draw ${index}`, depth: 1, eventId: index + 1 }, 1000 + index),
  ),
];

test('ten thousand events are a few rows at a time, searched and sorted', async (t) => {
  const page = await open(t, withNodes(manyNodes));
  assert.ok((await names(page)).length < 100);
  await page.getByLabel('Search').fill('ODD');
  assert.deepEqual(await names(page), ['▾Frame', '</script><i>odd']);
  assert.equal(await page.locator('#count').textContent(), `2 of ${many + 1} rows`);
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Order').selectOption('duration');
  assert.deepEqual((await names(page)).slice(0, 3), ['▾Frame', `draw ${many - 1}`, `draw ${many - 2}`]);
  await page.locator('#tree').focus();
  await page.keyboard.press('End');
  const rows = await names(page);
  assert.equal(rows[rows.length - 1], 'draw 0');
  assert.ok(rows.length < 100);
});

test('a click in the flame chart chooses a row', async (t) => {
  const page = await open(t, report);
  await page.locator('#flame').click({ position: { x: 5, y: 20 } });
  assert.equal(await page.locator('[role=row][aria-selected=true]').getAttribute('aria-level'), '2');
});

test('dark where the reader wants it', async (t) => {
  const colors: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    const page = await open(t, report, scheme);
    colors.push(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
  }
  assert.deepEqual(colors, ['rgb(255, 255, 255)', 'rgb(13, 17, 23)']);
});
