/** Display lists: what the commands compiled into them will do once a list is called. */
import { GpuprofError } from '../errors.ts';
import type { Call, DataArgument } from './call.ts';
import { baseName } from './gl-constants.ts';
import { perSignature } from './per-signature.ts';
import type { Signature } from './signature.ts';

const GL_COMPILE_AND_EXECUTE = 0x1301;
/** GL's own bound on lists that call lists. */
const deepest = 64;
/** Calls that one call of lists may stand for; lists that call each other over and over reach any number. */
const mostCalls = 1 << 22;
/** Lists that one list may stand for. */
const mostLists = 1 << 20;

/** Commands that take effect at once while a list is compiled (OpenGL 4.6 compatibility, section 21.4). */
const immediate =
  /^(Gen|Delete|Is|Get|Create|Map|Unmap|Flush|Finish|PixelStore|RenderMode|FeedbackBuffer|SelectBuffer|Read|\w*Pointer$|InterleavedArrays|(Enable|Disable)(ClientState|Vertex)|ClientA|(Push|Pop)ClientAttrib|Bind(Buffer|VertexArray|VertexBuffer|Framebuffer|Renderbuffer)|(Named)?Buffer(Data|SubData|Storage)|Framebuffer|NamedFramebuffer|NamedRenderbuffer|Renderbuffer|CopyBuffer|ShaderSource|CompileShader|AttachShader|DetachShader|LinkProgram|BindAttribLocation|BindFragData|VertexArray|VertexAttrib\w*(Format|Binding|Divisor)|VertexBindingDivisor|gpuprof)/;
/** Whether calls of a signature are never compiled into a list. */
export const isImmediate = perSignature(({ name }) => immediate.test(baseName(name)));

type Role = 'new' | 'end' | 'call' | 'calls' | 'base' | 'delete' | null;
const roles: Readonly<Record<string, Role>> = {
  glNewList: 'new',
  glEndList: 'end',
  glCallList: 'call',
  glCallLists: 'calls',
  glListBase: 'base',
  glDeleteLists: 'delete',
};
const roleOf = perSignature(({ name }): Role => roles[name] ?? null);
const callsLists = ({ signature }: Call): boolean => /^calls?$/.test(roleOf(signature) ?? '');

/** Bytes of each list name by type, from GL_BYTE to GL_4_BYTES. */
const nameBytes = [1, 1, 2, 2, 4, 4, 4, 2, 3, 4];

/** The list names in the data of glCallLists, without the base. */
export function listNames(call: Call, bytes: Uint8Array | null): number[] {
  const type = Number(call.args[1]) - 0x1400;
  const size = nameBytes[type] ?? 0;
  if (!bytes || size === 0) return [];
  const count = Math.min(Number(call.args[0]), Math.floor(bytes.byteLength / size));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read: Readonly<Record<number, (at: number) => number>> = {
    0: (at) => view.getInt8(at),
    2: (at) => view.getInt16(at, true),
    4: (at) => view.getInt32(at, true),
    5: (at) => view.getUint32(at, true),
    6: (at) => Math.floor(view.getFloat32(at, true)),
  };
  const bigEndian = (at: number) => {
    let value = 0;
    for (let byte = 0; byte < size; byte++) value = value * 256 + bytes[at + byte];
    return value;
  };
  const get = read[type] ?? (type === 3 ? (at: number) => view.getUint16(at, true) : bigEndian);
  return Array.from({ length: Math.max(0, count) }, (_, index) => get(index * size));
}

interface List {
  readonly calls: readonly Call[];
  /** Those of them that call lists. */
  readonly nested: readonly Call[];
}

/**
 * Follows display lists through a stream of calls. Lists have the names that the program gave them.
 */
export class DisplayLists {
  readonly #lists = new Map<number, List>();
  /** Names of those there are, and of those that were. */
  readonly #made = new Set<number>();
  /** Gets the name of each list that is called. */
  called: Set<number> | undefined;
  #base = 0;
  #compiling: { readonly name: number; readonly calls: Call[]; readonly executes: boolean } | undefined;

  /** Whether calls of this signature have a part in display lists themselves. */
  static follows(signature: Signature): boolean {
    return roleOf(signature) !== null;
  }

