import { GpuprofError } from '../errors.ts';
import type { CallStream } from '../model/call-stream.ts';
import { shareOfMemory, tooLarge } from '../model/memory-limit.ts';
import { position, word } from '../model/position.ts';
import { refuseFailedBufferCall } from './checks/refused-calls.ts';
import { CallMemory } from './compile/call-memory.ts';
import { Compiler } from './compile/compiler.ts';
import type { Op } from './compile/invokers.ts';
import type { Site } from './compile/site.ts';
import { located } from './frame-faults.ts';
import type { BracketHooks, BracketPlan } from './frame-replay.ts';
import type { GoesOn } from './replay-listener.ts';
import type { ReplayParts } from './replay-parts.ts';

/** Resources kept in memory while calls are made one by one, since the next may use the same one. */
const cacheBytes = 64 * 2 ** 20;

/** A stream, the setup's without a frame, whose calls are compiled in order. */
export interface Playing {
  readonly frame: number | null;
  readonly stream: CallStream;
  readonly compiler: Compiler;
  readonly memory: CallMemory;
}

/** Makes the calls of streams one by one, each as soon as it is compiled. */
export class CallPlayer {
  readonly #parts: ReplayParts;
  readonly #position = position();
  #compiler: Compiler | undefined;
  /** What holds client arrays that GL may still read. */
  #clientMemory: ReadonlySet<object> = new Set();

  constructor(parts: ReplayParts) {
    this.#parts = parts;
  }

  /** Makes a stream the one that is compiled; `keep` as the compiler has it. */
  begin(frame: number | null, stream: CallStream, keep?: Site['keep']): Playing {
    const { state, checks, capture } = this.#parts;
    const memory = new CallMemory(stream, state.objects, capture.manifest.resources.length, state.esOnDesktop);
    this.#compiler ??= new Compiler(state, checks, stream, memory);
    this.#compiler.begin(stream, memory, keep);
    return { frame, stream, compiler: this.#compiler, memory };
  }

  /** Brings what a call needs into memory. Throws GpuprofError `bad-capture`. */
  async loadMissing({ stream, compiler, memory }: Playing, index: number): Promise<void> {
    const { capture } = this.#parts;
    const { resources } = capture.manifest;
    for (let missing = compiler.missingResource(index); missing >= 0; missing = compiler.missingResource(index)) {
      if (missing >= resources.length)
        throw new GpuprofError(
          'bad-capture',
          `${stream.signature(index).name} uses resource ${missing}, which is not there`,
        );
      const { sizeBytes } = resources[missing];
      const mostBytes = shareOfMemory(1);
      const neededBytes = memory.loadedBytes + sizeBytes;
      if (neededBytes > mostBytes)
        throw tooLarge('bad-capture', `resources up to ${missing} would take memory of`, neededBytes, mostBytes);
      memory.load(missing, await capture.resource(missing));
    }
  }

  /**
   * Makes every call of a stream but those that `idle` has; `goesOn` is told of each, and ends it. Throws GpuprofError
   * `bad-capture` or `missing-feature`.
   */
  async perform(frame: number | null, stream: CallStream, goesOn?: GoesOn, idle?: Uint8Array | null): Promise<void> {
    const playing = this.begin(frame, stream);
    const { compiler, memory } = playing;
    const { state, checks } = this.#parts;
    const { lists } = state.bindings;
    const listener = frame === null ? this.#parts.listener : undefined;
    let index = 0;
    try {
      for (; index < stream.length; index++) {
        if (idle?.[index]) {
          if (listener) await listener.setupCall(index);
          continue;
        }
        const plain = lists.isOpen ? undefined : compiler.plain(index);
        if (!plain && compiler.duty(index).hasData) await this.loadMissing(playing, index);
        this.#make(playing, index, plain);
        if (listener) await listener.setupCall(index);
        if (goesOn && !(await goesOn(index + 1))) break;
        if (memory.loadedBytes > cacheBytes && !checks.vertexChecks.owners().has(memory)) memory.unload();
      }
    } catch (error) {
      throw located(error, frame, index);
    }
    this.#left(memory);
  }

  /** Begins a frame, and brings what all of its calls need into memory. */
  async prepare(frame: number, stream: CallStream): Promise<Playing> {
    const playing = this.begin(frame, stream);
    for (let index = 0; index < stream.length; index++)
      if (playing.compiler.missingResource(index) >= 0) await this.loadMissing(playing, index);
    return playing;
  }

  /** Makes every call of a frame that has been prepared. */
  playPrepared(playing: Playing, plan?: BracketPlan, hooks?: BracketHooks): void {
    const { frame, stream, compiler, memory } = playing;
    const { lists } = this.#parts.state.bindings;
    let index = 0;
    try {
      for (; index < stream.length; index++)
        this.#make(playing, index, lists.isOpen ? undefined : compiler.plain(index), plan, hooks);
    } catch (error) {
      throw located(error, frame, index);
    }
    this.#left(memory);
  }

  /** GL keeps the addresses of client arrays: what owns them stays until the next time this is called. */
  keepClientArrays(): void {
    this.#clientMemory = this.#parts.checks.vertexChecks.owners();
  }

  /** Makes one call, within its bracket, and looks for errors. `plain` is what the compiler has for plain ones. */
  #make(playing: Playing, index: number, plain: Op | undefined, plan?: BracketPlan, hooks?: BracketHooks): void {
    const { frame, stream, compiler } = playing;
    const { state, followers, errors } = this.#parts;
    const call = plain ? undefined : stream.call(index);
    this.#position[word.frame] = frame ?? 0;
    this.#position[word.event] = index + 1;
    const op = call ? compiler.compile(index, call) : plain;
    if (plan && hooks && plan.beginAt[index] >= 0) hooks.begin(plan.beginAt[index]);
    op?.(stream.starts[index]);
    if (plan && hooks && plan.endAt[index] >= 0) hooks.end(plan.endAt[index]);
    if (call) followers.follow(compiler.toKeep(call), compiler.duty(index));
    // Between glBegin and glEnd even asking is an error.
    if (state.bindings.insideBegin) return;
    if (errors.take(frame, index + 1, stream) && call) refuseFailedBufferCall(call, state);
  }

  /** A stream has been played. */
  #left(memory: CallMemory): void {
    this.keepClientArrays();
    if (!this.#clientMemory.has(memory)) memory.unload();
  }
}
