import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { CaptureIntake, type TakenCapture } from './capture-intake.ts';
import { findBrowser } from './find-browser.ts';
import { launchBrowser } from './launch.ts';
import { LoopbackServer } from './loopback-server.ts';
import { PageLoad } from './page-load.ts';
import { pageTarget } from './page-target.ts';
import { contextsOf, nothingDrawn, pageProblem } from './problems.ts';
import type { ContextPlace, FrameChoice, RealmStatus } from './protocol.ts';
import { webglSignatures } from './webgl-signatures.ts';

/** Which frame of the page: without any, the next one after the page has loaded and settled. */
export interface PageFrame {
  /** The n-th frame of a context, from 1. */
  readonly frame?: number;
  /** The first frame that begins so many milliseconds after the page was asked for. */
  readonly afterMs?: number;
  /** The first frame for which this JavaScript expression is true. */
  readonly trigger?: string;
}

export interface RecordPageOptions extends PageFrame {
  /** An http, https, file or data URL, or the path of an HTML file. */
  readonly page: string;
  /** Where the capture goes. */
  readonly output: string;
  /** Consecutive frames. */
  readonly frames: number;
  /** A CSS selector of the canvas; by default the first to reach the frame. */
  readonly canvas?: string;
  /** The window's inside, in CSS pixels, which are the screen's. */
  readonly width: number;
  readonly height: number;
  readonly browser?: string;
  readonly browserArgs: readonly string[];
  readonly headed: boolean;
  readonly timeoutMs: number;
  /** Name and version of the program that records. */
  readonly producer: string;
  /** Told what is going on, for people who wait. */
  readonly progress?: (text: string) => void;
}

const pollMs = 100;
/** A page has settled when it has loaded and asked for nothing for this long, */
const quietMs = 500;
/** or when it has gone on asking for this long. */
const settleMs = 10_000;
/** A page that has not drawn for this long has stopped. */
const stillMs = 1000;
/** A page that has settled and has not drawn anything at all for this long will not. */
const hopelessMs = 5000;

const frameWord = (count: number): string => (count === 1 ? 'a frame' : `${count} frames`);

class PageRecording {
  readonly #options: RecordPageOptions;
  readonly #browser: Browser;
  readonly #server: LoopbackServer;
  readonly #url: string;
  readonly #endMs: number;
  readonly #signatures = webglSignatures();

  constructor(options: RecordPageOptions, browser: Browser, server: LoopbackServer, url: string, endMs: number) {
    this.#options = options;
    this.#browser = browser;
    this.#server = server;
    this.#url = url;
    this.#endMs = endMs;
  }

  async run(): Promise<TakenCapture> {
    const { frame, afterMs, trigger } = this.#options;
    if (frame !== undefined) return this.#recordChosen({ kind: 'frame', frame }, `frame ${frame}`);
    if (afterMs !== undefined)
      return this.#recordChosen({ kind: 'after', epochMs: Date.now() + afterMs }, `a frame after ${afterMs} ms`);
    if (trigger !== undefined) return this.#recordChosen({ kind: 'trigger' }, 'a frame with the trigger true');
    const last = await this.#recordNext();
    return 'label' in last ? last : this.#recordLast(last);
  }

