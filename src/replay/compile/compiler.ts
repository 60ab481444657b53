import { GpuprofError } from '../../errors.ts';
import type { GlFunction } from '../../gl/native.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import type { CallStream } from '../../model/call-stream.ts';
import { afterArgument, dataTag, headerWords, noneWord } from '../../model/call-words.ts';
import { baseName, GL } from '../../model/gl-constants.ts';
import type { Signature } from '../../model/signature.ts';
import { textureKey } from '../checks/array-state.ts';
import { withCheckedIndices } from '../checks/buffer-indices.ts';
import { BufferRanges, withoutRanges } from '../checks/buffer-ranges.ts';
import { checkLengths } from '../checks/data-lengths.ts';
import type { Lifetimes } from '../checks/lifetimes.ts';
import type { MemoryBudget } from '../checks/memory-budget.ts';
import { refuseInsideBegin } from '../checks/refused-calls.ts';
import { checkBaseLevel } from '../checks/texture-levels.ts';
import { checkUnit } from '../checks/texture-units.ts';
import { checkUnpackBuffer } from '../checks/unpack-buffers.ts';
import type { VertexChecks } from '../checks/vertex-checks.ts';
import { checkSums } from '../checks/wide-sums.ts';
import { checkWork } from '../checks/work-limits.ts';
import type { CallMemory } from './call-memory.ts';
import { CallSite } from './call-site.ts';
import { type Duty, dutyOf } from './duty.ts';
import { type LiveMemory, makeInvoker, type Op } from './invokers.ts';
import type { ReplayState, Site } from './site.ts';

/** What glEnableClientState takes is far above any attribute. */
const firstClientState = 0x8000;
const GL_TEXTURE_COORD_ARRAY = 0x8078;

interface Command {
  readonly duty: Duty;
  readonly fn: () => GlFunction;
  /** Makes the call as it stands. */
  readonly plain: () => Op;
}

/** What is checked over all streams of a capture. */
export interface Checks {
  readonly budget: MemoryBudget;
  readonly vertexChecks: VertexChecks;
  readonly lifetimes: Lifetimes;
}

/** Turns the calls of a capture into functions: stream by stream, call by call and in order. */
export class Compiler {
  readonly #state: ReplayState;
  readonly #checks: Checks;
  readonly #ranges: BufferRanges;
  readonly #commands = new Map<Signature, Command>();
  readonly #live: LiveMemory;
  #stream: CallStream;
  #memory: CallMemory;
  #keep: Site['keep'];
  /** Of the stream's signatures, by index. */
  #ofStream: (Command | undefined)[] = [];

  /** Begins with a stream; `keep` tells which objects exist when a frame begins, where deletions are not final. */
  constructor(state: ReplayState, checks: Checks, stream: CallStream, memory: CallMemory) {
    this.#state = state;
    this.#checks = checks;
    this.#ranges = new BufferRanges((buffer) => checks.budget.bufferBytes(buffer));
    this.#stream = stream;
    this.#memory = memory;
    this.#live = { memory };
  }

  /** Goes on with another stream. Functions made for the one before must not be called any more. */
  begin(stream: CallStream, memory: CallMemory, keep: Site['keep']): void {
    this.#stream = stream;
    this.#memory = memory;
    this.#live.memory = memory;
    this.#keep = keep;
    this.#ofStream = [];
  }

  /** What there is to do for a call. */
  duty(index: number): Duty {
    return this.#command(this.#stream.words[this.#stream.starts[index]]).duty;
  }

