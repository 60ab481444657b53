/** Follows programs: what their shaders declare, and which units and binding points these use. */

import type { Bindings } from '../bindings.ts';
import type { Argument, Call, DataArgument } from '../call.ts';
import type { Manifest } from '../capture.ts';
import { getOrAdd } from '../get-or-add.ts';
import { baseName } from '../gl-constants.ts';
import { argumentNamed, firstData, numberNamed } from '../named-arguments.ts';
import { type Block, type OpaqueUniform, type ShaderInterface, shaderInterface } from './shader-interface.ts';

interface Program {
  readonly attached: Set<number>;
  /** What its last link was made of; null when it is not known. */
  shaders: readonly ShaderInterface[] | null;
  /** By element: `name[0]`. */
  readonly units: Map<string, number>;
  /** Of uniform blocks, by name. */
  readonly bindings: Map<string, number>;
  /** Kinds of blocks that were bound by an index, which only the driver understands. */
  readonly boundByIndex: Set<Block['kind']>;
  uniformBytes: number;
}

const commands =
  /^(ShaderSource|CompileShader|ShaderBinary|SpecializeShader|AttachShader|AttachObject|DetachShader|DetachObject|LinkProgram|ProgramBinary|CreateShaderProgramv?|gpuprof(Uniform|ShaderStorage)BlockBinding|UniformBlockBinding|ShaderStorageBlockBinding|(Program)?Uniform1iv?)$/;

/** `name` and `name[0]` are the same; elements of arrays follow from there. */
function element(name: string, offset: number): string {
  const [, base, index = '0'] = /^(.*?)(?:\[(\d+)\])?$/s.exec(name) ?? [];
  return `${base}[${Number(index) + offset}]`;
}

const declared = (binding: number | null, index: number): number => (binding === null ? 0 : binding + index);

export class Programs {
  readonly #locations: Manifest['locations'];
  readonly #predefined: ReadonlyMap<string, string>;
  readonly #sources = new Map<number, string>();
  readonly #compiled = new Map<number, string>();
  readonly #programs = new Map<number, Program>();
  readonly #parsed = new Map<string, ShaderInterface>();

