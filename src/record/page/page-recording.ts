import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { CaptureIntake, type TakenCapture } from './capture-intake.ts';
import type { LoopbackServer } from './loopback-server.ts';
import type { RecordPageOptions } from './options.ts';
import { PageLoad, type PageStatus } from './page-load.ts';
import { contextsOf, countOf, loadProblem, nameOf, pageProblem, whyNoFrame } from './problems.ts';
import type { ContextPlace, ContextStatus, FrameChoice } from './protocol.ts';
import { webglSignatures } from './webgl-signatures.ts';

/** A context and how many frames it has drawn. */
interface Drawn extends ContextPlace {
  readonly frames: number;
}

/** What was seen at one look at the page, between frames. */
interface Look {
  readonly status: PageStatus;
  /** For how long the page has not drawn; 0 while the browser is not ready for another picture. */
  readonly stillMs: number;
}

const pollMs = 150;
/** A page has settled when it has loaded and asked for nothing for this long, */
const quietMs = 500;
/** or when it has gone on asking for this long. */
const settleMs = 10_000;
/** A page that has settled and has not drawn for this long has stopped drawing. */
const stoppedMs = 1000;
/** A page that has settled and has not drawn for this long will not give the frame that is wanted. */
const hopelessMs = 10_000;
/** The same for a page that has drawn nothing at all. */
const emptyMs = 4000;
/** Who sends a capture and is not seen for this long is gone; a crash is told of sooner. */
const goneMs = 1000;
const maxLoads = 4;
/** A heavy frame keeps the browser from asking for the next: a page is still when it was asked so often and did not draw. */
const leastAsked = 5;

const isTaken = (result: unknown): result is TakenCapture =>
  typeof result === 'object' && result !== null && 'label' in result;

/** The page must be loaded in another way. */
class LoadAnew extends Error {
  readonly way: 'withoutPolicies' | 'withWorkers';

  constructor(way: LoadAnew['way']) {
    super(`load ${way}`);
    this.way = way;
  }
}

/** The context that a page is about: of those that drew, one in the document and the largest. */
function mainContext({ realms }: PageStatus): Drawn | undefined {
  const drawn = realms.flatMap(({ realm, contexts }) =>
    contexts.flatMap((context, index) => (context.matches && context.frames > 0 ? [{ realm, index, ...context }] : [])),
  );
  const area = ({ width, height }: ContextStatus): number => width * height;
  const [best] = drawn.sort((one, other) => Number(other.connected) - Number(one.connected) || area(other) - area(one));
  return best && { realm: best.realm, context: best.index, frames: best.frames };
}

/** Records one page: loads it, as often as it takes, and waits for the frame. */
export class PageRecording {
  readonly #options: RecordPageOptions;
  readonly #browser: Browser;
  readonly #server: LoopbackServer;
  readonly #url: string;
  readonly #endMs: number;
  readonly #signatures = webglSignatures();
  readonly #ways = { withoutPolicies: false, withWorkers: false };

  /** `endMs` is when it gives up, by performance.now(). */
  constructor(options: RecordPageOptions, browser: Browser, server: LoopbackServer, url: string, endMs: number) {
    this.#options = options;
    this.#browser = browser;
    this.#server = server;
    this.#url = url;
    this.#endMs = endMs;
  }

