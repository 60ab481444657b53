import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { injectScript } from './inject-script.ts';
import type { ContextPlace, InjectSettings, RealmStatus } from './protocol.ts';

export interface PageLoadOptions {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly settings: InjectSettings;
  readonly trigger?: string;
}

/** How long a window or worker may take to answer; one that is busy with a frame answers later. */
const answerMs = 2000;
const messageLength = 200;
const keptMessages = 50;

const withinMs = <T>(promise: Promise<T>, ms: number): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise.catch(() => undefined), late]).finally(() => clearTimeout(timer));
};

/** One load of the page in a browser context of its own, with the recorder in all its windows and workers. */
export class PageLoad {
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #options: PageLoadOptions;
  #pendingRequests = 0;
  #lastRequestMs = Date.now();
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
    page.on('pageerror', (error) => this.#note(error.message));
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}));
    page.on('crash', () => {
      this.#crashed = true;
    });
    const moved = (step: number) => () => {
      this.#pendingRequests += step;
      this.#lastRequestMs = Date.now();
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
    // The way to the tool, which is on this machine.
    await context.grantPermissions(['local-network-access']);
    await context.addInitScript({ content: injectScript(options.settings, options.trigger) });
    return new PageLoad(context, await context.newPage(), options);
  }

  #note(text: string): void {
    if (this.messages.length < keptMessages) this.messages.push(text.slice(0, messageLength));
  }

  get crashed(): boolean {
    return this.#crashed || this.#page.isClosed();
  }

  /** Goes to the page; throws what the browser says when that fails. Returns the HTTP status. */
  async go(timeoutMs: number): Promise<number | undefined> {
    const response = await this.#page.goto(this.#options.url, { waitUntil: 'commit', timeout: timeoutMs });
    return response?.status();
  }

  /** Whether the page has loaded and nothing has come over the network for so long. */
  async isSettled(quietMs: number): Promise<boolean> {
    if (this.#pendingRequests > 0 || Date.now() - this.#lastRequestMs < quietMs) return false;
    return this.hasLoaded();
  }

  async hasLoaded(): Promise<boolean> {
    return (await withinMs(this.#page.evaluate<boolean>('document.readyState === "complete"'), answerMs)) ?? false;
  }

  /** Evaluates a call of every recorder's face. */
  #ask<T>(call: string): Promise<(T | undefined)[]> {
    const text = `globalThis[${JSON.stringify(this.#options.settings.secret)}]?.${call}`;
    const realms: Pick<Frame, 'evaluate'>[] = [...this.#page.frames(), ...(this.#page.workers() as unknown as Frame[])];
    return Promise.all(realms.map((realm) => withinMs(realm.evaluate<T>(text), answerMs)));
  }

  /** What the recorders have seen, window by window; those that do not answer are left out. */
  async status(): Promise<RealmStatus[]> {
    const answers = await this.#ask<RealmStatus>('status()');
    return answers.filter((answer) => answer !== undefined && answer !== null);
  }

  /** Lets the next frame of one context, or of any, be recorded. */
  async arm(context?: ContextPlace): Promise<void> {
    await this.#ask(context ? `arm(${JSON.stringify(context.realm)}, ${context.context})` : 'arm()');
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}