  /** Whether the call is between glNewList and glEndList. */
  get isOpen(): boolean {
    return this.#compiling !== undefined;
  }

  /** Whether a list of this name has been compiled. */
  has(name: number): boolean {
    return this.#lists.has(name);
  }

  /** Names of the lists there are. */
  names(): Iterable<number> {
    return this.#lists.keys();
  }

  /** Whether the open list, once it ends, will call itself, or more lists than GL does. */
  get isEndless(): boolean {
    if (!this.#compiling) return false;
    const { name, calls } = this.#compiling;
    let left = mostLists;
    const reaches = (nested: readonly Call[], depth: number): boolean =>
      depth > deepest ||
      nested.some((call) =>
        this.#namesIn(call).some(
          (called) => called === name || --left < 0 || reaches(this.#lists.get(called)?.nested ?? [], depth + 1),
        ),
      );
    return reaches(calls.filter(callsLists), 0);
  }

  /** Lists that calls call, at any depth, and that have never been made; by their names with and without the list base. */
  neverMade(calls: Iterable<Call>): ReadonlySet<number> {
    const never = new Set<number>();
    const seen = new Set<number>();
    const waiting = Array.from(calls).filter(callsLists);
    for (let call = waiting.pop(); call; call = waiting.pop()) {
      const base = roleOf(call.signature) === 'calls' ? this.#base : 0;
      for (const name of this.#namesIn(call).flatMap((name) => [name, (name - base) >>> 0])) {
        if (seen.has(name)) continue;
        seen.add(name);
        if (!this.#made.has(name)) never.add(name);
        for (const inside of this.#lists.get(name)?.nested ?? []) waiting.push(inside);
      }
    }
    never.delete(0);
    return never;
  }

  /** Passes on to `effect` what takes effect with this call: itself, nothing, or the contents of lists. */
  follow(call: Call, effect: (call: Call) => void): void {
    const role = roleOf(call.signature);
    if (role === null && !this.#compiling) {
      effect(call);
      return;
    }
    if (role === 'new') {
      // GL refuses a list inside another.
      this.#compiling ??= {
        name: Number(call.args[0]),
        calls: [],
        executes: Number(call.args[1]) === GL_COMPILE_AND_EXECUTE,
      };
      return;
    }
    if (role === 'end') {
      if (this.#compiling) {
        const { name, calls } = this.#compiling;
        this.#lists.set(name, { calls, nested: calls.filter(callsLists) });
        this.#made.add(name);
      }
      this.#compiling = undefined;
      return;
    }
    if (role === 'delete') {
      this.#delete(Number(call.args[0]), Number(call.args[1]));
      return;
    }
    if (this.#compiling && !isImmediate(call.signature)) {
      this.#compiling.calls.push(call);
      if (!this.#compiling.executes) return;
    }
    this.#carryOut(call, effect, { depth: 0, left: mostCalls });
  }

  #carryOut(call: Call, effect: (call: Call) => void, bounds: { depth: number; left: number }): void {
    const role = roleOf(call.signature);
    if (role === 'base') this.#base = Number(call.args[0]);
    else if (role === 'call' || role === 'calls') {
      if (bounds.depth >= deepest) return;
      bounds.depth++;
      for (const name of this.#namesIn(call)) {
        this.called?.add(name);
        for (const inside of this.#lists.get(name)?.calls ?? []) {
          if (--bounds.left < 0)
            throw new GpuprofError('bad-capture', `${call.signature.name} calls more than ${mostCalls} commands`);
          this.#carryOut(inside, effect, bounds);
        }
      }
      bounds.depth--;
    } else effect(call);
  }

  /** Names of the lists that a glCallList or glCallLists calls itself; empty for other calls. */
  #namesIn(call: Call): number[] {
    const role = roleOf(call.signature);
    if (role === 'call') return [Number(call.args[0])];
    if (role !== 'calls') return [];
    const data = call.args[2] as DataArgument;
    return listNames(call, data?.kind === 'inline' ? data.bytes : null).map((name) => (this.#base + name) >>> 0);
  }

  #delete(first: number, count: number): void {
    if (count > this.#lists.size) {
      for (const name of this.#lists.keys()) if (name >= first && name < first + count) this.#lists.delete(name);
    } else for (let name = first; name < first + count; name++) this.#lists.delete(name);
  }
}
