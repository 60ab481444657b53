/** Chromium's own timer queries say what a page's draws cost; the replay of its recording must find the same order. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { findBrowser } from '../../src/record/page/find-browser.ts';
import { launchBrowser } from '../../src/record/page/launch.ts';
import { chromium, noChromium } from '../helpers/chromium.ts';
import { run } from '../helpers/cli.ts';
import { recordPage, serve } from './page-kit.ts';

const html = await readFile(new URL('heavy-draws.html', import.meta.url), 'utf8');
const rounds = 15;
/** Script text: what draws the page. */
const renderer = `gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL)`;

/** Names and costs, the heaviest first. */
type Costs = readonly (readonly [name: string, ns: number])[];
const heaviestFirst = (costs: Costs): Costs => costs.toSorted(([, a], [, b]) => b - a);
const topFive = (costs: Costs): string[] => costs.slice(0, 5).map(([name]) => name);
const inWords = (costs: Costs): string => costs.map(([name, ns]) => `${name} ${(ns / 1e6).toFixed(2)} ms`).join(', ');

/**
 * What each draw costs by the queries of a browser that records nothing. The least of its rounds, since their clock runs on
 * while other programs have the processor.
 */
async function costsInBrowser(url: string): Promise<Costs> {
  const browser = await launchBrowser({ program: findBrowser(), args: [], headed: false, timeoutMs: 240_000 });
  try {
    const page = await browser.newPage();
    await page.goto(url);
    await page.waitForFunction('frames === 3');
    assert.match(await page.evaluate(renderer), /SwiftShader/);
    const samples: Record<string, number[]> = await page.evaluate(`timeDraws(${rounds})`);
    return heaviestFirst(
      Object.entries(samples).map(([name, ns]) => {
        assert.ok(ns.length > rounds / 2, `${name}: only ${ns.length} of ${rounds} rounds count`);
        return [name, Math.min(...ns)] as const;
      }),
    );
  } finally {
    await browser.close();
  }
}

interface Leaf {
  readonly isLeaf: boolean;
  readonly path: string;
  readonly cpuNs: { readonly median: number };
}

/** What each marked draw costs in the replay, in CPU time; the replay draws what the browser drew. */
async function costsInReplay(capture: string, driver: string, args: readonly string[]): Promise<Costs> {
  const { code, stdout, stderr } = await run([
    ...['replay', capture, '--driver', driver, ...args],
    ...['--format', 'json', '--runs', '7', '--verify'],
  ]);
  assert.equal(code, 0, stderr);
  const nodes: Leaf[] = JSON.parse(stdout).frames[0].nodes;
  const leaves = nodes.filter(({ isLeaf, path }) => isLeaf && path.includes('/'));
  return heaviestFirst(leaves.map(({ path, cpuNs }) => [path.split('/')[0], cpuNs.median] as const));
}

test("the five heaviest draws are those of Chromium's timer queries, in their order", {
  skip: noChromium,
}, async (t) => {
  const origin = await serve(t, () => ({ body: html }));
  const inBrowser = await costsInBrowser(origin);
  const recorded = await recordPage(t, origin, ['--frame', '2']);
  assert.equal(recorded.code, 0, recorded.stderr);
  const drivers = [
    ['egl', []],
    ['swiftshader', ['--browser', chromium as string]],
  ] as const;
  for (const [driver, args] of drivers)
    await t.test(driver, async () => {
      const inReplay = await costsInReplay(recorded.path, driver, args);
      assert.equal(inReplay.length, inBrowser.length);
      assert.deepEqual(
        topFive(inReplay),
        topFive(inBrowser),
        `${inWords(inReplay)}; in Chromium: ${inWords(inBrowser)}`,
      );
    });
});
