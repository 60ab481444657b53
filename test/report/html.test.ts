import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { encodePng } from '../../src/capture/png.ts';
import type { NodeReport, Report } from '../../src/model/report.ts';
import type { Thumbnails } from '../../src/model/thumbnails.ts';
import { findBrowser } from '../../src/record/page/find-browser.ts';
import { launchBrowser } from '../../src/record/page/launch.ts';
import { html } from '../../src/report/html/html.ts';
import { defaultOptions } from '../../src/report/options.ts';
import { tempFolder } from '../helpers/files.ts';
import { counterReport } from './counter-sample.ts';
import { node, report, softwareReport, withNodes } from './sample.ts';
import { timedReport } from './timeline-sample.ts';

const browser = await launchBrowser({ program: findBrowser(), args: [], headed: false, timeoutMs: 120_000 });
after(() => browser.close());

const resources = [
  { class: 'texture', id: 3, name: 'wood <b>', sizeBytes: 4096, size: [32, 32] },
  { class: 'buffer', id: 1, name: 'buffer 1', sizeBytes: 1024, size: null },
] as const;

const fileOf = (shown: Report, thumbnails?: Thumbnails): string =>
  [...html(shown, { ...defaultOptions, resources, thumbnails })].join('');

/** Opens a report in the browser; nothing may fail in it, and nothing may be asked of the network. */
async function open(t: TestContext, shown: Report, width = 1280, thumbnails?: Thumbnails): Promise<Page> {
  const file = join(await tempFolder(t), 'report.html');
  await writeFile(file, fileOf(shown, thumbnails));
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width, height: 800 } });
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
const heads = (page: Page): Promise<string[]> =>
  page.locator('[role=columnheader]').evaluateAll((cells) => cells.map((cell) => cell.textContent ?? ''));
const rowsOf = (page: Page, section: string): Promise<(string | null)[][]> =>
  page
    .getByRole('region', { name: section })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
const chosen = (page: Page) => page.locator('[role=row][aria-selected=true] .name').textContent();

test('facts, warnings, sizes, timer methods, the environment and a histogram', async (t) => {
  const page = await open(t, softwareReport);
  assert.equal(await page.title(), 'scene.cap: gpuprof');
  assert.equal(
    await page.getByRole('region', { name: 'Warnings' }).textContent(),
    'frame 1: 1 of 5 leaves could not be measured',
  );
  assert.deepEqual(await rowsOf(page, 'Textures and buffers: 2, 5.0 KiB'), [
    ['texture', '3', 'wood <b>', '32×32', '4.0 KiB', '4,096'],
    ['buffer', '1', 'buffer 1', '', '1.0 KiB', '1,024'],
  ]);
  assert.deepEqual(
    (await rowsOf(page, 'Timer methods')).map(([method, verdict, ratio, floor]) => [method, verdict, ratio, floor]),
    [
      ['elapsed', 'trusted', '100.0%', '1.00 µs'],
      ['timestamp', 'not trusted', '0.9%', '12 ns'],
    ],
  );
  const environment = (await page.getByRole('region', { name: 'Environment' }).textContent()) ?? '';
  const { api: _, software: __, ...told } = softwareReport.environment;
  for (const value of Object.values(told)) assert.ok(environment.includes(String(value)), `${value}`);
  assert.match(environment, /OpenGL ES\n[\s\S]*the CPU, worker threads: 0/);
  const details = page.getByRole('region', { name: 'frame', exact: true });
  assert.match((await details.textContent()) ?? '', /cpu ms5\.000cpu ± ms0\.050/);
  assert.equal(await details.getByRole('img').getAttribute('aria-label'), 'Histogram of time: 1 sample, 10.0 ms');
});

test('GL errors and runs on the host clock have tables', async (t) => {
  const call = 'glDrawArrays(<i>)';
  const glErrors = [{ frame: null, eventId: 7, call, error: 'GL_INVALID_ENUM', count: 3 }];
  const page = await open(t, { ...timedReport, glErrors });
  assert.deepEqual(await rowsOf(page, 'GL errors'), [['setup', '7', 'GL_INVALID_ENUM', '3', call]]);
  assert.deepEqual(await rowsOf(page, 'Runs on the host clock'), [
    ['1', '1', '10.0 µs', '3.00 µs', '9.00 µs', '4.00 µs', 'device', '250 ns', '12.5'],
    ['1', '2', '50.0 µs', '3.00 µs', '9.00 µs', '4.00 µs', 'device', '250 ns', '12.5'],
  ]);
});

test('a report of counters alone has no times and no chart', async (t) => {
  const settings = { ...report.settings, method: null, why: 'nothing was timed' };
  const frames = counterReport.frames.map((frame) => ({
    ...frame,
    runs: 0,
    nodes: frame.nodes.map((one) => ({ ...one, durationNs: null, share: null, status: 'failed' as const })),
  }));
  const page = await open(t, { ...counterReport, settings, frames });
  assert.deepEqual((await heads(page)).slice(0, 5), ['event', 'name', 'kind', 'draws', 'PS Invocations']);
  assert.equal(await page.locator('#flame').isVisible(), false);
  assert.equal(await page.locator('#flame-at').textContent(), 'No event took a time that could be measured.');
});