  async run(): Promise<TakenCapture> {
    const { frame, afterMs, trigger } = this.#options;
    if (frame !== undefined) return this.#recordChosen(() => ({ kind: 'frame', frame }), `frame ${frame}`);
    if (afterMs !== undefined)
      return this.#recordChosen(
        () => ({ kind: 'after', afterMs, epochMs: Date.now() + afterMs }),
        `one after ${afterMs} ms`,
      );
    if (trigger !== undefined) return this.#recordChosen(() => ({ kind: 'trigger' }), 'one with the trigger true');
    const first = await this.#recordNext();
    return isTaken(first) ? first : this.#recordLast(first);
  }

  /** Loads the page with a recorder that waits for a frame; gives all up when that goes wrong. */
  async #load<T>(
    choice: () => FrameChoice,
    work: (load: PageLoad, intake: CaptureIntake) => Promise<TakenCapture | T>,
  ): Promise<TakenCapture | T> {
    const { canvas, width, height, trigger, frames, producer, progress } = this.#options;
    const settings = {
      endpoint: this.#server.endpoint,
      secret: `gpuprof${randomBytes(8).toString('hex')}`,
      producer,
      frames,
      ...(canvas !== undefined && { canvas }),
      signatures: this.#signatures,
    };
    progress?.('loading the page');
    const load = await PageLoad.create(this.#browser, {
      url: this.#url,
      width,
      height,
      settings,
      choice,
      ...(trigger !== undefined && { trigger }),
      ...this.#ways,
    });
    const intake = new CaptureIntake(this.#options.output);
    this.#server.onMessage = (path, body) =>
      path === 'worker' ? load.answerWorker(Buffer.from(body).toString('utf8')) : intake.answer(path, body);
    try {
      await this.#go(load);
      const result = await work(load, intake);
      return isTaken(result) ? await this.#withNotes(result, load) : result;
    } catch (error) {
      if (!(error instanceof LoadAnew)) throw error;
      this.#ways[error.way] = true;
    } finally {
      await intake.fail(new Error('the page was closed'));
      await load.close();
    }
    return this.#load(choice, work);
  }

  /** Says which other canvases could be asked for. */
  async #withNotes(taken: TakenCapture, load: PageLoad): Promise<TakenCapture> {
    if (this.#options.canvas !== undefined) return taken;
    const { realms } = await load.status();
    const others = contextsOf(realms).filter(({ frames, recorded }) => frames > 0 && !recorded);
    if (others.length === 0) return taken;
    const names = others.map((other) => `${nameOf(other)}, ${countOf(other.frames, 'frame')}`);
    const note = `recorded ${nameOf(taken.label)}; the page also drew in ${names.join('; ')}: choose with --canvas`;
    return { ...taken, notes: [note, ...taken.notes] };
  }

  async #go(load: PageLoad): Promise<void> {
    let status: number | undefined;
    try {
      status = await load.go(Math.max(1, this.#endMs - performance.now()));
    } catch (error) {
      throw loadProblem(this.#options.page, error);
    }
    if (status !== undefined && status >= 400)
      throw pageProblem({ sentence: `${this.#options.page} does not load: the server answers ${status}` }, []);
  }

  /** Waits for the capture, or for what `decide` makes of a look at the page while none is coming in. */
  async #until<T>(
    load: PageLoad,
    intake: CaptureIntake,
    wanted: string,
    decide: (look: Look) => Promise<T | undefined> | T | undefined,
  ): Promise<TakenCapture | T> {
    let seen = '';
    let sinceMs = performance.now();
    let askedBefore = 0;
    for (;;) {
      const taken = await Promise.race([intake.done, sleep(pollMs).then(() => undefined)]);
      if (taken) return taken;
      const { messages } = load;
      if (load.crashed) throw pageProblem({ sentence: 'the page crashed' }, messages);
      const { incoming } = intake;
      const status = await load.status();
      this.#checkWay(status);
      const problem = status.realms.find((realm) => realm.problem !== undefined)?.problem;
      if (problem !== undefined)
        throw pageProblem({ sentence: `the recorder in the page cannot reach gpuprof (${problem})` }, messages);
      if (performance.now() > this.#endMs) throw this.#outOfTime(status, wanted, messages);
      const now = `${intake.receivedBytes} ${JSON.stringify(mainContext(status) ?? contextsOf(status.realms).length)}`;
      const asked = Math.max(0, ...status.realms.map(({ animationFrames }) => animationFrames));
      if (now !== seen || status.silent > 0 || asked < askedBefore) {
        sinceMs = performance.now();
        askedBefore = asked;
      }
      seen = now;
      const stillMs = asked - askedBefore < leastAsked ? 0 : performance.now() - sinceMs;
      if (incoming === undefined) {
        const decided = await decide({ status, stillMs });
        if (decided !== undefined) return decided;
      } else if (incoming === intake.incoming && status.silent === 0)
        await this.#checkIncoming(load, intake, status, stillMs);
    }
  }

  /** Has the page loaded anew when it forbids what captures are sent by, or draws in a worker that was not reached. */
  #checkWay({ realms, unreached }: PageStatus, nothingElse = false): void {
    const { withoutPolicies, withWorkers } = this.#ways;
    if (!withoutPolicies && realms.some(({ blocked }) => blocked)) throw new LoadAnew('withoutPolicies');
    const handed = nothingElse || realms.some(({ transferred }) => transferred > 0);
    if (!withWorkers && unreached > 0 && handed) throw new LoadAnew('withWorkers');
  }

  /** A capture that is coming in ends with whoever sends it, and when that draws no more. */
  async #checkIncoming(load: PageLoad, intake: CaptureIntake, status: PageStatus, stillMs: number): Promise<void> {
    const sender = contextsOf(status.realms).find(({ recording }) => recording);
    if (stillMs < (sender ? hopelessMs : goneMs)) return;
    const { frames } = this.#options;
    const sentence = sender
      ? `the page stopped drawing before the ${countOf(frames, 'frame')} that were wanted`
      : 'the window or worker that was being recorded went away: the page went elsewhere or closed it';
    await intake.fail(pageProblem({ sentence }, load.messages));
  }

  #outOfTime(status: PageStatus, wanted: string, messages: readonly string[]): Error {
    const { sentence, hint } =
      status.realms.length === 0 && status.silent > 0
        ? { sentence: 'the page is too busy to answer' }
        : whyNoFrame(status, wanted, this.#options.canvas);
    const gaveUp = `gave up after ${this.#options.timeoutMs / 1000} s: ${sentence}`;
    return pageProblem({ sentence: gaveUp, ...(hint && { hint }) }, messages);
  }

  /** Throws when a page that has settled has stopped drawing for good. */
  async #giveUpWhenStill(load: PageLoad, { status, stillMs }: Look, wanted: string): Promise<undefined> {
    const enough = contextsOf(status.realms).some(({ actions }) => actions > 0) ? hopelessMs : emptyMs;
    if (stillMs <= enough || !(await load.isSettled(quietMs))) return;
    this.#checkWay(status, contextsOf(status.realms).length === 0);
    throw pageProblem(whyNoFrame(status, wanted, this.#options.canvas), load.messages);
  }

  async #recordChosen(choice: () => FrameChoice, wanted: string): Promise<TakenCapture> {
    const { afterMs = 0, trigger } = this.#options;
    return this.#load(choice, (load, intake) => {
      const earliestMs = performance.now() + afterMs;
      return this.#until<never>(load, intake, wanted, (look) =>
        trigger !== undefined || performance.now() < earliestMs ? undefined : this.#giveUpWhenStill(load, look, wanted),
      );
    });
  }

  /** Waits until the page has settled and records its next frame; returns what it drew when there is no next. */
  async #recordNext(): Promise<TakenCapture | Drawn> {
    const wanted = 'another';
    return this.#load<Drawn>(
      () => ({ kind: 'armed' }),
      async (load, intake) => {
        const startMs = performance.now();
        await this.#until(load, intake, wanted, async () =>
          (await load.isSettled(quietMs)) || performance.now() > startMs + settleMs ? true : undefined,
        );
        this.#options.progress?.('waiting for a frame');
        let armed: string | undefined;
        return this.#until<Drawn>(load, intake, wanted, async (look) => {
          const main = mainContext(look.status);
          const place = main && `${main.realm} ${main.context}`;
          if (armed === undefined || armed !== place) {
            await load.arm(main);
            armed = place ?? '';
          }
          if (main) return look.stillMs > stoppedMs ? main : undefined;
          return this.#giveUpWhenStill(load, look, wanted);
        });
      },
    );
  }

  /** Loads the page again for the last frame that it drew. */
  async #recordLast(first: Drawn): Promise<TakenCapture> {
    const { frames } = this.#options;
    const counts: number[] = [];
    for (let drawn = first; counts.length < maxLoads - 1; ) {
      counts.push(drawn.frames);
      if (drawn.frames < frames)
        throw pageProblem(
          { sentence: `the page drew ${countOf(drawn.frames, 'frame')} and stopped; ${frames} are wanted` },
          [],
        );
      const frame = drawn.frames - frames + 1;
      const { realm, context } = drawn;
      const again = await this.#load<Drawn>(
        () => ({ kind: 'known', realm, context, frame }),
        (load, intake) =>
          this.#until<Drawn>(load, intake, `frame ${frame}`, async (look) => {
            const settled = look.stillMs > stoppedMs && (await load.isSettled(quietMs));
            return (settled && mainContext(look.status)) || this.#giveUpWhenStill(load, look, `frame ${frame}`);
          }),
      );
      if (isTaken(again)) return again;
      drawn = again;
    }
    throw pageProblem(
      {
        sentence: `the page draws a few frames and stops, another number each time it loads (${counts.join(', ')})`,
        hint: 'pass --frame N',
      },
      [],
    );
  }
}
