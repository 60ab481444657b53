import { stripVTControlCharacters } from 'node:util';
import type { Browser } from 'playwright-core';
import { GpuprofError } from '../../errors.ts';

export interface LaunchOptions {
  /** The browser program. */
  readonly program: string;
  /** Arguments that come after ours, and so win over them. */
  readonly args: readonly string[];
  readonly headed: boolean;
  readonly timeoutMs: number;
}

/**
 * Features to do without: local network access is what the recorder in a page sends its captures by, and pages that are not
 * secure have none; of several such arguments the browser takes the last only, so the driver's own are repeated.
 */
const withoutFeatures = [
  'LocalNetworkAccessChecks',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];
const featureSwitch = '--disable-features=';

/** The arguments with one that takes away our features and those that they take away. */
function withFeatures(args: readonly string[]): string[] {
  const asked = args.filter((arg) => arg.startsWith(featureSwitch)).map((arg) => arg.slice(featureSwitch.length));
  return [
    ...args.filter((arg) => !arg.startsWith(featureSwitch)),
    featureSwitch + [...withoutFeatures, ...asked].join(),
  ];
}

/**
 * WebGL wherever the machine has no GPU, drawn as it is on every other machine. The watchdog takes the context away from a
 * page when a busy machine draws slowly.
 */
const ours = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gpu-watchdog',
];

/** Starts the browser. Throws GpuprofError `missing-feature` when it does not start. */
export async function launchBrowser({ program, args, headed, timeoutMs }: LaunchOptions): Promise<Browser> {
  // Large, and no concern of those who use the library for something else.
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({
      executablePath: program,
      args: [...ours, ...withFeatures(args)],
      headless: !headed,
      // Chromium refuses to run its sandbox as root.
      chromiumSandbox: process.getuid?.() !== 0,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: timeoutMs,
    });
  } catch (error) {
    throw new GpuprofError('missing-feature', `${program} does not start: ${reasonOf(error)}`, {
      hint: 'name another Chromium or Chrome with --browser',
      cause: error,
    });
  }
}

/** The line of the browser's own output that says why it ended. */
function reasonOf(error: unknown): string {
  const lines = stripVTControlCharacters((error as Error).message)
    .split('\n')
    .map((line) => line.trim());
  const said = lines.find((line) => /\b(FATAL|ERROR)\b|error while loading|No usable sandbox/i.test(line));
  // What is no browser has ended before it could be ended.
  if (lines[0].includes('ESRCH')) return 'it ended by itself at once';
  return (said ?? lines[0]).replace(/^.*?\[(pid=\d+|err)\]\S*\s*/, '').slice(0, 300);
}
