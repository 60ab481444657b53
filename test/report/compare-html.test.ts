import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { Pixels } from '../../src/analysis/image-difference.ts';
import { comparedPictures } from '../../src/cli/compare/pictures.ts';
import type { Comparison } from '../../src/model/comparison.ts';
import { findBrowser } from '../../src/record/page/find-browser.ts';
import { launchBrowser } from '../../src/record/page/launch.ts';
import { compareHtml } from '../../src/report/compare/html.ts';
import { defaultCompareOptions } from '../../src/report/compare/options.ts';
import type { ComparedPictures } from '../../src/report/compare/pictures.ts';
import { tempFolder } from '../helpers/files.ts';
import { change, comparedFrame, comparedNodes, comparison, matched, withNodes } from './compare-sample.ts';

const browser = await launchBrowser({ program: findBrowser(), args: [], headed: false, timeoutMs: 120_000 });
after(() => browser.close());

/** Opens a comparison in the browser; nothing may fail in it, and nothing may be asked of the network. */
async function open(t: TestContext, shown: Comparison, pictures?: ComparedPictures): Promise<Page> {
  const file = join(await tempFolder(t), 'change.html');
  await writeFile(file, [...compareHtml(shown, { ...defaultCompareOptions, pictures })].join(''));
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1280, height: 800 } });
  const seen: string[] = [];
  page.on('pageerror', ({ message }) => seen.push(message));
  page.on('console', (message) => seen.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) seen.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  t.after(async () => {
    await page.close();
    assert.deepEqual(seen, [pathToFileURL(file).href]);
  });
  return page;
}

const texts = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((found) => found.map((each) => each.textContent?.trim() ?? ''));

const solid = (width: number, height: number, red: number): Pixels => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? 255 : at % 4 === 0 ? red : 40)),
});

test('the verdict, the findings, every event with its change and its counters, and both environments', async (t) => {
  const page = await open(t, comparison);
  assert.equal(await page.title(), 'before.cap and after.cap: gpuprof');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'before.cap → after.cap');
  assert.deepEqual(await texts(page, '#verdict.worse'), [
    '1 event is slower, 1 is heavier, 1 is new, 1 differs, 1 is gone, 1 has moved; 1 event is undecided',
  ]);
  assert.match(
    (await texts(page, '.findings .worse'))[0],
    /^scene\/floor is 12\.5% slower: 8\.00 ms before, 9\.00 ms now/,
  );
  assert.deepEqual(await texts(page, '.warnings li'), ['the sides could not be kept on one core']);
  assert.deepEqual(await texts(page, '[role=columnheader]'), [
    'event',
    'name',
    'kind',
    'base ms',
    'new ms',
    'change',
    'change ms',
    'interval ms',
    'verdict',
    'PS Invocations',
    'Any Samples Passed',
    'Texture Bytes MiB',
    'EU Active %',
  ]);
  const rows = await page
    .locator('#rows [role=row]')
    .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));
  assert.deepEqual(
    rows.map(([event, name]) => [event, name]),
    comparedNodes.map(({ match, base, new: next }, index) => [
      match === 'gone' ? `(${base?.eventId})` : String(next?.eventId ?? ''),
      `${index < 2 ? '▾' : ''}${(next ?? base)?.name}`,
    ]),
  );
  assert.deepEqual(rows[3].slice(3, 12), [
    '8.000',
    '9.000',
    '+12.5%',
    '+1.000',
    '+0.980 to +1.020',
    'slower, heavier, differs',
    '307,200 → 614,400 (+307,200)',
    'no → yes',
    '4.0 → 8.0 (+4.0)',
  ]);
  const environment = await texts(page, '#environments-head ~ .scroll tbody tr');
  assert.ok(environment.includes('rendererAcme OneAcme One'), environment.join('; '));
});

test('a finding leads to its event, in whichever frame; keys and the search work as in a replay', async (t) => {
  const second = { ...comparedFrame, baseFrame: 2, newFrame: 2, nodes: [...comparedNodes] };
  const nodes = comparedNodes.map((node) => ({ ...node, changes: [], time: change(1e6, 1e6), counters: {} }));
  const page = await open(t, { ...comparison, frames: [{ ...comparedFrame, nodes }, second] });
  const details = async () => (await page.locator('#details').textContent()) ?? '';
  const chosen = () => page.locator('[role=row][aria-selected=true] .name').textContent();
  assert.equal(await page.locator('#frame').inputValue(), '0');
  await page.getByRole('button', { name: /^scene\/floor in frame 2 is 12\.5% slower/ }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#frame').inputValue(), '1');
  assert.equal(await chosen(), 'floor');
  assert.match(await details(), /^floor.*verdictslower, heavier/);
  // The focus is in the tree.
  await page.keyboard.press('ArrowUp');
  assert.equal(await chosen(), 'clear');
  assert.match(await details(), /undecided: the time budget ended$/);
  await page.getByLabel('Search').fill('slower');
  assert.deepEqual(await texts(page, '#rows [role=row] .name'), ['▾frame', '▾scene', 'floor']);
});

test('both pictures, and the pixels that differ', async (t) => {
  const [base, next] = [solid(4, 2, 100), solid(4, 2, 100)];
  next.data[4] = 150;
  const page = await open(t, comparison, comparedPictures(base, next));
  assert.equal(
    await page.locator('#difference').textContent(),
    '1 of 8 pixels differ (12.5%), by 50 of 255 at most and 1.6 on average.',
  );
  assert.deepEqual(await texts(page, 'figcaption'), [
    'base: before.cap',
    'new: after.cap',
    'difference, 5.1 times as large',
  ]);
  const red = await page.evaluate<number[][]>(`[...document.images].map((image) => {
    const pen = document.createElement('canvas').getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, 2, 1);
    return [data[0], data[4]];
  })`);
  assert.deepEqual(red, [
    [100, 100],
    [100, 150],
    [0, 255],
  ]);
});

test('equal pictures and pictures of two sizes have no difference to show', async (t) => {
  const page = await open(t, comparison, comparedPictures(solid(4, 2, 1), solid(4, 2, 1)));
  assert.equal(await page.locator('#difference').textContent(), 'All 8 pixels are equal.');
  assert.equal(await page.getByRole('img').count(), 2);
  const other = await open(t, comparison, comparedPictures(solid(4, 2, 1), solid(2, 2, 1)));
  assert.match((await other.locator('#difference').textContent()) ?? '', /^The canvases have two sizes, 4×2 and 2×2/);
});

test('ten thousand events, and names that mean to break out', async (t) => {
  const odd = '</script><i>"odd';
  const nodes = [
    matched('', null, change(1e9, 1e9), { kind: 'frame', depth: 0, parent: -1, isLeaf: false }),
    ...Array.from({ length: 10_000 }, (_, index) => {
      const node = matched(`draw ${index}`, index + 1, change(1e6, index === 7777 ? 2e6 : 1e6));
      return index === 7777 && node.new ? { ...node, new: { ...node.new, name: odd, path: odd } } : node;
    }),
  ];
  const page = await open(t, withNodes(nodes));
  assert.ok((await page.locator('#rows [role=row]').count()) < 100);
  await page.locator('.findings button').click();
  assert.equal(await page.locator('[role=row][aria-selected=true] .name').textContent(), odd);
  assert.equal(await page.locator('[role=row][aria-selected=true]').getAttribute('aria-rowindex'), '7780');
});