test('keys move through the tree, close and open it', async (t) => {
  const page = await open(t, report);
  const all = await names(page);
  assert.deepEqual(all.slice(0, 3), ['▾frame', '▾shadow', 'cube']);
  await page.locator('#tree').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await chosen(page), '▾shadow');
  assert.equal(await page.locator('#tree').getAttribute('aria-activedescendant'), 'row-1');
  await page.keyboard.press('End');
  assert.equal(await chosen(page), 'sky');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await names(page), ['▸frame']);
  assert.equal(await page.locator('#row-0').getAttribute('aria-expanded'), 'false');
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await names(page), all);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'details');
});

test('heads sort siblings by click and key, and columns come and go', async (t) => {
  const page = await open(t, counterReport);
  const shown = await heads(page);
  assert.deepEqual(shown.slice(0, 9), [
    ...['event', 'name', 'kind', 'draws', 'time ms', '± ms', 'min ms', 'max ms', 'share'],
  ]);
  assert.deepEqual(shown.slice(9, 11), ['bar', 'PS Invocations']);
  const time = page.getByRole('columnheader', { name: 'time ms' });
  await time.getByRole('button').click();
  assert.equal(await time.getAttribute('aria-sort'), 'descending');
  assert.deepEqual(await names(page), ['▾frame', '▾scene', 'floor', 'clear', 'lamp', 'sky', '▾shadow', 'cube']);
  // What has no value is last either way.
  await page.keyboard.press('Enter');
  assert.equal(await time.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await names(page), ['▾frame', '▾shadow', 'cube', '▾scene', 'lamp', 'clear', 'floor', 'sky']);
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  const name = page.locator('#head').getByRole('columnheader', { name: 'name' });
  assert.equal(await name.getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await names(page), ['▾frame', '▾scene', 'clear', 'floor', 'lamp', 'sky', '▾shadow', 'cube']);
  await page.getByText('Columns', { exact: true }).click();
  await page.getByLabel('raw ms').check();
  await page.getByLabel('share').uncheck();
  const now = await heads(page);
  assert.ok(now.includes('raw ms') && !now.includes('share'), now.join());
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
  assert.equal(await page.getByRole('status').first().textContent(), `1 found, 2 of ${many + 1} rows`);
  await page.keyboard.press('Enter');
  assert.equal(await chosen(page), '</script><i>odd');
  await page.getByLabel('Search').fill('nowhere');
  assert.equal(await page.getByRole('status').first().textContent(), `0 found, 0 of ${many + 1} rows`);
  await page.getByLabel('Search').fill('');
  await page.getByRole('columnheader', { name: 'time' }).getByRole('button').click();
  await page.locator('#tree').focus();
  await page.keyboard.press('Home');
  assert.deepEqual((await names(page)).slice(0, 3), ['▾Frame', `draw ${many - 1}`, `draw ${many - 2}`]);
  await page.keyboard.press('End');
  const rows = await names(page);
  assert.equal(rows[rows.length - 1], 'draw 0');
  assert.ok(rows.length < 100);
});

test('the flame chart follows pointer and keys, and zooms', async (t) => {
  const page = await open(t, report);
  const flame = page.locator('#flame');
  const picture = () => page.evaluate<string>('document.getElementById("flame").toDataURL()');
  await flame.hover({ position: { x: 5, y: 45 } });
  assert.equal(await page.locator('#flame-tip').textContent(), 'cube, 1.500 ms, 15.0%');
  await flame.click({ position: { x: 5, y: 45 } });
  assert.equal(await chosen(page), 'cube');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  assert.equal(await chosen(page), '▾scene');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#flame-at').textContent(), 'floor, 8.249 ms, 82.5%');
  const whole = await picture();
  await page.keyboard.press('Enter');
  assert.notEqual(await picture(), whole);
  await page.keyboard.press('Escape');
  assert.equal(await picture(), whole);
});

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

test('a screen reader finds names, levels and live regions', async (t) => {
  const page = await open(t, counterReport);
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  const known = nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties }) => ({
      role: role?.value ?? '',
      name: name?.value ?? '',
      ...Object.fromEntries((properties ?? []).map((property) => [property.name, property.value.value])),
    })) as { role: string; name: string; focusable?: boolean; level?: number; live?: string }[];
  const nameless = known.filter(
    ({ role, name, focusable }) => (focusable || role === 'image' || role === 'region') && name === '',
  );
  assert.deepEqual(
    nameless.filter(({ role }) => role !== 'RootWebArea'),
    [],
  );
  const named = (role: string) => known.filter((one) => one.role === role).map(({ name }) => name);
  assert.deepEqual(named('treegrid'), ['Events']);
  assert.deepEqual(named('main').length, 1);
  assert.deepEqual(named('application'), ['Flame chart']);
  const rows = known.filter(({ role }) => role === 'row').map(({ level }) => level);
  assert.deepEqual(rows.slice(0, 9), [undefined, 1, 2, 3, 2, 3, 3, 3, 3]);
  assert.deepEqual(
    known.filter(({ live }) => live === 'polite').map(({ role }) => role),
    ['status', 'status'],
  );
  assert.deepEqual(named('rowheader')[2], 'cube');
  const levels = known.filter(({ role }) => role === 'heading').map(({ level }) => level);
  assert.deepEqual([levels[0], new Set(levels.slice(1))], [1, new Set([2])]);
});