  /** The resource that a call needs and is not in memory yet, or -1. */
  missingResource(index: number): number {
    const { words, starts } = this.#stream;
    const at = starts[index];
    if (!this.#command(words[at]).duty.hasData) return -1;
    let next = at + headerWords;
    for (const param of this.#stream.signatures[words[at]].params) {
      if (param.type === 'data' && words[next] === dataTag.resource && !this.#memory.has(words[next + 1]))
        return words[next + 1];
      next = afterArgument(words, next, param);
    }
    return -1;
  }

  /**
   * The function of a call that has nothing to be checked but what its words say, and that nothing follows but uniforms;
   * undefined for any other.
   */
  plain(index: number): Op | undefined {
    const { words, starts } = this.#stream;
    const at = starts[index];
    const command = this.#command(words[at]);
    const { isPlain, locationAt, data } = command.duty;
    if (!isPlain) return undefined;
    if (locationAt >= 0) {
      const location = words[at + locationAt];
      if (location !== noneWord && location >= this.#memory.locations.length) return undefined;
    }
    if (data) {
      const count = words[at + data.countAt] | 0;
      const isThere = words[at + data.at] === dataTag.inline && words[at + data.at + 1] >= count * data.bytes;
      if (!isThere) return undefined;
    }
    return command.plain();
  }

  /**
   * Checks a call and compiles it; null when there is nothing to do. The bindings must be those before the call.
   * Throws GpuprofError `bad-capture` for a call that would hurt, `missing-feature` for one the context lacks.
   */
  compile(index: number, call: Call): Op | null {
    const { words, starts } = this.#stream;
    const at = starts[index];
    const command = this.#command(words[at]);
    const { duty } = command;
    const memory = this.#memory;
    const { bindings } = this.#state;
    const { budget, vertexChecks, lifetimes } = this.#checks;
    if (bindings.insideBegin) refuseInsideBegin(call);
    this.#checkReferences(call, duty);
    lifetimes.follow(call);
    checkSums(call);
    checkUnit(call);
    checkBaseLevel(call);
    checkLengths(call, bindings, duty.handler !== undefined);
    const empty = duty.isVertexChecked ? vertexChecks.check(call, bindings, memory.bytesOf, memory) : [];
    if (duty.hasData) checkUnpackBuffer(call, bindings, this.#state.pixelStore, (buffer) => budget.bufferBytes(buffer));
    if (duty.asksForWork) checkWork(call, memory.bytesOf);
    if (duty.allocates) {
      budget.book(call, bindings);
      vertexChecks.buffersChanged();
      this.#ranges.buffersChanged();
    }
    const op = this.#op(index, call, command);
    const inBuffer = duty.isVertexChecked ? vertexChecks.inBuffer : null;
    const checked = op && inBuffer ? withCheckedIndices(this.#state.context, call, inBuffer, op) : op;
    const drawn = empty.length > 0 ? this.#without(empty, checked) : checked;
    return drawn && duty.runsShaders ? this.#withinRanges(call, drawn) : drawn;
  }

  /** The call as it can be kept after its memory is gone: names of lists stand in it, not in a resource. */
  toKeep(call: Call): Call {
    const { args, signature } = call;
    if (signature.name !== 'glCallLists' || (args[2] as DataArgument)?.kind !== 'resource') return call;
    const bytes = this.#memory.bytesOf(args[2]).slice();
    return { ...call, args: [args[0], args[1], { kind: 'inline', bytes }] };
  }

  /** A draw for which some arrays are not enabled; `keys` as {@link VertexChecks.check} has them. */
  #without(keys: readonly number[], draw: Op | null): Op | null {
    if (!draw) return null;
    const switches = keys.map((key) => this.#arraySwitch(key));
    return (at) => {
      for (const enable of switches) enable(false);
      draw(at);
      for (const enable of switches) enable(true);
    };
  }

  #arraySwitch(key: number): (on: boolean) => void {
    const { gl } = this.#state.context;
    if (key < firstClientState)
      return (on) => void (on ? gl.glEnableVertexAttribArray(key) : gl.glDisableVertexAttribArray(key));
    const client = (array: number, on: boolean) =>
      void (on ? gl.glEnableClientState(array) : gl.glDisableClientState(array));
    const unit = key - textureKey(0);
    if (unit < 0) return (on) => client(key, on);
    const selected = this.#checks.vertexChecks.clientUnit;
    return (on) => {
      gl.glClientActiveTexture(GL.TEXTURE0 + unit);
      client(GL_TEXTURE_COORD_ARRAY, on);
      gl.glClientActiveTexture(GL.TEXTURE0 + selected);
    };
  }

  /** A draw without the ranges that begin beyond their buffer. */
  #withinRanges(call: Call, draw: Op): Op {
    const { bindings, context, objects } = this.#state;
    const beyond = this.#ranges.beyond(bindings);
    if (beyond.length === 0) return draw;
    if (baseName(call.signature.name) === 'Begin')
      this.#refuse(call, 'draws while a range of a buffer is bound that begins beyond its end');
    return withoutRanges(context, objects.names.buffer, bindings, beyond, draw);
  }

  #op(index: number, call: Call, command: Command): Op | null {
    const { duty, plain } = command;
    if (!duty.handler) return plain();
    const shared = { state: this.#state, memory: this.#memory, keep: this.#keep };
    return duty.handler(new CallSite(shared, this.#stream, index, call, command));
  }

  #command(index: number): Command {
    const known = this.#ofStream[index];
    if (known) return known;
    const signature = this.#stream.signatures[index];
    let command = this.#commands.get(signature);
    if (!command) {
      const fn = () => this.#state.context.require(signature.name);
      let invoker: Op | undefined;
      const plain = () => {
        invoker ??= makeInvoker(fn(), signature, this.#live);
        return invoker;
      };
      command = { duty: dutyOf(signature), fn, plain };
      this.#commands.set(signature, command);
    }
    this.#ofStream[index] = command;
    return command;
  }

  #checkReferences(call: Call, { references }: Duty): void {
    const { params } = call.signature;
    for (const index of references) {
      const param = params[index];
      const value = call.args[index];
      if (param.type === 'object' || param.type === 'objects') {
        const highest = this.#state.objects.names[param.objectClass!].length - 1;
        for (const id of param.type === 'object' ? [value as number] : (value as readonly number[]))
          if (id > highest) this.#refuse(call, `names ${param.objectClass} ${id} of ${highest}`);
      } else if (param.type === 'location') {
        if (value !== noneWord && (value as number) >= this.#state.objects.locations.length)
          this.#refuse(call, `uses location ${value}, which the capture does not have`);
      } else {
        const data = value as DataArgument;
        if (data?.kind === 'resource' && data.byteOffset + data.byteLength > this.#memory.resourceSize(data.resource))
          this.#refuse(call, `reads beyond resource ${data.resource}`);
      }
    }
  }

  #refuse(call: Call, what: string): never {
    throw new GpuprofError('bad-capture', `${call.signature.name} ${what}`);
  }
}
