import type { Browser, BrowserContext, Frame, Page, Route } from 'playwright-core';
import { GpuprofError } from '../../errors.ts';
import { injectScript } from './inject-script.ts';
import type { Answer } from './loopback-server.ts';
import type { ContextPlace, FrameChoice, InjectSettings, RealmStatus } from './protocol.ts';
import { WorkerScripts } from './worker-scripts.ts';

export interface PageLoadOptions {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly settings: Omit<InjectSettings, 'choice'>;
  /** Asked just before the browser goes to the page. */
  readonly choice: () => FrameChoice;
  readonly trigger?: string;
  /** Takes away the pages' policies, which forbid the recorder to send its captures. */
  readonly withoutPolicies: boolean;
  /** Puts the recorder into worker scripts that come over the network; the browser tells of all it sends then, which is slow. */
  readonly withWorkers: boolean;
}

/** What the windows and workers of a page answered. */
export interface PageStatus {
  readonly realms: readonly RealmStatus[];
  /** How many were too busy to answer. */
  readonly silent: number;
  /** How many workers have no recorder. */
  readonly unreached: number;
}

/** How long a window or worker may take to answer; one that is busy with a frame answers later. */
const answerMs = 2000;
const messageLength = 200;
const keptMessages = 50;
const late = Symbol('late');

function withinMs<T>(promise: Promise<T>): Promise<T | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), answerMs);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

async function withoutPolicy(route: Route): Promise<void> {
  if (!route.request().isNavigationRequest()) return route.fallback();
  const response = await route.fetch();
  const { 'permissions-policy': _policy, 'feature-policy': _old, ...headers } = response.headers();
  await route.fulfill({ response, headers });
}

/** Asks the browser, on its empty page. Throws `bad-usage` for what is no selector. */
async function checkSelector(page: Page, selector: string | undefined): Promise<void> {
  if (selector === undefined) return;
  const text = JSON.stringify(selector);
  await page.evaluate(`document.querySelector(${text}) === null`).catch((error) => {
    throw new GpuprofError('bad-usage', `--canvas ${text} is no CSS selector`, { cause: error });
  });
}

/** One load of the page in a browser context of its own, with the recorder in all its windows and workers. */
export class PageLoad {
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #options: PageLoadOptions;
  #workers: WorkerScripts | undefined;
  #pendingRequests = 0;
  #lastRequestMs = performance.now();
  #crashed = false;
  /** What the page said on its console as errors, and what it threw. */
  readonly messages: string[] = [];

  private constructor(context: BrowserContext, page: Page, options: PageLoadOptions) {
    this.#context = context;
    this.#page = page;
    this.#options = options;
    page.on('console', (message) => {
      if (message.type() === 'error') this.#note(message.text());
    });
    page.on('pageerror', (error) => this.#note(`${error.name}: ${error.message}`));
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
    page.on('crash', () => {
      this.#crashed = true;
    });
    const moved = (step: number) => () => {
      this.#pendingRequests += step;
      this.#lastRequestMs = performance.now();
    };
    page.on('request', moved(1));
    page.on('requestfinished', moved(-1));
    page.on('requestfailed', moved(-1));
  }

  static async create(browser: Browser, options: PageLoadOptions): Promise<PageLoad> {
    const context = await browser.newContext({
      viewport: { width: options.width, height: options.height },
      deviceScaleFactor: 1,
      bypassCSP: true,
      serviceWorkers: 'block',
    });
    if (options.withoutPolicies) await context.route('**/*', withoutPolicy);
    const page = await context.newPage();
    await checkSelector(page, options.settings.canvas);
    return new PageLoad(context, page, options);
  }

  #note(text: string): void {
    if (this.messages.length < keptMessages) this.messages.push(text.slice(0, messageLength));
  }

  get crashed(): boolean {
    return this.#crashed || this.#page.isClosed();
  }

  /** Goes to the page; throws what the browser says when that fails. Returns the HTTP status. */
  async go(timeoutMs: number): Promise<number | undefined> {
    const { url, choice, trigger } = this.#options;
    const settings = { ...this.#options.settings, choice: choice() };
    this.#workers = new WorkerScripts(this.#context, settings, trigger);
    if (this.#options.withWorkers) await this.#workers.intercept();
    await this.#context.addInitScript({ content: injectScript(settings, trigger) });
    const response = await this.#page.goto(url, { waitUntil: 'commit', timeout: timeoutMs });
    return response?.status();
  }

  /** Answers a recorder that is about to start a worker. */
  answerWorker(url: string): Answer {
    return this.#workers?.answer(url) ?? [410, ''];
  }

  /** Whether the page has loaded and nothing has come over the network for so long. */
  async isSettled(quietMs: number): Promise<boolean> {
    if (this.#pendingRequests > 0 || performance.now() - this.#lastRequestMs < quietMs) return false;
    const [loaded] = await this.#ask<boolean>('document.readyState === "complete"', [this.#page.mainFrame()]);
    return loaded === true;
  }

  /** Evaluates an expression; what has gone meanwhile answers null. */
  #ask<T>(expression: string, realms: readonly Pick<Frame, 'evaluate'>[]): Promise<(T | null | typeof late)[]> {
    return Promise.all(realms.map((realm) => withinMs(realm.evaluate<T>(expression).catch(() => null))));
  }

  #askRecorders<T>(call: string): Promise<(T | null | typeof late)[]> {
    const workers = this.#page.workers() as unknown as Frame[];
    const face = `globalThis[${JSON.stringify(this.#options.settings.secret)}]`;
    return this.#ask<T>(`${face}?.${call} ?? null`, [...this.#page.frames(), ...workers]);
  }

  async status(): Promise<PageStatus> {
    const frames = this.#page.frames().length;
    const answers = await this.#askRecorders<RealmStatus>('status()');
    return {
      realms: answers.filter((answer) => answer !== null && answer !== late),
      silent: answers.filter((answer) => answer === late).length,
      unreached: answers.slice(frames).filter((answer) => answer === null).length,
    };
  }

  /** Lets the next frame of one context, or of any, be recorded. */
  async arm(context?: ContextPlace): Promise<void> {
    await this.#askRecorders(context ? `arm(${JSON.stringify(context.realm)}, ${context.context})` : 'arm()');
  }

  async close(): Promise<void> {
    await this.#context.close().catch(() => {});
  }
}