test('Tab leads through everything, and where it is can be seen', async (t) => {
  const page = await open(t, report);
  const seen: string[] = [];
  for (let stop = 0; stop < 10; stop++) {
    await page.keyboard.press('Tab');
    const [name, outline] = await page.evaluate<[string, string]>(`(() => {
      const at = document.activeElement;
      return [at.id || at.textContent, getComputedStyle(at).outlineStyle];
    })()`);
    if (name.length < 20) seen.push(name);
    assert.notEqual(outline, 'none', name);
    if (name === 'flame') break;
  }
  assert.deepEqual(seen, ['frame', 'search', 'Columns', 'tree', 'event', 'flame']);
});

/** Contrast of two colours by WCAG's formula. */
const contrast = `(a, b) => {
  const light = (hex) => {
    const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const color = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();
  const [x, y] = [light(color(a)), light(color(b))];
  return Math.max(x, y) / Math.min(x, y);
}`;

test('dark where the reader wants it, and readable in both', async (t) => {
  const page = await open(t, report);
  const colors: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    colors.push(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
    for (const front of ['--front', '--dim', '--odd', '--bad', '--good'])
      for (const back of ['--back', '--chosen']) {
        const ratio = await page.evaluate<number>(`(${contrast})('${front}', '${back}')`);
        assert.ok(ratio >= 4.5, `${colorScheme}: ${front} on ${back} ${ratio}`);
      }
    for (const [front, back] of [
      ['--front', '--flame-a'],
      ['--front', '--flame-b'],
      ['--back', '--bar'],
    ])
      assert.ok(
        (await page.evaluate<number>(`(${contrast})('${front}', '${back}')`)) >= 4.5,
        `${colorScheme} ${front}`,
      );
  }
  assert.deepEqual(colors, ['rgb(255, 255, 255)', 'rgb(13, 17, 23)']);
});

test('fits a window at 400%, and paper has every row', async (t) => {
  const page = await open(t, withNodes(manyNodes.slice(0, 200)), 320);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  assert.ok((await names(page)).length < 100);
  await page.evaluate(`addEventListener('beforeprint', () => {
    window.printed = document.querySelectorAll('#rows [role=row]').length;
  })`);
  await page.pdf({ format: 'A4' });
  assert.equal(await page.evaluate('window.printed'), 200);
  assert.ok((await names(page)).length < 100);
});

test('two thousand events in fifty runs are under 5 MB', () => {
  const samples = Array.from({ length: 50 }, (_, run) => 1_234_567 + run);
  const nodes = manyNodes.slice(0, 2001).map((one) => ({
    ...one,
    cpuNs: one.durationNs,
    samples: { durationNs: samples, rawNs: samples, cpuNs: samples },
  }));
  assert.ok(Buffer.byteLength(fileOf(withNodes(nodes))) < 5e6);
});

test('what an action wrote, with the chosen row and as a column when wanted', async (t) => {
  const { frame, nodes } = report.frames[0];
  const at = nodes.findIndex(({ isLeaf }) => isLeaf);
  const [one, other] = nodes.filter(({ isLeaf }) => isLeaf).map(({ eventId }) => eventId ?? 0);
  const thumbnails: Thumbnails = {
    pictures: [encodePng({ width: 3, height: 2, data: new Uint8Array(24).fill(200) })],
    frames: new Map([
      [
        frame,
        [
          { eventId: one, target: 'COLOR0 of the canvas', picture: 0, reason: null },
          { eventId: other, target: '', picture: null, reason: 'framebuffer 1 is incomplete' },
        ],
      ],
    ]),
  };
  const page = await open(t, report, 1280, thumbnails);
  const figure = page.locator('#details figure').first();
  await page.locator(`#row-${at}`).click();
  assert.equal(await figure.locator('figcaption').textContent(), 'COLOR0 of the canvas');
  const picture = figure.getByRole('img', { name: 'COLOR0 of the canvas' });
  assert.deepEqual(
    await picture.evaluate<number[], { naturalWidth: number; naturalHeight: number }>((image) => [
      image.naturalWidth,
      image.naturalHeight,
    ]),
    [3, 2],
  );
  await page.locator(`#row-${nodes.findIndex(({ eventId }) => eventId === other)}`).click();
  assert.equal(await figure.locator('figcaption').textContent(), 'no picture: framebuffer 1 is incomplete');
  assert.equal(await figure.locator('img').count(), 0);
  await page.locator('#columns summary').click();
  await page.getByLabel('picture').check();
  assert.equal(await page.locator(`#row-${at} .picture img`).count(), 1);
});
