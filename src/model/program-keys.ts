import { createHash } from 'node:crypto';
import type { Argument, Call } from './call.ts';
import type { CallStream } from './call-stream.ts';
import { getOrAdd } from './get-or-add.ts';
import { baseName } from './gl-constants.ts';
import { argumentNamed } from './named-arguments.ts';
import { perSignature } from './per-signature.ts';
import type { ProgramKeys } from './report.ts';

const commands =
  /^(CreateShader|CreateShaderObject|ShaderSource|CompileShader|ShaderBinary|SpecializeShader|(Attach|Detach)(Shader|Object)|LinkProgram|ProgramBinary|CreateShaderProgramv?)$/;

const commandOf = perSignature(({ name }) => {
  const base = baseName(name);
  return commands.test(base) ? base : null;
});

const fragmentStage = 0x8b30;

/** Hexadecimal digits of a key: 64 bits. */
const keyLength = 16;

function keyOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  // Lengths, so that no text of one part can pass for the next.
  for (const part of parts) hash.update(`${part.length} ${part}`);
  return hash.digest('hex').slice(0, keyLength);
}

const textOf = (texts: Argument | undefined, count: Argument | undefined): string =>
  Array.isArray(texts) ? texts.slice(0, Number(count)).join('') : String(texts ?? '');

interface Shader {
  readonly stage: number;
  source: string | null;
  /** `STAGE KEY` of the source it was last compiled from, and that source; null without. */
  compiled: string | null;
  compiledSource: string | null;
}

/**
 * Finds out what programs are made of, which tells them apart in every capture: {@link ProgramKeys}. A key is the start of
 * the SHA-256 of the sources of the shaders attached when the program was last linked, in the order of their stages.
 */
export class ProgramSources {
  readonly #shaders = new Map<number, Shader>();
  readonly #attached = new Map<number, Set<number>>();
  readonly #keys = new Map<number, string>();
  /** Sources of the fragment shaders of programs that have a key. */
  readonly #fragments = new Map<number, readonly string[]>();

  /** To be called with the setup, then with each frame, in order; decodes only what matters here. */
  follow(calls: CallStream): void {
    const names = calls.signatures.map(commandOf);
    for (let index = 0; index < calls.length; index++) {
      const name = names[calls.words[calls.starts[index]]];
      if (name !== null) this.#observe(name, calls.call(index));
    }
  }

  /** Keys by program id, as the calls so far leave them. Programs without sources have none. */
  keys(): ProgramKeys {
    return Object.fromEntries(this.#keys);
  }

  /** Sources of the fragment shaders that a program was last linked from; undefined when they are not known. */
  fragmentSources(program: number): readonly string[] | undefined {
    return this.#keys.has(program) ? this.#fragments.get(program) : undefined;
  }

  #observe(name: string, call: Call): void {
    const [id, other] = call.args.map(Number);
    switch (name) {
      case 'CreateShader':
      case 'CreateShaderObject':
        this.#shaders.set(call.result, { stage: id, source: null, compiled: null, compiledSource: null });
        break;
      case 'ShaderSource': {
        const shader = this.#shaders.get(id);
        if (shader) shader.source = textOf(call.args[2], call.args[1]);
        break;
      }
      case 'CompileShader': {
        const shader = this.#shaders.get(id);
        if (!shader) break;
        shader.compiledSource = shader.source;
        shader.compiled = shader.source === null ? null : `${shader.stage} ${keyOf([shader.source])}`;
        break;
      }
      case 'ShaderBinary':
        for (const shader of Array.isArray(call.args[1]) ? call.args[1] : []) this.#shaders.delete(Number(shader));
        break;
      case 'SpecializeShader':
        this.#shaders.delete(id);
        break;
      case 'AttachShader':
      case 'AttachObject':
        getOrAdd(this.#attached, id, () => new Set()).add(other);
        break;
      case 'DetachShader':
      case 'DetachObject':
        this.#attached.get(id)?.delete(other);
        break;
      case 'LinkProgram': {
        const shaders = [...(this.#attached.get(id) ?? [])].map((shader) => this.#shaders.get(shader));
        this.#setKey(
          id,
          shaders.map((shader) => shader?.compiled ?? null),
        );
        this.#fragments.set(
          id,
          shaders.flatMap((shader) => (shader?.stage === fragmentStage ? [shader.compiledSource ?? ''] : [])),
        );
        break;
      }
      case 'ProgramBinary':
        this.#keys.delete(id);
        break;
      default: {
        const source = textOf(argumentNamed(call, 'strings') ?? argumentNamed(call, 'string'), other);
        this.#setKey(call.result, [`${id} ${keyOf([source])}`]);
        this.#fragments.set(call.result, id === fragmentStage ? [source] : []);
      }
    }
  }

  /** A program of which a part is not known has no key. */
  #setKey(program: number, parts: readonly (string | null)[]): void {
    const known = parts.filter((part) => part !== null);
    if (known.length > 0 && known.length === parts.length) this.#keys.set(program, keyOf(known.toSorted()));
    else this.#keys.delete(program);
  }
}