  /** Loads the page with a recorder that waits for a frame, and gives all up when that goes wrong. */
  async #load<T>(choice: FrameChoice, work: (load: PageLoad, intake: CaptureIntake) => Promise<T>): Promise<T> {
    const { frames, canvas, producer, output, width, height, trigger, progress } = this.#options;
    const settings = {
      endpoint: this.#server.endpoint,
      secret: `gpuprof${randomBytes(8).toString('hex')}`,
      producer,
      choice,
      frames,
      ...(canvas !== undefined && { canvas }),
      signatures: this.#signatures,
    };
    const intake = new CaptureIntake(output);
    this.#server.intake = intake;
    const load = await PageLoad.create(this.#browser, {
      url: this.#url,
      width,
      height,
      settings,
      ...(trigger !== undefined && { trigger }),
    });
    try {
      progress?.('loading the page');
      await load.go(Math.max(1, this.#endMs - Date.now()));
      return await work(load, intake);
    } finally {
      await intake.fail(new Error('the page was closed'));
      await load.close();
    }
  }

  /** Waits a moment: the capture when it is whole. Throws what has gone wrong with it, with the page, or with time. */
  async #tick(load: PageLoad, intake: CaptureIntake, wanted: string): Promise<TakenCapture | undefined> {
    const taken = await Promise.race([intake.done, sleep(pollMs).then(() => undefined)]);
    if (taken) return taken;
    if (load.crashed) throw pageProblem('the page crashed', load.messages);
    if (Date.now() > this.#endMs) {
      const seconds = this.#options.timeoutMs / 1000;
      const problem = nothingDrawn(await load.status(), wanted, load.messages);
      throw pageProblem(`gave up after ${seconds} s: ${problem.message}`, []);
    }
    return undefined;
  }

  async #recordChosen(choice: FrameChoice, wanted: string): Promise<TakenCapture> {
    return this.#load(choice, async (load, intake) => {
      for (;;) {
        const taken = await this.#tick(load, intake, wanted);
        if (taken) return taken;
      }
    });
  }

  /** Waits until the page has settled and records its next frame; the last one it drew when there is no next. */
  async #recordNext(): Promise<TakenCapture | (ContextPlace & { readonly frame: number })> {
    const wanted = frameWord(this.#options.frames);
    return this.#load({ kind: 'armed' }, async (load, intake) => {
      const startMs = Date.now();
      while (!(await load.isSettled(quietMs)) && Date.now() < startMs + settleMs) {
        await this.#tick(load, intake, wanted);
      }
      const realms = await load.status();
      await load.arm(mainContext(realms));
      this.#options.progress?.('waiting for a frame');
      let actions = -1;
      let stillSinceMs = Date.now();
      for (;;) {
        const taken = await this.#tick(load, intake, wanted);
        if (taken) return taken;
        if (intake.isTaking) continue;
        const now = await load.status();
        const drawn = contextsOf(now).reduce((sum, context) => sum + context.actions, 0);
        if (drawn !== actions) stillSinceMs = Date.now();
        actions = drawn;
        const last = mainContext(now);
        if (last && Date.now() > stillSinceMs + stillMs) return last;
        if (Date.now() > stillSinceMs + hopelessMs) throw nothingDrawn(now, wanted, load.messages);
      }
    });
  }

  /** Loads the page again for the last frame that it drew. */
  async #recordLast(known: ContextPlace & { readonly frame: number }): Promise<TakenCapture> {
    const { frames } = this.#options;
    const first = Math.max(1, known.frame - frames + 1);
    return this.#recordChosen({ kind: 'known', ...known, frame: first }, `frame ${first}`);
  }
}

/** The context that a page is about: in the document, drawn to, and the largest. */
function mainContext(realms: readonly RealmStatus[]): (ContextPlace & { readonly frame: number }) | undefined {
  const drawn = realms.flatMap(({ realm, contexts }) =>
    contexts.flatMap((context, index) => (context.frames > 0 && !context.lost ? [{ realm, index, ...context }] : [])),
  );
  const [best] = drawn.sort(
    (one, other) =>
      Number(other.connected) - Number(one.connected) || other.width * other.height - one.width * one.height,
  );
  return best && { realm: best.realm, context: best.index, frame: best.frames };
}

/**
 * Records a frame of a web page with an installed Chromium or Chrome and writes the capture. Throws GpuprofError:
 * `missing-feature` without a browser, `bad-input` when the page does not give the frame, of which nothing is left then.
 */
export async function recordPage(options: RecordPageOptions): Promise<TakenCapture> {
  const endMs = Date.now() + options.timeoutMs;
  const { folder, url } = await pageTarget(options.page);
  const program = findBrowser(options.browser);
  const server = await LoopbackServer.start(folder);
  try {
    options.progress?.('starting the browser');
    const { browserArgs: args, headed } = options;
    const browser = await launchBrowser({ program, args, headed, timeoutMs: options.timeoutMs });
    try {
      return await new PageRecording(options, browser, server, url(server.origin), endMs).run();
    } finally {
      await browser.close();
    }
  } finally {
    server.close();
  }
}
