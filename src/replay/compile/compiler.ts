import { GpuprofError } from '../../errors.ts';
import { signatureOf } from '../../gl/command-table.ts';
import type { GlFunction } from '../../gl/native.ts';
import type { Call, DataArgument } from '../../model/call.ts';
import type { CallStream } from '../../model/call-stream.ts';
import { afterArgument, headerWords } from '../../model/call-words.ts';
import { baseName } from '../../model/gl-constants.ts';
import type { Param, Signature } from '../../model/signature.ts';
import { checkLengths } from '../checks/data-lengths.ts';
import type { Lifetimes } from '../checks/lifetimes.ts';
import type { MemoryBudget } from '../checks/memory-budget.ts';
import type { VertexChecks } from '../checks/vertex-checks.ts';
import { checkWork } from '../checks/work-limits.ts';
import { handlerFor } from '../handlers/index.ts';
import type { CallMemory } from './call-memory.ts';
import { makeInvoker, type Op } from './invokers.ts';
import type { Handler, ReplayState, Site } from './site.ts';

interface Command {
  readonly handler: Handler | undefined;
  readonly fn: () => GlFunction;
  invoker: Op | undefined;
}

const shape = (param: Pick<Param, 'objectClass'> & { type: string }) => `${param.type}:${param.objectClass ?? ''}`;

/** Throws GpuprofError `bad-capture` unless the capture's idea of a command is this program's. */
function checkSignature(signature: Signature): void {
  const known = signatureOf(signature.name);
  if (!known) throw new GpuprofError('bad-capture', `the capture calls ${signature.name}, which is no GL command`);
  const same =
    known.params.length === signature.params.length &&
    shape(known.result) === shape(signature.result) &&
    known.params.every((param, index) => shape(param) === shape(signature.params[index]));
  if (!same) throw new GpuprofError('bad-capture', `the capture's ${signature.name} has other parameters than GL's`);
}

const pointerCommands = /^MultiDrawElements/;

/** Turns the calls of one stream into functions, call by call and in order. */
export class Compiler {
  readonly #state: ReplayState;
  readonly #stream: CallStream;
  readonly #memory: CallMemory;
  readonly #budget: MemoryBudget;
  readonly #vertexChecks: VertexChecks;
  readonly #lifetimes: Lifetimes;
  readonly #keep: Site['keep'];
  readonly #commands = new Map<Signature, Command>();

  constructor(
    state: ReplayState,
    stream: CallStream,
    memory: CallMemory,
    checks: { budget: MemoryBudget; vertexChecks: VertexChecks; lifetimes: Lifetimes },
    keep: Site['keep'],
  ) {
    this.#state = state;
    this.#stream = stream;
    this.#memory = memory;
    this.#budget = checks.budget;
    this.#vertexChecks = checks.vertexChecks;
    this.#lifetimes = checks.lifetimes;
    this.#keep = keep;
  }

  /**
   * Checks a call and compiles it; null when there is nothing to do. The bindings must be those before the call.
   * Throws GpuprofError `bad-capture` for a call that would hurt, `missing-feature` for one the context lacks.
   */
  compile(index: number, call: Call): Op | null {
    const { signature } = call;
    const command = this.#command(signature);
    const at = this.#stream.starts[index];
    const positions = this.#positions(at, signature);
    this.#checkIds(call);
    this.#lifetimes.follow(call);
    const memory = this.#memory;
    const plain = () => {
      command.invoker ??= makeInvoker(command.fn(), signature, memory);
      return command.invoker;
    };
    const { handler } = command;
    if (!handler && signature.params.some(({ type }) => type === 'out' || type === 'pointer'))
      throw new GpuprofError('bad-capture', `${signature.name} cannot be part of a capture`);
    checkLengths(call, this.#state.bindings, handler !== undefined);
    this.#vertexChecks.check(call, this.#state.bindings, memory.bytesOf, memory);
    checkWork(call, memory.bytesOf);
    this.#budget.book(call, this.#state.bindings);
    if (!handler) return plain();
    return handler({
      state: this.#state,
      memory,
      call,
      args: call.args,
      at,
      positions,
      keep: this.#keep,
      plain,
      get fn() {
        return command.fn();
      },
    });
  }

  #command(signature: Signature): Command {
    let command = this.#commands.get(signature);
    if (command) return command;
    checkSignature(signature);
    const name = baseName(signature.name);
    const { context } = this.#state;
    command = { handler: handlerFor(name), fn: () => context.require(signature.name), invoker: undefined };
    if (signature.params.some(({ element }) => element === 'pointer') && !pointerCommands.test(name))
      throw new GpuprofError('bad-capture', `${signature.name} cannot be part of a capture`);
    this.#commands.set(signature, command);
    return command;
  }

  #positions(at: number, signature: Signature): number[] {
    const positions: number[] = [];
    let next = at + headerWords;
    for (const param of signature.params) {
      positions.push(next);
      next = afterArgument(this.#stream.words, next, param);
    }
    return positions;
  }

  #checkIds(call: Call): void {
    for (const [index, param] of call.signature.params.entries()) {
      const value = call.args[index];
      if (param.objectClass === 'displayList') continue;
      if (param.type === 'object' || param.type === 'objects') {
        const highest = this.#state.objects.names[param.objectClass!].length - 1;
        for (const id of param.type === 'object' ? [value as number] : (value as readonly number[]))
          if (id > highest) this.#refuse(call, `names ${param.objectClass} ${id} of ${highest}`);
      } else if (param.type === 'location') {
        if (value !== 0xffffffff && (value as number) >= this.#state.objects.locations.length)
          this.#refuse(call, `uses location ${value}, which the capture does not have`);
      } else if (param.type === 'data') {
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
