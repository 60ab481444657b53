import type { BrowserContext, Route } from 'playwright-core';
import { injectScript } from './inject-script.ts';
import type { Answer } from './loopback-server.ts';
import type { InjectSettings } from './protocol.ts';
import { withRecorder } from './with-recorder.ts';

/** The text is no longer packed, and longer; and a worker's own policies may forbid the recorder to send anything. */
const unwantedHeaders = ['content-encoding', 'content-length', 'content-security-policy', 'permissions-policy'];

/** Puts the recorder into the scripts of the workers that a page starts. */
export class WorkerScripts {
  readonly #context: BrowserContext;
  readonly #settings: InjectSettings;
  readonly #trigger: string | undefined;
  readonly #counts = new Map<string, number>();

  constructor(context: BrowserContext, settings: InjectSettings, trigger: string | undefined) {
    this.#context = context;
    this.#settings = settings;
    this.#trigger = trigger;
  }

  /** Names a worker by its script and the how-manieth it is, so that another load of the page gives the same name. */
  #script(url: string): string {
    const count = (this.#counts.get(url) ?? 0) + 1;
    this.#counts.set(url, count);
    return injectScript({ ...this.#settings, worker: `worker ${url} ${count}` }, this.#trigger);
  }

  /**
   * Sees to the scripts that come over the network, from the start: the page waits while its recorder tells of a worker, and
   * a browser that is told of an address then would wait for the page.
   */
  async intercept(): Promise<void> {
    await this.#context.route(
      ({ href }) => this.#counts.has(href),
      (route) => this.#fulfill(route, route.request().url()),
    );
  }

  /**
   * Answers a recorder that is about to start a worker: with the recorder's script for one that the page has made itself
   * (an empty address); else the recorder comes with the script.
   */
  answer(url: string): Answer {
    if (url === '') return [200, this.#script(url)];
    if (!this.#counts.has(url)) this.#counts.set(url, 0);
    return [200, ''];
  }

  async #fulfill(route: Route, url: string): Promise<void> {
    try {
      const response = await route.fetch();
      const headers = { ...response.headers() };
      for (const name of unwantedHeaders) delete headers[name];
      const text = await response.text();
      await route.fulfill({ response, headers, body: response.ok() ? withRecorder(this.#script(url), text) : text });
    } catch {
      // The page sees what it would have seen.
      await route.continue().catch(() => {});
    }
  }
}