  constructor({ locations, api, apiVersion, requires }: Manifest) {
    this.#locations = locations;
    const es = api === 'gl' ? [] : ['GL_ES', 'GL_FRAGMENT_PRECISION_HIGH'];
    const version = api === 'gl' ? apiVersion[0] * 100 + apiVersion[1] * 10 : apiVersion[0] >= 3 ? 300 : 100;
    this.#predefined = new Map([
      ...[...es, ...requires.extensions].map((name) => [name, '1'] as const),
      ['__VERSION__', String(version)],
    ]);
  }

  static follows(name: string): boolean {
    return commands.test(name);
  }

  /** To be called with each call that {@link follows} names. */
  observe(call: Call): void {
    const name = baseName(call.signature.name);
    const [first, second] = call.args.map(Number);
    if (/Uniform1iv?$/.test(name)) this.#units(call);
    else if (name === 'ShaderSource') this.#sources.set(first, textOf(call.args[2], call.args[1]));
    else if (name === 'CompileShader') this.#compiled.set(first, this.#sources.get(first) ?? '');
    else if (name === 'ShaderBinary' || name === 'SpecializeShader') this.#compiled.delete(first);
    else if (name.startsWith('CreateShaderProgram')) {
      const source = textOf(argumentNamed(call, 'strings') ?? argumentNamed(call, 'string'), Number.POSITIVE_INFINITY);
      this.#link(this.#of(call.result), [this.#parse(source)]);
    } else {
      const program = this.#of(first);
      if (name.startsWith('Attach')) program.attached.add(second);
      else if (name.startsWith('Detach')) program.attached.delete(second);
      else if (name === 'LinkProgram') this.#link(program, this.#shadersOf(program));
      else if (name === 'ProgramBinary') this.#link(program, null);
      else if (name === 'UniformBlockBinding') program.boundByIndex.add('uniform');
      else if (name === 'ShaderStorageBlockBinding') program.boundByIndex.add('storage');
      else program.bindings.set(element(String(call.args[1]), 0), Number(call.args[2]));
    }
  }

  #of(id: number): Program {
    return getOrAdd(this.#programs, id, () => ({
      attached: new Set(),
      shaders: null,
      units: new Map(),
      bindings: new Map(),
      boundByIndex: new Set(),
      uniformBytes: 0,
    }));
  }

  #parse(source: string): ShaderInterface {
    const version = /^\s*#\s*version\s+(\d+)/m.exec(source.slice(0, 4096))?.[1];
    return getOrAdd(this.#parsed, source, () =>
      shaderInterface(source, version ? new Map(this.#predefined).set('__VERSION__', version) : this.#predefined),
    );
  }

  #shadersOf({ attached }: Program): readonly ShaderInterface[] | null {
    const sources = [...attached].map((shader) => this.#compiled.get(shader));
    return sources.some((source) => source === undefined) ? null : sources.map((text) => this.#parse(text as string));
  }

  #link(program: Program, shaders: readonly ShaderInterface[] | null): void {
    program.shaders = shaders;
    program.units.clear();
    program.bindings.clear();
    program.boundByIndex.clear();
    const uniforms = new Map((shaders ?? []).flatMap((shader) => [...shader.uniforms]));
    program.uniformBytes = [...uniforms.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  #units(call: Call): void {
    const [program, name] = this.#locations[numberNamed(call, 'location') ?? -1] ?? [];
    if (program === undefined || name === undefined) return;
    const data = firstData(call);
    const { units } = this.#of(program);
    if (data) for (const [at, unit] of integers(data).entries()) units.set(element(name, at), unit);
    else units.set(element(name, 0), numberNamed(call, 'v0') ?? 0);
  }

  /** The programs that an action runs. */
  running(bindings: Bindings): readonly number[] {
    if (bindings.program) return [bindings.program];
    return [...new Set(bindings.pipelineStages.get(bindings.pipeline)?.values() ?? [])];
  }

  /** Bytes of a program's plain uniforms. */
  uniformBytes(program: number): number {
    return this.#programs.get(program)?.uniformBytes ?? 0;
  }

  /** Whether the sources that a program was linked from are known. */
  isKnown(program: number): boolean {
    return Boolean(this.#programs.get(program)?.shaders);
  }

  /** Samplers and images of a program with the units of their elements. */
  *opaque(id: number): Iterable<{ readonly uniform: OpaqueUniform; readonly unit: number }> {
    const program = this.#programs.get(id);
    for (const shader of program?.shaders ?? [])
      for (const uniform of shader.opaque)
        for (let index = 0; index < uniform.count; index++)
          yield { uniform, unit: program?.units.get(`${uniform.name}[${index}]`) ?? declared(uniform.binding, index) };
  }

  /** Binding points that a program's blocks of a kind use; null: any, since they are not known. */
  blockBindings(id: number, kind: Block['kind']): ReadonlySet<number> | null {
    const program = this.#programs.get(id);
    if (!program?.shaders || program.boundByIndex.has(kind)) return null;
    const points = new Set<number>();
    for (const { blocks } of program.shaders)
      for (const block of blocks)
        for (let index = 0; block.kind === kind && index < block.count; index++)
          points.add(program.bindings.get(`${block.name}[${index}]`) ?? declared(block.binding, index));
    return points;
  }
}

const integers = (data: DataArgument): readonly number[] =>
  data?.kind === 'inline'
    ? Array.from({ length: Math.min(data.bytes.byteLength >> 2, 4096) }, (_, at) =>
        new DataView(data.bytes.buffer, data.bytes.byteOffset).getInt32(at * 4, true),
      )
    : [];

const textOf = (texts: Argument | undefined, count: Argument | undefined): string =>
  Array.isArray(texts) ? texts.slice(0, Number(count)).join('') : String(texts ?? '');
